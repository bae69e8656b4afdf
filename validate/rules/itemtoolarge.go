package rules

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate"
)

func itemTooLarge() *validate.Rule {
	return &validate.Rule{
		Name: diag.ItemTooLarge, Severity: diag.Error, FoundBy: validate.ByRule, Check: checkItemTooLarge,
		Title: "an item can be larger than DynamoDB takes",
		Text: "An item has at most 400 KB, names and values together, and with a local index that includes its entries there. The write that goes beyond it is refused, which happens to the most active users first. The rule adds up what the attributes declare at most: `size` in bytes, `length` in characters of up to four bytes, or in members. " +
			"A list without a declared length can have any when a pattern appends to it without asking for its size, or when its members have ids of their own.",
		Bad: `version: 1
table: chats
entities:
  Chat:
    attributes:
      chatId: ulid
      messages: {type: list, items: {type: string, length: 1..4000}}
    keys: {PK: "CHAT#{chatId}", SK: CHAT}
access_patterns:
  - {name: start, create: Chat}
  - {name: say, update: Chat, change: "SET messages = list_append(messages, $new)"}
  - {name: chat, get: Chat}
`,
		Good: `version: 1
table: chats
entities:
  Chat:
    attributes: {chatId: ulid, title: {type: string, length: 1..200}}
    keys: {PK: "CHAT#{chatId}", SK: CHAT}
  Message:
    attributes: {chatId: {ref: Chat}, messageId: ulid, text: {type: string, length: 1..4000}}
    keys: {PK: "CHAT#{chatId}", SK: "MESSAGE#{messageId}"}
access_patterns:
  - {name: start, create: Chat}
  - {name: chat, get: Chat}
  - {name: say, create: Message}
  - {name: messages, query: Message, where: chatId = $chatId, order: messageId desc, page: 50}
`,
		Fix: "make items of the members of a list, keep large contents in S3 with an `s3_object` that points there, or declare the smaller bound",
	}
}

func checkItemTooLarge(p *validate.Pass) {
	for _, e := range p.Model.Entities {
		if f, ok := tooLarge(p, e); ok {
			f.Entity = e.Name.Text
			p.Report(f)
		}
	}
}

// tooLarge is the finding of an entity whose items can become too large.
func tooLarge(p *validate.Pass, e *model.Entity) (diag.Finding, bool) {
	for _, a := range e.Attributes {
		if why := endless(p.Model, e, a); why != "" {
			return diag.Finding{
				Span:    a.Name.At,
				Message: fmt.Sprintf("%s of %s has no greatest length, and %s: the item ends at 400 KB, and the write that goes beyond it is refused", a.Name.Text, e.Name.Text, why),
				Fix:     "make an item of each member, under the partition key of this one; or declare the greatest `length`",
			}, true
		}
	}
	bytes, largest := p.Planner.Most(e)
	if bytes <= plan.MaxItemSize {
		return diag.Finding{}, false
	}
	return diag.Finding{
		Span:    largest.Name.At,
		Message: fmt.Sprintf("an item of %s can have %s by what is declared, most of it in %s; DynamoDB takes no more than 400 KB", e.Name.Text, kilobytes(bytes), largest.Name.Text),
		Fix:     fmt.Sprintf("declare a smaller bound for %s, keep it in S3 and an `s3_object` here, or make items of its members", largest.Name.Text),
	}, true
}

// endless says why a list can have any number of members, or "".
func endless(m *model.Model, e *model.Entity, a *model.Attribute) string {
	if a.Type != model.TypeList || a.Domain.Members != nil || a.Domain.Size != nil {
		return ""
	}
	for _, p := range m.Patterns {
		for _, s := range p.AllSteps() {
			if s.Entity == e && s.Change != nil && appends(s.Change.Update, a) && !guarded(s.If, a) {
				return p.Name.Text + " appends to it"
			}
		}
	}
	if items := a.Domain.Items; items != nil && slices.ContainsFunc(items.Domain.Attributes, func(m *model.Attribute) bool { return m.Type.IsID() }) {
		return "its members have ids of their own, as items have"
	}
	return ""
}

// guarded tells whether a condition bounds how many members there are.
func guarded(c *model.Condition, a *model.Attribute) bool {
	if c == nil {
		return false
	}
	return slices.ContainsFunc(expr.Conjuncts(c.Cond), func(term expr.Cond) bool {
		compare, ok := term.(*expr.Compare)
		if !ok || compare.Op != expr.Lt && compare.Op != expr.Le {
			return false
		}
		size, ok := compare.Left.(*expr.Call)
		if !ok || size.Func.Name != expr.Size || len(size.Args) != 1 {
			return false
		}
		of, ok := size.Args[0].(*expr.Attr)
		return ok && of.Path.String() == a.Name.Text
	})
}

// appends tells whether an update makes a list longer.
func appends(u *expr.Update, a *model.Attribute) bool {
	return u != nil && slices.ContainsFunc(u.Set, func(s expr.SetAction) bool {
		call, ok := s.Value.(*expr.Call)
		return ok && call.Func.Name == expr.ListAppend && s.Target.Path.Name == a.Name.Text
	})
}

// kilobytes writes a size: 1.5 MB, 430 KB.
func kilobytes(bytes float64) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%.3g MB", bytes/(1<<20))
	}
	return fmt.Sprintf("%.0f KB", bytes/1024)
}
