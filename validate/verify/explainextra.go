package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// explainExtra explains an item that came back and does not match.
func (t *trial) explainExtra(f *failure) explanation {
	i := slices.IndexFunc(f.got, func(g returnedItem) bool {
		return g.record != nil && (g.record.guard != nil || len(f.culprits) > 0 && g.record.is(f.culprits[0]))
	})
	if i < 0 {
		return explanation{}
	}
	r := f.got[i].record
	tests := readBy(testsOf(f.requests), r.item)
	switch f.requests[0].API {
	case plan.ExecuteStatement:
		return explanation{cause: "statement", why: "The statement, as it is written, returns it."}
	case plan.GetItem, plan.BatchGetItem, plan.TransactGetItems:
		return t.sameKey(r)
	}
	if tests == nil {
		return explanation{cause: "twice", why: "More than one of the requests returned it."}
	}
	if r.guard != nil || !slices.Contains(t.entities(), r.in.Entity) {
		return t.foreign(f, r, tests)
	}
	call := f.scene.call(t.pattern)
	for _, cond := range slices.Concat(call.Unmet(t.pattern.Where, r.in), call.Unmet(t.pattern.LiveOf(r.in.Entity), r.in)) {
		if e := t.unmet(f, r, tests, cond); e.cause != "" {
			return e
		}
	}
	return explanation{cause: "range", why: fmt.Sprintf("Its keys lie in the range that the request reads: %s.", joined(tests))}
}

// sameKey explains an item that is not the one whose key was asked for.
func (t *trial) sameKey(r *record) explanation {
	var keys []string
	for _, k := range t.model.Table.Keys() {
		keys = append(keys, quoted(k.Name, t.templateFor(r, k.Name)))
	}
	return explanation{cause: "same key " + thing(r),
		why: fmt.Sprintf("The key that is asked for is also that of %s (%s).", thing(r), strings.Join(keys, ", ")),
		fix: "Let one of their keys begin with a literal that the other cannot begin with.",
		at:  t.blurredKey(r)}
}

// blurredKey is the template of the table's keys that does not keep items
// apart: the first that makes one text of different values, else the last.
func (t *trial) blurredKey(r *record) (at source.Span) {
	for _, k := range t.model.Table.Keys() {
		template := t.templateFor(r, k.Name)
		at = template.At
		if _, _, _, ambiguous := keytext.Ambiguous(template); ambiguous {
			break
		}
	}
	return at
}

func (t *trial) entities() []*model.Entity {
	if t.pattern.Statement != nil {
		return t.pattern.Statement.Returns
	}
	return t.pattern.Entities
}

// foreign explains an item of an entity that the pattern does not return.
func (t *trial) foreign(f *failure, r *record, tests []keyTest) explanation {
	wanted := t.entities()
	if len(wanted) == 0 {
		return explanation{}
	}
	other := "the guard of a unique value of " + r.in.Entity.Name.Text
	if r.guard == nil {
		other = r.in.Entity.Name.Text
	}
	e := explanation{cause: "foreign " + other}
	if len(tests) == 0 {
		e.why = fmt.Sprintf("The scan reads every item, %s included, and nothing filters by entity.", other)
		e.fix = "Set `allow_filter: true`, which filters on the entity type, or give the entity an index of its own."
		return e
	}
	last := tests[len(tests)-1]
	mine, _ := t.templateOf(wanted[0], last.attribute)
	theirs := t.templateFor(r, last.attribute)
	if len(tests) == 1 || last.op == model.KeyEq {
		e.why = fmt.Sprintf("The request reads all items with %s, and %s has that key too (%s).", joined(tests), other, quoted(last.attribute, theirs))
		e.fix = fmt.Sprintf("Give the sort keys of %s and %s different beginnings, query them as an item collection, or set `allow_filter: true` to filter on the entity type.", wanted[0].Name.Text, r.in.Entity.Name.Text)
		if t.pattern.Key != nil {
			e.fix = t.ownRange(f, wanted[0])
		}
		return e
	}
	e.why = fmt.Sprintf("%s lies in the range that is read for %s (%s): %s makes it by %s, %s by %s.",
		lie(r.item, last), wanted[0].Name.Text, last, other, quoted(last.attribute, theirs), wanted[0].Name.Text, quoted(last.attribute, mine))
	e.fix = fmt.Sprintf("Let the %s of %s and of %s begin with texts of which neither is a beginning of the other, such as %s and %s.",
		last.attribute, wanted[0].Name.Text, r.in.Entity.Name.Text, proposedLead(wanted[0]), proposedLead(r.in.Entity))
	if strings.HasPrefix(lead(theirs), lead(mine)) || strings.HasPrefix(lead(mine), lead(theirs)) {
		e.cause = "shared prefix " + other
	} else if t.pattern.Key != nil {
		e.fix = t.ownRange(f, wanted[0])
	}
	return e
}

