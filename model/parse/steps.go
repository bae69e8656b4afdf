package parse

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// stepNodes are the keys of a write, in a pattern or a step, as written.
type stepNodes struct {
	change, condition, with, old, readFirst, upsert, mustExist, unversioned *yamltree.Node
}

func (n *stepNodes) fields() []field {
	return []field{
		{"change", false, keep(&n.change)},
		{"if", false, keep(&n.condition)},
		{"with", false, keep(&n.with)},
		{"old", false, keep(&n.old)},
		{"read_first", false, keep(&n.readFirst)},
		{"upsert", false, keep(&n.upsert)},
		{"must_exist", false, keep(&n.mustExist)},
		{"unversioned", false, keep(&n.unversioned)},
	}
}

// stepper reads the steps of one scope of parameters: of a pattern, or of a
// for_each in it.
type stepper struct {
	*builder
	params  *params
	pattern *model.Pattern
	// deferred are the for_each steps: names bound outside keep their value, so
	// what is outside is read first.
	deferred []func()
}

// steps reads the list of steps of a pattern.
func (p *patternDraft) steps(n *yamltree.Node) []*model.Step {
	s := &stepper{builder: p.builder, params: p.params, pattern: p.pattern}
	return s.list(n)
}

// stepOperations are the operations of steps in each kind of pattern.
func stepOperations(op model.Operation) []string {
	switch op {
	case model.BatchWrite:
		return []string{"put", "delete"}
	case model.TransactWrite:
		return []string{"create", "put", "update", "delete", "check"}
	}
	return []string{"get"}
}

func (s *stepper) list(n *yamltree.Node) []*model.Step {
	var out []*model.Step
	for _, item := range s.items(n, "a list of steps is wanted here") {
		if step := s.step(item); step != nil {
			out = append(out, step)
		}
	}
	switch {
	case n.Incomplete:
		s.broken()
	case n.Kind == yamltree.Sequence && len(n.Items) == 0:
		s.errorf(n.At, "the list of steps is empty")
	}
	for _, read := range s.deferred {
		read()
	}
	return out
}

// step reads one step; nil when it is broken.
func (s *stepper) step(n *yamltree.Node) *model.Step {
	if n.Kind == yamltree.Mapping && has(n, "for_each") {
		return s.forEach(n)
	}
	if s.foreignStep(n) {
		return nil
	}
	var nodes stepNodes
	allowed := stepOperations(s.pattern.Operation)
	operands := make([]*yamltree.Node, len(allowed))
	fields := nodes.fields()
	for i, op := range allowed {
		fields = append(fields, field{op, false, keep(&operands[i])})
	}
	if s.pattern.Operation == model.BatchWrite || s.pattern.Operation.IsRead() {
		fields = slices.DeleteFunc(fields, func(f field) bool {
			return f.key != "with" && !slices.Contains(allowed, f.key)
		})
	}
	if !s.object(n, head(n), "a step of a "+string(s.pattern.Operation), fields) {
		return nil
	}
	step := &model.Step{At: n.At}
	var target *draft
	for _, e := range n.Entries {
		i := slices.Index(allowed, e.Key.Text)
		switch {
		case i < 0:
		case step.Operation != "":
			s.errorf(e.Key.At, "a step does one thing: `%s` or `%s`; write two steps", step.Operation, e.Key.Text)
		default:
			step.Operation, step.OperationAt = model.Operation(allowed[i]), operationAt(e)
			if operands[i] != nil {
				target = s.entityNamed(operands[i])
			} else {
				s.broken()
			}
		}
	}
	if step.Operation == "" {
		if !n.Incomplete {
			s.errorf(head(n), "the step does nothing; it needs one of %s", enumerate(append(allowed, "for_each"), "or"))
		}
		return nil
	}
	if target == nil {
		return nil
	}
	s.write(step, target, &nodes, n)
	return step
}

// foreignStep reports a step whose operation is one that its pattern cannot have.
func (s *stepper) foreignStep(n *yamltree.Node) bool {
	allowed := stepOperations(s.pattern.Operation)
	for _, e := range n.Entries {
		op := model.Operation(e.Key.Text)
		if (isOperation(e.Key.Text) || op == model.Check) && !slices.Contains(allowed, e.Key.Text) {
			s.errorf(e.Key.At, "a %s has no step `%s`; its steps are %s", s.pattern.Operation, op, enumerate(allowed, "and"))
			return true
		}
	}
	return false
}

// operationAt is the place of an operation's key and value.
func operationAt(e *yamltree.Entry) source.Span {
	at := e.Key.At
	at.End = max(at.End, head(e.Value).End)
	return at
}

