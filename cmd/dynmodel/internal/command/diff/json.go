package diff

import (
	"encoding/json"
	"io"

	"github.com/dynmodel/dynmodel/model/migration"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/validate/rehearsal"
)

// The JSON output, described by schemas/diff.schema.json.
type (
	document struct {
		Version int      `json:"version"`
		Old     string   `json:"old"`
		New     string   `json:"new"`
		Changes []change `json:"changes"`
		Breaks  []broken `json:"breaks"`
		Steps   []step   `json:"steps"`
		// Rehearsal is there with --verify.
		Rehearsal *rehearsed `json:"rehearsal,omitempty"`
	}
	rehearsed struct {
		Worlds int      `json:"worlds"`
		Left   int      `json:"left_out"`
		Failed bool     `json:"failed"`
		After  []looked `json:"after"`
	}
	looked struct {
		Step    int     `json:"step"` // 0: before the first
		Calls   int     `json:"calls"`
		Written int     `json:"written"`
		Wrong   []wrong `json:"wrong"`
	}
	wrong struct {
		Side    string `json:"side"`
		Rule    string `json:"rule"`
		Pattern string `json:"pattern,omitempty"`
		Entity  string `json:"entity,omitempty"`
		Message string `json:"message"`
	}
	change struct {
		Kind    migration.Kind `json:"kind"`
		Subject string         `json:"subject"`
		Text    string         `json:"text"`
	}
	broken struct {
		Pattern string `json:"pattern"`
		Step    int    `json:"step"`
		Reason  string `json:"reason"`
	}
	step struct {
		Number   int                `json:"number"`
		Kind     migration.StepKind `json:"kind"`
		Title    string             `json:"title"`
		Text     string             `json:"text"`
		Requests []request          `json:"requests,omitempty"`
		Backfill *rewriting         `json:"backfill,omitempty"`
	}
	request struct {
		Operation string          `json:"operation"`
		Input     json.RawMessage `json:"input"`
	}
	rewriting struct {
		Entity  string         `json:"entity"`
		Form    migration.Form `json:"form"`
		Sets    []string       `json:"sets,omitempty"`
		Removes []string       `json:"removes,omitempty"`
		Guards  bool           `json:"guards"`
		Needs   []string       `json:"needs,omitempty"`
		Items   *float64       `json:"items"`
		WCU     *float64       `json:"wcu"`
		RCU     *float64       `json:"rcu"`
	}
)

// writeJSON writes the migration for programs.
func writeJSON(w io.Writer, m outcome, _ style) error {
	d := document{Version: 1, Old: m.Old.Model.File.Name(), New: m.New.Model.File.Name(), Changes: []change{}, Breaks: []broken{}, Steps: []step{}}
	for _, c := range m.Changes {
		d.Changes = append(d.Changes, change(c))
	}
	for _, b := range m.Breaks {
		d.Breaks = append(d.Breaks, broken{b.Pattern.Name.Text, b.Step, b.Reason})
	}
	for _, s := range m.Steps {
		out := step{Number: s.Number, Kind: s.Kind, Title: s.Title, Text: s.Text, Backfill: rewritingOf(s.Backfill)}
		for _, r := range s.Requests {
			input, err := sdk.JSON(r.Input)
			if err != nil {
				return err
			}
			out.Requests = append(out.Requests, request{r.Operation, input})
		}
		d.Steps = append(d.Steps, out)
	}
	if m.rehearsal != nil {
		d.Rehearsal = rehearsalOf(m.rehearsal)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

func rewritingOf(b *migration.Backfill) *rewriting {
	if b == nil {
		return nil
	}
	out := &rewriting{Entity: b.Entity.Name.Text, Form: b.Form, Sets: b.Sets, Removes: b.Removes, Guards: b.Guards}
	for _, a := range b.Needs {
		out.Needs = append(out.Needs, a.Name.Text)
	}
	if b.Known {
		out.Items, out.WCU, out.RCU = &b.Items, &b.WCU, &b.RCU
	}
	return out
}

func rehearsalOf(r *rehearsal.Result) *rehearsed {
	out := &rehearsed{Worlds: r.Worlds, Left: r.Left, Failed: r.Failed()}
	for i, s := range r.Steps {
		l := looked{Step: i, Calls: s.Calls, Written: s.Written, Wrong: []wrong{}}
		for _, f := range s.Findings {
			l.Wrong = append(l.Wrong, wrong{f.Side, f.Rule, f.Pattern, f.Entity, f.Message})
		}
		out.After = append(out.After, l)
	}
	return out
}