// ownRange says how a pinned request, which is sent as it is written, reads
// the items of one entity alone.
func (t *trial) ownRange(f *failure, wanted *model.Entity) string {
	keys := t.model.Table.Keys()
	if x := f.index(); x != nil {
		keys = x.Keys()
	}
	sort := keys[len(keys)-1].Name
	template, _ := t.templateOf(wanted, sort)
	if begin := lead(template); begin != "" && len(keys) > 1 {
		return fmt.Sprintf("Ask for `%s: {begins_with: %q}` in the pinned `key`, or leave `key` out and let the planner make the request.", sort, begin)
	}
	return fmt.Sprintf("Leave `key` out and let the planner make the request, with `allow_filter: true` where only the entity type tells %s apart.", wanted.Name.Text)
}

// templateFor is how the record's key attribute is made: by its entity, or by its guard.
func (t *trial) templateFor(r *record, key string) model.Template {
	if r.guard != nil {
		for _, k := range r.guard.Keys {
			if k.Name.Text == key {
				return k.Template
			}
		}
	}
	template, _ := t.templateOf(r.in.Entity, key)
	return template
}

func proposedLead(e *model.Entity) string { return fmt.Sprintf("%q", strings.ToUpper(e.Name.Text)+"#") }

// unmet explains an item of the right entity for which a condition of `where`
// does not hold.
func (t *trial) unmet(f *failure, r *record, tests []keyTest, cond expr.Cond) explanation {
	attr, asked := t.comparison(f, r, cond)
	text := expr.String(cond)
	if attr == nil {
		return explanation{}
	}
	a := r.in.Entity.Attribute(attr.Path.Name)
	key, template, part, ok := t.keyWith(r.in.Entity, a, tests)
	if !ok {
		return explanation{cause: "unasked " + text,
			why: fmt.Sprintf("Nothing in the request asks for `%s`: it is in no key that is read, and in no filter.", text),
			fix: "Add it to the pinned `key` or `filter`."}
	}
	p := template.Parts[part]
	own, want := r.in.Item[a.Name.Text], asked
	switch {
	case isRange(cond) && plainNumber(p, template):
		return unpadded(a, key.attribute, template)
	case isRange(cond) && !sortable(a):
		return unsorted(a, key.attribute)
	case len(p.Funcs) > 0 && sameText(p, own, want):
		return explanation{cause: "function " + a.Name.Text,
			why: fmt.Sprintf("%s holds %s of %s, which is the same for %s and %s.", key.attribute, funcsText(p.Funcs), a.Name.Text, own, want),
			fix: fmt.Sprintf("Put the whole of %s into the key, or say `%s` in `where`.", a.Name.Text, funcCall(p.Funcs, a))}
	case isEquality(cond):
		return t.confused(f, r, key, template, part, want)
	}
	return explanation{cause: "range " + a.Name.Text,
		why: fmt.Sprintf("%s lies in the range that is read (%s), though `%s` does not hold for %s = %s.", lie(r.item, key), key, text, a.Name.Text, own)}
}

// comparison is the attribute a condition is about, and the value it asks for.
func (t *trial) comparison(f *failure, r *record, cond expr.Cond) (*expr.Attr, value.Value) {
	call := f.scene.call(t.pattern)
	of := func(x expr.Operand, with ...expr.Operand) (*expr.Attr, value.Value) {
		attr := attributeIn(x)
		if attr == nil || r.in.Entity.Attribute(attr.Path.Name) == nil {
			return nil, value.Value{}
		}
		for _, o := range with {
			if v := call.ValueBeside(o, attr, r.in); v.Exists() {
				return attr, v
			}
		}
		return attr, value.Value{}
	}
	switch c := cond.(type) {
	case *expr.Compare:
		if attr, v := of(c.Left, c.Right); attr != nil {
			return attr, v
		}
		return of(c.Right, c.Left)
	case *expr.Between:
		return of(c.X, c.Low, c.High)
	case *expr.In:
		attr, v := of(c.X, c.List...)
		if len(v.Items()) > 0 {
			v = v.Items()[0]
		}
		return attr, v
	case *expr.Test:
		if c.Arg != nil {
			return of(c.X, c.Arg)
		}
		return of(c.X)
	}
	return nil, value.Value{}
}

// attributeIn is the attribute that an operand is, or is a function of.
func attributeIn(o expr.Operand) *expr.Attr {
	switch o := o.(type) {
	case *expr.Attr:
		return o
	case *expr.Call:
		if len(o.Args) > 0 {
			return attributeIn(o.Args[0])
		}
	}
	return nil
}

