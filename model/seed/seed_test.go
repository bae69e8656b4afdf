package seed_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/seed"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// examples are the sound models under examples/.
func examples(t *testing.T) map[string]*model.Model {
	t.Helper()
	out := map[string]*model.Model{}
	for _, pattern := range []string{"*/access-patterns.yaml", "*/*/access-patterns.yaml"} {
		paths, err := filepath.Glob(filepath.Join("../../examples", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			m, found := parse.File(source.NewFile(path, string(text)), os.DirFS(filepath.Dir(path)))
			if m == nil {
				t.Fatal(path, found.All())
			}
			if !strings.Contains(path, "broken") {
				out[strings.TrimPrefix(filepath.Dir(path), "../../examples/")] = m
			}
		}
	}
	return out
}

func planned(m *model.Model, o seed.Options) *seed.Population {
	p, err := seed.New(m, plan.New(m), o)
	if err != nil {
		panic(err)
	}
	return p
}

func populate(m *model.Model, items int) (*seed.Population, []model.Instance) {
	p := planned(m, seed.Options{Items: items, Now: now})
	var all []model.Instance
	for i := range p.Families() {
		all = append(all, p.Family(i)...)
	}
	return p, all
}

func TestItemsAreOfTheModel(t *testing.T) {
	for name, m := range examples(t) {
		t.Run(name, func(t *testing.T) {
			const wanted = 1500
			_, all := populate(m, wanted)
			if len(all) < wanted/3 || len(all) > wanted*3 {
				t.Errorf("%d items, %d were wanted", len(all), wanted)
			}
			keys := map[string]string{}
			made := map[*model.Entity]int{}
			for _, in := range all {
				made[in.Entity]++
				for _, a := range in.Entity.Attributes {
					v := in.Item[a.Name.Text]
					if v.Exists() && !data.Valid(a, v) {
						t.Fatalf("%s.%s is outside of its domain: %s", in.Entity.Name.Text, a.Name.Text, v)
					}
					if !v.Exists() && !a.Optional {
						t.Fatalf("%s has no %s: %v", in.Entity.Name.Text, a.Name.Text, in.Item)
					}
				}
				stored, err := encode.Item(m, in.Entity, in.Item, nil)
				if err != nil {
					t.Fatalf("%s cannot be stored: %v", in.Entity.Name.Text, err)
				}
				var key string
				for _, k := range m.Table.Keys() {
					key += stored[k.Name].String() + " "
				}
				if other, taken := keys[key]; taken {
					t.Fatalf("two items have one key, %s: %s and %s", key, other, in.Entity.Name.Text)
				}
				keys[key] = in.Entity.Name.Text
			}
			for _, e := range m.Entities {
				if made[e] == 0 {
					t.Errorf("there is no %s", e.Name.Text)
				}
			}
		})
	}
}

func TestReferencesLeadToItems(t *testing.T) {
	for name, m := range examples(t) {
		_, all := populate(m, 800)
		there := map[string]bool{}
		for _, in := range all {
			for _, a := range in.Entity.Attributes {
				there[in.Entity.Name.Text+"."+a.Name.Text+"="+in.Item[a.Name.Text].String()] = true
			}
		}
		for _, in := range all {
			for _, a := range in.Entity.Attributes {
				v := in.Item[a.Name.Text]
				if a.Ref != nil && v.Exists() && !there[a.Ref.Entity.Name.Text+"."+a.Ref.Attribute.Name.Text+"="+v.String()] {
					t.Fatalf("%s: %s.%s = %s leads nowhere", name, in.Entity.Name.Text, a.Name.Text, v)
				}
			}
		}
	}
}

func TestUniqueAttributesAreUnique(t *testing.T) {
	for name, m := range examples(t) {
		_, all := populate(m, 1200)
		guards := map[string]bool{}
		for _, in := range all {
			made, err := encode.Guards(m, in.Entity, in.Item)
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range made {
				var key string
				for _, k := range m.Table.Keys() {
					key += g.Key[k.Name].String() + " "
				}
				if guards[key] {
					t.Fatalf("%s: two items of %s have the guard %s", name, in.Entity.Name.Text, key)
				}
				guards[key] = true
			}
		}
	}
}

func TestMintedIdentifiersOfAnItemDiffer(t *testing.T) {
	m, found := parse.File(source.NewFile("model.yaml", `version: 1
name: desk
table: desk
entities:
  Ticket:
    attributes: {ticket: ulid, thread: ulid, note: uuid}
    identity: [ticket, thread]
    keys: {PK: "TICKET#{ticket}", SK: "THREAD#{thread}"}
access_patterns:
  - {name: ticket, get: Ticket}
`), nil)
	if m == nil {
		t.Fatal(found.All())
	}
	_, all := populate(m, 20)
	for _, in := range all {
		if value.Equal(in.Item["ticket"], in.Item["thread"]) {
			t.Fatalf("one identifier twice: %v", in.Item)
		}
	}
}

func read(t *testing.T, text string) *model.Model {
	t.Helper()
	m, found := parse.File(source.NewFile("model.yaml", text), nil)
	if m == nil {
		t.Fatal(found.All())
	}
	return m
}

func TestCircles(t *testing.T) {
	for text, want := range map[string]string{
		"Node:\n    attributes: {n: slug, up: {ref: Node}}\n    keys: {PK: \"N#{n}\", SK: N}\n":                                                                          "Node",
		"Node:\n    attributes: {n: slug, up: {ref: Node, optional: true}}\n    keys: {PK: \"N#{n}\", SK: N}\n":                                                          "",
		"A:\n    attributes: {a: slug, b: {ref: B}}\n    keys: {PK: \"A#{a}\", SK: A}\n  B:\n    attributes: {b: slug, a: {ref: A}}\n    keys: {PK: \"B#{b}\", SK: B}\n": "A, B",
	} {
		m := read(t, "version: 1\nname: x\ntable: xyz\nentities:\n  "+text+"access_patterns:\n  - {name: all, scan: all}\n")
		_, err := seed.New(m, plan.New(m), seed.Options{Items: 50, Now: now})
		if want == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), want+" refer to each other") {
			t.Errorf("%s\ngot %v, want %q", text, err, want)
		}
	}
}

