package typescript

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// driver calls the functions of one model.
type driver struct {
	*generated
	client *dynamodb.Client
	node   *program
	data   *data.Generator
	held   map[string]plan.Stored // what the table holds

	calls, accepted, skipped int
}

// world is a set of items, and how they are stored, by their keys.
type world struct {
	oracle *oracle.World
	items  map[string]plan.Stored
}

func (d *driver) keyText(item plan.Stored) string {
	text := ""
	for _, k := range d.model.Table.Keys() {
		text += item[k.Name].Kind().String() + item[k.Name].Text() + "\x00"
	}
	return text
}

// records are an item as it is stored, and its guards.
func (d *driver) records(in model.Instance, draw int) ([]plan.Stored, error) {
	item, err := encode.Item(d.model, in.Entity, in.Item, func(_ string, n int) int { return draw % n })
	if err != nil {
		return nil, err
	}
	guards, err := encode.Guards(d.model, in.Entity, in.Item)
	out := []plan.Stored{item}
	for _, g := range guards {
		out = append(out, g.Key)
	}
	return out, err
}

// worldOf is the world of the items that can be stored, each key once. Shards are
// drawn by position when they are to differ.
func (d *driver) worldOf(instances []model.Instance, spread bool) world {
	w := world{items: map[string]plan.Stored{}}
	var kept []model.Instance
	for i, in := range instances {
		draw := 0
		if spread {
			draw = i
		}
		records, err := d.records(in, draw)
		taken := slices.ContainsFunc(records, func(r plan.Stored) bool { return w.items[d.keyText(r)] != nil })
		if err != nil || taken {
			continue
		}
		for _, r := range records {
			w.items[d.keyText(r)] = r
		}
		kept = append(kept, in)
	}
	w.oracle = oracle.NewWorld(kept)
	return w
}

// hold makes the table hold just these items.
func (d *driver) hold(want map[string]plan.Stored) error {
	var writes []types.WriteRequest
	for _, key := range slices.Sorted(maps.Keys(d.held)) {
		if _, ok := want[key]; !ok {
			writes = append(writes, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: sdk.Item(d.keyOf(d.held[key]))}})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if !sameItem(want[key], d.held[key]) {
			writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: sdk.Item(want[key])}})
		}
	}
	for chunk := range slices.Chunk(writes, 25) {
		_, err := d.client.BatchWriteItem(context.Background(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{d.name: chunk}})
		if err != nil {
			return err
		}
	}
	d.held = maps.Clone(want)
	return nil
}

func (d *driver) keyOf(item plan.Stored) plan.Stored {
	out := plan.Stored{}
	for _, k := range d.model.Table.Keys() {
		out[k.Name] = item[k.Name]
	}
	return out
}

// look reads all that the table holds.
func (d *driver) look() (map[string]plan.Stored, error) {
	out := map[string]plan.Stored{}
	pages := dynamodb.NewScanPaginator(d.client, &dynamodb.ScanInput{TableName: &d.name})
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.Background())
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			read, err := sdk.FromItem(item)
			if err != nil {
				return nil, err
			}
			out[d.keyText(read)] = read
		}
	}
	d.held = out
	return out, nil
}

// expected is what has to be stored after a write.
func (d *driver) expected(w world, want oracle.Outcome) (map[string]plan.Stored, error) {
	out := maps.Clone(w.items)
	for _, c := range want.Changes {
		if c.Before == nil {
			continue
		}
		records, err := d.records(*c.Before, 0)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			delete(out, d.keyText(r))
		}
	}
	for _, c := range want.Changes {
		if c.After == nil {
			continue
		}
		records, err := d.records(*c.After, 0)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			out[d.keyText(r)] = r
		}
	}
	return out, nil
}

func keysOf(a, b map[string]plan.Stored) map[string]bool {
	out := map[string]bool{}
	for k := range a {
		out[k] = true
	}
	for k := range b {
		out[k] = true
	}
	return out
}

func sameItem(a, b plan.Stored) bool { return maps.EqualFunc(a, b, value.Equal) }
