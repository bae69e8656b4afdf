package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/migration"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// play is the migration of one world.
type play struct {
	Config
	result *Result
	items  []model.Instance // of the old model

	oldTable, newTable string // "" while there is none
	held               []*held
}

// held is an item through the migration.
type held struct {
	old model.Instance
	// new is what the item is in the new model; its entity is nil when that has it no more.
	new    model.Instance
	stored plan.Stored // as it is now, in the old table as long as that is read
	copied plan.Stored // in the new table; nil: not yet
	gone   bool
}

// moved tells whether a table takes the place of another one.
func (p *play) moved() bool { return p.Migration.Replaced }

// run plays all steps and looks after each.
func (p *play) run(ctx context.Context) (err error) {
	p.oldTable = p.Migration.Old.Model.Table.Name.Text
	defer func() {
		for _, name := range []string{p.oldTable, p.newTable} {
			if dropped := p.drop(ctx, name); err == nil {
				err = dropped
			}
		}
	}()
	if err := p.load(ctx); err != nil {
		return err
	}
	if err := p.look(ctx, 0); err != nil {
		return err
	}
	for _, s := range p.Migration.Steps {
		if err := p.step(ctx, s); err != nil {
			return fmt.Errorf("step %d, %s: %w", s.Number, s.Title, err)
		}
		if err := p.look(ctx, s.Number); err != nil {
			return err
		}
	}
	return p.compare(ctx)
}

// load makes the old table and puts the items there.
func (p *play) load(ctx context.Context) error {
	m := p.Migration.Old.Model
	if _, err := p.Client.CreateTable(ctx, sdk.Table(m.Table)); err != nil {
		return err
	}
	if err := p.settle(ctx, p.oldTable); err != nil {
		return err
	}
	if !p.moved() {
		p.newTable = p.oldTable
	}
	taken := map[string]bool{}
	for _, in := range p.items {
		if p.outside(in) {
			p.result.Left++
			continue
		}
		stored, err := encode.Item(m, in.Entity, in.Item, nil)
		if err != nil || taken[keyText(m.Table, stored)] {
			continue // what the check says of the old model is not the migration's fault
		}
		taken[keyText(m.Table, stored)] = true
		p.held = append(p.held, &held{old: in, stored: stored})
		if err := p.put(ctx, p.oldTable, stored); err != nil {
			return err
		}
		guards, err := encode.Guards(m, in.Entity, in.Item)
		if err != nil {
			return err
		}
		for _, g := range guards {
			if err := p.put(ctx, p.oldTable, g.Key); err != nil {
				return err
			}
		}
	}
	p.convert()
	return nil
}

// outside tells whether an item has a value that no item of the new model can
// have. Such items have to be mended first, as the changes say: no step does it.
func (p *play) outside(in model.Instance) bool {
	pair := p.Migration.Pair(in.Entity)
	if pair == nil {
		return false
	}
	_, err := pair.Convert(in.Item, now)
	var open *migration.Unconvertible
	return errors.As(err, &open) && slices.ContainsFunc(open.Lacks, func(l migration.Lack) bool { return l.Reason != "" })
}

// step takes one step.
func (p *play) step(ctx context.Context, s *migration.Step) error {
	switch s.Kind {
	case migration.Call:
		for _, r := range s.Requests {
			if err := p.call(ctx, r.Input); err != nil {
				return err
			}
		}
	case migration.Rewrite:
		return p.backfill(ctx, s)
	}
	return nil
}

// backfill writes the items of an entity again, and looks half-way too, when
// some are in one form and some in the other.
func (p *play) backfill(ctx context.Context, s *migration.Step) error {
	var items []*held
	for _, h := range p.held {
		if h.old.Entity == s.Backfill.Entity && !h.gone {
			items = append(items, h)
		}
	}
	for i, h := range items {
		if i > 0 && i == len(items)/2 {
			if err := p.look(ctx, s.Number); err != nil {
				return err
			}
		}
		if err := p.rewrite(ctx, s.Backfill, h); err != nil {
			return err
		}
		p.result.Steps[s.Number].Written++
	}
	return nil
}

// call sends a request of a step. What only configures AWS is left out.
func (p *play) call(ctx context.Context, input any) error {
	switch in := input.(type) {
	case *dynamodb.CreateTableInput:
		p.newTable = *in.TableName
		if p.newTable == p.oldTable {
			p.newTable += "-2"
		}
		own := *in
		own.TableName = aws.String(p.newTable)
		if _, err := p.Client.CreateTable(ctx, &own); err != nil {
			return err
		}
		return p.settle(ctx, p.newTable)
	case *dynamodb.UpdateTableInput:
		if len(in.ReplicaUpdates) > 0 {
			return nil
		}
		if _, err := p.Client.UpdateTable(ctx, in); err != nil {
			return err
		}
		return p.settle(ctx, *in.TableName)
	case *dynamodb.DeleteTableInput:
		name := p.oldTable
		p.oldTable = ""
		return p.drop(ctx, name)
	}
	return nil
}

