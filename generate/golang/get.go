package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// get writes the methods of a get, batch_get or transact_get.
func (g *generator) get(m *methods, p *pattern) error {
	v := p.plan.Variants[0]
	if len(p.plan.Variants) > 1 {
		return fault("a read by keys with optional parameters is not supported: give them")
	}
	if v.Read == nil {
		return fault("it %s", unserved(v))
	}
	g.declareRow(m.w, p, v.Read.Entities)
	r := &getter{generator: g, methods: m, pattern: p, read: v.Read, out: g.rowsOf(p, v.Read.Entities)}
	r.input = g.auxiliary(p, "Input")
	switch {
	case v.Read.API == plan.GetItem:
		return r.single()
	case v.Read.Gets[0].List != "" && v.Read.API == plan.BatchGetItem:
		return r.batch()
	case v.Read.Gets[0].List != "":
		return r.transactList()
	}
	return r.steps()
}

// getter writes the code of one read by keys.
type getter struct {
	*generator
	methods *methods
	pattern *pattern
	read    *plan.Read
	out     rows
	input   string
}

// signature is that of a method whose options are those of reads.
func (r *getter) signature(result string) string {
	return fmt.Sprintf("(%s) %s", list("ctx context.Context", r.pattern.argument(), "opts ...ReadOption"), result)
}

// begin writes the beginning of the method that gives the request.
func (r *getter) begin(about, result string) error {
	w := r.methods.w
	r.methods.open(r.input, about, fmt.Sprintf("(%s) %s", list(r.pattern.argument(), "opts ...ReadOption"), result))
	w.line("f := &fault{}")
	if r.read.API != plan.TransactGetItems && !r.read.Consistent {
		w.line("o := readOptions(opts)")
	}
	return r.required(w, r.pattern, "return nil, f.err")
}

// modes writes the fields of a request that are no key, to an expression's names.
func (r *getter) modes(x *expression, consistent bool) {
	w := r.methods.w
	if r.read.Projection != nil {
		names := slices.Clone(r.read.Projection)
		for _, k := range r.table.Keys() {
			if !slices.Contains(names, k.Name) {
				names = append(names, k.Name)
			}
		}
		var out []string
		for _, n := range names {
			out = append(out, x.name(n))
		}
		w.line("ProjectionExpression: ptr(%q),", strings.Join(out, ", "))
		w.line("ExpressionAttributeNames: %s,", x.namesCode())
	}
	switch {
	case !consistent:
	case r.read.Consistent:
		w.line("ConsistentRead: to(true),")
	default:
		w.line("ConsistentRead: yes(o.consistent),")
	}
}

// kept is the condition on which the reader of an entity's item keeps it after the
// read, "" when it does in any case.
func (r *getter) kept(e *model.Entity, item string) (string, error) {
	cond := r.read.KeptByReader(e)
	if cond == nil {
		return "", nil
	}
	return r.frame(r.pattern).reading(e, item).holds(cond)
}

// single writes a get of one item.
func (r *getter) single() error {
	m, p, w := r.methods, r.pattern, r.methods.w
	if err := r.begin("is the request of "+p.method+", as DynamoDB gets it.", "(*dynamodb.GetItemInput, error)"); err != nil {
		return err
	}
	key, err := r.frame(p).keyItem(r.read.Gets[0].Key)
	if err != nil {
		return err
	}
	w.line("in := &dynamodb.GetItemInput{")
	w.line("TableName: &t.name,")
	w.line("Key: %s,", key)
	r.modes(r.frame(p).expression(), true)
	w.line("}")
	w.line("return in, f.err")
	w.line("}\n")
	e := r.read.Gets[0].Entity
	m.open(p.method, p.about("reads one item of "+e.Name.Text+". The error is ErrNotFound when there is none."), r.signature("("+r.out.typ+", error)"))
	w.line("in, err := t.%s(%s)", r.input, list(p.passed(), "opts..."))
	w.line("if err != nil {")
	w.line("return %s{}, err", r.out.typ)
	w.line("}")
	w.line("item, err := t.getItem(ctx, in, readOptions(opts))")
	w.line("if err != nil {")
	w.line("return %s{}, err", r.out.typ)
	w.line("}")
	condition, err := r.kept(e, "item")
	if err != nil {
		return err
	}
	if condition != "" {
		none := "ErrNotFound"
		if needs(w, condition) {
			none = "f.or(ErrNotFound)"
		}
		w.line("if %s {", negated(condition))
		w.line("return %s{}, %s", r.out.typ, none)
		w.line("}")
	}
	w.line("return %s(item)", r.out.reader)
	w.line("}\n")
	return nil
}

