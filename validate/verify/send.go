package verify

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
)

// reply is what came back for one request, all of its pages together.
type reply struct {
	items   []plan.Stored // those that exist, in the order they came
	count   int           // items returned, or only counted
	scanned int           // items read before filters
	pages   int
	rcu     float64
	wcu     float64
}

// conn sends requests to one table.
type conn struct {
	client *dynamodb.Client
	table  string
	// modelTable is the table's name in the model, which PartiQL statements use.
	modelTable string
	calls      int
}

// send sends one request and follows its pages, at most as far as to want
// items (0: all). A *refusal is returned as the error.
func (c *conn) send(ctx context.Context, r plan.Request, want int) (reply, error) {
	var out reply
	var err error
	switch r.API {
	case plan.GetItem:
		out, err = c.get(ctx, r)
	case plan.BatchGetItem:
		out, err = c.batchGet(ctx, r)
	case plan.TransactGetItems:
		out, err = c.transactGet(ctx, r)
	case plan.Query:
		out, err = c.query(ctx, r, want)
	case plan.Scan:
		out, err = c.scan(ctx, r, want)
	case plan.PutItem:
		out, err = c.put(ctx, r)
	case plan.UpdateItem:
		out, err = c.update(ctx, r)
	case plan.DeleteItem:
		out, err = c.delete(ctx, r)
	case plan.BatchWriteItem:
		out, err = c.batchWrite(ctx, r)
	case plan.TransactWriteItems:
		out, err = c.transactWrite(ctx, r)
	case plan.ExecuteStatement:
		out, err = c.statement(ctx, r)
	default:
		return reply{}, fmt.Errorf("a plan with the unknown operation %s", r.API)
	}
	if refused := asRefusal(err); refused != nil {
		return out, refused
	}
	return out, err
}

func (c *conn) name() *string { return aws.String(c.table) }

// text is a pointer to a text, nil for the empty one.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func number(n int) *int32 {
	if n == 0 {
		return nil
	}
	return aws.Int32(int32(n))
}

// returned makes a reply of the items a call gave back; an item that is nil does not exist.
func returned(items ...map[string]types.AttributeValue) (reply, error) {
	out := reply{pages: 1}
	for _, item := range items {
		if item == nil {
			continue
		}
		read, err := sdk.FromItem(item)
		if err != nil {
			return out, err
		}
		out.items = append(out.items, read)
	}
	out.count, out.scanned = len(out.items), len(out.items)
	return out, nil
}

func units(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}

func allUnits(list []types.ConsumedCapacity) float64 {
	var sum float64
	for i := range list {
		sum += units(&list[i])
	}
	return sum
}

const capacity = types.ReturnConsumedCapacityTotal
