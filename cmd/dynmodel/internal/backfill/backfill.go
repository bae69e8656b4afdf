// Package backfill does on a table what a backfill of a migration says: it reads
// all items and brings those of one entity into their new form.
//
// Each write is made on condition that the item is still as it was read, and what
// is in the new form is passed over. So it can be stopped, and run again until
// nothing is left.
package backfill

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/migration"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
)

// Config says what to do, and where.
type Config struct {
	Migration *migration.Migration
	Backfill  *migration.Backfill
	Client    *dynamodb.Client
	// From is the table with the items, and To the one that copies go to.
	From, To string
	// Segments is how many parts of the table are read at a time; 0: four.
	Segments int
	Now      time.Time // of what is filled in with the time of the backfill
	// Progress, if set, is called after every page, by one goroutine at a time.
	Progress func(Result)
}

const segments = 4

// Result is how many items there were, by what was done to them.
type Result struct {
	Read    int // items of all entities
	Written int
	Already int // in the new form
	Changed int // by somebody else meanwhile; another run sees to them
	// Conflicts are items that cannot be written: their new key, or a unique value,
	// is taken. The first few of them are told.
	Conflicts int
	Told      []string
}

const mostTold = 10

// Needs is the error of a backfill that takes values no item holds.
type Needs struct{ Backfill *migration.Backfill }

func (n *Needs) Error() string {
	u := &migration.Unconvertible{Entity: n.Backfill.Entity}
	for _, a := range n.Backfill.Needs {
		u.Lacks = append(u.Lacks, migration.Lack{Attribute: a})
	}
	return u.Error() + ", which no item says; your code has to write it"
}

// ambiguous tells whether a stored value would not say in which form it is: a
// second run would then take what the first has written for old.
func ambiguous(p *migration.Pair) error {
	if p == nil {
		return nil
	}
	for _, a := range p.New.Attributes {
		from := p.From(a)
		switch {
		case from == nil:
		case from != p.Old.Attribute(a.Name.Text) && p.Old.Attribute(a.Name.Text) != nil:
			return fmt.Errorf("%s.%s was another attribute before: no item says which of the two it holds; give it a name that is new", p.New.Name.Text, a.Name.Text)
		case from.Type != a.Type && epochs(from.Type) && epochs(a.Type):
			return fmt.Errorf("%s.%s was %s and is %s: no value says which of the two it is; give it a name that is new", p.New.Name.Text, a.Name.Text, from.Type, a.Type)
		}
	}
	return nil
}

func epochs(t model.Type) bool { return t == model.TypeEpoch || t == model.TypeEpochMS }

// Run does the backfill. The error says that it could not be done, or ctx has
// ended; the result then is what was done until then.
func Run(ctx context.Context, c Config) (Result, error) {
	if len(c.Backfill.Needs) > 0 {
		return Result{}, &Needs{c.Backfill}
	}
	if err := ambiguous(c.Backfill.Pair); err != nil {
		return Result{}, err
	}
	if c.Segments <= 0 {
		c.Segments = segments
	}
	r := &run{Config: c}
	group, ctx := errgroup.WithContext(ctx)
	for segment := range c.Segments {
		group.Go(func() error { return r.segment(ctx, int32(segment)) })
	}
	err := group.Wait()
	return r.result, err
}

// run is a backfill under way.
type run struct {
	Config
	mu     sync.Mutex
	result Result
	// owners are the items of the guards that were written, to find two of one.
	owners map[string]plan.Stored
}

// note changes the result.
func (r *run) note(change func(*Result)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.result)
}

// segment sees to one part of the table.
func (r *run) segment(ctx context.Context, segment int32) error {
	pages := dynamodb.NewScanPaginator(r.Client, &dynamodb.ScanInput{TableName: aws.String(r.From), ConsistentRead: aws.Bool(true),
		Segment: aws.Int32(segment), TotalSegments: aws.Int32(int32(r.Segments))})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			stored, err := sdk.FromItem(item)
			if err != nil {
				return err
			}
			if err := r.item(ctx, stored); err != nil {
				return err
			}
		}
		r.note(func(s *Result) {
			s.Read += len(page.Items)
			if r.Progress != nil {
				r.Progress(*s)
			}
		})
	}
	return nil
}