// keysOf writes the keys of a list parameter.
func (r *getter) keysOf(fr *frame, get *plan.Get) error {
	w := r.methods.w
	f, code := fr.field(get.List)
	if f == nil {
		return fault("there is no list of keys %s", get.List)
	}
	inner := fr
	w.line("for _, k := range %s {", code)
	if f.list != nil {
		inner = fr.inside(f.list, "k")
	}
	key, err := inner.keyItem(get.Key)
	if err != nil {
		return err
	}
	w.line("keys = append(keys, %s)", key)
	w.line("}")
	return nil
}

// keys writes the keys of a batch or transaction.
func (r *getter) keys() error {
	w, fr := r.methods.w, r.frame(r.pattern)
	w.line("var keys []stored")
	for _, get := range r.read.Gets {
		if get.List != "" {
			if err := r.keysOf(fr, get); err != nil {
				return err
			}
			continue
		}
		key, err := fr.keyItem(get.Key)
		if err != nil {
			return err
		}
		w.line("keys = append(keys, %s)", key)
	}
	return nil
}

// shape writes the keys of a batch and how its items are read.
func (r *getter) shape() error {
	w, p := r.methods.w, r.pattern
	if err := r.keys(); err != nil {
		return err
	}
	w.line("like := types.KeysAndAttributes{")
	w.line("Keys: keys,")
	r.modes(r.frame(p).expression(), true)
	w.line("}")
	return nil
}

// batch writes a batch_get.
func (r *getter) batch() error {
	m, p, w := r.methods, r.pattern, r.methods.w
	shape := "keysOf" + p.method
	w.line("func (t *Table) %s(%s) (types.KeysAndAttributes, error) {", shape, list(p.argument(), "o options"))
	w.line("f := &fault{}")
	if err := r.required(w, p, "return types.KeysAndAttributes{}, f.err"); err != nil {
		return err
	}
	if err := r.shape(); err != nil {
		return err
	}
	w.line("return like, f.err")
	w.line("}\n")
	m.open(r.input, "are the requests of "+p.method+", as DynamoDB gets them.", fmt.Sprintf("(%s) ([]*dynamodb.BatchGetItemInput, error)", list(p.argument(), "opts ...ReadOption")))
	w.line("like, err := t.%s(%s)", shape, list(p.passed(), "readOptions(opts)"))
	w.line("return t.getInputs(like), err")
	w.line("}\n")
	m.open(p.method, p.about("reads many items by their keys: as many requests as it takes, and again what DynamoDB leaves out. The items are in the order of their keys, each once; a key without an item gives none."),
		r.signature("([]"+r.out.typ+", error)"))
	w.line("o := readOptions(opts)")
	w.line("like, err := t.%s(%s)", shape, list(p.passed(), "o"))
	w.line("if err != nil {")
	w.line("return nil, err")
	w.line("}")
	w.line("items, err := t.batchGet(ctx, like, []string{%s}, o)", quotedList(keyNames(r.table)))
	w.line("if err != nil {")
	w.line("return nil, err")
	w.line("}")
	if err := r.sieve(); err != nil {
		return err
	}
	w.line("return readAll(items, %s)", r.out.reader)
	w.line("}\n")
	return nil
}

// sieve drops the items that their reader does not keep.
func (r *getter) sieve() error {
	w := r.methods.w
	var conditions []string
	for _, e := range r.read.Entities {
		condition, err := r.kept(e, "item")
		switch {
		case err != nil:
			return err
		case condition == "":
			continue
		case len(r.read.Entities) > 1 && r.table.EntityType == "":
			return fault("items of several entities cannot be told apart without an entity type attribute")
		case len(r.read.Entities) > 1:
			condition = fmt.Sprintf("textAt(item, %q) == %q && %s", r.table.EntityType, e.Type, negated(condition))
		default:
			condition = negated(condition)
		}
		conditions = append(conditions, condition)
	}
	if len(conditions) == 0 {
		return nil
	}
	faulty := needs(w, conditions...)
	w.line("items = slices.DeleteFunc(items, func(item stored) bool { return %s })", strings.Join(conditions, " || "))
	if faulty {
		w.line("if f.err != nil {")
		w.line("return nil, f.err")
		w.line("}")
	}
	return nil
}

func keyNames(t *model.Table) []string {
	var names []string
	for _, k := range t.Keys() {
		names = append(names, k.Name)
	}
	return names
}

// transactInput writes the request of a transact_get.
func (r *getter) transactInput() error {
	p, w := r.pattern, r.methods.w
	if err := r.begin("is the request of "+p.method+", as DynamoDB gets it.", "(*dynamodb.TransactGetItemsInput, error)"); err != nil {
		return err
	}
	if err := r.keys(); err != nil {
		return err
	}
	w.line("in := &dynamodb.TransactGetItemsInput{}")
	w.line("for _, key := range keys {")
	w.line("in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: &t.name, Key: key,")
	r.modes(r.frame(p).expression(), false)
	w.line("}})")
	w.line("}")
	w.line("return in, f.err")
	w.line("}\n")
	return nil
}

