package verify

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/sdk"
)

// Endpoint is a DynamoDB to run on: embedded, local or AWS itself.
type Endpoint struct {
	Client *dynamodb.Client
	// Table gives the name of a table that does not exist, a new one each time.
	Table func() string
	// Lag is how long an index may lag behind its table: a wrong answer from an
	// index only counts when it is still wrong after that. 0: not at all.
	Lag time.Duration
	// Tables is how many tables are used at a time, 0: one for each processor.
	Tables int
	// Tags are put on the tables, so that whoever finds one knows what it is.
	Tags map[string]string
	// Keep leaves the tables, with what they hold last, for somebody to look at.
	Keep bool
}

// tables is how many tables are used at a time for so many plans.
func (e Endpoint) tables(plans int) int {
	if e.Tables > 0 {
		return min(e.Tables, plans)
	}
	return min(runtime.GOMAXPROCS(0), plans)
}

// unsupported tells for what reason an endpoint cannot have certain indexes.
type unsupported map[string]string

// create makes the model's table. The error is a *refusal when DynamoDB does
// not take it. Where the endpoint refuses indexes whose
// keys have several attributes, the table is made without them.
func (e Endpoint) create(ctx context.Context, name string, t *model.Table) (unsupported, error) {
	err := e.make(ctx, sdk.Structure(name, t, func(*model.Index) bool { return true }))
	refused := asRefusal(err)
	if refused == nil {
		return nil, err
	}
	without := unsupported{}
	for _, x := range t.Indexes {
		if isMulti(x) {
			without[x.Name.Text] = "the endpoint has no indexes with keys of several attributes: " + refused.Message
		}
	}
	if len(without) == 0 {
		return nil, refused
	}
	err = e.make(ctx, sdk.Structure(name, t, func(x *model.Index) bool { return !isMulti(x) }))
	if refused := asRefusal(err); refused != nil {
		return nil, refused
	}
	return without, err
}

func isMulti(x *model.Index) bool { return len(x.PartitionKey) > 1 || len(x.SortKey) > 1 }

// make creates a table and waits until it can be used.
func (e Endpoint) make(ctx context.Context, in *dynamodb.CreateTableInput) error {
	for _, key := range slices.Sorted(maps.Keys(e.Tags)) {
		in.Tags = append(in.Tags, types.Tag{Key: aws.String(key), Value: aws.String(e.Tags[key])})
	}
	made, err := e.Client.CreateTable(ctx, in)
	if err != nil {
		return err
	}
	if made.TableDescription != nil && made.TableDescription.TableStatus == types.TableStatusActive {
		return nil
	}
	waiter := dynamodb.NewTableExistsWaiter(e.Client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 20*time.Millisecond, 2*time.Second
	})
	return waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: in.TableName}, 5*time.Minute)
}

// busyPause is how long to wait before a table that is busy is asked for again.
const busyPause = time.Second

// drop deletes the table, even when the job was given up, unless it is to be kept.
func (e Endpoint) drop(ctx context.Context, name string) error {
	if e.Keep {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	for {
		_, err := e.Client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String(name)})
		var gone *types.ResourceNotFoundException
		var busy *types.ResourceInUseException // it is still being made
		switch {
		case errors.As(err, &gone):
			return nil
		case !errors.As(err, &busy):
			return err
		}
		if err := pause(ctx, busyPause); err != nil {
			return err
		}
	}
}
