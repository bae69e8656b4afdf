package migration

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/model"
)

// StepKind tells who does a step.
type StepKind string

// The kinds of steps.
const (
	// Call is made by the AWS API; the next step waits until the table is active.
	Call StepKind = "call"
	// Deploy is a release of the application.
	Deploy StepKind = "deploy"
	// Rewrite writes items again.
	Rewrite StepKind = "backfill"
)

// Step is one step of a migration. Between two of them everything may stay as it
// is for as long as wanted.
type Step struct {
	Number   int // from 1
	Kind     StepKind
	Title    string
	Text     string    // what to know or to wait for, sentences
	Requests []Request // of a Call, in order
	Backfill *Backfill // of a Rewrite
	// Phase is, of a Deploy, which of the two releases it is.
	Phase Phase
}

// Phase is a release of the application.
type Phase string

// The releases.
const (
	// Writers is the release that writes items in the new form and still finds
	// those in the old one.
	Writers Phase = "writers"
	// Readers is the release that knows the new form alone.
	Readers Phase = "readers"
)

// plan are the steps of the migration.
func (m *Migration) plan(t *tables) []*Step {
	if m.Replaced {
		return m.planReplacement(t)
	}
	var steps []*Step
	steps = append(steps, settingSteps(t, false)...)
	for _, x := range t.made {
		steps = append(steps, indexStep(t, x))
	}
	rewrites, removals := m.rewrites(), m.removals()
	staged := len(rewrites)+len(t.rebuilt)+len(t.dropped)+len(removals) > 0
	if staged || m.codeChanges() {
		steps = append(steps, m.deployWriters(staged))
	}
	steps = append(steps, rewrites...)
	for _, x := range t.rebuilt {
		steps = append(steps, rebuildStep(t, x))
	}
	if staged {
		steps = append(steps, deployReaders())
	}
	for _, x := range t.dropped {
		steps = append(steps, &Step{Kind: Call, Title: "Delete index " + x.Name.Text, Requests: []Request{t.dropIndex(x.Name.Text)},
			Text: "Nothing reads it any more. Deleting it cannot be undone; making it again costs a write for each of its items."})
	}
	steps = append(steps, removals...)
	return append(steps, settingSteps(t, true)...)
}

func (m *Migration) codeChanges() bool {
	return slices.ContainsFunc(m.Changes, func(c Change) bool { return c.Kind == KindCode })
}

// settingSteps are the steps that change settings: those that give something
// come first, those that take something away last.
func settingSteps(t *tables, last bool) []*Step {
	var out []*Step
	for _, s := range t.settings {
		if s.last != last || s.call == nil {
			continue
		}
		requests := s.call(t)
		out = append(out, &Step{Kind: Call, Title: "Set " + s.Subject + ": " + s.Text, Requests: requests, Text: settingText(requests)})
	}
	return out
}

// settingText is what to know of calls that change a setting.
func settingText(requests []Request) string {
	switch in := requests[0].Input.(type) {
	case *dynamodb.UpdateTimeToLiveInput:
		if len(requests) > 1 {
			return "DynamoDB takes one change of TTL an hour: wait that long between the two calls. Items are deleted within days of their time."
		}
		return "Items are deleted within days of their time, whatever code reads them."
	case *dynamodb.UpdateTableInput:
		if len(requests) > 1 && in.StreamSpecification != nil {
			return "Another view is another stream: its consumers have to be pointed to the new one, and read the old one to its end first."
		}
		if in.BillingMode != "" {
			return "The table serves while its capacity changes. Switching to on demand is possible four times in 24 hours."
		}
	case *dynamodb.TagResourceInput, *dynamodb.UntagResourceInput:
		return "The ARN needs your region and account."
	}
	return ""
}

func indexStep(t *tables, x *model.Index) *Step {
	return &Step{Kind: Call, Title: "Make index " + x.Name.Text, Requests: []Request{t.makeIndex(x)},
		Text: "One index in each update. DynamoDB fills it from the items that have its key attributes, at the price of a write each, and it can be read once it is ACTIVE."}
}

func rebuildStep(t *tables, x *model.Index) *Step {
	return &Step{Kind: Call, Title: "Delete and make again index " + x.Name.Text, Requests: []Request{t.dropIndex(x.Name.Text), t.makeIndex(x)},
		Text: "Nothing can be read from it meanwhile. Under a new name it could be made beside the old one, and no reader would notice."}
}

func (m *Migration) deployWriters(staged bool) *Step {
	s := &Step{Kind: Deploy, Phase: Writers, Title: "Release code that follows the new model",
		Text: "No stored item has to change for it."}
	if staged {
		s.Title = "Release code that writes the new form and reads both"
		s.Text = "Go on when no instance of the old code is left: what it writes would be in the old form after its items have been seen to."
	}
	return s
}

func deployReaders() *Step {
	return &Step{Kind: Deploy, Phase: Readers, Title: "Release code that reads the new form alone",
		Text: "Everything is in the new form. Go on when no instance of the code before is left."}
}

// planReplacement are the steps to a new table.
func (m *Migration) planReplacement(t *tables) []*Step {
	steps := []*Step{{Kind: Call, Title: "Make table " + t.target(), Requests: t.makeTable(),
		Text: "DynamoDB cannot make these changes in the table that exists."}}
	if t.target() != t.new.Name.Text {
		steps[0].Text += " Both tables exist for a while, so that the new one needs another name."
	}
	steps = append(steps, &Step{Kind: Deploy, Phase: Writers, Title: "Release code that writes to both tables and reads the old one",
		Text: "Go on when no instance of the old code is left: what it writes would not be copied."})
	for _, p := range m.Pairs {
		steps = append(steps, m.rewriteStep(m.copyOf(p)))
	}
	return append(steps,
		&Step{Kind: Deploy, Phase: Readers, Title: "Release code that reads and writes the new table alone",
			Text: "Everything is there. Go on when no instance of the code before is left."},
		&Step{Kind: Call, Title: "Delete table " + t.old.Name.Text, Requests: []Request{
			{"CreateBackup", &dynamodb.CreateBackupInput{TableName: aws.String(t.old.Name.Text), BackupName: aws.String(t.old.Name.Text + "-before-migration")}},
			{"DeleteTable", &dynamodb.DeleteTableInput{TableName: aws.String(t.old.Name.Text)}},
		}, Text: "A backup keeps what it held."})
}
