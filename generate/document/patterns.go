package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Pattern is an access pattern with how it is served.
type Pattern struct {
	Name        string
	Description string
	Operation   string // as in the model: query, get, transact_write
	Entities    []string
	// Asks is what the caller wants, as the model says it; "" for nothing but the operation.
	Asks  string
	Reads bool // it changes nothing
	Rate  Rate
	// Price is what its calls cost on demand; nil when it is not known.
	Price *Price
	// Service is what serves a pattern that the table does not; "" otherwise.
	Service  string
	Variants []Variant // how it is served: with all parameters, then by what is left out
	Call     *Call     // on the example items; nil when none can be shown
}

// Price is an amount of money for a month's calls or, where no rate is declared,
// for a million of them. Per says which, and that it is a guess when volumes that
// the units need are not declared.
type Price struct{ Amount, Per string }

// String is the price in words.
func (p *Price) String() string {
	if p == nil {
		return ""
	}
	return p.Amount + " " + p.Per
}

// Rate is how often a pattern is called.
type Rate struct {
	Text      string  // as in the model; "" when it does not say
	PerSecond float64 // on average
	Peak      float64 // per second; at least PerSecond
	Known     bool    // the two follow from what is declared
}

// Variant is how calls are served that leave out certain optional parameters.
type Variant struct {
	Absent []string
	Served bool
	Steps  []Step // what is sent, in order; at least one when Served
	Cost   Cost
}

// Step is a request, or one action of a batch or transaction.
type Step struct {
	API    string // DynamoDB's operation: Query, PutItem
	Entity string // of an action; "" for a query
	Index  string // TableName, or the index's name
	// Key is the key condition, or the key of the item.
	Key                       string
	Filter, Condition, Change string
	// Notes are what else there is to say: order, limits, how often it is sent.
	Notes []string
}

// Cost is what one call takes at the declared volume.
type Cost struct {
	// Known tells that Items and units follow from what is declared.
	Known            bool
	Items, ItemsRead float64
	RCU, WCU         float64
	Requests         float64 // at most
}

// ItemsText is how many items a call returns or writes, and how many it reads for
// that where filters drop some; "" when it is not known.
func (c Cost) ItemsText() string {
	switch returned, read := Count(c.Items), Count(c.ItemsRead); {
	case !c.Known || c.Items == 0 && c.ItemsRead == 0:
		return ""
	case c.ItemsRead > c.Items && returned != read:
		return returned + " of " + read
	default:
		return returned
	}
}

func (b *builder) patterns() []Pattern {
	var out []Pattern
	for _, p := range b.plans {
		pattern := Pattern{
			Name: p.Pattern.Name.Text, Description: p.Pattern.Description, Operation: string(p.Pattern.Operation),
			Entities: entitiesOf(p.Pattern), Asks: asks(p.Pattern), Reads: reads(p.Pattern), Rate: b.rateOf(p.Pattern),
			Price: b.price(p.Pattern), Service: p.Pattern.Service, Call: b.callOf(p),
		}
		if p.Pattern.Operation != model.External {
			for _, v := range p.Variants {
				pattern.Variants = append(pattern.Variants, b.variant(v))
			}
		}
		out = append(out, pattern)
	}
	return out
}

// entitiesOf are the entities a pattern reads or writes, each once.
func entitiesOf(p *model.Pattern) []string {
	var out []string
	add := func(e *model.Entity) {
		if e != nil && !slices.Contains(out, e.Name.Text) {
			out = append(out, e.Name.Text)
		}
	}
	for _, e := range p.Entities {
		add(e)
	}
	for _, s := range p.AllSteps() {
		add(s.Entity)
	}
	if p.Statement != nil {
		for _, e := range p.Statement.Returns {
			add(e)
		}
	}
	if p.Then != nil {
		add(p.Then.Entity)
	}
	return out
}

// reads tells whether a pattern only reads.
func reads(p *model.Pattern) bool {
	if p.Statement != nil {
		verb, _, _ := strings.Cut(strings.TrimSpace(p.Statement.Text), " ")
		return strings.EqualFold(verb, "SELECT")
	}
	return p.Operation.IsRead()
}

// asks is what a pattern wants beside its operation and entities.
func asks(p *model.Pattern) string {
	var out []string
	add := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	if p.Where != nil {
		add(true, "where %s", p.Where.Text)
	}
	if p.Filter != nil {
		add(true, "filter %s", p.Filter.Text)
	}
	if p.Statement != nil {
		add(true, "%s", p.Statement.Text)
	}
	var order []string
	for _, o := range p.Order {
		text := o.Subject()
		if o.Desc {
			text += " desc"
		}
		order = append(order, text)
	}
	add(len(order) > 0, "order by %s", strings.Join(order, ", "))
	add(p.Limit > 0, "the first %d", p.Limit)
	add(p.Page > 0, "in pages of %d", p.Page)
	add(p.One, "at most one")
	add(p.Count, "how many")
	add(p.Consistent, "consistent")
	if p.Require != nil {
		add(true, "provided that %s", p.Require.Text)
	}
	return strings.Join(out, ", ")
}

func (b *builder) rateOf(p *model.Pattern) Rate {
	var out []string
	if p.Rate != nil {
		out = append(out, rateText(p.Rate))
	}
	if p.Peak != nil {
		out = append(out, "at peak "+rateText(p.Peak))
	}
	t := b.load.Pattern(p)
	return Rate{Text: strings.Join(out, ", "), PerSecond: t.Average, Peak: t.Peak, Known: t.Declared}
}

