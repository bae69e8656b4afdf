// Package explain is `dynmodel explain`.
package explain

import (
	"bufio"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/engine"
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
	color   terminal.ColorMode
}

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	o := &Options{streams: streams, color: terminal.ColorAuto}
	cmd := &cobra.Command{
		Use:   "explain [RULE]",
		Short: "Explain a rule: what it finds, why it matters, what to change",
		Long: `Prints the page of a rule: what it finds and why that matters, a model that
fails it with what check says, the same model repaired, and what to change.
Without a rule it lists all of them.`,
		Example: `  dynmodel explain
  dynmodel explain key-collision`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return completions(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return o.list()
			}
			return o.explain(cmd.Context(), args[0])
		},
	}
	cmd.Flags().Var(&o.color, "color", "colour the text")
	return cmd
}

// completions are the rules with their titles, as cobra wants them.
func completions() (out []string) {
	for _, r := range rules.All() {
		out = append(out, r.Name+"\t"+r.Title)
	}
	return out
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

func (o *Options) explain(ctx context.Context, name string) error {
	all := rules.All()
	i := slices.IndexFunc(all, func(r *validate.Rule) bool { return r.Name == name })
	if i < 0 {
		return unknown(name, all)
	}
	db := engine.New()
	defer db.Close()
	tables := 0
	p, err := page.Of(ctx, all[i], verify.Endpoint{Client: db.Client(), Table: func() string {
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
	return fmt.Errorf("no rule is named %q; %q lists them", name, "dynmodel explain")
}