// forEach reads {for_each: $items, count: 1..20, steps: […]}.
func (s *stepper) forEach(n *yamltree.Node) *model.Step {
	f := &model.ForEach{At: n.At}
	var steps *yamltree.Node
	var list string
	ok := s.object(n, head(n), "a for_each", []field{
		{"for_each", true, func(n *yamltree.Node) {
			text, ok := s.text(n)
			name, dollar := strings.CutPrefix(text, "$")
			if ok && (!dollar || !parameterName(name)) {
				s.errorf(n.At, "`for_each` takes a list parameter such as `$items`, not `%s`", clip(text))
				return
			}
			list = name
		}},
		{"count", true, func(n *yamltree.Node) { f.Count = s.rangeOf(n, countUnit()) }},
		{"steps", true, keep(&steps)},
	})
	if s.params.outer != nil {
		s.errorf(head(n), "a `for_each` inside another is not possible; one list holds all fields")
		return nil
	}
	if !ok || steps == nil || list == "" {
		return nil
	}
	f.Param = list
	at := n.Get("for_each").At
	s.deferred = append(s.deferred, func() {
		fields := newParams(s.builder, s.params)
		inner := &stepper{builder: s.builder, params: fields, pattern: s.pattern}
		f.Steps = inner.list(steps)
		p := s.params.use(list, usage{at: at, list: true})
		if p.fields != nil {
			s.errorf(at, "`$%s` is already the list of another `for_each`", list)
		}
		p.fields, p.max = fields, f.Count.Max
	})
	return &model.Step{At: n.At, ForEach: f}
}

// write reads what an operation on one item does.
func (s *stepper) write(step *model.Step, d *draft, nodes *stepNodes, n *yamltree.Node) {
	step.Entity = d.entity
	s.stepOptions(step, nodes, n)
	s.optional(nodes.with, func(n *yamltree.Node) { step.With = s.assignments(d, n, "with") })
	s.optional(nodes.old, func(n *yamltree.Node) { step.Old = s.assignments(d, n, "old") })
	s.checkWith(step, d)
	s.inputs(step, d)
	s.optional(nodes.condition, func(n *yamltree.Node) {
		step.If = s.condition(n, &scope{builder: s.builder, use: useIf, drafts: []*draft{d}, params: s.params})
	})
	s.optional(nodes.change, func(n *yamltree.Node) { step.Change = s.change(d, n) })
	switch {
	case step.Operation == model.UpdateItem && !has(n, "change") && !n.Incomplete:
		s.errorf(step.OperationAt, "an update needs `change`, as in `change: SET status = 'paid'`")
	case step.Operation == model.Check && !has(n, "if") && !n.Incomplete:
		s.errorf(step.OperationAt, "a check needs `if`; to check that the item exists, write `if: attribute_exists(…)` with one of its attributes")
	case s.pattern.Operation == model.BatchWrite && hasVersion(d):
		s.errorf(step.OperationAt, "%s has a `version`, and a batch checks nothing; write a `transact_write`", d.entity.Name.Text)
	}
}

func hasVersion(d *draft) bool { return versionOf(d.entity) != nil }

// versionOf is the attribute of optimistic locking, or nil.
func versionOf(e *model.Entity) *model.Attribute {
	for _, a := range e.Attributes {
		if a.Version {
			return a
		}
	}
	return nil
}

// stepOptions reads the switches of a write, in steps with a check of which
// operation has them.
func (s *stepper) stepOptions(step *model.Step, nodes *stepNodes, n *yamltree.Node) {
	s.optional(nodes.readFirst, s.flag(&step.ReadFirst))
	s.optional(nodes.upsert, s.flag(&step.Upsert))
	s.optional(nodes.mustExist, s.flag(&step.MustExist))
	s.optional(nodes.unversioned, s.flag(&step.Unversioned))
	if s.pattern.Operation != model.TransactWrite {
		return // checked with the pattern's keys
	}
	for _, f := range nodes.fields() {
		checks := step.Operation == model.Check && (f.key == "if" || f.key == "with")
		if e := entryOf(n, f.key); e != nil && !checks && !possible(f.key, step.Operation) {
			s.errorf(e.Key.At, "`%s` has no meaning for %s%s", f.key, withArticle(step.Operation), instead(f.key, step.Operation))
		}
	}
}

// entryOf is the entry of a key, or nil.
func entryOf(n *yamltree.Node, key string) *yamltree.Entry {
	for _, e := range n.Entries {
		if e.Key.Text == key {
			return e
		}
	}
	return nil
}

// assignments reads {attribute: value}: `$x` is a parameter, `$now` the time,
// anything else a literal.
func (s *stepper) assignments(d *draft, n *yamltree.Node, key string) []*model.Assignment {
	var out []*model.Assignment
	for _, e := range s.entries(n, "`"+key+"` is a mapping from attributes to values") {
		a := s.member(d, e.Key.Text, e.Key.At)
		if a == nil {
			continue
		}
		assignment := &model.Assignment{At: e.Key.At, Attribute: a}
		if s.whole(func() { assignment.Value = s.assigned(d, a, e.Value) }) {
			out = append(out, assignment)
		}
	}
	if n.Incomplete {
		s.broken()
	}
	return out
}

