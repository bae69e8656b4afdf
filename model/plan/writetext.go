package plan

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model/ddbexpr"
	"github.com/dynmodel/dynmodel/model/expr"
)

var writeVerbs = map[API]string{PutItem: "put", UpdateItem: "update", DeleteItem: "delete", ConditionCheck: "check"}

// text is the write on one line: each action with its item's key.
func (w *Write) text() string {
	var actions []string
	for _, a := range w.Actions {
		actions = append(actions, a.text())
	}
	text := strings.Join(actions, "; ")
	switch w.API {
	case BatchWriteItem:
		return "batch write: " + text
	case TransactWriteItems:
		return "transact write: " + text
	}
	return text
}

func (a *Action) text() string {
	out := writeVerbs[a.API] + " " + a.Entity.Name.Text + " " + keyText(a.Key)
	for _, g := range a.Guards {
		out += ", " + g.text()
	}
	for _, f := range a.ForEach {
		out = "for each " + f.Param + ": " + out
	}
	return out
}

func (g *Guard) text() string {
	of := strings.Join(uniqueNames(g.Unique), ", ")
	switch {
	case g.Old == nil:
		return "put guard of " + of
	case g.New == nil:
		return "delete guard of " + of
	}
	return "move guard of " + of
}

// ConditionText is the whole condition in the language's syntax, or "".
func (a *Action) ConditionText() string { return expr.String(a.Condition) }

// UpdateText is what an update changes, index keys included, in the language's
// syntax: SET status = 'shipped', GSI1SK = "ORDER#{placedAt}" REMOVE OpenPK. Of
// keys that depend on membership, it is what is written to a member.
func (a *Action) UpdateText() string {
	var c ddbexpr.Clauses[string]
	if a.Change != nil {
		for _, set := range a.Change.Set {
			c.Set = append(c.Set, set.Target.Path.String()+" = "+expr.String(set.Value))
		}
		for _, r := range a.Change.Remove {
			c.Remove = append(c.Remove, r.Path.String())
		}
		for _, add := range a.Change.Add {
			c.Add = append(c.Add, add.Target.Path.String()+" "+expr.String(add.Value))
		}
		for _, drop := range a.Change.Delete {
			c.Delete = append(c.Delete, drop.Target.Path.String()+" "+expr.String(drop.Value))
		}
	}
	for _, k := range a.IndexKeys {
		name := expr.Name(k.Attribute.Name)
		switch {
		case k.Removed():
			c.Remove = append(c.Remove, name)
		case len(k.Members) == 0:
			c.Set = append(c.Set, fmt.Sprintf("%s = %s", name, k.Value))
		default:
			c.Set = append(c.Set, fmt.Sprintf("%s = %s or nothing", name, k.Value))
		}
	}
	return ddbexpr.Joined(c)
}