// price is what a pattern costs on demand.
func (b *builder) price(p *model.Pattern) *Price {
	if b.estimate == nil {
		return nil
	}
	i := slices.IndexFunc(b.estimate.Patterns, func(c cost.Pattern) bool { return c.Pattern == p })
	if i < 0 {
		return nil
	}
	c := b.estimate.Patterns[i]
	guess := ""
	if c.Estimated {
		guess = ", a guess"
	}
	switch {
	case c.Declared:
		return &Price{Money(c.Month, b.estimate.Currency), "a month" + guess}
	case c.Million > 0:
		return &Price{Money(c.Million, b.estimate.Currency), "a million calls" + guess}
	}
	return nil
}

func rateText(r *model.Rate) string {
	if r.Each != nil {
		return r.Text + " for each " + r.Each.Name.Text
	}
	return r.Text
}

func (b *builder) variant(v *plan.Variant) Variant {
	c := v.Cost()
	out := Variant{Absent: v.Absent, Served: v.Served(),
		Cost: Cost{Known: c.Known, Items: c.Items, ItemsRead: c.ItemsRead, RCU: c.RCU, WCU: c.WCU, Requests: c.Requests}}
	switch {
	case v.Read != nil:
		out.Steps = readSteps(v.Read)
		if v.Then != nil {
			for _, s := range readSteps(v.Then) {
				s.Notes = append(s.Notes, "what the items found refer to")
				out.Steps = append(out.Steps, s)
			}
		}
		if v.Each != nil {
			out.Steps = append(out.Steps, writeSteps(v.Each)...)
		}
	case v.Write != nil:
		out.Steps = writeSteps(v.Write)
	case v.Statement != nil:
		out.Steps = []Step{{API: string(plan.ExecuteStatement), Index: TableName, Key: v.Statement.Text}}
	}
	return out
}

// readSteps are a read: one step for a query or scan, one for each key otherwise.
func readSteps(r *plan.Read) []Step {
	if len(r.Gets) == 0 {
		return []Step{{API: string(r.API), Index: spaceName(r.Index), Key: r.KeyConditionText(), Filter: r.FilterText(), Notes: readNotes(r)}}
	}
	var out []Step
	for _, g := range r.Gets {
		s := Step{API: string(r.API), Entity: g.Entity.Name.Text, Index: TableName, Key: keyText(g.Key), Notes: readNotes(r)}
		s.Filter = expr.String(r.KeptByReader(g.Entity))
		if s.Filter != "" {
			s.Notes = append(s.Notes, "the caller applies the filter")
		}
		if g.List != "" {
			s.Notes = append(s.Notes, "for each of "+g.List)
		}
		out = append(out, s)
	}
	return out
}

func readNotes(r *plan.Read) []string {
	var out []string
	for _, f := range r.Fan {
		out = append(out, fanNote(f))
	}
	if r.Descending {
		out = append(out, "descending")
	}
	if r.LimitRequests {
		out = append(out, fmt.Sprintf("limit %d", r.Limit))
	}
	if r.Count {
		out = append(out, "counts only")
	}
	if r.Consistent {
		out = append(out, "strongly consistent")
	}
	if len(r.Projection) > 0 {
		out = append(out, "asks for "+strings.Join(r.Projection, ", "))
	}
	if len(r.Fetches) > 0 {
		out = append(out, "fetches from the table: "+strings.Join(r.Fetches, ", "))
	}
	switch {
	case r.Merge == plan.MergeSort && len(r.Fan) > 0:
		out = append(out, "results are merged in order")
	case r.Merge == plan.MergeWalk && r.Limit > 0:
		out = append(out, "bucket by bucket, until there are enough")
	}
	return out
}

// fanNote says what a query is repeated for.
func fanNote(f *plan.Fan) string {
	switch f.Kind {
	case plan.FanIn:
		return "one query for each " + f.Name
	case plan.FanBucket:
		return fmt.Sprintf("one query for each %s of %s", f.Unit, f.Attribute.Name.Text)
	}
	return fmt.Sprintf("one query for each of %d shards", f.Shards)
}

// writeSteps are the actions of a write.
func writeSteps(w *plan.Write) []Step {
	var out []Step
	for _, a := range w.Actions {
		s := Step{API: string(a.API), Entity: a.Entity.Name.Text, Index: TableName, Key: keyText(a.Key),
			Condition: a.ConditionText(), Change: a.UpdateText()}
		for _, f := range a.ForEach {
			s.Notes = append(s.Notes, fmt.Sprintf("for each of %s, %s times", f.Param, f.Count))
		}
		if a.ReadFirst && !a.Found {
			s.Notes = append(s.Notes, "read first")
		}
		if a.Found {
			s.Key, s.Notes = "", append(s.Notes, "for each item found")
		}
		for _, g := range a.Guards {
			s.Notes = append(s.Notes, guardNote(g))
		}
		out = append(out, s)
	}
	switch w.API {
	case plan.TransactWriteItems:
		out[0].Notes = append([]string{"in one transaction"}, out[0].Notes...)
	case plan.BatchWriteItem:
		out[0].Notes = append([]string{"in batches of 25, not atomic"}, out[0].Notes...)
	}
	return out
}

func guardNote(g *plan.Guard) string {
	of := strings.Join(namesOf(g.Unique.Of), ", ")
	switch {
	case g.Old == nil:
		return "puts the guard of " + of
	case g.New == nil:
		return "deletes the guard of " + of
	}
	return "moves the guard of " + of
}

func keyText(key []plan.KeyRecipe) string {
	var terms []string
	for _, k := range key {
		terms = append(terms, expr.Name(k.Attribute.Name)+" = "+k.Value.String())
	}
	return strings.Join(terms, " AND ")
}
