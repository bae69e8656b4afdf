package oracle

import (
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// users is a world of users with a unique mail address, a version, a default,
// a derived attribute, and posts that copy their author's name.
type users struct {
	user, post *model.Entity
	world      *World
}

func newUsers(t *testing.T) users {
	user := entity("User", 1,
		attr("id", model.TypeString),
		attr("email?", model.TypeEmail, stored(expr.Lower)),
		attr("name", model.TypeString),
		attr("score", model.TypeInteger, func(a *model.Attribute) { a.Default = num(0) }),
		attr("at?", model.TypeDatetime),
		attr("gone?", model.TypeEpoch))
	user.Attribute("gone").Derive = &model.Derivation{Expr: &expr.Arith{Left: &expr.Attr{Path: expr.Path{Name: "at"}}, Right: &expr.Duration{Length: 3600e9}}}
	user.Unique = []*model.Unique{{Of: []*model.Attribute{user.Attribute("email")}, When: condition(t, "name <> 'robot'")}}
	post := entity("Post", 2, attr("userId", model.TypeString), attr("n", model.TypeInteger), attr("userName?", model.TypeString))
	post.Attribute("userId").Ref = &model.Ref{Entity: user, Attribute: user.Attribute("id")}
	post.Attribute("userName").CopyOf = &model.Ref{Entity: user, Attribute: user.Attribute("name")}
	return users{user, post, NewWorld([]model.Instance{
		of(user, model.Item{"id": str("1"), "email": str("Ada@x.org"), "name": str("Ada"), "score": num(1)}),
		of(user, model.Item{"id": str("2"), "email": str("bob@x.org"), "name": str("Bob"), "score": num(9)}),
		of(post, model.Item{"userId": str("1"), "n": num(1), "userName": str("Ada")}),
	})}
}

// versioned gives users a version, which is 3 in all of them.
func (u users) versioned() users {
	u.user.Attributes = append(u.user.Attributes, attr("version", model.TypeInteger, func(a *model.Attribute) { a.Version = true }))
	for _, in := range u.world.instances {
		if in.Entity == u.user {
			in.Item["version"] = num(3)
		}
	}
	return u
}

// state is the world in one line, users then posts.
func state(w *World) string {
	var out []string
	for _, in := range w.Instances() {
		out = append(out, shown(in.Item))
	}
	return strings.Join(out, "; ")
}

func (u users) call(op model.Operation, args model.Args, edit ...func(*model.Step)) Call {
	step := &model.Step{Operation: op, Entity: u.user, Inputs: inputs(u.user, "id")}
	if op == model.Create || op == model.Put {
		step.Inputs = inputs(u.user, "id", "email", "name", "score", "at")
	}
	for _, f := range edit {
		f(step)
	}
	return Call{Pattern: &model.Pattern{Operation: op, Step: step}, Args: args, Now: testNow}
}

func TestSingleWrites(t *testing.T) {
	setName := func(text string) func(*model.Step) { return func(s *model.Step) { s.Change = change(t, text) } }
	onlyIf := func(text string) func(*model.Step) { return func(s *model.Step) { s.If = condition(t, text) } }
	upsert := func(s *model.Step) { s.Upsert = true }
	must := func(s *model.Step) { s.MustExist = true }
	old := func(attribute, param string) func(*model.Step) {
		return func(s *model.Step) {
			s.Old = append(s.Old, &model.Assignment{Attribute: s.Entity.Attribute(attribute), Value: &expr.Param{Name: param}})
		}
	}
	const one, two = `email="ada@x.org" id="1" name="Ada" score=1`, `email="bob@x.org" id="2" name="Bob" score=9`
	const post = `n=1 userId="1" userName="Ada"`
	one4 := strings.Join([]string{one, two, post}, "; ")
	for _, test := range []struct {
		name    string
		call    func(u users) Call
		refusal Refusal
		want    string // the world afterwards; "" when it is refused
	}{
		{"create", func(u users) Call {
			return u.call(model.Create, model.Args{"id": str("3"), "email": str("C@x.org"), "name": str("Cy"), "at": str("2026-01-05T09:00:00Z")})
		}, "", one4 + `; at="2026-01-05T09:00:00Z" email="c@x.org" gone=1767607200 id="3" name="Cy" score=0`},
		{"create what exists", func(u users) Call { return u.call(model.Create, model.Args{"id": str("1"), "name": str("Cy")}) }, Exists, ""},
		{"create with a unique value taken", func(u users) Call {
			return u.call(model.Create, model.Args{"id": str("3"), "email": str("ADA@x.org"), "name": str("Cy")})
		}, Taken, ""},
		{"create outside of the unique rule's limit", func(u users) Call {
			return u.call(model.Create, model.Args{"id": str("3"), "email": str("ada@x.org"), "name": str("robot"), "score": num(5)})
		}, "", one4 + `; email="ada@x.org" id="3" name="robot" score=5`},
		{"create on a condition", func(u users) Call {
			return u.call(model.Create, model.Args{"id": str("3"), "name": str("Cy")}, onlyIf("attribute_exists(name)"))
		}, Condition, ""},
		{"put replaces", func(u users) Call { return u.call(model.Put, model.Args{"id": str("1"), "name": str("Cy")}) }, "",
			strings.Replace(one4, one, `id="1" name="Cy" score=0`, 1)},
		{"put on a condition", func(u users) Call {
			return u.call(model.Put, model.Args{"id": str("1"), "name": str("Cy")}, onlyIf("score = 2"))
		}, Condition, ""},
		{"put takes another's value", func(u users) Call {
			return u.call(model.Put, model.Args{"id": str("1"), "name": str("Cy"), "email": str("bob@x.org")})
		}, Taken, ""},
		{"update", func(u users) Call {
			return u.call(model.UpdateItem, model.Args{"id": str("2")}, setName("SET name = 'Bo' ADD score 1"))
		}, "", strings.Replace(one4, two, `email="bob@x.org" id="2" name="Bo" score=10`, 1)},
		{"update derives anew", func(u users) Call {
			return u.call(model.UpdateItem, model.Args{"id": str("2")}, setName("SET at = $now"))
		}, "", strings.Replace(one4, two, `at="2026-01-05T09:00:00Z" email="bob@x.org" gone=1767607200 id="2" name="Bob" score=9`, 1)},
		{"update what is missing", func(u users) Call {
			return u.call(model.UpdateItem, model.Args{"id": str("9")}, setName("SET name = 'Bo'"))
		}, Missing, ""},
		{"upsert what is missing", func(u users) Call {
			return u.call(model.UpdateItem, model.Args{"id": str("9")}, upsert, setName("SET name = 'Bo'"))
		}, "", one4 + `; id="9" name="Bo"`},
		{"upsert what is missing, and take away from within it", func(u users) Call {
			return u.call(model.UpdateItem, model.Args{"id": str("9")}, upsert, setName("SET name = 'Bo' REMOVE gone.a, gone[0], at DELETE gone.b 'x'"))
		}, "", one4 + `; id="9" name="Bo"`},
		{"upsert what is missing, and write into nothing", func(u users) Call {
			return u.call(model.UpdateItem, model.Args{"id": str("9")}, upsert, setName("SET gone.a = 'Bo'"))
		}, Invalid, ""},
		{"update that takes away from within nothing", func(u users) Call {
			return u.call(model.UpdateItem, model.Args{"id": str("2")}, setName("SET name = 'Bo' REMOVE gone.a"))
		}, Invalid, ""},
		{"update on a condition that holds", func(u users) Call {
			return u.call(model.UpdateItem, model.Args{"id": str("2")}, onlyIf("score >= 9"), setName("SET score = score - 9"))
		}, "", strings.Replace(one4, "score=9", "score=0", 1)},
		{"update on a condition that does not", func(u users) Call {
			return u.call(model.UpdateItem, model.Args{"id": str("2")}, onlyIf("score > 9"), setName("SET score = 0"))
		}, Condition, ""},
		{"update that cannot be applied", func(u users) Call {
			return u.call(model.UpdateItem, model.Args{"id": str("2")}, setName("SET score = gone + 1"))
		}, Invalid, ""},
		{"update of a unique value to a free one", func(u users) Call {
			return u.call(model.UpdateItem, model.Args{"id": str("2"), "old": str("BOB@x.org")}, old("email", "old"), setName("SET email = 'new@x.org'"))
		}, "", strings.Replace(one4, "bob@", "new@", 1)},
		{"update of a unique value to a taken one", func(u users) Call {
			return u.call(model.UpdateItem, model.Args{"id": str("2")}, setName("SET email = 'ada@x.org'"))
		}, Taken, ""},
		{"update with a wrong old value", func(u users) Call {
			return u.call(model.UpdateItem, model.Args{"id": str("2"), "old": str("x@x.org")}, old("email", "old"), setName("SET email = 'new@x.org'"))
		}, Condition, ""},
		{"delete", func(u users) Call { return u.call(model.Delete, model.Args{"id": str("1")}) }, "", two + "; " + post},
		{"delete what is missing", func(u users) Call { return u.call(model.Delete, model.Args{"id": str("9")}) }, "", one4},
		{"delete what must exist", func(u users) Call { return u.call(model.Delete, model.Args{"id": str("9")}, must) }, Missing, ""},
		{"delete on a condition", func(u users) Call { return u.call(model.Delete, model.Args{"id": str("1")}, onlyIf("score = 2")) }, Condition, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			u := newUsers(t)
			before := state(u.world)
			out := u.world.Write(test.call(u))
			want := test.want
			if test.refusal != "" {
				want = before
			}
			if got := state(out.World); out.Refusal != test.refusal || got != want {
				t.Errorf("refusal %q, world\n%s\nwant %q, world\n%s", out.Refusal, got, test.refusal, want)
			}
			if state(u.world) != before {
				t.Errorf("the world before was changed: %s", state(u.world))
			}
		})
	}
}

