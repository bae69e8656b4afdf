package backfill

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/migration"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/value"
)

// writes are what brings an item into its new form: first that of the item as it
// was read, then those whose place must be free. None: there is nothing to do.
func (r *run) writes(in model.Instance, stored plan.Stored) ([]types.TransactWriteItem, error) {
	if r.Backfill.Form == migration.Remove {
		return r.removal(in, stored)
	}
	m := r.Migration.New.Model
	item, err := r.converted(in, stored)
	if err != nil {
		return nil, err
	}
	made := data.Derived(model.Instance{Entity: r.Backfill.Pair.New, Item: item})
	want, err := encode.Item(m, made.Entity, made.Item, encode.Drawn(m.Table, made.Entity, stored))
	if err != nil {
		return nil, err
	}
	guards, err := r.guards(made, stored)
	if err != nil {
		return nil, err
	}
	if r.Backfill.Form == migration.Copy {
		return append([]types.TransactWriteItem{r.put(r.To, want)}, guards...), nil
	}
	keep(want, stored, in.Entity, made.Entity)
	if keyText(m.Table, want) != keyText(m.Table, stored) {
		return append([]types.TransactWriteItem{r.delete(stored), r.put(r.From, want)}, guards...), nil
	}
	if u, ok := r.update(stored, want); ok {
		return append([]types.TransactWriteItem{u}, guards...), nil
	}
	return guards, nil
}

// converted is what an item is in the new model. What it holds under its new name
// and in its new form already stays: it may be newer than the rest.
func (r *run) converted(in model.Instance, stored plan.Stored) (model.Item, error) {
	pair := r.Backfill.Pair
	item, err := pair.Convert(in.Item, r.Now)
	var open *migration.Unconvertible
	if err != nil && !errors.As(err, &open) {
		return nil, err
	}
	for _, a := range pair.New.Attributes {
		if v := stored[a.Name.Text]; v.Exists() && data.Valid(a, v) {
			item[a.Name.Text] = v
		}
	}
	if open == nil {
		return item, nil
	}
	open.Lacks = slices.DeleteFunc(open.Lacks, func(l migration.Lack) bool { return item[l.Attribute.Name.Text].Exists() })
	if len(open.Lacks) > 0 {
		return nil, open
	}
	return item, nil
}

// keep leaves on an item what the old model knows and the new one does not: a
// later step removes it.
func keep(want, stored plan.Stored, old, new *model.Entity) {
	for _, a := range old.Attributes {
		name := a.Name.Text
		if v := stored[name]; v.Exists() && new.Attribute(name) == nil && !want[name].Exists() {
			want[name] = v
		}
	}
}

// guards are the puts of an item's guards, when the backfill has any to write.
func (r *run) guards(in model.Instance, stored plan.Stored) ([]types.TransactWriteItem, error) {
	if !r.Backfill.Guards {
		return nil, nil
	}
	made, err := encode.Guards(r.Migration.New.Model, in.Entity, in.Item)
	if err != nil {
		return nil, err
	}
	table := r.From
	if r.Backfill.Form == migration.Copy {
		table = r.To
	}
	var out []types.TransactWriteItem
	for _, g := range made {
		if other := r.guarded(keyText(r.Migration.New.Model.Table, g.Key), stored); other != nil {
			return nil, fmt.Errorf("a value that must be unique is that of %s too", shown(r.key(other)))
		}
		out = append(out, types.TransactWriteItem{Put: &types.Put{TableName: aws.String(table), Item: sdk.Item(g.Key)}})
	}
	return out, nil
}

// guarded notes that an item has a guard, and returns another one that has it
// already, nil for none.
func (r *run) guarded(guard string, stored plan.Stored) (other plan.Stored) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.owners == nil {
		r.owners = map[string]plan.Stored{}
	}
	key := r.key(stored)
	if other, taken := r.owners[guard]; taken && !maps.EqualFunc(other, key, value.Equal) {
		return other
	}
	r.owners[guard] = key
	return nil
}

// keyText is the table key of an item as one text.
func keyText(t *model.Table, item plan.Stored) string {
	var text string
	for _, k := range t.Keys() {
		text += item[k.Name].String() + "\x00"
	}
	return text
}

// removal deletes an item with its guards, or takes off what is gone.
func (r *run) removal(in model.Instance, stored plan.Stored) ([]types.TransactWriteItem, error) {
	var out []types.TransactWriteItem
	if r.Backfill.Pair == nil {
		out = append(out, r.delete(stored))
	} else {
		want := maps.Clone(stored)
		for _, name := range r.Backfill.Removes {
			if now := r.renamedTo(name); now != "" && stored[name].Exists() && !stored[now].Exists() {
				return nil, fmt.Errorf("%s is not removed, since its value is not under its new name, %s, yet", name, now)
			}
			delete(want, name)
		}
		if u, ok := r.update(stored, want); ok {
			out = append(out, u)
		}
	}
	if !r.Backfill.Guards {
		return out, nil
	}
	guards, err := encode.Guards(r.Migration.Old.Model, in.Entity, in.Item)
	if err != nil {
		return nil, err
	}
	for _, g := range guards {
		out = append(out, types.TransactWriteItem{Delete: &types.Delete{TableName: aws.String(r.From), Key: sdk.Item(g.Key)}})
	}
	return out, nil
}

