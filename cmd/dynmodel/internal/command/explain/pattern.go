package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/generate/document/example"
	"github.com/dynmodel/dynmodel/generate/request"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/model/plan"
)

// patternPage is what there is to say of an access pattern.
type patternPage struct {
	*writer
	model   *model.Model
	planner *plan.Planner
	plans   []*plan.Plan
	plan    *plan.Plan
	first   *plan.Variant
}

func explainPattern(w *writer, m *model.Model, p *model.Pattern) {
	page := &patternPage{writer: w, model: m, planner: plan.New(m)}
	for _, q := range m.Patterns {
		page.plans = append(page.plans, page.planner.Pattern(q))
		if q == p {
			page.plan = page.plans[len(page.plans)-1]
		}
	}
	page.first = page.plan.Variants[0]
	page.asked(p)
	if p.Operation == model.External {
		page.line("%s serves it; the table has no part in it.", p.Service)
		return
	}
	page.planned()
	page.considered()
	page.requests()
	page.takes()
	page.costs()
}

// asked is what the pattern asks for.
func (w *patternPage) asked(p *model.Pattern) {
	w.heading("%s", p.Name.Text)
	if p.Description != "" {
		w.line("%s", p.Description)
	}
	w.line("%s", asks(p))
	for _, f := range w.plan.Findings {
		w.line("%s[%s]: %s", f.Severity, f.Rule, f.Message)
	}
}

// asks is the pattern in the language's words, on one line.
func asks(p *model.Pattern) string {
	subjectOf, _, _ := strings.Cut(subject(p), ":")
	parts := []string{subjectOf}
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if p.Where != nil {
		add("where %s", p.Where.Text)
	}
	for _, o := range p.Order {
		direction := ""
		if o.Desc {
			direction = " desc"
		}
		add("order %s%s", o.Attribute, direction)
	}
	if p.Limit > 0 {
		add("limit %d", p.Limit)
	}
	if p.Page > 0 {
		add("page %d", p.Page)
	}
	if p.Consistent {
		add("consistent")
	}
	if p.Step != nil {
		if p.Step.Change != nil {
			add("change %s", p.Step.Change.Text)
		}
		if p.Step.If != nil {
			add("if %s", p.Step.If.Text)
		}
	}
	return strings.Join(parts, ", ")
}

// planned is how it is served, in every combination of optional parameters.
func (w *patternPage) planned() {
	w.heading("Plan")
	for _, v := range w.plan.Variants {
		if len(v.Absent) > 0 {
			w.line("Without $%s: %s", strings.Join(v.Absent, ", $"), v.Text())
			continue
		}
		w.line("%s", v.Text())
	}
	r := w.first.Read
	if r == nil {
		return
	}
	if r.Merge != plan.MergeNone {
		w.line("It sends up to %s and merges what they give.", counted(w.first.Cost().Requests, "request"))
	}
	if r.FilterText() != "" {
		w.line("The filter is applied after the read: what it drops has been paid for.")
	}
}

// considered are the table and the indexes, and why each serves or does not.
func (w *patternPage) considered() {
	if len(w.first.Candidates) == 0 {
		return
	}
	w.heading("Indexes considered")
	wide := 0
	for _, c := range w.first.Candidates {
		wide = max(wide, len(c.Name()))
	}
	for _, c := range w.first.Candidates {
		switch {
		case c.Chosen:
			w.point(wide, c.Name(), "chosen")
		case c.Eligible():
			w.point(wide, c.Name(), "would serve it too; the chosen one needs less: no filter, then fewer requests, then the more specific key")
		default:
			var reasons []string
			for _, r := range c.Reasons {
				reasons = append(reasons, r.Text)
			}
			w.point(wide, c.Name(), "no: "+strings.Join(reasons, "; "))
		}
	}
}

// shownRequests is how many requests of a call are shown; the others are alike.
const shownRequests = 3

// requests are those of an example call, in every form.
func (w *patternPage) requests() {
	call := example.New(w.model).Call(w.plan)
	if call == nil {
		return
	}
	w.heading("Example call")
	names, values := call.Arguments()
	for i, name := range names {
		w.line("$%s = %s", name, values[i])
	}
	if w.first.Read != nil {
		w.line("On the example's items it reads %d and returns %d.", len(call.Read), len(call.Returned))
	}
	if call.Refused {
		w.line("Its condition does not hold on the example's items: DynamoDB refuses it.")
	}
	for _, group := range []struct {
		title    string
		requests []plan.Request
	}{
		{"Read first", call.First}, {"Request", call.Requests}, {"Then, for what was found", call.After},
	} {
		for i, r := range group.requests {
			if i == shownRequests {
				w.heading("And %d more like these", len(group.requests)-i)
				break
			}
			title := group.title
			if len(group.requests) > 1 {
				title += fmt.Sprintf(" %d of %d", i+1, len(group.requests))
			}
			w.forms(title, r)
		}
	}
}

