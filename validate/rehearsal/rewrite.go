package rehearsal

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/migration"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/value"
)

// rewrite does to one item what a backfill does.
func (p *play) rewrite(ctx context.Context, b *migration.Backfill, h *held) error {
	if b.Form == migration.Remove {
		return p.remove(ctx, b, h)
	}
	want, err := encode.Item(p.Migration.New.Model, h.new.Entity, h.new.Item, nil)
	if err != nil {
		return nil // compare says so at the end
	}
	if b.Form == migration.Copy {
		h.copied = want
		if err := p.put(ctx, p.newTable, want); err != nil {
			return err
		}
		return p.putGuards(ctx, h)
	}
	for name, v := range h.stored {
		if _, made := want[name]; !made && p.stays(h, name) {
			want[name] = v
		}
	}
	if err := p.replace(ctx, b, h, want); err != nil || !b.Guards {
		return err
	}
	return p.putGuards(ctx, h)
}

// stays tells whether an attribute of an item stays until a later step removes
// it: one that the old model knows and the new one does not.
func (p *play) stays(h *held, name string) bool {
	known := h.old.Entity.Attribute(name) != nil || name == p.Migration.Old.Model.Table.EntityType
	return known && h.new.Entity.Attribute(name) == nil
}

// replace stores an item in place of what it was, under another key perhaps.
func (p *play) replace(ctx context.Context, b *migration.Backfill, h *held, want plan.Stored) error {
	t := p.Migration.New.Model.Table
	if keyText(t, want) != keyText(t, h.stored) {
		if other := p.holder(keyText(t, want)); other != nil {
			p.wrongAt(b, h, fmt.Sprintf("two items land on one key when %s moves: %s and %s", h.new.Entity.Name.Text, shown(h.stored), shown(other.stored)))
			return nil
		}
		if err := p.delete(ctx, h.stored); err != nil {
			return err
		}
	}
	h.stored = want
	return p.put(ctx, p.oldTable, want)
}

// holder is the item that is stored under a key, nil for none.
func (p *play) holder(key string) *held {
	t := p.Migration.New.Model.Table
	i := slices.IndexFunc(p.held, func(h *held) bool { return !h.gone && keyText(t, h.stored) == key })
	if i < 0 {
		return nil
	}
	return p.held[i]
}

func (p *play) wrongAt(b *migration.Backfill, h *held, message string) {
	number := slices.IndexFunc(p.Migration.Steps, func(s *migration.Step) bool { return s.Backfill == b }) + 1
	p.note(number, "new", 0, []diag.Finding{{Rule: diag.KeyCollision, Severity: diag.Error, Entity: h.new.Entity.Name.Text, Span: h.new.Entity.Name.At, Message: message}})
}

// remove takes away what the new model does not know of an item, or the item itself.
func (p *play) remove(ctx context.Context, b *migration.Backfill, h *held) error {
	if b.Guards {
		if err := p.dropGuards(ctx, h); err != nil {
			return err
		}
	}
	if b.Pair == nil {
		h.gone = true
		return p.delete(ctx, h.stored)
	}
	left, seen := maps.Clone(h.stored), maps.Clone(h.old.Item)
	for _, name := range b.Removes {
		delete(left, name)
		delete(seen, name) // old code that relies on it is among the breaks
	}
	h.stored, h.old.Item = left, seen
	return p.put(ctx, p.oldTable, left)
}

// putGuards stores the guards that the new model has of an item.
func (p *play) putGuards(ctx context.Context, h *held) error {
	guards, err := encode.Guards(p.Migration.New.Model, h.new.Entity, h.new.Item)
	if err != nil {
		return nil // compare says so at the end
	}
	for _, g := range guards {
		if err := p.put(ctx, p.newTable, g.Key); err != nil {
			return err
		}
	}
	return nil
}

// dropGuards deletes the guards of an item that only the old model has.
func (p *play) dropGuards(ctx context.Context, h *held) error {
	guards, err := encode.Guards(p.Migration.Old.Model, h.old.Entity, h.old.Item)
	if err != nil {
		return err
	}
	var kept []encode.Guard
	if h.new.Entity != nil {
		if kept, err = encode.Guards(p.Migration.New.Model, h.new.Entity, h.new.Item); err != nil {
			return nil // compare says so at the end
		}
	}
	t := p.Migration.Old.Model.Table
	for _, g := range guards {
		if slices.ContainsFunc(kept, func(k encode.Guard) bool { return keyText(t, k.Key) == keyText(t, g.Key) }) {
			continue
		}
		if err := p.delete(ctx, g.Key); err != nil {
			return err
		}
	}
	return nil
}

func (p *play) put(ctx context.Context, table string, item plan.Stored) error {
	_, err := p.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table), Item: sdk.Item(item)})
	return err
}

// delete deletes an item of the old table.
func (p *play) delete(ctx context.Context, item plan.Stored) error {
	key := plan.Stored{}
	for _, k := range p.Migration.Old.Model.Table.Keys() {
		key[k.Name] = item[k.Name]
	}
	_, err := p.Client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String(p.oldTable), Key: sdk.Item(key)})
	return err
}

// keyText is the table key of an item as one text.
func keyText(t *model.Table, item plan.Stored) string {
	var text string
	for _, k := range t.Keys() {
		text += item[k.Name].String() + "\x00"
	}
	return text
}

// shown is an item for a person.
func shown(item plan.Stored) string {
	fields := make([]value.Field, 0, len(item))
	for _, name := range slices.Sorted(maps.Keys(item)) {
		fields = append(fields, value.Field{Name: name, Value: item[name]})
	}
	return value.OfMap(fields...).String()
}
