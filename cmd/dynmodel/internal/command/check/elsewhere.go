package check

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/endpoint"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/validate/report"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// elsewhere is the proof on a DynamoDB that is not the embedded one.
type elsewhere struct {
	endpoint.Flags
	keep, yes bool
	made      []string // the tables' names
}

func (e *elsewhere) register(cmd *cobra.Command) {
	e.Register(cmd)
	f := cmd.Flags()
	f.Float64Var(&e.Rate, "max-rate", 0, "most requests a second to the endpoint (default: 100 on AWS)")
	f.BoolVar(&e.keep, "keep", false, "leave the temporary tables on the endpoint, to look at them")
	f.BoolVar(&e.yes, "yes", false, "do not ask before the proof on AWS, which costs money")
}

func (e *elsewhere) validate() error {
	switch {
	case !e.Given() && (e.keep || e.yes || e.Rate != 0):
		return errors.New("--keep, --yes and --max-rate go with --endpoint or --aws")
	case e.Rate < 0:
		return fmt.Errorf("--max-rate %v: must not be negative", e.Rate)
	}
	return e.Validate()
}

// The bounds of a proof on AWS and other distributed engines: how many requests a
// second, and how long an index may lag behind its table.
const (
	awsRate = 100
	lag     = 5 * time.Second
)

// endpoint is what the proof runs on. All of its tables are named and tagged so
// that nobody takes them for anything else.
func (e *elsewhere) endpoint(ctx context.Context) (verify.Endpoint, error) {
	if e.AWS && e.Rate == 0 {
		e.Rate = awsRate
	}
	client, err := e.Client(ctx)
	if err != nil {
		return verify.Endpoint{}, err
	}
	out := verify.Endpoint{Client: client, Lag: lag, Keep: e.keep, Table: func() string {
		e.made = append(e.made, fmt.Sprintf("dynmodel-check-%s-%d", token(), len(e.made)+1))
		return e.made[len(e.made)-1]
	}}
	if e.AWS {
		out.Tables = 1 // DynamoDB makes one table with indexes at a time
		out.Tags = map[string]string{"created-by": "dynmodel check", "temporary": "yes"}
	}
	return out, nil
}

// token tells the tables of this run from those of others at the same time.
func token() string {
	var b [4]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// asks are the permissions that a proof on AWS needs.
const asks = "dynamodb:CreateTable, TagResource, DescribeTable, DeleteTable, GetItem, PutItem, UpdateItem, DeleteItem, ConditionCheckItem, Query, Scan, " +
	"BatchGetItem, BatchWriteItem, PartiQLSelect, PartiQLInsert, PartiQLUpdate and PartiQLDelete on table/dynmodel-check-* and its indexes"

// confirm asks whether a proof on AWS may cost what it costs. How much that is,
// the proof on the embedded engine has shown.
func (e *elsewhere) confirm(r report.Report, streams *terminal.Streams) error {
	if !e.AWS || e.yes {
		return nil
	}
	if !streams.ErrTerminal {
		return errors.New("--aws costs money; say --yes to go on without being asked")
	}
	requests := spent(r)
	price, err := cost.Published().Region(e.Region)
	if err != nil {
		price = cost.Published().Regions[cost.DefaultRegion]
	}
	most := price.Standard.OnDemandPrice(load.Units{Reads: requests, Writes: requests * unitsOfWrite})
	fmt.Fprintf(streams.Err, "The proof on %s makes a temporary table for each model, %s, and deletes it again.\nIt takes some %.0f requests, for less than $%.2f.\nIt needs %s.\nGo on? [y/N] ",
		e, "dynmodel-check-…", requests, math.Ceil(most*100)/100, asks)
	answer, _ := bufio.NewReader(streams.In).ReadString('\n') // no answer is a no
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("nothing was run")
	}
	return nil
}

// overhead is how many times the requests of the judged calls a proof takes with
// loading worlds, looking at what was stored, and making counterexamples smaller;
// unitsOfWrite what one of them writes, indexes included. Both are generous.
const (
	overhead     = 3
	unitsOfWrite = 10
)

// spent is about how many requests a proof takes.
func spent(r report.Report) (requests float64) {
	for _, m := range r.Models {
		for _, p := range m.Patterns {
			requests += overhead * float64(p.Cases) * max(p.Requests, 1)
		}
	}
	return requests
}

// checkElsewhere runs the proof on the endpoint of the flags.
func (o *Options) checkElsewhere(ctx context.Context, files []modelfiles.File) (report.Report, error) {
	on, err := o.elsewhere.endpoint(ctx)
	if err != nil {
		return report.Report{}, err
	}
	if o.elsewhere.AWS && !o.elsewhere.yes {
		db := engine.New()
		here, err := o.check(ctx, files, endpointOf(db))
		db.Close()
		if err != nil {
			return report.Report{}, err
		}
		if err := o.elsewhere.confirm(here, o.streams); err != nil {
			return report.Report{}, err
		}
	}
	r, err := o.check(ctx, files, on)
	if o.elsewhere.keep && len(o.elsewhere.made) > 0 {
		fmt.Fprintf(o.streams.Err, "kept on %s: %s\n", &o.elsewhere.Flags, strings.Join(o.elsewhere.made, ", "))
	}
	return r, o.elsewhere.Explain(err)
}
