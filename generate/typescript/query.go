package typescript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// queried writes the function of a query or scan.
func (f *function) queried() error {
	read := f.plan.Variants[0].Read
	if call, ok := f.electroQuery(); ok {
		return f.overElectro(call)
	}
	if !slices.ContainsFunc(f.plan.Variants, func(v *plan.Variant) bool { return v.Read != nil }) {
		return fmt.Errorf("%s", unserved(f.plan.Variants[0]))
	}
	if err := f.requests(); err != nil {
		return err
	}
	for _, v := range f.plan.Variants {
		if v.Read != nil {
			read = v.Read
			break
		}
	}
	decode, typ := f.reader(f.entitiesOf(read), f.Select)
	all := fmt.Sprintf("rt.requests(%sRequests(%s))", f.name, f.passed())
	merging := f.merging(read)
	found := fmt.Sprintf("const found = rt.read(db, %s, %s);", all, merging)
	switch {
	case f.Then != nil:
		return f.then(found)
	case f.Count:
		f.open(overDocuments, f.name, f.arguments(), "number")
		f.w.line("return rt.count(db, %s, %s);", all, merging)
	case f.One:
		f.open(overDocuments, f.name, f.arguments(), typ+" | undefined")
		f.w.line("%s", found)
		f.w.line("return rt.only(rt.each(found, %s));", decode)
	case f.paged():
		f.open(overDocuments, f.name, f.arguments("options: rt.PageOptions = {}"), "rt.Page<"+typ+">")
		f.w.line("const page = { size: %d, ...options };", f.Page)
		f.w.line("return rt.page(db, %s, %s, page, %s);", all, merging, decode)
	default:
		f.open(overDocuments, f.name, f.arguments(), listOf(typ))
		f.w.line("%s", found)
		f.w.line("return rt.collect(rt.each(found, %s));", decode)
	}
	f.w.line("}\n")
	return nil
}

// decoded is the item in a variable as the caller gets it.
func decoded(decode, item string) string {
	if code, ok := strings.CutPrefix(decode, "(item) => "); ok {
		return strings.Replace(code, "(item", "("+item, 1)
	}
	return decode + "(" + item + ")"
}

func (f *function) entitiesOf(r *plan.Read) []*model.Entity {
	if f.All {
		return f.Model.Entities
	}
	return r.Entities
}

// paged tells whether callers page through what a single request gives.
func (f *function) paged() bool {
	return f.Page > 0 && f.Limit == 0 && !slices.ContainsFunc(f.plan.Variants, func(v *plan.Variant) bool { return v.Read != nil && len(v.Read.Fan) > 0 })
}

// merging is how answers become one.
func (f *function) merging(r *plan.Read) string {
	by := r.Merge
	if by == "" {
		by = plan.MergeNone
	}
	for _, v := range f.plan.Variants {
		if v.Read != nil && v.Read.Merge != "" && v.Read.Merge != plan.MergeNone {
			by = v.Read.Merge
		}
	}
	var order []string
	for _, o := range r.Order {
		var members []string
		if o.Entity != nil {
			members = append(members, "type: "+quote(o.Entity.Type))
		}
		if o.Attribute != "" {
			members = append(members, "attribute: "+quote(o.Attribute))
		}
		if o.Desc {
			members = append(members, "descending: true")
		}
		order = append(order, object(0, members...))
	}
	members := []string{"by: " + quote(string(by)), "order: [" + strings.Join(order, ", ") + "]"}
	if model.OverTypes(r.Order) {
		members = append(members, "type: "+quote(f.table.EntityType))
	}
	if r.Limit > 0 {
		members = append(members, fmt.Sprintf("limit: %d", r.Limit))
	}
	if r.API == plan.Scan {
		members = append(members, "scan: true")
	}
	return "{ " + strings.Join(members, ", ") + " }"
}

// requests writes the function that makes the requests of a call.
func (f *function) requests() error {
	w := f.w
	body := &writer{depth: 1}
	f.w = body
	err := f.choose(func(v *plan.Variant) error {
		if v.Read == nil {
			body.line("throw new rt.UnfitError(%s);", quote(f.Name.Text+": "+unserved(v)))
			return nil
		}
		return f.requestsOf(v.Read)
	})
	f.w = w
	if err != nil {
		return err
	}
	db := "_db: Store"
	if mentions(body.String(), "now") || strings.Contains(body.String(), "db.") {
		db = "db: Store"
	}
	arguments := strings.Replace(f.arguments(), "db: Store", db, 1)
	if f.params != "" && !strings.Contains(body.String(), "p.") && !strings.Contains(body.String(), "p[") {
		arguments = strings.Replace(arguments, "p: ", "_p: ", 1)
	}
	w.function("function* "+f.name+"Requests", strings.Split(arguments, ", "), ": Iterable<rt.Request | undefined>")
	f.now(body.String())
	w.WriteString(body.String())
	w.line("}\n")
	return nil
}

