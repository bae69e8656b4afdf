package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// writes writes the methods of a single write, a batch or a transaction.
func (g *generator) writes(m *methods, p *pattern) error {
	x := &mutator{generator: g, methods: m, pattern: p}
	x.reads = slices.ContainsFunc(p.plan.Variants, func(v *plan.Variant) bool {
		return v.Write != nil && slices.ContainsFunc(v.Write.Actions, func(a *plan.Action) bool { return a.ReadFirst })
	})
	x.api = plan.TransactWriteItems
	for _, v := range p.plan.Variants {
		if v.Write != nil {
			x.api = v.Write.API
			break
		}
	}
	for _, v := range p.plan.Variants {
		if v.Write != nil && v.Write.API != x.api {
			x.api = plan.TransactWriteItems // with some parameters it has guards to keep
		}
	}
	if err := x.exported(); err != nil {
		return err
	}
	if x.reads {
		if err := x.firstReads(); err != nil {
			return err
		}
	}
	for i, v := range p.plan.Variants {
		if err := x.variant(i, v); err != nil {
			return err
		}
	}
	return nil
}

// mutator writes the code of one pattern that writes.
type mutator struct {
	*generator
	methods *methods
	pattern *pattern
	api     plan.API
	reads   bool // something is read first
	temp    int  // number of the last temporary variable
	// numbered tells that the members of lists are counted, to say which is refused.
	numbered bool
}

// made is what the function that makes the requests returns, errors aside.
func (x *mutator) made() string {
	switch x.api {
	case plan.PutItem, plan.UpdateItem, plan.DeleteItem:
		return "*dynamodb." + string(x.api) + "Input"
	case plan.BatchWriteItem:
		return "[]types.WriteRequest"
	}
	return "transaction"
}

// single tells a write of one item without guards.
func (x *mutator) single() bool {
	return x.api == plan.PutItem || x.api == plan.UpdateItem || x.api == plan.DeleteItem
}

// results are the types that the function that makes the requests returns.
func (x *mutator) results() string {
	if x.single() {
		return "(" + x.made() + ", writing, error)"
	}
	return "(" + x.made() + ", error)"
}

// arguments are those of the function that makes the requests.
func (x *mutator) arguments() string {
	old := ""
	if x.reads {
		old = "olds *queue"
	}
	return list(x.pattern.argument(), "now time.Time", old)
}

// prepared writes the statements before the requests are made: the time, and what is
// read first. They return none with an error.
func (x *mutator) prepared(none, options string) string {
	w, p := x.methods.w, x.pattern
	w.line("now := t.clock().UTC()")
	if !x.reads {
		return list(p.passed(), "now")
	}
	w.line("olds, err := t.prior%s(%s)", p.method, list("ctx", p.passed(), "now", options))
	w.line("if err != nil {")
	w.line("return %s", none)
	w.line("}")
	return list(p.passed(), "now", "olds")
}

// exported writes the methods that callers see.
func (x *mutator) exported() error {
	m, p, w := x.methods, x.pattern, x.methods.w
	input := x.auxiliary(p, "Input")
	ctx := ""
	if x.reads {
		ctx = "ctx context.Context"
	}
	about := "is the request of " + p.method + ", as DynamoDB gets it."
	result := "*dynamodb.TransactWriteItemsInput"
	switch {
	case x.single():
		result = x.made()
	case x.api == plan.BatchWriteItem:
		result, about = "[]*dynamodb.BatchWriteItemInput", "are the requests of "+p.method+", as DynamoDB gets them."
	}
	if x.reads {
		about += " What it depends on is read."
	}
	m.open(input, about, fmt.Sprintf("(%s) (%s, error)", list(ctx, p.argument()), result))
	arguments := x.prepared("nil, err", "options{}")
	switch {
	case x.single():
		w.line("in, _, err := t.make%s(%s)", p.method, arguments)
		w.line("return in, err")
	case x.api == plan.BatchWriteItem:
		w.line("writes, err := t.make%s(%s)", p.method, arguments)
		w.line("return t.batchInputs(writes), err")
	default:
		w.line("tx, err := t.make%s(%s)", p.method, arguments)
		w.line("if err != nil {")
		w.line("return nil, err")
		w.line("}")
		w.line("return tx.input(%s)", x.token())
	}
	w.line("}\n")
	return x.run()
}

