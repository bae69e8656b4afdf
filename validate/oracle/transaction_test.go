package oracle

import (
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

func (u users) transaction(op model.Operation, args model.Args, steps ...*model.Step) Call {
	list := &model.Parameter{Name: "posts", List: true, Fields: []*model.Parameter{{Name: "userId"}, {Name: "n"}, {Name: "userName"}}}
	return Call{Pattern: &model.Pattern{Operation: op, Steps: steps, Parameters: []*model.Parameter{{Name: "userId"}, list}}, Args: args, Now: testNow}
}

func TestTransactions(t *testing.T) {
	createPost := func(u users) *model.Step {
		return &model.Step{Operation: model.Create, Entity: u.post, Inputs: inputs(u.post, "userId", "n", "userName")}
	}
	each := func(steps ...*model.Step) *model.Step {
		return &model.Step{ForEach: &model.ForEach{Param: "posts", Steps: steps}}
	}
	user := func(u users, op model.Operation, param, text string) *model.Step {
		s := &model.Step{Operation: op, Entity: u.user, Inputs: []*model.Assignment{{Attribute: u.user.Attribute("id"), Value: &expr.Param{Name: param}}}}
		if op == model.UpdateItem {
			s.Change = change(t, text)
		} else {
			s.If = condition(t, text)
		}
		return s
	}
	updatePost := func(u users, text string) *model.Step {
		return &model.Step{Operation: model.UpdateItem, Entity: u.post, Inputs: inputs(u.post, "userId", "n"), Change: change(t, text)}
	}
	numbered := func(ns ...int64) value.Value {
		var out []value.Value
		for _, n := range ns {
			out = append(out, value.OfMap(value.Field{Name: "n", Value: num(n)}, value.Field{Name: "userId", Value: str("ignored")}))
		}
		return value.OfList(out...)
	}
	for _, test := range []struct {
		name    string
		call    func(u users) Call
		refusal Refusal
		changed []string // the items that changes leave, "-" for none
	}{
		{"a name bound outside is kept inside, and a create takes the copied value", func(u users) Call {
			return u.transaction(model.TransactWrite, model.Args{"userId": str("2"), "posts": numbered(1, 2)},
				user(u, model.UpdateItem, "userId", "SET score = score + 1"), each(createPost(u)))
		}, "", []string{`email="bob@x.org" id="2" name="Bob" score=10`, `n=1 userId="2" userName="Bob"`, `n=2 userId="2" userName="Bob"`}},
		{"a create takes the value its source gets in the same write", func(u users) Call {
			return u.transaction(model.TransactWrite, model.Args{"userId": str("2"), "n": num(5), "name": str("Bo")},
				createPost(u), user(u, model.UpdateItem, "userId", "SET name = $name"))
		}, "", []string{`n=5 userId="2" userName="Bo"`, `email="bob@x.org" id="2" name="Bo" score=9`}},
		{"a copy that is written follows its source", func(u users) Call {
			return u.transaction(model.TransactWrite, model.Args{"userId": str("1"), "n": num(1), "name": str("A"), "other": str("B")},
				user(u, model.UpdateItem, "userId", "SET name = $name"), updatePost(u, "SET userName = $other"))
		}, "", []string{`email="ada@x.org" id="1" name="A" score=1`, `n=1 userId="1" userName="A"`}},
		{"a copy written on its own is what is said", func(u users) Call {
			return u.transaction(model.TransactWrite, model.Args{"userId": str("1"), "n": num(1), "other": str("B")}, updatePost(u, "SET userName = $other"))
		}, "", []string{`n=1 userId="1" userName="B"`}},
		{"a check that holds", func(u users) Call {
			return u.transaction(model.TransactWrite, model.Args{"userId": str("1"), "n": num(2)}, user(u, model.Check, "userId", "score = 1"), createPost(u))
		}, "", []string{`email="ada@x.org" id="1" name="Ada" score=1`, `n=2 userId="1" userName="Ada"`}},
		{"a check that does not", func(u users) Call {
			return u.transaction(model.TransactWrite, model.Args{"userId": str("1"), "n": num(2)}, createPost(u), user(u, model.Check, "userId", "score = 2"))
		}, Condition, nil},
		{"a failing step undoes the others", func(u users) Call {
			return u.transaction(model.TransactWrite, model.Args{"userId": str("1"), "posts": numbered(3, 1)}, each(createPost(u)))
		}, Exists, nil},
		{"one item twice", func(u users) Call {
			return u.transaction(model.TransactWrite, model.Args{"userId": str("1"), "posts": numbered(4, 4)}, each(createPost(u)))
		}, Duplicate, nil},
		{"one item twice, by two parameters", func(u users) Call {
			return u.transaction(model.TransactWrite, model.Args{"a": str("1"), "b": str("1")},
				user(u, model.UpdateItem, "a", "SET score = 1"), user(u, model.UpdateItem, "b", "SET score = 2"))
		}, Duplicate, nil},
		{"one unique value twice", func(u users) Call {
			return u.transaction(model.TransactWrite, model.Args{"a": str("1"), "b": str("2")},
				user(u, model.UpdateItem, "a", "SET email = 'n@x.org'"), user(u, model.UpdateItem, "b", "SET email = 'N@x.org'"))
		}, Duplicate, nil},
		{"a unique value given up and taken in one write", func(u users) Call {
			return u.transaction(model.TransactWrite, model.Args{"a": str("1"), "b": str("2")},
				user(u, model.UpdateItem, "a", "SET email = 'n@x.org'"), user(u, model.UpdateItem, "b", "SET email = 'ada@x.org'"))
		}, Duplicate, nil},
		{"a batch deletes and puts", func(u users) Call {
			put := createPost(u)
			put.Operation = model.Put
			del := &model.Step{Operation: model.Delete, Entity: u.user, Inputs: inputs(u.user, "id")}
			return u.transaction(model.BatchWrite, model.Args{"userId": str("1"), "n": num(1), "id": str("2")}, put, del)
		}, "", []string{`n=1 userId="1" userName="Ada"`, "-"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			u := newUsers(t)
			before := state(u.world)
			out := u.world.Write(test.call(u))
			var got []string
			for _, c := range out.Changes {
				if c.After == nil {
					got = append(got, "-")
				} else {
					got = append(got, shown(c.After.Item))
				}
			}
			if out.Refusal != test.refusal || strings.Join(got, "\n") != strings.Join(test.changed, "\n") {
				t.Errorf("refusal %q, changes\n%s\nwant %q\n%s", out.Refusal, strings.Join(got, "\n"), test.refusal, strings.Join(test.changed, "\n"))
			}
			if out.Refusal != "" && state(out.World) != before {
				t.Errorf("a refused write left %s", state(out.World))
			}
		})
	}
}
