package report

import (
	"encoding/json"
	"io"
	"math"

	"github.com/dynmodel/dynmodel/model/diag"
)

// jsonVersion is the version of the JSON output. It changes when a reader of
// the old form would go wrong.
const jsonVersion = 1

type jsonReport struct {
	Version int         `json:"version"`
	Models  []jsonModel `json:"models"`
	Summary Summary     `json:"summary"`
}

type jsonModel struct {
	File       string         `json:"file"`
	Name       string         `json:"name"`
	Seed       uint64         `json:"seed"`
	Patterns   []jsonPattern  `json:"patterns"`
	Findings   []jsonFinding  `json:"findings"`
	Accepted   []jsonAccepted `json:"accepted"`
	NotChecked []string       `json:"not_checked"`
	Summary    Summary        `json:"summary"`
}

type jsonPattern struct {
	Name         string  `json:"name"`
	Verdict      Verdict `json:"verdict"`
	Reason       *string `json:"reason"`
	Operation    string  `json:"operation"`
	Index        *string `json:"index"`
	KeyCondition *string `json:"key_condition"`
	Filter       *string `json:"filter"`
	Cases        int     `json:"cases"`
	Requests     float64 `json:"requests"`
	// Null where the model does not declare what they take.
	Items     *float64 `json:"items"`
	ItemsRead *float64 `json:"items_read"`
	RCU       *float64 `json:"rcu"`
	WCU       *float64 `json:"wcu"`
	Pages     *float64 `json:"pages"`
}

type jsonFinding struct {
	Rule           string              `json:"rule"`
	Severity       string              `json:"severity"`
	Message        string              `json:"message"`
	File           string              `json:"file"`
	Line           int                 `json:"line"`
	Column         int                 `json:"column"`
	EndLine        int                 `json:"end_line"`
	EndColumn      int                 `json:"end_column"`
	Entity         *string             `json:"entity"`
	Pattern        *string             `json:"pattern"`
	Index          *string             `json:"index"`
	Counterexample *jsonCounterexample `json:"counterexample"`
	Why            *string             `json:"why"`
	Fix            *string             `json:"fix"`
	Related        []jsonRelated       `json:"related"`
}

type jsonAccepted struct {
	jsonFinding
	Reason string `json:"reason"`
}

type jsonRelated struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

type jsonCounterexample struct {
	Request []string      `json:"request"`
	With    []jsonBinding `json:"with"`
	Items   []jsonItem    `json:"items"`
}

type jsonItem struct {
	Role       string        `json:"role"`
	Entity     *string       `json:"entity"`
	Attributes []jsonBinding `json:"attributes"`
	Keys       []jsonBinding `json:"keys"`
}

type jsonBinding struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// JSON writes the report as the versioned JSON of schemas/check.schema.json.
func JSON(w io.Writer, r Report) error {
	out := jsonReport{Version: jsonVersion, Models: convert(r.Models, toJSONModel), Summary: r.Summary()}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func toJSONModel(m Model) jsonModel {
	return jsonModel{
		File: m.File, Name: m.Name, Seed: m.Seed,
		Patterns: convert(m.Patterns, toJSONPattern),
		Findings: convert(m.Findings, toJSONFinding),
		Accepted: convert(m.Accepted, func(a Accepted) jsonAccepted {
			return jsonAccepted{jsonFinding: toJSONFinding(a.Finding), Reason: a.Reason}
		}),
		NotChecked: convert(m.NotChecked, func(s string) string { return s }),
		Summary:    m.Summary(),
	}
}

func toJSONPattern(p Pattern) jsonPattern {
	out := jsonPattern{
		Name: p.Name, Verdict: p.Verdict, Reason: orNull(p.Reason), Operation: p.Operation, Index: orNull(p.Index),
		KeyCondition: orNull(p.KeyCondition), Filter: orNull(p.Filter), Cases: p.Cases,
		Requests: round(p.Requests),
	}
	if c := p.Cost; c != nil {
		rounded := func(x float64) *float64 { r := round(x); return &r }
		out.Items, out.ItemsRead, out.Pages = rounded(c.Items), rounded(c.ItemsRead), rounded(c.Pages)
		out.RCU, out.WCU = rounded(c.RCU), rounded(c.WCU)
	}
	return out
}

func toJSONFinding(f diag.Finding) jsonFinding {
	from, to := f.Span.From(), f.Span.To()
	out := jsonFinding{
		Rule: f.Rule, Severity: f.Severity.String(), Message: f.Message, File: fileName(f),
		Line: from.Line, Column: from.Column, EndLine: to.Line, EndColumn: to.Column,
		Entity: orNull(f.Entity), Pattern: orNull(f.Pattern), Index: orNull(f.Index),
		Why: orNull(f.Why), Fix: orNull(f.Fix), Related: convert(f.Related, toJSONRelated),
	}
	if c := f.Counterexample; c != nil {
		out.Counterexample = &jsonCounterexample{
			Request: convert(c.Request, func(s string) string { return s }),
			With:    convert(c.With, toJSONBinding),
			Items:   convert(c.Items, toJSONItem),
		}
	}
	return out
}

func toJSONRelated(r diag.Related) jsonRelated {
	at := r.Span.From()
	out := jsonRelated{Line: at.Line, Column: at.Column, Text: r.Text}
	if r.Span.Known() {
		out.File = r.Span.File.Name()
	}
	return out
}

func toJSONItem(i diag.CounterItem) jsonItem {
	return jsonItem{Role: i.Role, Entity: orNull(i.Entity),
		Attributes: convert(i.Attributes, toJSONBinding), Keys: convert(i.Keys, toJSONBinding)}
}

func toJSONBinding(b diag.Binding) jsonBinding { return jsonBinding(b) }

// convert maps a slice, giving [] rather than null for an empty one.
func convert[A, B any](in []A, f func(A) B) []B {
	out := make([]B, len(in))
	for i, a := range in {
		out[i] = f(a)
	}
	return out
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// round keeps two decimals: expected values are estimates.
func round(x float64) float64 { return math.Round(x*100) / 100 }

func fileName(f diag.Finding) string {
	if !f.Span.Known() {
		return ""
	}
	return f.Span.File.Name()
}
