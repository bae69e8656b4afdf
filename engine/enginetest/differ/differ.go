// Package differ sends the same random operations to two DynamoDB endpoints and
// compares what they answer: items, exceptions and consumed capacity.
//
// One seed makes one sequence: a random table with indexes, then operations on
// a small set of keys and attributes, so that they meet each other's items.
// Expressions are random, too, and some are broken on purpose. The first
// difference that is not known (see Known) ends the run; the sequence is then
// shrunk, and printed in the form of a conformance case.
package differ

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/engine/enginetest"
	"github.com/dynmodel/dynmodel/engine/enginetest/rawclient"
)

// Options say what to compare, and how much of it.
type Options struct {
	// Left and Right are the endpoints; Known describes faults of Right.
	Left, Right *dynamodb.Client
	Known       []Known
	// Seed of the first sequence. The following ones count up.
	Seed uint64
	// Operations is the number of operations to send in all.
	Operations int
}

// Report is the outcome of a run.
type Report struct {
	Operations, Sequences int
	// Known counts the known differences met, by name.
	Known map[string]int
	// Difference is the first unexplained one, or nil.
	Difference *Difference
}

// Difference is an operation that the endpoints answered differently, with the
// operations that led to it.
type Difference struct {
	Seed        uint64
	Schema      enginetest.Schema
	Trace       []Operation // the last one is answered differently
	Left, Right string
}

// String prints the difference as a conformance case with two answers.
func (d *Difference) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "# seed %d\n%v", d.Seed, d.Schema)
	for _, operation := range d.Trace {
		fmt.Fprintf(&text, "> %s %s\n", operation.Name, operation.Body)
	}
	fmt.Fprintf(&text, "# left:  %s\n# right: %s\n", d.Left, d.Right)
	return text.String()
}

// sequenceLength bounds a sequence, so that traces stay short.
const sequenceLength = 150

// Run sends sequences until it has sent enough operations, or has found an
// unexplained difference. The error says that an endpoint could not be asked.
func Run(ctx context.Context, options Options) (Report, error) {
	r := runner{
		left: rawclient.New(options.Left), right: rawclient.New(options.Right),
		known: options.Known, report: Report{Known: map[string]int{}},
	}
	for seed := options.Seed; r.report.Operations < options.Operations; seed++ {
		difference, err := r.sequence(ctx, seed)
		if err != nil {
			return r.report, fmt.Errorf("seed %d: %w", seed, err)
		}
		if difference != nil {
			r.report.Difference, err = r.shrink(ctx, difference)
			return r.report, err
		}
	}
	return r.report, nil
}

type runner struct {
	left, right *rawclient.Client
	known       []Known
	report      Report
}

// sequence runs one sequence, up to its first unexplained difference, or to a
// known one that leaves different items behind.
func (r *runner) sequence(ctx context.Context, seed uint64) (*Difference, error) {
	g := newGenerator(rand.New(rand.NewPCG(seed, 0)))
	p, err := r.newPair(ctx, g.schema)
	if err != nil {
		return nil, err
	}
	defer p.drop(context.WithoutCancel(ctx))
	r.report.Sequences++
	var trace []Operation
	for range sequenceLength {
		operation := g.operation()
		trace = append(trace, operation)
		r.report.Operations++
		verdict, err := r.ask(ctx, p, operation)
		if err != nil {
			return nil, err
		}
		switch {
		case verdict.same:
		case verdict.known == "":
			return &Difference{seed, g.schema, trace, verdict.left, verdict.right}, nil
		default:
			r.report.Known[verdict.known]++
			if verdict.diverges && operation.writes() {
				return nil, nil
			}
		}
	}
	return nil, nil
}

// verdict compares the answers to one operation.
type verdict struct {
	same        bool
	known       string
	diverges    bool // the items may differ from now on
	left, right string
}

func (r *runner) ask(ctx context.Context, p pair, operation Operation) (verdict, error) {
	left, err := p.left.do(ctx, operation)
	if err != nil {
		return verdict{}, fmt.Errorf("left: %w", err)
	}
	right, err := p.right.do(ctx, operation)
	if err != nil {
		return verdict{}, fmt.Errorf("right: %w", err)
	}
	v := verdict{left: left.text(), right: right.text()}
	v.same = same(left, right)
	if !v.same {
		for _, known := range r.known {
			if known.Applies(operation, left, right) {
				v.known = known.Name
				v.diverges = known.Diverges || left.failed() != right.failed()
				break
			}
		}
	}
	return v, nil
}

// shrink leaves operations out of the trace as long as it still ends in an
// unexplained difference.
func (r *runner) shrink(ctx context.Context, d *Difference) (*Difference, error) {
	for size := len(d.Trace) / 2; size > 0; size /= 2 {
		for start := 0; start+size < len(d.Trace); {
			shorter := append(append([]Operation{}, d.Trace[:start]...), d.Trace[start+size:]...)
			smaller, err := r.replay(ctx, d, shorter)
			if err != nil {
				return d, err
			}
			if smaller == nil {
				start += size
			} else {
				d = smaller
			}
		}
	}
	return d, nil
}

// replay returns the difference that the trace ends in, or nil.
func (r *runner) replay(ctx context.Context, d *Difference, trace []Operation) (*Difference, error) {
	p, err := r.newPair(ctx, d.Schema)
	if err != nil {
		return nil, err
	}
	defer p.drop(context.WithoutCancel(ctx))
	var last verdict
	for _, operation := range trace {
		if last, err = r.ask(ctx, p, operation); err != nil {
			return nil, err
		}
	}
	if last.same || last.known != "" {
		return nil, nil
	}
	return &Difference{d.Seed, d.Schema, trace, last.left, last.right}, nil
}
