package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
)

// RulePage is what there is to read about a rule, for SARIF.
type RulePage struct {
	Name     string
	Severity diag.Severity
	Title    string
	Text     string // a paragraph
	// Help is all of it, as plain text and as Markdown.
	Help, HelpMarkdown string
}

// SARIFOptions say what a SARIF log says of the tool.
type SARIFOptions struct {
	Version string // of the tool, such as 1.2.0; "" when it is not known
	Rules   []RulePage
}

// SARIF writes the report as a log in the Static Analysis Results Interchange
// Format, version 2.1.0 (OASIS). Rules that found nothing are left out. Accepted
// findings are suppressed results. Columns are counted in Unicode code points,
// which the log says.
func SARIF(w io.Writer, r Report, o SARIFOptions) error {
	s := &sarifWriter{rules: map[string]int{}, artifacts: map[string]int{}, keys: map[Key]int{}}
	s.run = sarifRun{
		Tool: sarifTool{Driver: sarifDriver{
			Name: "dynmodel", Version: o.Version, InformationURI: home, Rules: []sarifRule{},
		}},
		ColumnKind:         "unicodeCodePoints",
		OriginalURIBaseIDs: map[string]sarifBase{sourceRoot: {Description: sarifText{Text: "the folder in which dynmodel ran"}}},
		Artifacts:          []sarifArtifact{},
		Results:            []sarifResult{},
	}
	for _, m := range r.Models {
		for _, f := range m.Findings {
			s.result(m, f, o, nil)
		}
		for _, a := range m.Accepted {
			s.result(m, a.Finding, o, []sarifSuppression{{Kind: a.kind(), Status: "accepted", Justification: a.Reason}})
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{s.run}})
}

const (
	home       = "https://github.com/dynmodel/dynmodel"
	rulePages  = home + "/blob/main/docs/rules.md#"
	sourceRoot = "%SRCROOT%"
	// sarifSchema is the place of the schema of errata 01, which is the standard now.
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

// sarifWriter builds a run; its maps hold the places in the run's lists.
type sarifWriter struct {
	run       sarifRun
	rules     map[string]int
	artifacts map[string]int
	keys      map[Key]int // how many results of a key there are
}

func (s *sarifWriter) result(m Model, f diag.Finding, o SARIFOptions, suppressed []sarifSuppression) {
	key := m.KeyOf(f)
	s.keys[key]++
	out := sarifResult{
		RuleID: f.Rule, RuleIndex: s.rule(f, o), Level: sarifLevel(f.Severity),
		Message:             sarifText{Text: noLinks(message(f))},
		PartialFingerprints: map[string]string{"dynmodel/v1": fingerprint(key, s.keys[key])},
		Suppressions:        suppressed,
	}
	location := sarifLocation{Physical: s.place(f.Span), Logical: logical(m, f)}
	if location.Physical != nil || len(location.Logical) > 0 {
		out.Locations = []sarifLocation{location}
	}
	for _, related := range f.Related {
		if at := s.place(related.Span); at != nil {
			out.Related = append(out.Related, sarifLocation{ID: len(out.Related) + 1, Physical: at, Message: &sarifText{Text: noLinks(related.Text)}})
		}
	}
	if at := s.place(f.Cause); at != nil && f.Cause != f.Span {
		out.Related = append(out.Related, sarifLocation{ID: len(out.Related) + 1, Physical: at, Message: &sarifText{Text: "the cause"}})
	}
	s.run.Results = append(s.run.Results, out)
}

// message is all that a finding says. Lines after the first are what a terminal
// shows below it.
func message(f diag.Finding) string {
	lines := []string{f.Message}
	if request := strings.TrimSpace(firstRequest(f)); request != "" {
		lines = append(lines, "request: "+request)
	}
	for _, n := range findingNotes(f) {
		lines = append(lines, n.label+": "+n.text)
	}
	return visible(strings.Join(lines, "\n"))
}

// noLinks keeps text in brackets from being read as one of SARIF's links.
func noLinks(text string) string {
	if !strings.Contains(text, "](") {
		return text
	}
	return strings.ReplaceAll(text, "[", `\[`)
}

// fingerprint identifies the n-th result of a key over time.
func fingerprint(k Key, n int) string {
	parts := []string{k.Model, k.Rule, k.Entity, k.Pattern, k.Index, k.Text, strconv.Itoa(n)}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// kind is where it is written that a finding is accepted, in SARIF's words.
func (a Accepted) kind() string {
	if a.Baseline {
		return "external"
	}
	return "inSource"
}

// rule is the place of the finding's rule in the list of rules.
func (s *sarifWriter) rule(f diag.Finding, o SARIFOptions) int {
	if i, ok := s.rules[f.Rule]; ok {
		return i
	}
	rule := sarifRule{ID: f.Rule, HelpURI: rulePages + f.Rule, Configuration: sarifConfiguration{Level: sarifLevel(f.Severity)}}
	for _, page := range o.Rules {
		if page.Name == f.Rule {
			rule.Short, rule.Full = &sarifText{Text: page.Title}, &sarifText{Text: page.Text}
			rule.Help = &sarifText{Text: page.Help, Markdown: page.HelpMarkdown}
			rule.Configuration.Level = sarifLevel(page.Severity)
		}
	}
	s.rules[f.Rule] = len(s.run.Tool.Driver.Rules)
	s.run.Tool.Driver.Rules = append(s.run.Tool.Driver.Rules, rule)
	return s.rules[f.Rule]
}

func sarifLevel(severity diag.Severity) string {
	switch severity {
	case diag.Error:
		return "error"
	case diag.Warning:
		return "warning"
	}
	return "note"
}

// place is a span as SARIF has it; nil when it is nowhere, or in standard input.
func (s *sarifWriter) place(span source.Span) *sarifPhysical {
	if !span.Known() || span.File.Name() == "-" {
		return nil
	}
	at := sarifArtifactLocation{URI: uri(span.File.Name())}
	if !strings.HasPrefix(at.URI, "file:") {
		at.URIBaseID = sourceRoot
	}
	index, ok := s.artifacts[at.URI]
	if !ok {
		index = len(s.run.Artifacts)
		s.artifacts[at.URI] = index
		s.run.Artifacts = append(s.run.Artifacts, sarifArtifact{Location: at, MimeType: "application/yaml"})
	}
	at.Index = &index
	from, to := span.From(), span.To()
	return &sarifPhysical{Artifact: at, Region: sarifRegion{
		StartLine: from.Line, StartColumn: from.Column, EndLine: to.Line, EndColumn: to.Column,
	}}
}

// uri is a path as a relative reference, or as a file URI when it is absolute.
func uri(path string) string {
	slashed := filepath.ToSlash(path)
	if filepath.IsAbs(path) {
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(slashed, "/")}).String()
	}
	return (&url.URL{Path: slashed}).String()
}

// logical names the parts of the model that a finding is about.
func logical(m Model, f diag.Finding) []sarifLogical {
	var out []sarifLogical
	add := func(section, name string) {
		if name != "" {
			out = append(out, sarifLogical{Name: name, FullName: m.Name + "." + section + "." + name, Kind: "member"})
		}
	}
	add("access_patterns", f.Pattern)
	add("entities", f.Entity)
	add("indexes", f.Index)
	return out
}
