package diff

import (
	"context"
	"fmt"
	"time"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/backfill"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model/migration"
)

// fill does a backfill on the table that the flags name.
func (o *Options) fill(ctx context.Context, m *migration.Migration) error {
	if o.backfill < 1 || o.backfill > len(m.Steps) || m.Steps[o.backfill-1].Backfill == nil {
		return fmt.Errorf("--backfill %d: step %d of this migration is no backfill", o.backfill, o.backfill)
	}
	step := m.Steps[o.backfill-1]
	client, err := o.to.Client(ctx)
	if err != nil {
		return err
	}
	c := backfill.Config{Migration: m, Backfill: step.Backfill, Client: client, From: o.table, To: o.copyTable, Now: time.Now().UTC()}
	if c.From == "" {
		c.From = m.Old.Model.Table.Name.Text
	}
	if c.To == "" {
		c.To = m.New.Model.Table.Name.Text
	}
	if m.Replaced && c.From == c.To {
		return fmt.Errorf("items are copied from %s to itself; name the new table with --to-table", c.From)
	}
	bar := o.streams.Progress(false)
	c.Progress = func(r backfill.Result) { bar.Show("%d items read, %d written", r.Read, r.Written) }
	r, err := backfill.Run(ctx, c)
	bar.Clear()
	if err != nil {
		return err
	}
	return o.filled(step, r)
}

// filled says what a backfill has done. What it could not do is a finding.
func (o *Options) filled(step *migration.Step, r backfill.Result) error {
	fmt.Fprintf(o.streams.Out, "%d. %s: %s read, %d written, %d in the new form already\n", step.Number, step.Title, terminal.Count(r.Read, "item"), r.Written, r.Already)
	if r.Changed > 0 {
		fmt.Fprintf(o.streams.Out, "%d were changed by somebody else meanwhile; run it again\n", r.Changed)
	}
	if r.Conflicts > 0 {
		fmt.Fprintf(o.streams.Out, "%d could not be written:\n", r.Conflicts)
		for _, text := range r.Told {
			fmt.Fprintf(o.streams.Out, "  %s\n", text)
		}
	}
	if r.Changed+r.Conflicts > 0 {
		return command.ErrFindings
	}
	return nil
}