// assigned reads the value of an assignment; nil leaves the attribute out.
func (s *stepper) assigned(d *draft, a *model.Attribute, n *yamltree.Node) expr.Operand {
	switch {
	case n.Kind == yamltree.Broken:
		s.broken()
		return nil
	case n.Kind == yamltree.Null:
		s.noValue(n, "`"+a.Name.Text+"`")
		return nil
	case n.Kind == yamltree.Scalar && n.Style == yamltree.Plain && n.Text == "null" && a.Type != model.TypeAny:
		if !a.Optional {
			s.errorf(n.At, "`%s` is not optional, so it cannot be left out", a.Name.Text)
		}
		return nil
	case n.Kind == yamltree.Scalar && strings.HasPrefix(n.Text, "$"):
		return s.assignedOperand(d, a, n)
	}
	v, _ := s.valueOf(a, n)
	return &expr.Literal{At: n.At, Value: v}
}

func (s *stepper) assignedOperand(d *draft, a *model.Attribute, n *yamltree.Node) expr.Operand {
	operand, problem := expr.ParseOperand(s.input(n))
	if problem != nil {
		s.problem(n, problem)
		return nil
	}
	if p, ok := operand.(*expr.Param); ok && p.Optional {
		s.errorf(p.At, "only conditions and SET actions can be left out with `$%s?`; optional attributes of an item may be left out anyway", p.Name)
		return nil
	}
	scope := &scope{builder: s.builder, use: useWith, drafts: []*draft{d}, params: s.params}
	scope.assignable(a, scope.operand(operand), operand)
	return operand
}

// checkWith checks which attributes `with` may fix: all of an item's, but only
// the key's where the item is addressed.
func (s *stepper) checkWith(step *model.Step, d *draft) {
	lostKeys := d.faulty || !s.usableTable
	for _, w := range step.With {
		a := w.Attribute
		switch wholeItem := step.Operation == model.Create || step.Operation == model.Put; {
		case a.Version && wholeItem:
			s.errorf(w.At, "`%s` is a version, which the tool keeps", a.Name.Text)
		case a.Derive != nil:
			s.errorf(w.At, "`%s` is derived from other attributes, so it cannot be given", a.Name.Text)
		case a.OnWrite != nil && wholeItem:
			s.errorf(w.At, "`%s` is set on every write, so it cannot be given", a.Name.Text)
		case !wholeItem && !a.Version && !lostKeys && !slices.Contains(addressing(d.entity, s.model.Table), a):
			s.errorf(w.At, "`%s` is not part of the key; `with` says here which item is meant, and %s", a.Name.Text, whatChanges(step.Operation))
		}
	}
}

func whatChanges(op model.Operation) string {
	if op == model.UpdateItem {
		return "`change` what becomes of it"
	}
	return "`if` states a condition on it"
}

// addressing are the attributes in an entity's table keys, in its order.
func addressing(e *model.Entity, t *model.Table) []*model.Attribute {
	if t == nil {
		return nil
	}
	var out []*model.Attribute
	for _, a := range e.Attributes {
		for _, k := range t.Keys() {
			key := e.Key(k.Name)
			if key != nil && slices.ContainsFunc(key.Template.Parts, func(p model.Part) bool { return p.Attribute == a }) && !slices.Contains(out, a) {
				out = append(out, a)
			}
		}
	}
	return out
}

// inputs works out the values that the call brings: each a parameter of its
// attribute's name, unless `with` says otherwise.
func (s *stepper) inputs(step *model.Step, d *draft) {
	s.params.suspectKeys(d)
	whole := step.Operation == model.Create || step.Operation == model.Put
	attributes := d.entity.Attributes
	if !whole {
		attributes = addressing(d.entity, s.model.Table)
	}
	for _, a := range attributes {
		if a.Version || a.Derive != nil && whole {
			continue
		}
		step.Inputs = append(step.Inputs, s.inputOf(step, d, a, whole))
	}
	version := versionOf(d.entity)
	locks := step.Operation == model.Put || step.Operation == model.UpdateItem || step.Operation == model.Delete
	if version != nil && locks && !step.Unversioned && !step.ReadFirst {
		step.Version = s.inputOf(step, d, version, false)
	}
}

func (s *stepper) inputOf(step *model.Step, d *draft, a *model.Attribute, whole bool) *model.Assignment {
	for _, w := range step.With {
		if w.Attribute == a {
			if p, ok := w.Value.(*expr.Param); ok && !whole {
				s.params.use(p.Name, usage{at: p.At, attribute: a, entity: d.entity, implied: true, key: true, optional: p.Optional})
			}
			return w
		}
	}
	switch {
	case whole && a.OnWrite != nil:
		return &model.Assignment{At: step.OperationAt, Attribute: a, Value: a.OnWrite}
	case whole && a.Aggregate != nil:
		return &model.Assignment{At: step.OperationAt, Attribute: a, Value: &expr.Literal{At: a.Aggregate.At, Value: value.OfInt(0)}}
	}
	absent := whole && (a.Optional || a.HasDefault())
	s.params.use(a.Name.Text, usage{at: step.OperationAt, attribute: a, entity: d.entity, implied: true, key: !whole, absent: absent})
	return &model.Assignment{At: step.OperationAt, Attribute: a, Value: &expr.Param{At: step.OperationAt, Name: a.Name.Text}}
}
