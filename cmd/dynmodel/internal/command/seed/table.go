package seed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/seed"
	"github.com/dynmodel/dynmodel/model/value"
)

// table writes items to a table.
type table struct {
	client *dynamodb.Client
	name   string
	keys   []model.KeyAttribute
	file   string // of the state; "" for none
	state  state
}

// state says how far a run is, and of what.
type state struct {
	Table    string    `json:"table"`
	Seed     uint64    `json:"seed"`
	Items    int       `json:"items"`
	Now      time.Time `json:"now"`
	Families int       `json:"families"` // written
	Of       int       `json:"of"`
}

// newTable finds or makes the table, and the family to go on from.
func newTable(ctx context.Context, o *Options, m *model.Model, p *seed.Population, now time.Time) (*table, int, error) {
	client, err := o.to.Client(ctx)
	if err != nil {
		return nil, 0, err
	}
	t := &table{client: client, name: o.table, keys: m.Table.Keys(), file: o.state}
	if t.name == "" {
		t.name = m.Table.Name.Text
	}
	t.state = state{Table: t.name, Seed: o.seed, Items: o.items, Now: now, Of: p.Families()}
	if err := t.resume(); err != nil {
		return nil, 0, err
	}
	return t, t.state.Families, t.find(ctx, m, o.create)
}

// resume reads the state of an earlier run.
func (t *table) resume() error {
	if t.file == "" {
		return nil
	}
	text, err := os.ReadFile(t.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var s state
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("%s is no state of a seed run: %w", t.file, err)
	}
	want := t.state
	want.Families = s.Families
	if s != want {
		return fmt.Errorf("%s is of another run (table %s, seed %d, %d items, --now %s); repeat its flags, or name another file",
			t.file, s.Table, s.Seed, s.Items, s.Now.Format(time.RFC3339))
	}
	t.state = s
	return nil
}

// find sees that the table is there, or makes it.
func (t *table) find(ctx context.Context, m *model.Model, create bool) error {
	got, err := t.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(t.name)})
	var missing *types.ResourceNotFoundException
	switch {
	case err == nil:
		return t.fits(m, got.Table)
	case !errors.As(err, &missing):
		return err
	case !create:
		return fmt.Errorf("there is no table %s; make it, or say --create", t.name)
	}
	in := sdk.Table(m.Table)
	in.TableName = aws.String(t.name)
	if _, err := t.client.CreateTable(ctx, in); err != nil {
		return err
	}
	waiter := dynamodb.NewTableExistsWaiter(t.client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 20*time.Millisecond, 2*time.Second
	})
	return waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(t.name)}, 5*time.Minute)
}

// fits tells whether a table has the model's key, without which nothing could be
// written to it.
func (t *table) fits(m *model.Model, d *types.TableDescription) error {
	var has, want []string
	for _, k := range d.KeySchema {
		has = append(has, aws.ToString(k.AttributeName))
	}
	for _, k := range m.Table.Keys() {
		want = append(want, k.Name)
	}
	if !slices.Equal(has, want) {
		return fmt.Errorf("table %s has the key %v, and the model's is %v", t.name, has, want)
	}
	return nil
}

const (
	perBatch   = 25 // items of a BatchWriteItem ("Quotas")
	firstDelay = 50 * time.Millisecond
	mostDelay  = 5 * time.Second
)

// write puts the blocks at the same time.
func (t *table) write(ctx context.Context, blocks [][]stored) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, items := range blocks {
		group.Go(func() error { return t.block(ctx, items) })
	}
	return group.Wait()
}

// block puts items, batch by batch, each until all of it is taken.
func (t *table) block(ctx context.Context, items []stored) error {
	for batch := range slices.Chunk(items, perBatch) {
		var puts []types.WriteRequest
		for i, item := range batch {
			if slices.ContainsFunc(batch[:i], func(other stored) bool { return t.sameKey(item, other) }) {
				continue // no batch may have a key twice
			}
			puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: sdk.Item(item)}})
		}
		if err := t.put(ctx, puts); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) sameKey(a, b stored) bool {
	return !slices.ContainsFunc(t.keys, func(k model.KeyAttribute) bool { return !value.Equal(a[k.Name], b[k.Name]) })
}

// put sends a batch, and what was not processed again, with longer and longer
// pauses.
func (t *table) put(ctx context.Context, puts []types.WriteRequest) error {
	for delay := firstDelay; ; delay = min(2*delay, mostDelay) {
		got, err := t.client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{t.name: puts}})
		if err != nil {
			return err
		}
		if puts = got.UnprocessedItems[t.name]; len(puts) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(delay/2 + time.Duration(rand.Int64N(int64(delay)))):
		}
	}
}

func (t *table) reached(family int) error {
	t.state.Families = family
	if t.file == "" {
		return nil
	}
	text, err := json.Marshal(t.state)
	if err != nil {
		return err
	}
	return modelfiles.Write(t.file, string(text)+"\n")
}

func (t *table) close() error { return nil }