func TestManyChildrenAreNumberedThrough(t *testing.T) {
	m := read(t, `version: 1
name: x
table: xyz
entities:
  Org:
    attributes: {org: slug}
    keys: {PK: "ORG#{org}", SK: ORG}
    volume: {count: 20}
  User:
    attributes: {org: {ref: Org}, num: integer}
    keys: {PK: "U#{num}", SK: U}
    volume: {per: Org, count: 0..9000, average: 3000}
access_patterns:
  - {name: all, scan: all}
`)
	_, all := populate(m, 30000)
	seen := map[string]bool{}
	for _, in := range all {
		if in.Entity.Name.Text == "User" && seen[in.Item["num"].Text()] {
			t.Fatalf("two users have the number %s", in.Item["num"])
		}
		seen[in.Item["num"].Text()] = true
	}
	if len(seen) < 10000 {
		t.Errorf("only %d users", len(seen))
	}
}

func TestChoicesRunOut(t *testing.T) {
	m := read(t, `version: 1
name: x
table: xyz
entities:
  Country:
    attributes: {code: [a, b, c], label: string}
    keys: {PK: "C#{code}", SK: C}
access_patterns:
  - {name: all, scan: all}
`)
	if _, all := populate(m, 1000); len(all) != 3 {
		t.Errorf("%d countries of three codes", len(all))
	}
}

func TestFamiliesAreTheirNumbersAlone(t *testing.T) {
	m := examples(t)["shop"]
	p, _ := populate(m, 2000)
	n := p.Families() / 2
	again := planned(m, seed.Options{Items: 2000, Now: now})
	if !reflect.DeepEqual(p.Family(n), again.Family(n)) {
		t.Error("one family, made twice, is two")
	}
	other := planned(m, seed.Options{Items: 2000, Now: now, Seed: 2})
	if reflect.DeepEqual(p.Family(n), other.Family(n)) {
		t.Error("another seed makes the same family")
	}
}

func TestCountsAndShares(t *testing.T) {
	m, found := parse.File(source.NewFile("model.yaml", `version: 1
name: forum
table: forum
entities:
  Thread:
    attributes: {threadId: ulid, state: {values: {open: 10%, closed: 90%}}, posts: {count_of: Post}, words: {sum_of: Post.words}}
    keys: {PK: "THREAD#{threadId}", SK: THREAD}
    volume: {count: 1000}
  Post:
    attributes: {threadId: {ref: Thread}, postId: ulid, words: {type: integer, min: 1, max: 50}, code: {type: string, pattern: "[A-Z]{2}-[0-9]{3,5}(x|y)?"}}
    keys: {PK: "THREAD#{threadId}", SK: "POST#{postId}"}
    volume: {per: Thread, count: 0..40, average: 5}
access_patterns:
  - {name: thread, get: Thread}
`), nil)
	if m == nil {
		t.Fatal(found.All())
	}
	_, all := populate(m, 6000)
	threads, open, posts := 0, 0, map[string]int{}
	for _, in := range all {
		if in.Entity.Name.Text == "Post" {
			posts[in.Item["threadId"].Text()]++
			if code := in.Item["code"].Text(); !regexp.MustCompile(`^[A-Z]{2}-[0-9]{3,5}(x|y)?$`).MatchString(code) {
				t.Fatalf("code %s does not match", code)
			}
		}
	}
	for _, in := range all {
		if in.Entity.Name.Text != "Thread" {
			continue
		}
		threads++
		if in.Item["state"].Text() == "open" {
			open++
		}
		if n, _ := in.Item["posts"].Int(); int(n) != posts[in.Item["threadId"].Text()] {
			t.Fatalf("posts of %s: %d, and there are %d", in.Item["threadId"], n, posts[in.Item["threadId"].Text()])
		}
	}
	if mean := float64(len(all)-threads) / float64(threads); mean < 4.5 || mean > 5.5 {
		t.Errorf("%.2f posts a thread, 5 are declared", mean)
	}
	if part := float64(open) / float64(threads); part < 0.06 || part > 0.14 {
		t.Errorf("%.2f of the threads are open, a tenth is declared", part)
	}
}

func BenchmarkFamily(b *testing.B) {
	text, err := os.ReadFile("../../examples/shop/access-patterns.yaml")
	if err != nil {
		b.Fatal(err)
	}
	m, _ := parse.File(source.NewFile("shop.yaml", string(text)), nil)
	p := planned(m, seed.Options{Items: 1_000_000, Now: now})
	items := 0
	for b.Loop() {
		items += len(p.Family(rand.IntN(p.Families())))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(items), "ns/item")
}
