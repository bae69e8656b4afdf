package plan_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// now is the time of all requests in golden files.
var now = time.Date(2026, 3, 5, 12, 30, 0, 0, time.UTC)

// TestGolden plans the models in testdata, and makes the requests of their
// examples.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no models in testdata", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			got := describe(modeltest.File(t, file))
			golden := strings.TrimSuffix(file, ".yaml") + ".golden"
			modeltest.Golden(t, golden, got)
		})
	}
}

// describe writes the plans of all patterns.
func describe(m *model.Model) string {
	var b strings.Builder
	p := plan.New(m)
	for _, pattern := range m.Patterns {
		made := p.Pattern(pattern)
		fmt.Fprintf(&b, "%s\n", pattern.Name.Text)
		for _, v := range made.Variants {
			describeVariant(&b, v)
		}
		if volumes(m) {
			describeCost(&b, made.Variants[0])
		}
		for _, f := range made.Findings {
			fmt.Fprintf(&b, "  %s[%s] %s%s\n", f.Severity, f.Rule, about(f), f.Message)
			if f.Fix != "" {
				fmt.Fprintf(&b, "    fix %s\n", f.Fix)
			}
		}
		for _, example := range pattern.Examples {
			describeRequests(&b, made, example.With)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// volumes tells whether the model declares any, and is about costs.
func volumes(m *model.Model) bool {
	return slices.ContainsFunc(m.Entities, func(e *model.Entity) bool { return len(e.Volumes) > 0 })
}

func about(f diag.Finding) string {
	out := ""
	if f.Entity != "" {
		out += f.Entity + " "
	}
	if f.Index != "" {
		out += "in " + f.Index
	}
	if out == "" {
		return ""
	}
	return "(" + strings.TrimSpace(out) + ") "
}

func describeVariant(b *strings.Builder, v *plan.Variant) {
	fmt.Fprint(b, "  ")
	if len(v.Absent) > 0 {
		fmt.Fprintf(b, "without %s: ", strings.Join(v.Absent, ", "))
	}
	fmt.Fprintln(b, v.Text())
	if len(v.Flaws) > 0 {
		fmt.Fprintf(b, "    unsound: %s\n", strings.Join(v.Flaws, ", "))
	}
	if v.Read != nil {
		describeRead(b, v.Read)
	}
	if v.Write != nil {
		for _, a := range v.Write.Actions {
			describeAction(b, a)
		}
	}
	for _, c := range v.Candidates {
		if len(c.Reasons) > 0 && c.Reasons[0].Kind != plan.NotInIndex {
			fmt.Fprintf(b, "    not %s: %s\n", c.Name(), reasons(c))
		}
	}
}

func describeRead(b *strings.Builder, r *plan.Read) {
	if r.Merge != plan.MergeNone {
		fmt.Fprintf(b, "    merge %s\n", r.Merge)
	}
	if r.Projection != nil {
		fmt.Fprintf(b, "    project %s\n", strings.Join(r.Projection, ", "))
	}
	if r.Fetches != nil {
		fmt.Fprintf(b, "    fetch %s\n", strings.Join(r.Fetches, ", "))
	}
}

func describeAction(b *strings.Builder, a *plan.Action) {
	if text := a.ConditionText(); text != "" {
		fmt.Fprintf(b, "    if %s\n", text)
	}
	if text := a.UpdateText(); text != "" {
		fmt.Fprintf(b, "    %s\n", text)
	}
	if len(a.Unchanged) > 0 {
		var names []string
		for _, attr := range a.Unchanged {
			names = append(names, attr.Name.Text)
		}
		fmt.Fprintf(b, "    unchanged %s\n", strings.Join(names, ", "))
	}
}

func reasons(c *plan.Candidate) string {
	var texts []string
	for _, r := range c.Reasons {
		texts = append(texts, r.Text)
	}
	return strings.Join(texts, "; ")
}

func describeRequests(b *strings.Builder, p *plan.Plan, args model.Args) {
	fmt.Fprintf(b, "  > %s\n", fields(args))
	v := p.For(args)
	call := plan.Call{Args: args, Now: now}
	reads, err := v.FirstReads(call)
	if err != nil {
		fmt.Fprintf(b, "    error %s\n", err)
		return
	}
	for _, r := range reads {
		describeRequest(b, "    first ", r)
		call.Old = append(call.Old, nil)
	}
	requests, err := v.Requests(call)
	if err != nil {
		fmt.Fprintf(b, "    error %s\n", err)
	}
	for _, r := range requests {
		describeRequest(b, "    ", r)
	}
	if len(requests) == 0 && err == nil {
		fmt.Fprintln(b, "    no request")
	}
}

// describeRequest writes a request with its values in place.
func describeRequest(b *strings.Builder, indent string, r plan.Request) {
	fmt.Fprintf(b, "%s%s", indent, r.API)
	if r.Index != "" {
		fmt.Fprintf(b, " %s", r.Index)
	}
	if r.Key != nil {
		fmt.Fprintf(b, " key %s", fields(r.Key))
	}
	if r.Item != nil {
		fmt.Fprintf(b, " item %s", fields(r.Item))
	}
	for _, e := range []struct{ word, text string }{
		{"", r.KeyCondition}, {"filter ", r.Filter}, {"project ", r.Projection}, {"if ", r.Condition}, {"", r.Update}, {"", r.Statement},
	} {
		if e.text != "" {
			fmt.Fprintf(b, " %s%s", e.word, inPlace(r, e.text))
		}
	}
	for _, flag := range []struct {
		text string
		set  bool
	}{
		{"descending", r.Descending}, {"consistent", r.Consistent}, {fmt.Sprint("limit ", r.Limit), r.Limit > 0}, {r.Select, r.Select != ""},
		{r.Returns, r.Returns != ""}, {"token " + r.Token, r.Token != ""}, {"guard", r.Guard}, {fmt.Sprint("group ", r.Group), r.Group > 0},
		{fmt.Sprint(r.Parameters), r.Parameters != nil},
	} {
		if flag.set {
			fmt.Fprintf(b, ", %s", flag.text)
		}
	}
	b.WriteByte('\n')
	for _, a := range r.Actions {
		describeRequest(b, indent+"  ", a)
	}
}

func inPlace(r plan.Request, text string) string {
	for _, p := range slices.Backward(slices.Sorted(maps.Keys(r.Values))) {
		text = strings.ReplaceAll(text, p, r.Values[p].String())
	}
	for _, p := range slices.Backward(slices.Sorted(maps.Keys(r.Names))) {
		text = strings.ReplaceAll(text, p, r.Names[p])
	}
	return text
}

func fields(m map[string]value.Value) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, name+": "+m[name].String())
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// describeCost writes what the first variant is expected to take.
func describeCost(b *strings.Builder, v *plan.Variant) {
	c := v.Cost()
	fmt.Fprintf(b, "  items %.4g, read %.4g, bytes %.0f, rcu %.4g, wcu %.4g, requests %v, pages %v", c.Items, c.ItemsRead, c.Bytes, c.RCU, c.WCU, c.Requests, c.Pages)
	if c.Kept < 1 && v.Read != nil {
		fmt.Fprintf(b, ", kept %.2g (%t)", c.Kept, c.KeptKnown)
	}
	if !c.Known {
		b.WriteString(", not known")
	}
	b.WriteByte('\n')
	if len(c.Indexes) < 2 {
		return
	}
	for _, x := range c.Indexes {
		name := "table"
		if x.Index != nil {
			name = x.Index.Name.Text
		}
		fmt.Fprintf(b, "    %s rcu %.4g, wcu %.4g\n", name, x.RCU, x.WCU)
	}
}
