package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func staleCopy() *validate.Rule {
	return &validate.Rule{
		Name: diag.StaleCopy, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkStaleCopy,
		Title: "the source of a copy changes and nothing updates the copies",
		Text:  "A denormalised copy saves a read as long as it is kept in step. Here a pattern changes the attribute that is copied, and no pattern of the model writes the copies afterwards: they show the old value for good.",
		Bad: `version: 1
table: chat
entities:
  User:
    attributes: {userId: ulid, name: string}
    keys: {PK: "USER#{userId}", SK: USER}
  Message:
    attributes: {room: slug, messageId: ulid, userId: {ref: User}, userName: {type: string, copy_of: User.name}}
    keys: {PK: "ROOM#{room}", SK: "MESSAGE#{messageId}"}
access_patterns:
  - {name: rename, update: User, change: SET name = $name}
  - {name: messages, query: Message, where: room = $room, page: 50}
`,
		Good: `version: 1
table: chat
entities:
  User:
    attributes: {userId: ulid, name: string}
    keys: {PK: "USER#{userId}", SK: USER}
  Message:
    attributes: {room: slug, messageId: ulid, userId: {ref: User}, userName: {type: string, snapshot_of: User.name}}
    keys: {PK: "ROOM#{room}", SK: "MESSAGE#{messageId}"}
access_patterns:
  - {name: rename, update: User, change: SET name = $name}
  - {name: messages, query: Message, where: room = $room, page: 50}
`,
		Fix: "update the copies in the same transaction or by a pattern of their own, say that a stream's consumer does by `kept_by: stream`, or declare them as `snapshot_of` if the value at the time is what is wanted",
	}
}

func checkStaleCopy(p *validate.Pass) {
	for _, e := range p.Model.Entities {
		for _, a := range e.Attributes {
			if a.CopyOf == nil || a.KeptBy != "" || writer(p.Model, e, a) != nil {
				continue
			}
			source := writer(p.Model, a.CopyOf.Entity, a.CopyOf.Attribute)
			if source == nil {
				continue
			}
			p.Report(diag.Finding{
				Span: a.CopyOf.At, Entity: e.Name.Text, Pattern: source.Name.Text,
				Message: fmt.Sprintf("%s changes %s of %s, and no pattern then updates its copy %s in %s", source.Name.Text, a.CopyOf.Attribute.Name.Text, a.CopyOf.Entity.Name.Text, a.Name.Text, e.Name.Text),
				Fix:     fmt.Sprintf("update %s of %s too, or declare it as `snapshot_of`", a.Name.Text, e.Name.Text),
				Related: []diag.Related{{Span: source.Name.At, Text: source.Name.Text + " is here"}},
			})
		}
	}
}

// writer is a pattern that gives an attribute of items that exist another
// value; nil when none does.
func writer(m *model.Model, e *model.Entity, a *model.Attribute) *model.Pattern {
	for _, pattern := range m.Patterns {
		for _, step := range pattern.AllSteps() {
			if step.Entity == e && gives(step, a) {
				return pattern
			}
		}
	}
	return nil
}

func gives(step *model.Step, a *model.Attribute) bool {
	if step.Operation == model.Put {
		return true
	}
	for _, target := range changed(step) {
		if target.Path.Name == a.Name.Text {
			return true
		}
	}
	return false
}
