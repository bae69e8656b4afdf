// Package explain is `dynmodel explain`: the page of an access pattern, an
// entity or a rule.
package explain

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/onemodel"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
	"github.com/dynmodel/dynmodel/validate/report"
	"github.com/dynmodel/dynmodel/validate/rules"
	"github.com/dynmodel/dynmodel/validate/rules/page"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// Options are the command's arguments and flags.
type Options struct {
	streams *terminal.Streams
	model   string
	color   terminal.ColorMode
}

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	o := &Options{streams: streams, color: terminal.ColorAuto}
	cmd := &cobra.Command{
		Use:   "explain [PATTERN|ENTITY -f FILE | RULE]",
		Short: "Explain an access pattern, an entity or a rule",
		Long: `Of an access pattern of the model in FILE: its plan, every index and why it
serves or does not; the requests of an example call as AWS CLI commands, as the
input that every SDK takes and as PartiQL; what a call takes and costs, and what
happens at ten times the declared rate. The example's items are the model's
samples, or made up where there are none.

Of an entity: its keys and the indexes it is in, its sizes, the access patterns
that touch it, and an example of a stored item.

Of a rule: what it finds and why that matters, a model that fails it with what
check says, the same model repaired, and what to change.

Without a name it lists the access patterns and entities of the model in FILE,
or all rules.

Exit status: 0; 1 when the model cannot be read as it is written; 2 for a name
that is none, a wrong flag or a file that cannot be read.`,
		Example: `  dynmodel explain recent-orders -f access-patterns.yaml
  dynmodel explain Order -f access-patterns.yaml
  dynmodel explain key-collision
  dynmodel explain`,
		Args:              command.AtMostOne,
		ValidArgsFunction: o.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.model != "":
				return o.ofModel(cmd.Context(), args)
			case len(args) == 0:
				return o.list()
			case modelfiles.HasDefault() && !slices.Contains(diag.RuleNames(), args[0]):
				return o.ofModel(cmd.Context(), args)
			}
			return o.rule(cmd.Context(), args[0])
		},
	}
	command.FileFlag(cmd, &o.model, command.FileUsage("model with the access pattern or entity"))
	command.ColorFlag(cmd, &o.color)
	return cmd
}

// complete are the names that may follow: those of the model that --file names,
// and of rules.
func (o *Options) complete(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	if m := onemodel.Quietly(o.model, o.streams); m != nil {
		for _, e := range entries(m) {
			out = append(out, e.name+"\t"+e.what)
		}
	}
	for _, r := range rules.All() {
		out = append(out, r.Name+"\t"+r.Title)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// entry is a name of a model that has a page.
type entry struct{ name, what string }

// entries are the access patterns and entities of a model.
func entries(m *model.Model) (out []entry) {
	for _, p := range m.Patterns {
		out = append(out, entry{p.Name.Text, subject(p)})
	}
	for _, e := range m.Entities {
		what := "entity"
		if e.Description != "" {
			what += ": " + firstLine(e.Description)
		}
		out = append(out, entry{e.Name.Text, what})
	}
	return out
}

// subject says in a few words what a pattern is about.
func subject(p *model.Pattern) string {
	var names []string
	for _, e := range p.Entities {
		names = append(names, e.Name.Text)
	}
	if len(names) == 0 {
		for _, s := range p.AllSteps() {
			if !slices.Contains(names, s.Entity.Name.Text) {
				names = append(names, s.Entity.Name.Text)
			}
		}
	}
	out := strings.TrimSpace(string(p.Operation) + " " + strings.Join(names, ", "))
	if p.Description != "" {
		out += ": " + firstLine(p.Description)
	}
	return out
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// ofModel explains a name of the model, or a rule; without a name it lists what
// the model has.
func (o *Options) ofModel(ctx context.Context, args []string) error {
	m, err := onemodel.Read(o.model, o.streams, o.color)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return o.listModel(m)
	}
	name := args[0]
	w := newWriter(o.streams.Color(o.color), o.streams.Columns)
	switch p, e := m.Pattern(name), m.Entity(name); {
	case p != nil:
		explainPattern(w, m, p)
	case e != nil:
		explainEntity(w, m, e)
	case slices.Contains(diag.RuleNames(), name):
		return o.rule(ctx, name)
	default:
		return notThere(m, name)
	}
	_, err = o.streams.Out.Write([]byte(w.text.String()))
	return err
}

// notThere says that the model has no such name, and which one may be meant.
func notThere(m *model.Model, name string) error {
	var names []string
	for _, e := range entries(m) {
		names = append(names, e.name)
	}
	names = append(names, diag.RuleNames()...)
	return fmt.Errorf("%s has no access pattern or entity named %q, and there is no such rule%s", m.Name, name,
		command.Meant(name, names, "dynmodel explain --file "+m.File.Name()))
}

func (o *Options) listModel(m *model.Model) error {
	wide := 0
	for _, e := range entries(m) {
		wide = max(wide, len(e.name))
	}
	out := bufio.NewWriter(o.streams.Out)
	for _, e := range entries(m) {
		fmt.Fprintf(out, "%-*s  %s\n", wide, e.name, e.what)
	}
	return out.Flush()
}

// list writes all rules with their titles.
func (o *Options) list() error {
	all := rules.All()
	wide := 0
	for _, r := range all {
		wide = max(wide, len(r.Name))
	}
	out := bufio.NewWriter(o.streams.Out)
	for _, r := range all {
		fmt.Fprintf(out, "%-*s  %-7s  %s\n", wide, r.Name, r.Severity, r.Title)
	}
	return out.Flush()
}

// rule writes the page of a rule.
func (o *Options) rule(ctx context.Context, name string) error {
	all := rules.All()
	i := slices.IndexFunc(all, func(r *validate.Rule) bool { return r.Name == name })
	if i < 0 {
		return unknown(name, all)
	}
	db := engine.New()
	defer db.Close()
	tables := 0
	p, err := page.Of(ctx, all[i], verify.Endpoint{Client: db.BareClient(), Table: func() string {
		tables++
		return fmt.Sprintf("explain-%d", tables)
	}})
	if err != nil {
		return err
	}
	return page.Text(o.streams.Out, p, report.TextOptions{Color: o.streams.Color(o.color), Width: o.streams.Columns})
}

// unknown says that there is no such rule, and which one may be meant.
func unknown(name string, all []*validate.Rule) error {
	var names []string
	for _, r := range all {
		names = append(names, r.Name)
	}
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Errorf("no rule is named %q; did you mean %s?", name, near)
	}
	return fmt.Errorf("no rule is named %q; %q lists them, and access patterns and entities need their model: --file", name, "dynmodel explain")
}