// item sees to one item.
func (r *run) item(ctx context.Context, stored plan.Stored) error {
	in, ok := r.decoded(stored)
	if !ok {
		return nil
	}
	writes, err := r.writes(in, stored)
	if err != nil {
		r.conflict(fmt.Sprintf("%s: %v", shown(r.key(stored)), err))
		return nil
	}
	if len(writes) == 0 {
		r.note(func(s *Result) { s.Already++ })
		return nil
	}
	return r.send(ctx, stored, writes)
}

// decoded is what a stored item is in the old model, in whichever form it is
// stored; false when it is of another entity.
func (r *run) decoded(stored plan.Stored) (model.Instance, bool) {
	old := r.Migration.Old.Model
	if in, ok := encode.Decode(old.Table, old.Entities, stored); ok {
		return in, in.Entity == r.Backfill.Entity
	}
	if r.Backfill.Pair == nil {
		return model.Instance{}, false
	}
	m := r.Migration.New.Model
	if in, ok := encode.Decode(m.Table, m.Entities, stored); !ok || in.Entity != r.Backfill.Pair.New {
		return model.Instance{}, false
	}
	item := model.Item{}
	for _, a := range r.Backfill.Entity.Attributes {
		if v := stored[a.Name.Text]; v.Exists() {
			item[a.Name.Text] = v
		}
	}
	return model.Instance{Entity: r.Backfill.Entity, Item: item}, true
}

// send makes the writes of an item, in one transaction when there are several.
func (r *run) send(ctx context.Context, stored plan.Stored, writes []types.TransactWriteItem) error {
	err := r.write(ctx, writes)
	var cancelled *types.TransactionCanceledException
	var failed *types.ConditionalCheckFailedException
	switch {
	case err == nil:
		r.note(func(s *Result) { s.Written++ })
	case errors.As(err, &cancelled) && r.Backfill.Form == migration.Move && len(cancelled.CancellationReasons) > 1 &&
		aws.ToString(cancelled.CancellationReasons[1].Code) == "ConditionalCheckFailed":
		r.conflict(shown(r.key(stored)) + ": its new key is taken")
	case errors.As(err, &cancelled), errors.As(err, &failed):
		r.note(r.passedOver)
	default:
		return err
	}
	return nil
}

// passedOver counts an item that was not as it was expected: of a copy, which is
// made where nothing is, one that is there already.
func (r *run) passedOver(s *Result) {
	if r.Backfill.Form == migration.Copy {
		s.Already++
	} else {
		s.Changed++
	}
}

// write makes the writes: one by itself costs half of what it does in a transaction.
func (r *run) write(ctx context.Context, writes []types.TransactWriteItem) error {
	if len(writes) > 1 {
		_, err := r.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
		return err
	}
	var err error
	switch w := writes[0]; {
	case w.Put != nil:
		_, err = r.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.Put.TableName, Item: w.Put.Item,
			ConditionExpression: w.Put.ConditionExpression, ExpressionAttributeNames: w.Put.ExpressionAttributeNames})
	case w.Update != nil:
		_, err = r.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: w.Update.TableName, Key: w.Update.Key, UpdateExpression: w.Update.UpdateExpression,
			ConditionExpression: w.Update.ConditionExpression, ExpressionAttributeNames: w.Update.ExpressionAttributeNames, ExpressionAttributeValues: w.Update.ExpressionAttributeValues})
	case w.Delete != nil:
		_, err = r.Client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: w.Delete.TableName, Key: w.Delete.Key,
			ConditionExpression: w.Delete.ConditionExpression, ExpressionAttributeNames: w.Delete.ExpressionAttributeNames, ExpressionAttributeValues: w.Delete.ExpressionAttributeValues})
	}
	return err
}

func (r *run) conflict(text string) {
	r.note(func(s *Result) {
		s.Conflicts++
		if len(s.Told) < mostTold {
			s.Told = append(s.Told, text)
		}
	})
}

// key is the key of a stored item in the table that is read.
func (r *run) key(stored plan.Stored) plan.Stored {
	out := plan.Stored{}
	for _, k := range r.Migration.Old.Model.Table.Keys() {
		out[k.Name] = stored[k.Name]
	}
	return out
}

func shown(item plan.Stored) string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(item)) {
		text += fmt.Sprintf("%s=%s ", name, item[name])
	}
	return text[:max(len(text)-1, 0)]
}
