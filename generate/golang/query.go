package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// query writes the methods of a query or a scan.
func (g *generator) query(m *methods, p *pattern) error {
	entities := p.Entities
	g.declareRow(m.w, p, entities)
	option := "QueryOption"
	for _, v := range p.plan.Variants {
		if v.Read != nil && v.Read.Index != nil && !v.Read.Index.Local {
			option = "IndexOption"
		}
	}
	q := &querier{generator: g, methods: m, pattern: p, option: option, out: g.rowsOf(p, entities)}
	q.input = g.auxiliary(p, "Input")
	if err := q.exported(); err != nil {
		return err
	}
	for i, v := range p.plan.Variants {
		if err := q.variant(i, v); err != nil {
			return err
		}
	}
	return nil
}

// querier writes the code of one query or scan.
type querier struct {
	*generator
	methods *methods
	pattern *pattern
	option  string // QueryOption, or IndexOption where reads cannot be consistent
	out     rows
	input   string
}

// options is the expression of the options of a call.
func (q *querier) options() string {
	return strings.ToLower(q.option[:1]) + q.option[1:] + "s(opts)"
}

// build is the argument that makes the requests.
func (q *querier) build() string {
	return fmt.Sprintf("func(now time.Time, o options) (reading, error) { return t.read%s(%s) }", q.pattern.method, list(q.pattern.passed(), "now", "o"))
}

// signature is that of a method with what comes before the options.
func (q *querier) signature(result string) string {
	return fmt.Sprintf("(%s) %s", list("ctx context.Context", q.pattern.argument(), "opts ..."+q.option), result)
}

// exported writes the methods that callers see.
func (q *querier) exported() error {
	m, p, w := q.methods, q.pattern, q.methods.w
	call := func(verb string) string {
		return fmt.Sprintf("%s(ctx, t, %s, %s, %s)", verb, q.options(), q.build(), q.out.reader)
	}
	switch {
	case p.Count:
		m.open(p.method, p.about("is how many items there are of the access pattern "+p.Name.Text+"."+q.served()), q.signature("(int64, error)"))
		w.line("return t.count(ctx, %s, %s)", q.options(), q.build())
		w.line("}\n")
	case p.One:
		m.open(p.method, p.about("is the one item of the access pattern "+p.Name.Text+". The error is ErrNotFound when there is none."+q.served()), q.signature("("+q.out.typ+", error)"))
		w.line("return %s", call("only"))
		w.line("}\n")
	case p.Then != nil:
		if err := q.then(); err != nil {
			return err
		}
	default:
		m.open(p.method, p.about("are the items of the access pattern "+p.Name.Text+", page after page as the loop goes on."+q.limited()+q.served()), q.signature("iter.Seq2["+q.out.typ+", error]"))
		w.line("return %s", call("iterate"))
		w.line("}\n")
		m.open(q.auxiliary(p, "Page"), "is a page of "+p.method+", the first one or that After a cursor.", q.signature("(Page["+q.out.typ+"], error)"))
		w.line("return %s", call("pageOf"))
		w.line("}\n")
	}
	q.requests()
	return nil
}

// limited says how many items come at most.
func (q *querier) limited() string {
	if n := q.pattern.Limit; n > 0 {
		return fmt.Sprintf(" They are %d at most.", n)
	}
	return ""
}

// served says what is read.
func (q *querier) served() string {
	r := q.pattern.plan.Variants[0].Read
	if r == nil {
		return ""
	}
	place := "the table"
	if r.Index != nil {
		place = r.Index.Name.Text
	}
	if r.API == plan.Scan {
		return " It scans " + place + "."
	}
	return " It queries " + place + ": " + r.KeyConditionText() + "."
}

