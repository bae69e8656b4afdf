package check

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/validate/baseline"
	"github.com/dynmodel/dynmodel/validate/report"
)

// readBaseline reads the file of --baseline; nil when there is none to read.
func (o *Options) readBaseline() (*baseline.Baseline, error) {
	if o.baseline == "" || o.writeBaseline {
		return nil, nil
	}
	f, err := os.Open(o.baseline)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--baseline %s: no such file; --write-baseline makes it", o.baseline)
	}
	if err != nil {
		return nil, fmt.Errorf("--baseline %w", modelfiles.Explain(o.baseline, err))
	}
	defer f.Close()
	b, err := baseline.Read(f)
	if err != nil {
		return nil, fmt.Errorf("--baseline %s: %w", o.baseline, err)
	}
	return &b, nil
}

// storeBaseline writes today's findings to the file of --baseline.
func (o *Options) storeBaseline(r report.Report) error {
	b := baseline.Of(r)
	var text bytes.Buffer
	if err := b.Write(&text); err != nil {
		return err
	}
	if err := modelfiles.Write(o.baseline, text.String()); err != nil {
		return err
	}
	_, err := fmt.Fprintf(o.streams.Out, "wrote %s: findings accepted: %d\n", o.baseline, b.Len())
	return err
}

// accept applies a baseline, and tells of its entries that are needed no more.
// Where not everything was judged, nothing is known of those.
func (o *Options) accept(b *baseline.Baseline, r report.Report) report.Report {
	applied, stale := b.Apply(r)
	if len(o.only)+len(o.skip) > 0 || o.pattern != "" || o.static {
		return applied
	}
	for _, key := range stale {
		about := strings.Join(strings.Fields(key.Pattern+" "+key.Entity+" "+key.Index), " ")
		fmt.Fprintf(o.streams.Err, "%s: %s of %s is found no more: %s %q; --write-baseline takes it out\n", o.baseline, key.Rule, key.Model, about, key.Text)
	}
	return applied
}
