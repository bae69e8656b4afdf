package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// trial is one pattern, called.
type trial struct {
	*driver
	pattern *model.Pattern
	plan    *plan.Plan
	method  method
	said    []string // what is wrong
	paged   int      // calls that were made again in pages
}

// fail notes what is wrong.
func (t *trial) fail(format string, args ...any) {
	t.said = append(t.said, fmt.Sprintf("%s: %s: %s", t.file, t.pattern.Name.Text, fmt.Sprintf(format, args...)))
}

func (t *trial) run() error {
	made := t.data.World(t.pattern)
	writes := t.method.kind == "write" || t.method.kind == "number"
	w := t.worldOf(made.Instances, !writes)
	if err := t.hold(w.items); err != nil {
		return err
	}
	for _, b := range t.data.Bindings(t.pattern, made) {
		call := oracle.Call{Pattern: t.pattern, Args: b.Args, Now: b.Now}
		if !call.Sensible() || !t.plan.For(b.Args).Served() {
			continue
		}
		if t.pattern.Token != "" {
			t.tokens++
			b.Args = maps.Clone(b.Args)
			b.Args[t.pattern.Token] = value.OfString(fmt.Sprintf("token-%d", t.tokens))
			call.Args = b.Args
		}
		t.calls++
		var err error
		if writes {
			err = t.write(w, call, b)
		} else {
			err = t.read(w, call, b)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", b.Note, err)
		}
	}
	return nil
}

// invoke calls the method and returns its results.
func (t *trial) invoke(b data.Binding, name string, options ...any) ([]reflect.Value, error) {
	table := reflect.ValueOf(t.open(t.client, func() time.Time { return b.Now }, func(int) int { return 0 }))
	f := table.MethodByName(name)
	if !f.IsValid() {
		return nil, fmt.Errorf("there is no method %s", name)
	}
	in := []reflect.Value{reflect.ValueOf(context.Background())}
	if f.Type().NumIn() > 2 {
		p := reflect.New(f.Type().In(1)).Elem()
		if err := t.fill(p, t.pattern.Parameters, b.Args); err != nil {
			return nil, err
		}
		in = append(in, p)
	}
	for _, o := range options {
		in = append(in, reflect.ValueOf(o))
	}
	return f.Call(in), nil
}

// fill gives the fields of a struct the values of parameters.
func (t *trial) fill(p reflect.Value, parameters []*model.Parameter, args model.Args) error {
	for _, q := range parameters {
		v, ok := args[q.Name]
		if !ok {
			continue
		}
		name, ok := t.structs[p.Type().Name()][q.Name]
		if !ok {
			return fmt.Errorf("%s has no field for %s", p.Type(), q.Name)
		}
		field := p.FieldByName(name)
		if len(q.Fields) == 0 {
			if err := t.set(field, v, q.Domain()); err != nil {
				return err
			}
			continue
		}
		list := reflect.MakeSlice(field.Type(), len(v.Items()), len(v.Items()))
		for i, m := range v.Items() {
			inner := model.Args{}
			for _, f := range m.Fields() {
				inner[f.Name] = f.Value
			}
			if err := t.fill(list.Index(i), q.Fields, inner); err != nil {
				return err
			}
		}
		field.Set(list)
	}
	return nil
}

// failure is the error of a method's results, nil for none.
func failure(out []reflect.Value) error {
	err, _ := out[len(out)-1].Interface().(error)
	return err
}

// rows are the items that a method gives.
func (t *trial) rows(b data.Binding) ([]reflect.Value, error) {
	out, err := t.invoke(b, t.method.name)
	if err != nil {
		return nil, err
	}
	switch t.method.kind {
	case "iterator", "pairs":
		return collected(out[0])
	case "list":
		var all []reflect.Value
		for i := range out[0].Len() {
			all = append(all, out[0].Index(i))
		}
		return all, failure(out)
	case "steps":
		var all []reflect.Value
		for i := range out[0].NumField() {
			if f := out[0].Field(i); !f.IsNil() {
				all = append(all, f.Elem())
			}
		}
		return all, failure(out)
	}
	if err := failure(out); err != nil {
		if err.Error() == "no such item" {
			return nil, nil
		}
		return nil, err
	}
	return []reflect.Value{out[0]}, nil
}

// collected are the items of an iterator.
func collected(seq reflect.Value) ([]reflect.Value, error) {
	var all []reflect.Value
	for row, err := range seq.Seq2() {
		if e, _ := err.Interface().(error); e != nil {
			return all, e
		}
		all = append(all, row)
	}
	return all, nil
}

// inPages are the items of the pages of a method, of so many items each.
func (t *trial) inPages(b data.Binding, size int) ([]reflect.Value, error) {
	var all []reflect.Value
	var cursor reflect.Value
	for range 200 {
		table := reflect.ValueOf(t.open(t.client, func() time.Time { return b.Now }, func(int) int { return 0 }))
		options := t.options(table, size, cursor)
		out, err := t.invoke(b, t.method.name+"Page", options...)
		if err != nil {
			return nil, err
		}
		if err := failure(out); err != nil {
			return nil, err
		}
		page := out[0]
		items := page.FieldByName("Items")
		for i := range items.Len() {
			all = append(all, items.Index(i))
		}
		if items.Len() > size {
			return nil, fmt.Errorf("a page has %d items, not %d", items.Len(), size)
		}
		if cursor = page.FieldByName("Next"); cursor.String() == "" {
			return all, nil
		}
	}
	return nil, errors.New("the pages do not end")
}