// token is the expression of the idempotency token.
func (x *mutator) token() string {
	if x.pattern.Token == "" {
		return `""`
	}
	v, err := x.frame(x.pattern).param(x.pattern.Token)
	if err != nil {
		return `""`
	}
	return v.code
}

// returning is what the main method returns of the item: "", new, old, or made for
// a put, whose item the call does not know itself.
func (x *mutator) returning() string {
	p := x.pattern
	if p.Step == nil {
		return ""
	}
	put := p.Step.Operation == model.Create || p.Step.Operation == model.Put
	switch {
	case p.Returns == "old":
		return "old"
	case put && (p.Returns == "new" || p.Returns == "" && (p.params == nil || p.params.entity == nil)):
		return "made"
	case p.Returns == "new":
		return "new"
	}
	return ""
}

// firstReads writes the function that reads what the write depends on.
func (x *mutator) firstReads() error {
	p, w := x.pattern, x.methods.w
	w.line("func (t *Table) prior%s(%s) (*queue, error) {", p.method, list("ctx context.Context", p.argument(), "now time.Time", "o options"))
	w.line("f := &fault{}")
	w.line("var keys []stored")
	for _, v := range p.plan.Variants {
		if v.Write == nil {
			continue
		}
		err := x.expand(x.frame(p), v.Write.Actions, 0, func(fr *frame, a *plan.Action) error {
			if !a.ReadFirst {
				return nil
			}
			key, err := fr.keyItem(a.Key)
			w.line("keys = append(keys, %s)", key)
			return err
		})
		if err != nil {
			return err
		}
		break // all variants read the same
	}
	w.line("if f.err != nil {")
	w.line("return nil, f.err")
	w.line("}")
	w.line("return t.firstReads(ctx, keys, o)")
	w.line("}\n")
	return nil
}

// expand visits the actions in order, inside the loops that repeat them.
func (x *mutator) expand(fr *frame, actions []*plan.Action, depth int, visit func(*frame, *plan.Action) error) error {
	w := x.methods.w
	return plan.Nested(actions, depth,
		func(a *plan.Action) error { return visit(fr, a) },
		func(loop *model.ForEach, actions []*plan.Action) error {
			f, code := fr.field(loop.Param)
			if f == nil || f.list == nil {
				return fault("there is no list %s at hand", loop.Param)
			}
			variable := "each" + exported(singular(loop.Param))
			index := "_"
			if x.numbered {
				index = "member"
			}
			w.line("for %s, %s := range %s {", index, variable, code)
			if err := x.expand(fr.inside(f.list, variable), actions, depth+1, visit); err != nil {
				return err
			}
			w.line("}")
			return nil
		})
}