// requests writes the method that gives the requests as the SDK has them.
func (q *querier) requests() {
	m, p, w := q.methods, q.pattern, q.methods.w
	several := slices.ContainsFunc(p.plan.Variants, func(v *plan.Variant) bool { return v.Read != nil && len(v.Read.Fan) > 0 })
	kind := "query"
	if p.Operation == model.Scan {
		kind = "scan"
	}
	typ := "*dynamodb." + strings.ToUpper(kind[:1]) + kind[1:] + "Input"
	result, about := "("+typ+", error)", "is the request of "+p.method+", as DynamoDB gets it. The error is ErrNoMatch when nothing can match."
	if several {
		result, about = "([]"+typ+", error)", "are the requests of "+p.method+", as DynamoDB gets them. The error is ErrNoMatch when nothing can match."
	}
	m.open(q.input, about, fmt.Sprintf("(%s) %s", list(p.argument(), "opts ..."+q.option), result))
	w.line("r, err := t.read%s(%s)", p.method, list(p.passed(), "t.clock().UTC()", q.options()))
	w.line("if err != nil {")
	w.line("return nil, err")
	w.line("}")
	if several {
		w.line("return each(r.requests, func(r request) %s { return r.%s }), nil", typ, kind)
	} else {
		w.line("return r.requests[0].%s, nil", kind)
	}
	w.line("}\n")
	if len(p.plan.Variants) == 1 {
		return
	}
	w.line("func (t *Table) read%s(%s) (reading, error) {", p.method, list(p.argument(), "now time.Time", "o options"))
	q.choose(w, p, func(i int) string {
		return fmt.Sprintf("return t.read%s%s(%s)", p.method, q.variantName(i), list(p.passed(), "now", "o"))
	})
	w.line("}\n")
}

// variantName tells the functions of the variants apart, when there are several.
func (q *querier) variantName(i int) string {
	if len(q.pattern.plan.Variants) == 1 {
		return ""
	}
	return fmt.Sprintf("_%d", i)
}

// variant writes the function that makes the requests of a variant.
func (q *querier) variant(i int, v *plan.Variant) error {
	p, w := q.pattern, q.methods.w
	w.line("func (t *Table) read%s%s(%s) (reading, error) {", p.method, q.variantName(i), list(p.argument(), "now time.Time", "o options"))
	defer w.line("}\n")
	if v.Read == nil {
		w.line("return reading{}, &ValueError{%q, %q}", "the call", unserved(v))
		return nil
	}
	w.line("f := &fault{}")
	if err := q.required(w, p, "return reading{}, f.err"); err != nil {
		return err
	}
	params := "nil"
	if p.params != nil {
		params = "p"
	}
	w.line("r := reading{pattern: %q, params: %s, keys: []string{%s}%s}", p.Name.Text, params, quotedList(q.positionKeys(v.Read)), q.settings(v.Read))
	fr := q.frame(p)
	fr.seeking = true
	if err := q.fanned(fr, v.Read); err != nil {
		return err
	}
	w.line("return f.reading(r)")
	return nil
}

// settings are the fields of a reading that are not always set.
func (q *querier) settings(r *plan.Read) string {
	out := ""
	if len(r.Fan) > 0 && r.Merge != plan.MergeNone {
		var by []string
		for _, o := range r.Order {
			by = append(by, fmt.Sprintf("{%q, %t}", o.Attribute, o.Desc))
		}
		out += ", order: []by{" + strings.Join(by, ", ") + "}"
	}
	if r.Limit > 0 {
		out += fmt.Sprintf(", limit: %d", r.Limit)
	}
	if r.Page > 0 {
		out += fmt.Sprintf(", page: %d", r.Page)
	}
	return out
}

// positionKeys are the attributes that make an exclusive start key.
func (q *querier) positionKeys(r *plan.Read) []string {
	var names []string
	add := func(keys []model.KeyAttribute) {
		for _, k := range keys {
			if !slices.Contains(names, k.Name) {
				names = append(names, k.Name)
			}
		}
	}
	add(q.table.Keys())
	if r.Index != nil {
		add(r.Index.Keys())
	}
	return names
}

