package mutation

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/check"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// Source is the text of a model, and the folder in which its includes are
// looked up (nil when there is none).
type Source struct {
	Name, Text string
	Includes   fs.FS
}

// Options say what to run on, and how much.
type Options struct {
	// Endpoint gives a DynamoDB for one check; called on several goroutines.
	Endpoint func() verify.Endpoint
	// Workers is how many checks run at a time; 0: one.
	Workers int
	// Sample, when not 0, is how many of all mutants are judged, drawn by Seed.
	Sample int
	Seed   uint64
	// Progress, if set, is called after each mutant, on several goroutines.
	Progress func(done, total int)
}

// Verdict is what became of a mutant.
type Verdict string

// The verdicts.
const (
	Killed     Verdict = "killed"     // the check found something new
	Equivalent Verdict = "equivalent" // nothing was found, and an argument shows that nothing is wrong
	Survived   Verdict = "survived"   // nothing was found
	Refused    Verdict = "refused"    // it is no model of the language; does not count
)

// Judged is a mutant with what became of it.
type Judged struct {
	Mutant
	Verdict Verdict
	// By is the rule that killed it, or the argument that excuses it.
	By string
}

// Model is what became of the mutants of one model.
type Model struct {
	Name string
	// Unsound tells that the model itself has errors: it is not broken further.
	Unsound bool
	Mutants []Judged
}

// Result is the outcome for all models, in their order.
type Result struct{ Models []Model }

// job is one mutant to judge.
type job struct {
	sound *check.Result
	from  Source
	into  *Judged
}

// Run breaks the models and judges the mutants. The error says that a check
// could not be done.
func Run(ctx context.Context, sources []Source, o Options) (*Result, error) {
	result := &Result{Models: make([]Model, len(sources))}
	var jobs []job
	for i, s := range sources {
		m := &result.Models[i]
		m.Name = s.Name
		sound, err := o.check(ctx, s, s.Text, false)
		if err != nil {
			return nil, err
		}
		if sound.Model == nil || slices.ContainsFunc(sound.Report.Findings, func(f diag.Finding) bool { return f.Severity == diag.Error }) {
			m.Unsound = true
			continue
		}
		for _, mutant := range Mutants(sound.Model) {
			m.Mutants = append(m.Mutants, Judged{Mutant: mutant})
		}
		for j := range m.Mutants {
			jobs = append(jobs, job{sound, s, &m.Mutants[j]})
		}
	}
	if o.Sample > 0 && o.Sample < len(jobs) {
		random := rand.New(rand.NewPCG(o.Seed, 0))
		random.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
		jobs = jobs[:o.Sample]
	}
	if err := o.run(ctx, jobs); err != nil {
		return nil, err
	}
	for i := range result.Models {
		m := &result.Models[i]
		m.Mutants = slices.DeleteFunc(m.Mutants, func(j Judged) bool { return j.Verdict == "" }) // not in the sample
	}
	return result, nil
}

func (o Options) run(ctx context.Context, jobs []job) error {
	group, ctx := errgroup.WithContext(ctx)
	var next, done atomic.Int64
	for range max(1, o.Workers) {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < len(jobs); i = int(next.Add(1)) - 1 {
				if err := o.judge(ctx, jobs[i]); err != nil {
					return err
				}
				if n := done.Add(1); o.Progress != nil {
					o.Progress(int(n), len(jobs))
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// judge checks one mutant: by the rules and the plans alone first, which is
// fast, and by running it where those say nothing.
func (o Options) judge(ctx context.Context, j job) error {
	for _, static := range []bool{true, false} {
		broken, err := o.check(ctx, j.from, j.into.Text, static)
		if err != nil {
			return err
		}
		if rule, refused := language(broken); refused {
			j.into.Verdict, j.into.By = Refused, rule
			return nil
		}
		if rule := news(j.sound, broken); rule != "" {
			j.into.Verdict, j.into.By = Killed, rule
			return nil
		}
		if static {
			continue
		}
		j.into.Verdict = Survived
		if why := excuse(j.into.Mutant, j.sound, broken); why != "" {
			j.into.Verdict, j.into.By = Equivalent, why
		}
	}
	return nil
}

func (o Options) check(ctx context.Context, s Source, text string, static bool) (*check.Result, error) {
	return check.File(ctx, source.NewFile(s.Name, text), s.Includes, check.Options{Endpoint: o.Endpoint, Static: static})
}

// language tells whether a model is refused by the language itself.
func language(r *check.Result) (rule string, refused bool) {
	for _, f := range r.Report.Findings {
		if f.Rule == diag.InvalidModel || f.Rule == diag.UnknownReference {
			return f.Rule, true
		}
	}
	return "", r.Model == nil
}

// sort is what a finding is about, whatever it says in words.
type sort struct{ rule, entity, pattern, index string }

// news is the rule of the worst finding of a mutant that the sound model does
// not have; "" when there is none of severity warning or worse.
func news(sound, broken *check.Result) string {
	known := map[sort]int{}
	for _, f := range sound.Report.Findings {
		known[sortOf(f)]++
	}
	rule, worst := "", diag.Info
	for _, f := range broken.Report.Findings {
		if known[sortOf(f)]--; known[sortOf(f)] < 0 && f.Severity > worst {
			rule, worst = f.Rule, f.Severity
		}
	}
	return rule
}

func sortOf(f diag.Finding) sort { return sort{f.Rule, f.Entity, f.Pattern, f.Index} }