// forms writes a request in every form.
func (w *patternPage) forms(title string, r plan.Request) {
	name := w.model.Table.Name.Text
	w.heading("%s: %s", title, r.API)
	w.line("AWS CLI:")
	w.block(request.CLI(name, r))
	w.line("SDK input:")
	w.block(request.JSON(name, r))
	statements, err := request.PartiQL(w.model.Table, r)
	if err != nil {
		w.line("PartiQL cannot say it: %s.", err)
		return
	}
	switch {
	case r.API == plan.TransactWriteItems || r.API == plan.TransactGetItems:
		w.line("PartiQL, in one ExecuteTransaction:")
	case len(r.Actions) > 0:
		w.line("PartiQL, in one BatchExecuteStatement:")
	default:
		w.line("PartiQL:")
	}
	w.block(strings.Join(statements, ";\n"))
	if r.Limit > 0 {
		w.line("with Limit %d, which is no part of the statement", r.Limit)
	}
}

// takes is what a call takes at the declared volume.
func (w *patternPage) takes() {
	if !w.first.Served() || w.first.Statement != nil {
		return
	}
	w.heading("Sizes and units of a call")
	for _, e := range touched(w.plan.Pattern) {
		w.line("%s: an item has about %s%s", e.Name.Text, cost.Bytes(w.planner.ItemSize(e)), w.entrySize(e))
	}
	c := w.first.Cost()
	w.line("%s, in %s at most", itemsText(w.first, c), counted(c.Requests, "request"))
	for _, by := range c.Charges {
		w.line("%s", chargeText(by))
	}
	w.line("together %s", unitsText(load.Units{Reads: c.RCU, Writes: c.WCU}))
}

// entrySize is the size of an entry in the index that is read.
func (w *patternPage) entrySize(e *model.Entity) string {
	if w.first.Read == nil || w.first.Read.Index == nil {
		return ""
	}
	return fmt.Sprintf(", its entry in %s %s", w.first.Read.Index.Name.Text, cost.Bytes(w.planner.EntrySize(e, w.first.Read.Index)))
}

// itemsText says how many items a call reads, returns and writes.
func itemsText(v *plan.Variant, c plan.Cost) string {
	switch {
	case !c.Known:
		return "volumes or shares that tell how many items it finds are not declared, so that units are a guess"
	case v.Write == nil && v.Each == nil:
		return fmt.Sprintf("%s read, %s returned", counted(c.ItemsRead, "item"), cost.Count(c.Items))
	case c.ItemsRead == 0:
		return counted(c.Items, "item") + " written"
	}
	return fmt.Sprintf("%s read, %s written", counted(c.ItemsRead, "item"), cost.Count(c.Items))
}

// counted writes a number of things: 1 item, 8 items.
func counted(n float64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return cost.Count(n) + " " + thing + "s"
}

// chargeText says what units are taken for.
func chargeText(c plan.Charge) string {
	place := "table"
	if c.Index != nil {
		place = c.Index.Name.Text
	}
	what := "items of several entities"
	if c.Entity != nil {
		what = c.Entity.Name.Text
	}
	if c.Guard {
		what = "the guard of what is unique of " + what
	}
	return fmt.Sprintf("%s of %s for %s", unitsText(load.Units{Reads: c.RCU, Writes: c.WCU}), place, what)
}

// unitsText writes units: 2 write units.
func unitsText(u load.Units) string {
	var out []string
	if u.Reads > 0 || u.Writes == 0 {
		out = append(out, counted(u.Reads, "read unit"))
	}
	if u.Writes > 0 {
		out = append(out, counted(u.Writes, "write unit"))
	}
	return strings.Join(out, " and ")
}

// touched are the entities of a pattern, each once.
func touched(p *model.Pattern) []*model.Entity {
	out := slices.Clone(p.Entities)
	for _, s := range p.AllSteps() {
		if !slices.Contains(out, s.Entity) {
			out = append(out, s.Entity)
		}
	}
	return out
}