func (f *function) requestsOf(r *plan.Read) error {
	w := f.w
	s := f.seeking()
	group := "0"
	depth := w.depth
	walked, backwards := r.Walked()
	for i, fan := range r.Fan {
		v := "value"
		if i > 0 {
			v = fmt.Sprintf("value%d", i+1)
		}
		values, err := f.values(s, fan)
		if err != nil {
			return err
		}
		if fan == walked {
			if backwards {
				values += ".reverse()"
			}
			w.line("for (const [group, %s] of %s.entries()) {", v, values)
			group = "group"
		} else {
			w.line("for (const %s of %s) {", v, values)
		}
		s.fans[fan] = v
	}
	if err := f.request(s, r, group); err != nil {
		return err
	}
	for w.depth > depth {
		w.line("}")
	}
	return nil
}

// values are the values of a fan.
func (f *function) values(s scope, fan *plan.Fan) (string, error) {
	switch fan.Kind {
	case plan.FanShard:
		return fmt.Sprintf("Array.from({ length: %d }, (_, i) => i)", fan.Shards), nil
	case plan.FanIn:
		var all []string
		for _, o := range fan.Values {
			v, err := s.value(o, fan.Attribute)
			if err != nil {
				return "", err
			}
			if fan.FromList {
				v = "..." + v
			}
			all = append(all, v)
		}
		return "rt.distinct([" + strings.Join(all, ", ") + "])", nil
	}
	low, err := f.bucket(s, fan, fan.Low)
	if err != nil {
		return "", err
	}
	high, err := f.bucket(s, fan, fan.High)
	exact := len(fan.Funcs) == 0
	f.w.line("const low = %s;", low)
	f.w.line("const high = %s;", high)
	return fmt.Sprintf("rt.periods(low, high, %s, %t, %t)", unit(fan.Unit), exact && fan.Low.Excluded, exact && fan.High.Excluded), err
}

func (f *function) bucket(s scope, fan *plan.Fan, b plan.Bound) (string, error) {
	v, err := s.value(b.Value, fan.Attribute)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("rt.given(%s, %s)", through(fan.Funcs, v, typeSeen(fan.Attribute), false), quote(expr.String(b.Value))), nil
}

// request writes one request.
func (f *function) request(s scope, r *plan.Read, group string) error {
	w := f.w
	x := expression{s, r.Entities}
	w.line("const x = new rt.Expression();")
	var keys []string
	for _, k := range r.Key {
		text, err := keyCondition(s, k)
		if err != nil {
			return err
		}
		keys = append(keys, text)
	}
	filter, err := x.condition(r.Filter())
	if err != nil {
		return err
	}
	w.line("const input = x.in({")
	if r.Index != nil {
		w.line("IndexName: %s,", quote(r.Index.Name.Text))
	}
	switch len(keys) {
	case 0:
	case 1:
		w.line("KeyConditionExpression: %s,", keys[0])
	default:
		w.line("KeyConditionExpression: %s.join(' AND '),", array(w.depth, keys...))
	}
	if filter != "undefined" {
		w.line("FilterExpression: %s,", filter)
	}
	if r.Projection != nil && !r.Count {
		w.line("ProjectionExpression: x.projection(%s),", quotedList(r.Projection))
	}
	if len(r.Fetches) > 0 && r.Projection == nil && !r.Count {
		w.line("Select: 'ALL_ATTRIBUTES',")
	}
	if r.Descending {
		w.line("ScanIndexForward: false,")
	}
	if r.Consistent {
		w.line("ConsistentRead: true,")
	}
	if r.LimitRequests {
		w.line("Limit: %d,", r.Limit)
	}
	w.line("});")
	if len(r.Key) == 0 {
		w.line("yield { input, group: %s };", group)
	} else {
		w.line("yield x.never ? undefined : { input, group%s };", map[bool]string{true: ": " + group}[group != "group"])
	}
	return nil
}

func keyCondition(s scope, k plan.KeyCondition) (string, error) {
	var values []string
	for _, r := range k.Values {
		v, err := s.recipe(r)
		if err != nil {
			return "", err
		}
		values = append(values, v)
	}
	name := quote(k.Attribute.Name)
	switch k.Op {
	case model.KeyBetween:
		return fmt.Sprintf("x.between(%s, %s, %s)", name, values[0], values[1]), nil
	case model.KeyBeginsWith:
		return fmt.Sprintf("x.beginsWith(%s, %s)", name, values[0]), nil
	}
	return fmt.Sprintf("x.key(%s, %s, %s)", name, quote(string(k.Op)), values[0]), nil
}
