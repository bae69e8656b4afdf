// Command mutation breaks sound models and tells which breaks the check does
// not notice: see package mutation. It exits with 1 when it notices too few of
// them, and with 2 when it could not do its work.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync/atomic"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/mutation"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// leastScore is the part of the faults that the check has to notice.
const leastScore = 0.95

var errScore = errors.New("the check notices too few faults")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
	}
	switch {
	case errors.Is(err, errScore):
		os.Exit(1)
	case err != nil:
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string, out, progress io.Writer) error {
	flags := flag.NewFlagSet("mutation", flag.ContinueOnError)
	all := flags.Bool("all", false, "write every mutant, not the survivors alone")
	sample := flags.Int("sample", 0, "how many mutants to judge, drawn from all; 0: all of them")
	seed := flags.Uint64("seed", 1, "seed of the sample")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var sources []mutation.Source
	for _, folder := range flags.Args() {
		found, err := models(folder)
		if err != nil {
			return err
		}
		sources = append(sources, found...)
	}
	if len(sources) == 0 {
		return errors.New("name folders with models in them")
	}
	db := engine.New()
	defer db.Close()
	result, err := mutation.Run(ctx, sources, mutation.Options{
		Endpoint: endpoints(db), Workers: runtime.GOMAXPROCS(0), Sample: *sample, Seed: *seed,
		Progress: func(done, total int) {
			if done%100 == 0 {
				fmt.Fprintf(progress, "%d of %d mutants\n", done, total)
			}
		},
	})
	if err != nil {
		return err
	}
	if err := result.Write(out, *all); err != nil {
		return err
	}
	if result.Count().Score() < leastScore {
		return errScore
	}
	return nil
}

// endpoints gives every check the embedded DynamoDB, with tables of its own.
func endpoints(db *engine.DB) func() verify.Endpoint {
	var tables atomic.Int64
	return func() verify.Endpoint {
		return verify.Endpoint{Client: db.BareClient(), Table: func() string { return fmt.Sprintf("mutant-%d", tables.Add(1)) }}
	}
}

// models are the models in a folder and below, in order of their paths; not the
// fragments that they include.
func models(folder string) ([]mutation.Source, error) {
	var out []mutation.Source
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		s := mutation.Source{Name: filepath.ToSlash(path), Text: string(text), Includes: os.DirFS(filepath.Dir(path))}
		if m, _ := parse.File(source.NewFile(s.Name, s.Text), s.Includes); m != nil {
			out = append(out, s)
		}
		return nil
	})
	return out, err
}