// renamedTo is the new name of an old attribute, "" when it has none.
func (r *run) renamedTo(name string) string {
	for _, a := range r.Backfill.Pair.New.Attributes {
		if from := r.Backfill.Pair.From(a); from != nil && from.Name.Text == name && a.Name.Text != name {
			return a.Name.Text
		}
	}
	return ""
}

// put puts an item where nothing may be.
func (r *run) put(table string, item plan.Stored) types.TransactWriteItem {
	key := r.Migration.New.Model.Table.PartitionKey.Name
	return types.TransactWriteItem{Put: &types.Put{TableName: aws.String(table), Item: sdk.Item(item),
		ConditionExpression: aws.String("attribute_not_exists(#k)"), ExpressionAttributeNames: map[string]string{"#k": key}}}
}

// delete deletes an item that is as it was read.
func (r *run) delete(stored plan.Stored) types.TransactWriteItem {
	e := newExpression()
	d := &types.Delete{TableName: aws.String(r.From), Key: sdk.Item(r.key(stored))}
	if same := r.same(e, stored); len(same) > 0 {
		d.ConditionExpression = aws.String(strings.Join(same, " AND "))
		d.ExpressionAttributeNames, d.ExpressionAttributeValues = e.names, sdk.Item(e.values)
	}
	return types.TransactWriteItem{Delete: d}
}

// same are the conditions that an item has what it had when it was read.
func (r *run) same(e *expression, stored plan.Stored) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(stored)) {
		if !r.isKey(name) {
			out = append(out, e.name(name)+" = "+e.value(stored[name]))
		}
	}
	return out
}

// update changes the attributes that differ, on condition that the item is as it
// was read. False: none differs.
func (r *run) update(stored, want plan.Stored) (types.TransactWriteItem, bool) {
	e := newExpression()
	var sets, removes []string
	same := r.same(e, stored)
	differing := append(slices.Collect(maps.Keys(want)), r.Backfill.Removes...)
	slices.Sort(differing)
	for _, name := range slices.Compact(differing) {
		v, was := want[name], stored[name]
		if r.isKey(name) || value.Equal(v, was) || !v.Exists() && !was.Exists() {
			continue
		}
		if v.Exists() {
			sets = append(sets, e.name(name)+" = "+e.value(v))
		} else {
			removes = append(removes, e.name(name))
		}
		if !was.Exists() {
			same = append(same, "attribute_not_exists("+e.name(name)+")")
		}
	}
	if len(sets)+len(removes) == 0 {
		return types.TransactWriteItem{}, false
	}
	same = append(same, "attribute_exists("+e.name(r.Migration.Old.Model.Table.PartitionKey.Name)+")")
	var change []string
	if len(sets) > 0 {
		change = append(change, "SET "+strings.Join(sets, ", "))
	}
	if len(removes) > 0 {
		change = append(change, "REMOVE "+strings.Join(removes, ", "))
	}
	u := &types.Update{TableName: aws.String(r.From), Key: sdk.Item(r.key(stored)), UpdateExpression: aws.String(strings.Join(change, " ")),
		ConditionExpression: aws.String(strings.Join(same, " AND ")), ExpressionAttributeNames: e.names}
	if len(e.values) > 0 {
		u.ExpressionAttributeValues = sdk.Item(e.values)
	}
	return types.TransactWriteItem{Update: u}, true
}

func (r *run) isKey(name string) bool {
	return slices.ContainsFunc(r.Migration.Old.Model.Table.Keys(), func(k model.KeyAttribute) bool { return k.Name == name })
}

// expression gathers the names and values of an expression.
type expression struct {
	names  map[string]string
	values plan.Stored
}

func newExpression() *expression {
	return &expression{names: map[string]string{}, values: plan.Stored{}}
}

// name is the placeholder of an attribute's name, the same one each time.
func (e *expression) name(attribute string) string {
	for placeholder, name := range e.names {
		if name == attribute {
			return placeholder
		}
	}
	placeholder := fmt.Sprintf("#n%d", len(e.names))
	e.names[placeholder] = attribute
	return placeholder
}

// value is the placeholder of a value.
func (e *expression) value(v value.Value) string {
	placeholder := fmt.Sprintf(":v%d", len(e.values))
	e.values[placeholder] = v
	return placeholder
}