// transacted writes the read of a transact_get's items, nil for those that are not there.
func (r *getter) transacted(none string) {
	w := r.methods.w
	w.line("in, err := t.%s(%s)", r.input, list(r.pattern.passed(), "opts..."))
	w.line("if err != nil {")
	w.line("return %s, err", none)
	w.line("}")
	w.line("items, err := t.transactGet(ctx, in, readOptions(opts))")
	w.line("if err != nil {")
	w.line("return %s, err", none)
	w.line("}")
}

// transactList writes a transact_get of a list of keys.
func (r *getter) transactList() error {
	m, p, w := r.methods, r.pattern, r.methods.w
	if err := r.transactInput(); err != nil {
		return err
	}
	m.open(p.method, p.about("reads items by their keys, as they are at one moment. A key without an item gives none."), r.signature("([]"+r.out.typ+", error)"))
	r.transacted("nil")
	w.line("items = slices.DeleteFunc(items, func(item stored) bool { return item == nil })")
	if err := r.sieve(); err != nil {
		return err
	}
	w.line("return readAll(items, %s)", r.out.reader)
	w.line("}\n")
	return nil
}

// steps writes a batch_get or transact_get with a step for each item.
func (r *getter) steps() error {
	m, p, w := r.methods, r.pattern, r.methods.w
	if r.pattern.row != "" {
		return fault("`select` of items that are read step by step is not supported: leave it out")
	}
	result := r.names.take(p.method + "Result")
	names := scope{}
	var fields []string
	w.line("// %s are the items that %s reads, nil where there is none.", result, p.method)
	w.line("type %s struct {", result)
	for _, get := range r.read.Gets {
		e := r.of(get.Entity)
		fields = append(fields, names.take(e.name))
		w.line("%s *%s", fields[len(fields)-1], e.name)
	}
	w.line("}\n")
	batch := r.read.API == plan.BatchGetItem
	if batch {
		return r.stepBatch(result, fields)
	}
	if err := r.transactInput(); err != nil {
		return err
	}
	m.open(p.method, p.about("reads items as they are at one moment."), r.signature("("+result+", error)"))
	w.line("var out %s", result)
	r.transacted("out")
	return r.fill(fields)
}

// fill writes what puts the items read into the fields of the result.
func (r *getter) fill(fields []string) error {
	w := r.methods.w
	var conditions []string
	for _, get := range r.read.Gets {
		condition, err := r.kept(get.Entity, "item")
		if err != nil {
			return err
		}
		conditions = append(conditions, condition)
	}
	faulty := needs(w, slices.DeleteFunc(slices.Clone(conditions), func(c string) bool { return c == "" })...)
	for i, get := range r.read.Gets {
		condition := fmt.Sprintf("item := items[%d]; item != nil", i)
		if conditions[i] != "" {
			condition += " && (" + conditions[i] + ")"
		}
		w.line("if %s {", condition)
		w.line("o, err := Unmarshal%s(item)", r.of(get.Entity).name)
		w.line("if err != nil {")
		w.line("return out, err")
		w.line("}")
		w.line("out.%s = &o", fields[i])
		w.line("}")
	}
	if faulty {
		w.line("return out, f.err")
	} else {
		w.line("return out, nil")
	}
	w.line("}\n")
	return nil
}

// stepBatch writes a batch_get with a step for each item.
func (r *getter) stepBatch(result string, fields []string) error {
	m, p, w := r.methods, r.pattern, r.methods.w
	w.line("func (t *Table) keysOf%s(%s) (types.KeysAndAttributes, error) {", p.method, list(p.argument(), "o options"))
	w.line("f := &fault{}")
	if err := r.shape(); err != nil {
		return err
	}
	w.line("return like, f.err")
	w.line("}\n")
	m.open(r.input, "are the requests of "+p.method+", as DynamoDB gets them.", fmt.Sprintf("(%s) ([]*dynamodb.BatchGetItemInput, error)", list(p.argument(), "opts ...ReadOption")))
	w.line("like, err := t.keysOf%s(%s)", p.method, list(p.passed(), "readOptions(opts)"))
	w.line("return t.getInputs(like), err")
	w.line("}\n")
	m.open(p.method, p.about("reads items by their keys in one batch."), r.signature("("+result+", error)"))
	w.line("var out %s", result)
	w.line("o := readOptions(opts)")
	w.line("like, err := t.keysOf%s(%s)", p.method, list(p.passed(), "o"))
	w.line("if err != nil {")
	w.line("return out, err")
	w.line("}")
	w.line("items, err := t.placed(ctx, like, []string{%s}, o)", quotedList(keyNames(r.table)))
	w.line("if err != nil {")
	w.line("return out, err")
	w.line("}")
	return r.fill(fields)
}