func isRange(c expr.Cond) bool {
	switch c := c.(type) {
	case *expr.Between:
		return true
	case *expr.Compare:
		return c.Op != expr.Eq && c.Op != expr.Ne
	}
	return false
}

func isEquality(c expr.Cond) bool {
	switch c := c.(type) {
	case *expr.Compare:
		return c.Op == expr.Eq
	case *expr.In:
		return true
	}
	return false
}

// confused explains an item whose attribute has another value than the one
// asked for, and whose key passes all the same.
func (t *trial) confused(f *failure, r *record, key keyTest, template model.Template, part int, want value.Value) explanation {
	p := template.Parts[part]
	a, own := p.Attribute, r.in.Item[p.Attribute.Name.Text]
	ownText, _ := encode.Text(own)
	wantText, _ := encode.Text(want)
	d := delimiter(template, part)
	head := fmt.Sprintf("The request asks for %s = %s, and reads %s, in which %s lies.", a.Name.Text, want, key, lie(r.item, key))
	switch {
	case key.op == model.KeyBeginsWith && strings.HasPrefix(ownText, wantText) && strings.HasSuffix(key.values[0].Text(), wantText):
		e := explanation{cause: "open prefix " + a.Name.Text, why: head + " What is read ends with the value itself, so that every longer value that begins with it is read too."}
		if d != "" {
			e.fix = fmt.Sprintf("End the text that the key begins with by %q, the delimiter that follows %s in %s.", d, a.Name.Text, quoted(key.attribute, template))
		} else {
			e.fix = fmt.Sprintf("Put a delimiter behind {%s} in %s that %s cannot contain.", a.Name.Text, quoted(key.attribute, template), a.Name.Text)
		}
		return e
	case d != "" && (strings.Contains(ownText, d) || strings.Contains(wantText, d)):
		return explanation{cause: "delimiter " + a.Name.Text,
			why: head + fmt.Sprintf(" %s can contain %q, the delimiter that ends it in %s, so that its end cannot be told from what follows.", a.Name.Text, d, quoted(key.attribute, template)),
			fix: tight(a, d), at: template.At}
	}
	if left, right := joint(template); left != nil {
		return explanation{cause: "joint " + left.Name.Text,
			why: head + fmt.Sprintf(" %s puts %s and %s side by side with nothing in between, so that different pairs of values make one text.", quoted(key.attribute, template), left.Name.Text, right.Name.Text),
			fix: fmt.Sprintf("Put a delimiter between {%s} and {%s} that %s cannot contain.", left.Name.Text, right.Name.Text, left.Name.Text),
			at:  template.At}
	}
	return explanation{cause: "key " + a.Name.Text, why: head}
}

// sameText tells whether a part makes the same text of two values.
func sameText(p model.Part, a, b value.Value) bool {
	x, err := encode.Apply(p.Funcs, a, encode.TypeOf(p))
	if err != nil {
		return false
	}
	y, err := encode.Apply(p.Funcs, b, encode.TypeOf(p))
	return err == nil && value.Equal(x, y)
}

func funcsText(funcs []expr.Func) string {
	var names []string
	for _, f := range funcs {
		names = append(names, f.String())
	}
	return strings.Join(names, "|")
}

func funcCall(funcs []expr.Func, a *model.Attribute) string {
	text := a.Name.Text
	for _, f := range funcs {
		if f.N > 0 {
			text = fmt.Sprintf("%s(%s, %d)", f.Name, text, f.N)
		} else {
			text = fmt.Sprintf("%s(%s)", f.Name, text)
		}
	}
	return text
}

func unpadded(a *model.Attribute, key string, template model.Template) explanation {
	return explanation{cause: "unpadded " + a.Name.Text,
		why: fmt.Sprintf("%s holds %s as text without padding (%s), and texts sort by their characters: 10 comes before 9.", key, a.Name.Text, quoted(key, template)),
		fix: fmt.Sprintf("Write it as %s, or let a key attribute of type number hold it alone.", padding(a)),
		at:  template.At}
}

func unsorted(a *model.Attribute, key string) explanation {
	how := "with a varying number of digits"
	if a.Domain.AnyZone {
		how = "in any time zone"
	}
	return explanation{cause: "unsorted " + a.Name.Text,
		why: fmt.Sprintf("%s is written %s, so that its text in %s does not sort in the order of time.", a.Name.Text, how, key),
		fix: fmt.Sprintf("Write %s in UTC at one precision (`precision: ms`, without `zone: any`).", a.Name.Text),
		at:  a.At}
}