func TestVersions(t *testing.T) {
	set := func(s *model.Step) { s.Change = change(t, "SET name = 'N'") }
	loose := func(s *model.Step) { s.Unversioned, s.Version = true, nil }
	readFirst := func(s *model.Step) { s.Version = nil }
	for _, test := range []struct {
		name    string
		op      model.Operation
		args    model.Args
		edit    []func(*model.Step)
		refusal Refusal
		version string // of user 1 or 3 afterwards
	}{
		{"create starts at 1", model.Create, model.Args{"id": str("3"), "version": num(7)}, nil, "", "1"},
		{"update counts", model.UpdateItem, model.Args{"id": str("1"), "version": num(3)}, []func(*model.Step){set}, "", "4"},
		{"update of a stale one", model.UpdateItem, model.Args{"id": str("1"), "version": num(2)}, []func(*model.Step){set}, Stale, "3"},
		{"update that leaves it alone", model.UpdateItem, model.Args{"id": str("1")}, []func(*model.Step){set, loose}, "", "3"},
		{"update that reads first", model.UpdateItem, model.Args{"id": str("1")}, []func(*model.Step){set, readFirst}, "", "4"},
		{"put of what is missing", model.Put, model.Args{"id": str("3"), "version": num(6)}, nil, "", "7"},
		{"put counts", model.Put, model.Args{"id": str("1"), "version": num(3)}, nil, "", "4"},
		{"put of a stale one", model.Put, model.Args{"id": str("1"), "version": num(4)}, nil, Stale, "3"},
		{"delete", model.Delete, model.Args{"id": str("1"), "version": num(3)}, nil, "", "(absent)"},
		{"delete of a stale one", model.Delete, model.Args{"id": str("1"), "version": num(1)}, nil, Stale, "3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			u := newUsers(t).versioned()
			version := func(s *model.Step) {
				if test.op != model.Create {
					s.Version = inputs(u.user, "version")[0]
				}
			}
			out := u.world.Write(u.call(test.op, test.args, append([]func(*model.Step){version}, test.edit...)...))
			got := value.Value{}
			if i := out.World.find(Identity(of(u.user, model.Item{"id": test.args["id"]}))); i >= 0 {
				got = out.World.Instances()[i].Item["version"]
			}
			if out.Refusal != test.refusal || got.String() != test.version {
				t.Errorf("refusal %q, version %s; want %q, %s", out.Refusal, got, test.refusal, test.version)
			}
		})
	}
}

func TestReturned(t *testing.T) {
	for which, want := range map[string]string{"new": "Bo", "old": "Bob", "none": "", "": ""} {
		u := newUsers(t)
		c := u.call(model.UpdateItem, model.Args{"id": str("2")}, func(s *model.Step) { s.Change = change(t, "SET name = 'Bo'") })
		c.Pattern.Returns = which
		if got := u.world.Write(c).Returned["name"].Text(); got != want {
			t.Errorf("returns %q: %q, want %q", which, got, want)
		}
	}
}