// settleWithin is how long a table may take to become active.
const settleWithin = time.Minute

// settle waits until a table and its indexes are active.
func (p *play) settle(ctx context.Context, table string) error {
	ctx, cancel := context.WithTimeout(ctx, settleWithin)
	defer cancel()
	for {
		got, err := p.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(table)})
		if err != nil {
			return err
		}
		if active(got.Table) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("table %s does not become active: %w", table, ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func active(t *types.TableDescription) bool {
	if t.TableStatus != types.TableStatusActive {
		return false
	}
	for _, x := range t.GlobalSecondaryIndexes {
		if x.IndexStatus != types.IndexStatusActive {
			return false
		}
	}
	return true
}

// drop deletes a table that may be protected, or not exist.
func (p *play) drop(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleWithin)
	defer cancel()
	var gone *types.ResourceNotFoundException
	_, err := p.Client.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: aws.String(name), DeletionProtectionEnabled: aws.Bool(false)})
	if errors.As(err, &gone) {
		return nil
	}
	_, err = p.Client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String(name)})
	if errors.As(err, &gone) {
		return nil
	}
	return err
}

// standing are the items as one of the models sees them, those that it knows.
func (p *play) standing(old bool) []verify.StandingItem {
	var out []verify.StandingItem
	for _, h := range p.held {
		in, stored := h.new, h.stored
		if old {
			in = h.old
		} else if p.moved() {
			stored = h.copied
		}
		if in.Entity != nil && stored != nil && !h.gone {
			out = append(out, verify.StandingItem{Instance: in, Stored: maps.Clone(stored)})
		}
	}
	return out
}

// compare holds what is stored at the end against what the new model stores.
func (p *play) compare(ctx context.Context) error {
	m := p.Migration.New.Model
	want := map[string]plan.Stored{}
	for _, h := range p.held {
		if h.new.Entity == nil {
			continue
		}
		stored, err := encode.Item(m, h.new.Entity, h.new.Item, nil)
		if err != nil {
			p.wrong(h.new.Entity, fmt.Sprintf("an item of %s cannot be stored in the new form: %v", h.new.Entity.Name.Text, err))
			continue
		}
		want[keyText(m.Table, stored)] = stored
		guards, err := encode.Guards(m, h.new.Entity, h.new.Item)
		if err != nil {
			return err
		}
		for _, g := range guards {
			want[keyText(m.Table, g.Key)] = g.Key
		}
	}
	got, err := p.everything(ctx)
	if err != nil {
		return err
	}
	for key, w := range want {
		e := entityOf(m, w)
		if g, there := got[key]; !there {
			p.wrong(e, fmt.Sprintf("an item is not stored in the new form: %s", shown(w)))
		} else if !equal(g, w) {
			p.wrong(e, fmt.Sprintf("an item is stored as %s, and the new model stores %s", shown(g), shown(w)))
		}
	}
	for key, g := range got {
		if _, wanted := want[key]; !wanted {
			p.wrong(entityOf(m, g), fmt.Sprintf("an item is left that the new model does not know: %s", shown(g)))
		}
	}
	return nil
}

func entityOf(m *model.Model, stored plan.Stored) *model.Entity {
	in, _ := encode.Decode(m.Table, m.Entities, stored)
	return in.Entity
}

// wrong notes something about items after the last step.
func (p *play) wrong(e *model.Entity, message string) {
	f := diag.Finding{Rule: diag.WrongWrite, Severity: diag.Error, Message: message}
	if e != nil {
		f.Entity, f.Span = e.Name.Text, e.Name.At
	}
	p.note(len(p.result.Steps)-1, "new", 0, []diag.Finding{f})
}

// everything reads the table that counts at the end.
func (p *play) everything(ctx context.Context) (map[string]plan.Stored, error) {
	out := map[string]plan.Stored{}
	pages := dynamodb.NewScanPaginator(p.Client, &dynamodb.ScanInput{TableName: aws.String(p.newTable), ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			stored, err := sdk.FromItem(item)
			if err != nil {
				return nil, err
			}
			out[keyText(p.Migration.New.Model.Table, stored)] = stored
		}
	}
	return out, nil
}

func equal(a, b plan.Stored) bool {
	return maps.EqualFunc(a, b, value.Equal)
}
