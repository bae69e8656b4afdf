package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate"
)

func replicaConflict() *validate.Rule {
	return &validate.Rule{
		Name: diag.ReplicaConflict, Severity: diag.Error, FoundBy: validate.ByRule, Check: checkReplicaConflict,
		Title: "a global table does not support what the model asks for",
		Text: "A strongly consistent global table has exactly three regions of one set (United States, Europe, Asia Pacific), and neither TTL, local indexes nor transactions, which unique attributes need. An eventually consistent one needs capacity that scales. " +
			"Conditions see one region: there, two regions can take the same unique value, or save the same version, within a second, and the later write wins silently. That is a warning, as is a DAX cluster, which does not see what other regions write, and one KMS key, for a key is of one region.",
		Bad: `version: 1
table:
  name: sessions
  partition_key: sessionId
  ttl: expiresAt
  region: us-east-1
  replicas: [us-east-2, us-west-2]
  consistency: strong
entities:
  Session:
    attributes: {sessionId: uuid, user: slug, expiresAt: epoch}
access_patterns:
  - {name: log-in, create: Session}
  - {name: session, get: Session, filter: expiresAt > $now}
`,
		Good: `version: 1
table:
  name: sessions
  partition_key: sessionId
  ttl: expiresAt
  region: us-east-1
  replicas: [us-east-2, us-west-2]
  stream: new_and_old_images
entities:
  Session:
    attributes: {sessionId: uuid, user: slug, expiresAt: epoch}
access_patterns:
  - {name: log-in, create: Session}
  - {name: session, get: Session, filter: expiresAt > $now}
`,
		Fix: "leave out what this kind of global table lacks, take the other `consistency`, or write the items in question in one region only",
	}
}

// strong is the consistency of a global table whose reads see every region's writes.
const strong = "strong"

func checkReplicaConflict(p *validate.Pass) {
	t := p.Model.Table
	switch {
	case t.Consistency == strong:
		checkStrongReplicas(p)
	case len(t.Replicas) > 0:
		checkEventualReplicas(p)
	}
}

// regionSets are the regions that a strongly consistent global table may have
// together (Developer Guide, "Multi-Region strong consistency").
func regionSets() [][]string {
	return [][]string{
		{"us-east-1", "us-east-2", "us-west-2"},
		{"eu-central-1", "eu-west-1", "eu-west-2", "eu-west-3"},
		{"ap-northeast-1", "ap-northeast-2", "ap-northeast-3"},
	}
}

// regionsOf are the regions of a global table, its own first where it is named.
func regionsOf(t *model.Table) []string {
	var out []string
	if t.Region != "" {
		out = append(out, t.Region)
	}
	for _, r := range t.Replicas {
		if !slices.Contains(out, r.Text) {
			out = append(out, r.Text)
		}
	}
	return out
}

const strongRegions = 3

func checkStrongReplicas(p *validate.Pass) {
	t := p.Model.Table
	at := t.Name.At
	if len(t.Replicas) > 0 {
		at = t.Replicas[0].At
	}
	conflict := func(f diag.Finding, message, fix string) {
		if !f.Span.Known() {
			f.Span = at
		}
		f.Message, f.Fix = "a strongly consistent global table "+message, fix
		p.Report(f)
	}
	regions := regionsOf(t)
	n := len(regions)
	if t.Region == "" && n == strongRegions-1 {
		n++ // the region that the table is made in
	}
	if n != strongRegions {
		conflict(diag.Finding{}, fmt.Sprintf("has exactly three regions, and this one has %d", n), "name the table's `region` and two `replicas`")
	}
	if !slices.ContainsFunc(regionSets(), func(set []string) bool { return containsAll(set, regions) }) {
		conflict(diag.Finding{}, fmt.Sprintf("has its regions in one set, and %s are not", list(regions)), "take three of "+strings.Join(setTexts(), "; of "))
	}
	if t.TTL != nil {
		conflict(diag.Finding{Span: t.TTL.At}, "has no TTL", "leave `ttl` out and delete expired items by a pattern, or take `consistency: eventual`")
	}
	for _, x := range t.Indexes {
		if x.Local {
			conflict(diag.Finding{Span: x.Name.At, Index: x.Name.Text}, "has no local indexes", "make the index global, or take `consistency: eventual`")
		}
	}
	for _, pl := range p.Plans {
		if transacts(pl) {
			conflict(diag.Finding{Span: pl.Pattern.Name.At, Pattern: pl.Pattern.Name.Text}, fmt.Sprintf("has no transactions, which %s needs", pl.Pattern.Name.Text),
				"write the items one by one with conditions, or take `consistency: eventual`")
		}
	}
}

func setTexts() (out []string) {
	for _, set := range regionSets() {
		out = append(out, list(set))
	}
	return out
}

func containsAll(set, names []string) bool {
	return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(set, n) })
}

// transacts tells whether a plan sends transactions.
func transacts(p *plan.Plan) bool {
	v := p.Variants[0]
	return v.Read != nil && v.Read.API == plan.TransactGetItems ||
		v.Write != nil && v.Write.API == plan.TransactWriteItems ||
		v.Each != nil && v.Each.API == plan.TransactWriteItems
}

func checkEventualReplicas(p *validate.Pass) {
	t := p.Model.Table
	if isFixed(t.Capacity) {
		at := t.Capacity.At
		p.Report(diag.Finding{Span: at, Message: "a global table takes provisioned capacity only with auto scaling, so that every region keeps up with the writes of all",
			Fix: "add `autoscaling`, or take `capacity: on_demand`"})
	}
	warn := func(f diag.Finding) {
		f.Severity = diag.Warning
		p.Report(f)
	}
	for _, e := range p.Model.Entities {
		for _, u := range e.Unique {
			warn(diag.Finding{Span: u.At, Entity: e.Name.Text,
				Message: fmt.Sprintf("two regions can each create one %s with the same %s before they hear of each other: what is unique is so in one region", e.Name.Text, list(attributeNames(u.Of))),
				Fix:     "write these items in one region only (and say so in an `ignore`), or take `consistency: strong`, which has no transactions"})
		}
		for _, a := range e.Attributes {
			if a.Version {
				warn(diag.Finding{Span: a.Name.At, Entity: e.Name.Text,
					Message: fmt.Sprintf("two regions can each save the same version of one %s, and the later write wins without a word: versions are checked in one region", e.Name.Text),
					Fix:     "write an item in its home region only (and say so in an `ignore`), or take `consistency: strong`"})
			}
		}
	}
	if t.DAX != nil {
		warn(diag.Finding{Span: daxAt(t), Message: "a DAX cluster does not see what other regions write: it answers with the old item until it forgets it",
			Fix: "leave `dax` out, or keep its time to live short"})
	}
	if t.Encryption.Kind == "kms_key" {
		warn(diag.Finding{Span: t.Encryption.At, Message: "a KMS key is of one region, and each replica needs one of its own",
			Fix: "use `aws_managed`, or a multi-region key of the same id in every region"})
	}
}

// daxAt is where DAX is declared.
func daxAt(t *model.Table) source.Span {
	if t.DAX.At.Known() {
		return t.DAX.At
	}
	return t.Name.At
}

func attributeNames(attributes []*model.Attribute) (names []string) {
	for _, a := range attributes {
		names = append(names, a.Name.Text)
	}
	return names
}