// variant writes the function that makes the requests of a variant.
func (x *mutator) variant(i int, v *plan.Variant) error {
	p, w := x.pattern, x.methods.w
	none := "nil"
	if x.api == plan.TransactWriteItems {
		none = "transaction{}"
	}
	failed := func(err string) string {
		if x.single() {
			return "return nil, writing{}, " + err
		}
		return "return " + none + ", " + err
	}
	name := "make" + p.method
	if len(p.plan.Variants) > 1 && i == 0 {
		w.line("func (t *Table) %s(%s) %s {", name, x.arguments(), x.results())
		old := ""
		if x.reads {
			old = "olds"
		}
		x.choose(w, p, func(i int) string {
			s := suffix(i)
			if i == 0 {
				s = "_0"
			}
			return fmt.Sprintf("return t.%s%s(%s)", name, s, list(p.passed(), "now", old))
		})
		w.line("}\n")
		name += "_0"
	} else {
		name += suffix(i)
	}
	w.line("func (t *Table) %s(%s) %s {", name, x.arguments(), x.results())
	defer w.line("}\n")
	if v.Write == nil {
		w.line("%s", failed(fmt.Sprintf("&ValueError{%q, %q}", "the call", unserved(v))))
		return nil
	}
	w.line("f := &fault{}")
	if err := x.required(w, p, failed("f.err")); err != nil {
		return err
	}
	switch {
	case x.single():
		return x.singleAction(v.Write.Actions[0])
	case x.api == plan.BatchWriteItem:
		w.line("var writes []types.WriteRequest")
	default:
		w.line("var tx transaction")
	}
	step := -1
	x.numbered = x.api == plan.TransactWriteItems
	err := x.expand(x.frame(p), v.Write.Actions, 0, func(fr *frame, a *plan.Action) error {
		step++
		w.line("{ // %s %s", a.Step.Operation, a.Entity.Name.Text)
		defer w.line("}")
		if x.api == plan.BatchWriteItem {
			return x.batchAction(fr, a)
		}
		return x.transactAction(fr, a, step)
	})
	if err != nil {
		return err
	}
	w.line("if f.err != nil {")
	w.line("%s", failed("f.err"))
	w.line("}")
	if x.api == plan.BatchWriteItem {
		w.line("return writes, nil")
	} else {
		w.line("return tx, nil")
	}
	return nil
}

// old takes what was read first for an action.
func (x *mutator) old(fr *frame, a *plan.Action) *frame {
	if !a.ReadFirst {
		return fr
	}
	x.methods.w.line("old := olds.next()")
	return fr.reading(a.Entity, "old")
}

// singleAction writes a write of one item.
func (x *mutator) singleAction(a *plan.Action) error {
	w := x.methods.w
	fr := x.old(x.frame(x.pattern), a)
	body, about, err := x.action(fr, a)
	if err != nil {
		return err
	}
	w.line("in := &dynamodb.%sInput{", a.API)
	w.WriteString(body)
	switch {
	case x.pattern.Returns == "new" && a.API == plan.UpdateItem:
		w.line("ReturnValues: types.ReturnValueAllNew,")
	case x.pattern.Returns == "old":
		w.line("ReturnValues: types.ReturnValueAllOld,")
	}
	w.line("}")
	w.line("return in, %s, f.err", about)
	return nil
}

// batchAction writes a member of a batch.
func (x *mutator) batchAction(fr *frame, a *plan.Action) error {
	w := x.methods.w
	if a.API == plan.DeleteItem {
		key, err := fr.keyItem(a.Key)
		w.line("writes = append(writes, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: %s}})", key)
		return err
	}
	item, err := x.putItem(fr, a)
	w.line("writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: %s}})", item)
	return err
}

// members are the fields of a transaction's item, and their types.
var members = map[plan.API]string{plan.PutItem: "Put", plan.UpdateItem: "Update", plan.DeleteItem: "Delete", plan.ConditionCheck: "ConditionCheck"}

// transactAction writes a member of a transaction, and what becomes of its guards.
func (x *mutator) transactAction(fr *frame, a *plan.Action, step int) error {
	w := x.methods.w
	fr = x.old(fr, a)
	body, about, err := x.action(fr, a)
	if err != nil {
		return err
	}
	member := ""
	if len(a.ForEach) > 0 {
		member = ", member: member"
	}
	about = strings.TrimSuffix(about, "}") + fmt.Sprintf(", step: %d, name: %q%s}", step, string(a.Step.Operation)+" "+a.Entity.Name.Text, member)
	w.line("about := %s", about)
	w.line("tx.add(types.TransactWriteItem{%s: &types.%s{", members[a.API], members[a.API])
	w.WriteString(body)
	w.line("}}, about)")
	return x.guards(fr, a)
}
