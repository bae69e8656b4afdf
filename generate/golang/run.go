package golang

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// run writes the main method.
func (x *mutator) run() error {
	m, p, w := x.methods, x.pattern, x.methods.w
	returning := x.returning()
	if returning == "old" && !x.single() {
		return fault("`returns: old` of a write that keeps guards of unique attributes is not supported: leave it out, and read before")
	}
	result, none := "error", "err"
	if returning != "" {
		e := x.of(p.Step.Entity)
		switch returning {
		case "old":
			result, none = "(*"+e.name+", error)", "nil, err"
		default:
			result, none = "("+e.name+", error)", e.name+"{}, err"
		}
	}
	m.open(p.method, p.about(x.about()), fmt.Sprintf("(%s) %s", list("ctx context.Context", p.argument(), "opts ...WriteOption"), result))
	w.line("o := writeOptions(opts)")
	arguments := x.prepared(none, "o")
	if x.single() {
		x.runSingle(arguments, returning, none)
	} else {
		x.runSeveral(arguments, returning, none)
	}
	w.line("}\n")
	return nil
}

// verbs are the methods of the fixed part that make single writes.
var verbs = map[plan.API]string{plan.PutItem: "put", plan.UpdateItem: "updateItem", plan.DeleteItem: "deleteItem"}

func (x *mutator) runSingle(arguments, returning, none string) {
	p, w := x.pattern, x.methods.w
	w.line("in, about, err := t.make%s(%s)", p.method, arguments)
	w.line("if err != nil {")
	w.line("return %s", none)
	w.line("}")
	call := fmt.Sprintf("t.%s(ctx, in, about, o)", verbs[x.api])
	if returning == "" {
		w.line("_, err = %s", call)
		w.line("return err")
		return
	}
	e := x.of(p.Step.Entity)
	if returning == "made" {
		w.line("if _, err := %s; err != nil {", call)
		w.line("return %s", none)
		w.line("}")
		w.line("return Unmarshal%s(in.Item)", e.name)
		return
	}
	w.line("item, err := %s", call)
	if returning == "new" {
		w.line("if err != nil {")
		w.line("return %s", none)
		w.line("}")
		w.line("return Unmarshal%s(item)", e.name)
		return
	}
	w.line("if err != nil || len(item) == 0 {")
	w.line("return nil, err")
	w.line("}")
	w.line("old, err := Unmarshal%s(item)", e.name)
	w.line("return &old, err")
}

func (x *mutator) runSeveral(arguments, returning, none string) {
	p, w := x.pattern, x.methods.w
	made := "tx"
	if x.api == plan.BatchWriteItem {
		made = "writes"
	}
	w.line("%s, err := t.make%s(%s)", made, p.method, arguments)
	w.line("if err != nil {")
	w.line("return %s", none)
	w.line("}")
	if x.api == plan.BatchWriteItem {
		w.line("return t.batchWrite(ctx, writes, o)")
		return
	}
	call := fmt.Sprintf("t.transact(ctx, tx, %s, %t, o)", x.token(), p.Step != nil)
	if returning == "" {
		w.line("return %s", call)
		return
	}
	w.line("if err := %s; err != nil {", call)
	w.line("return %s", none)
	w.line("}")
	e := x.of(p.Step.Entity)
	if returning == "made" {
		w.line("return Unmarshal%s(tx.items[0].Put.Item)", e.name)
		return
	}
	w.line("item, err := t.firstRead(ctx, tx.items[0].Update.Key, o)")
	w.line("if err != nil {")
	w.line("return %s", none)
	w.line("}")
	w.line("return Unmarshal%s(item)", e.name)
}

// about says what the main method does.
func (x *mutator) about() string {
	p := x.pattern
	if p.Step == nil {
		switch x.api {
		case plan.BatchWriteItem:
			return "writes in batches: as many requests as it takes, and again what DynamoDB leaves undone. It is not atomic."
		}
		return "makes a transaction: all of it is done, or nothing. A *TransactionError says which step failed."
	}
	name := p.Step.Entity.Name.Text
	switch p.Step.Operation {
	case model.Create:
		return "creates an item of " + name + ". The error is an *ExistsError when there is one already."
	case model.Put:
		return "writes an item of " + name + ", in the place of one that may be there."
	case model.Delete:
		return "deletes an item of " + name + "."
	}
	if p.Step.Upsert {
		return "changes an item of " + name + ", or makes it."
	}
	return "changes an item of " + name + ". The error is a *ConditionError, which is an ErrConditionFailed, and an ErrNotFound when there is none."
}