// options are those of a page: its size, and where it begins.
func (t *trial) options(_ reflect.Value, size int, cursor reflect.Value) []any {
	out := []any{t.driver.store.pageSize(size)}
	if cursor.IsValid() {
		out = append(out, t.driver.store.after(cursor.String()))
	}
	return out
}

// read compares the answer of a read with the oracle's.
func (t *trial) read(w world, call oracle.Call, b data.Binding) error {
	answer := w.oracle.Read(call)
	if t.method.kind == "count" {
		out, err := t.invoke(b, t.method.name)
		if err != nil {
			return err
		}
		if err := failure(out); err != nil {
			t.fail("%s: %v", show(b), err)
		} else if n := int(out[0].Int()); n != answer.Want {
			t.fail("%s: counts %d, not %d", show(b), n, answer.Want)
		}
		return nil
	}
	got, err := t.rows(b)
	if err != nil {
		if t.unfit(b) {
			t.skipped++
			return nil
		}
		t.fail("%s: %v", show(b), err)
		return nil
	}
	if t.method.kind == "pairs" {
		return t.pairs(w, call, answer, got, b)
	}
	t.compare(answer, got, b, "")
	if t.method.kind == "iterator" && t.pattern.Limit == 0 && len(got) > 1 && len(got) < 12 && t.paged < 4 {
		t.paged++
		for _, size := range []int{1, 3} {
			got, err := t.inPages(b, size)
			if err != nil {
				t.fail("%s: in pages of %d: %v", show(b), size, err)
				continue
			}
			t.compare(answer, got, b, fmt.Sprintf("in pages of %d: ", size))
		}
	}
	return nil
}

// unfit tells whether the plan itself takes no such call.
func (t *trial) unfit(b data.Binding) bool {
	_, err := t.plan.For(b.Args).Requests(plan.Call{Args: b.Args, Now: b.Now})
	return err != nil
}

// compare compares items with those that have to come.
func (t *trial) compare(answer oracle.Answer, got []reflect.Value, b data.Binding, how string) {
	if len(got) != answer.Want {
		t.fail("%s: %sgives %d items, not %d of %d", show(b), how, len(got), answer.Want, len(answer.Matches))
		return
	}
	if t.method.row || len(got) > 0 && got[0].Kind() == reflect.Map {
		t.compareRows(answer, got, b, how)
		return
	}
	var items []model.Instance
	for _, row := range got {
		in, err := t.instance(row)
		if err != nil {
			t.fail("%s: %s%v", show(b), how, err)
			return
		}
		i := slices.Index(answer.Identities, oracle.Identity(in))
		if i < 0 {
			t.fail("%s: %sgives %v, which does not match", show(b), how, in.Item)
			return
		}
		if !maps.EqualFunc(answer.Matches[i].Item, in.Item, value.Equal) {
			t.fail("%s: %sgives %v, not %v", show(b), how, in.Item, answer.Matches[i].Item)
			return
		}
		items = append(items, in)
	}
	if !answer.Prefix(items) && len(t.pattern.Order) > 0 {
		t.fail("%s: %sgives its items in another order", show(b), how)
	}
}

// compareRows compares selected attributes: those of some match that has not been
// given yet.
func (t *trial) compareRows(answer oracle.Answer, got []reflect.Value, b data.Binding, how string) {
	left := slices.Clone(answer.Matches)
	var order []model.Instance
	for _, row := range got {
		names := t.structs[row.Type().Name()]
		i := slices.IndexFunc(left, func(in model.Instance) bool {
			if row.Kind() == reflect.Map {
				return isPart(itemFromSDK(row.Interface().(map[string]types.AttributeValue)), in)
			}
			for attribute, field := range names {
				a := in.Entity.Attribute(attribute)
				if a == nil {
					continue
				}
				if v := get(row.FieldByName(field), a); !value.Equal(v, in.Item[attribute]) && a.Type != model.TypeMap {
					return false
				}
			}
			return true
		})
		if i < 0 {
			t.fail("%s: %sgives %+v, which does not match", show(b), how, row.Interface())
			return
		}
		order = append(order, left[i])
		left = slices.Delete(left, i, i+1)
	}
	if !answer.Prefix(order) && len(t.pattern.Order) > 0 {
		t.fail("%s: %sgives its rows in another order", show(b), how)
	}
}

// isPart tells whether what is stored are some attributes of an item.
func isPart(stored plan.Stored, in model.Instance) bool {
	for name, v := range stored {
		if in.Entity.Attribute(name) != nil && !value.Equal(v, in.Item[name]) {
			return false
		}
	}
	return true
}