func quotedList(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, fmt.Sprintf("%q", n))
	}
	return strings.Join(out, ", ")
}

// fanned writes the loops over what a query is repeated along, and the request.
func (q *querier) fanned(fr *frame, r *plan.Read) error {
	w := q.methods.w
	fans, group := slices.Clone(r.Fan), ""
	if walked, backwards := r.Walked(); walked != nil {
		i := slices.Index(fans, walked)
		fans = append([]*plan.Fan{walked}, slices.Delete(fans, i, i+1)...)
		group = "group"
		if err := q.loop(fr, walked, "group", "walked", backwards); err != nil {
			return err
		}
		fr.fans[walked] = textVal("walked", walked.Name, model.TypeString)
		fans = fans[1:]
		defer w.line("}")
	} else if len(r.Fan) > 0 && r.Merge == plan.MergeNone {
		group = "len(r.requests)"
	}
	for i, f := range fans {
		variable := fmt.Sprintf("value%d", i+1)
		if len(fans) == 1 {
			variable = "value"
		}
		if err := q.loop(fr, f, "_", variable, false); err != nil {
			return err
		}
		defer w.line("}")
	}
	return q.request(fr, r, group)
}

// loop opens the loop over a fan's values.
func (q *querier) loop(fr *frame, f *plan.Fan, index, variable string, backwards bool) error {
	w := q.methods.w
	switch f.Kind {
	case plan.FanShard:
		w.line("for %s := range %d {", variable, f.Shards)
		fr.fans[f] = val{code: "int64(" + variable + ")", name: f.Name, typ: &goType{kind: kindInteger, name: "int64", attr: &model.Attribute{Type: model.TypeInteger}}}
		return nil
	case plan.FanBucket:
		code, err := q.buckets(fr, f)
		if err != nil {
			return err
		}
		if backwards {
			code = "backwards(" + code + ")"
		}
		w.line("for %s, %s := range %s {", index, variable, code)
		fr.fans[f] = textVal(variable, f.Name, model.TypeString)
		return nil
	}
	if f.FromList {
		list, err := fr.operand(f.Values[0], f.Attribute)
		if err != nil {
			return err
		}
		if list.typ.elem == nil {
			return fault("the members of %s are of no type", list.name)
		}
		w.line("for _, %s := range %s {", variable, list.code)
		fr.fans[f] = val{code: variable, name: list.name, typ: list.typ.elem}
		return nil
	}
	var all []string
	for _, o := range f.Values {
		v, err := fr.operand(o, f.Attribute)
		if err != nil {
			return err
		}
		all = append(all, v.written())
	}
	w.line("for _, %s := range []types.AttributeValue{%s} {", variable, strings.Join(all, ", "))
	fr.fans[f] = rawVal(variable, f.Name, f.Attribute)
	return nil
}

// periodVars are the periods of the fixed part, by the functions.
var periodVars = map[string]string{"year": "years", "month": "months", "week": "weeks", "day": "days", "hour": "hours", "minute": "minutes"}

// buckets is the expression of the buckets that a range touches.
func (q *querier) buckets(fr *frame, f *plan.Fan) (string, error) {
	var ends []string
	for _, b := range []plan.Bound{f.Low, f.High} {
		v, err := fr.operand(b.Value, f.Attribute)
		if err != nil {
			return "", err
		}
		ends = append(ends, v.through(f.Funcs, true).text())
	}
	of := periodVars[string(f.Unit.Name)]
	if of == "" {
		of = fmt.Sprintf("buckets(%d)", f.Unit.N)
	}
	code := fmt.Sprintf("%s.between(f, %s, %s)", of, ends[0], ends[1])
	if len(f.Funcs) == 0 {
		for i, b := range []plan.Bound{f.Low, f.High} {
			if b.Excluded {
				code = fmt.Sprintf("without(%s, %s)", code, ends[i])
			}
		}
	}
	return code, nil
}