// instance is an entity of the package as the model sees it.
func (t *trial) instance(row reflect.Value) (model.Instance, error) {
	if row.Kind() == reflect.Interface {
		row = row.Elem()
	}
	out := row.MethodByName("MarshalItem").Call(nil)
	if err := failure(out); err != nil {
		return model.Instance{}, err
	}
	item := itemFromSDK(out[0].Interface().(map[string]types.AttributeValue))
	in, ok := encode.Decode(t.model.Table, t.model.Entities, item)
	if !ok {
		return in, fmt.Errorf("%v is of no entity", item)
	}
	return in, nil
}

// pairs compares the items of a query and what they refer to.
func (t *trial) pairs(w world, call oracle.Call, answer oracle.Answer, got []reflect.Value, b data.Binding) error {
	var found []reflect.Value
	var referring []model.Instance
	others := map[string]bool{}
	for _, row := range got {
		found = append(found, row.Field(0))
		in, err := t.instance(row.Field(0))
		if err != nil {
			return err
		}
		referring = append(referring, in)
		if other := row.Field(1); !other.IsNil() {
			in, err := t.instance(other.Elem())
			if err != nil {
				return err
			}
			others[oracle.Identity(in)] = true
		}
	}
	t.compare(answer, found, b, "")
	then := w.oracle.Then(call, referring)
	want := map[string]bool{}
	for _, id := range then.Identities {
		want[id] = true
	}
	if !maps.Equal(want, others) {
		t.fail("%s: refers to %d items, not to %d", show(b), len(others), len(want))
	}
	return nil
}

// write compares what a write does with what the oracle says.
func (t *trial) write(w world, call oracle.Call, b data.Binding) error {
	if err := t.hold(w.items); err != nil {
		return err
	}
	want := w.oracle.Write(call)
	out, err := t.invoke(b, t.method.name)
	if err != nil {
		return err
	}
	failed := failure(out)
	stored, err := t.look()
	if err != nil {
		return err
	}
	expected := w.items
	if want.Refusal == "" {
		if expected, err = t.expected(w, want); err != nil {
			t.skipped++
			return nil // what the model says cannot be stored
		}
	}
	switch {
	case want.Refusal == "" && failed != nil:
		if t.unfit(b) || t.offends(want) {
			t.skipped++
			return nil
		}
		t.fail("%s: is refused: %v", show(b), failed)
		return nil
	case want.Refusal != "" && failed == nil:
		t.fail("%s: is accepted, though %s", show(b), want.Refusal)
		return nil
	}
	if want.Refusal != "" && t.method.kind == "number" {
		return nil // it is not atomic: what was written before stays
	}
	for key := range union(expected, stored) {
		if !sameItem(expected[key], stored[key]) {
			t.fail("%s: (%v) leaves\n  %v, not\n  %v", show(b), failed, stored[key], expected[key])
			return nil
		}
	}
	if failed == nil {
		t.accepted++
		t.returned(want, out, b)
	}
	return nil
}

// offends tells whether what a write leaves is not as the model declares it: the
// accessor refuses that, and the check reports it.
func (t *trial) offends(want oracle.Outcome) bool {
	for _, c := range want.Changes {
		if c.After == nil {
			continue
		}
		for _, a := range c.After.Entity.Attributes {
			v := c.After.Item[a.Name.Text]
			if !v.Exists() && !a.Optional || v.Exists() && !data.Valid(a, v) {
				return true
			}
		}
	}
	return false
}

// returned compares the item that a call returns.
func (t *trial) returned(want oracle.Outcome, out []reflect.Value, b data.Binding) {
	if want.Returned == nil || len(out) < 2 || t.method.kind != "write" {
		return
	}
	row := out[0]
	if row.Kind() == reflect.Pointer {
		if row.IsNil() {
			t.fail("%s: returns nothing, not %v", show(b), want.Returned)
			return
		}
		row = row.Elem()
	}
	in, err := t.instance(row)
	if err != nil || !maps.EqualFunc(in.Item, want.Returned, value.Equal) {
		t.fail("%s: returns %v (%v), not %v", show(b), in.Item, err, want.Returned)
	}
}

// expected is what has to be stored after a write.
func (t *trial) expected(w world, want oracle.Outcome) (map[string]plan.Stored, error) {
	out := maps.Clone(w.items)
	for _, c := range want.Changes {
		if c.Before == nil {
			continue
		}
		records, err := t.records(*c.Before, 0)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			delete(out, t.keyText(r))
		}
	}
	for _, c := range want.Changes {
		if c.After == nil {
			continue
		}
		records, err := t.records(*c.After, 0)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			out[t.keyText(r)] = r
		}
	}
	return out, nil
}

func union(a, b map[string]plan.Stored) map[string]bool {
	out := map[string]bool{}
	for k := range a {
		out[k] = true
	}
	for k := range b {
		out[k] = true
	}
	return out
}

// show is a call as text.
func show(b data.Binding) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(b.Args)) {
		text := b.Args[name].String()
		if len(text) > 120 {
			text = text[:120] + "…"
		}
		all = append(all, name+" = "+text)
	}
	return strings.Join(all, ", ") + " at " + b.Now.Format(time.RFC3339)
}
