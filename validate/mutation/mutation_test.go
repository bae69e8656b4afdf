package mutation

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/check"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// endpoints gives every check a table of its own on one embedded DynamoDB.
func endpoints(t *testing.T) func() verify.Endpoint {
	t.Helper()
	db := engine.New()
	t.Cleanup(func() { db.Close() })
	var tables atomic.Int64
	return func() verify.Endpoint {
		return verify.Endpoint{Client: db.Client(), Table: func() string { return fmt.Sprintf("mutant-%d", tables.Add(1)) }}
	}
}

// notes is a model with something for every operator.
const notes = `version: 1
name: notes
table:
  name: notes
  partition_key: PK
  sort_key: SK
  indexes:
    ByMail: {partition_key: MailPK, sort_key: MailSK, projection: [name, age]}
    Open: {partition_key: OpenPK, sort_key: OpenSK}
entities:
  User:
    attributes:
      org: {type: slug, length: 1..9}
      userId: ulid
      mail: email
      name: string
      age: {type: integer, min: 0, max: 150}
    keys:
      PK: ORG#{org}
      SK: USER#{userId}
      MailPK: MAIL#{org}#{mail|lower}
      MailSK: USER
    unique: [mail]
  Note:
    attributes:
      org: {type: slug, length: 1..9}
      at: datetime
      noteId: ulid
      open: boolean
      version: {type: integer, version: true}
    keys:
      PK: ORG#{org}
      SK: NOTE#{at}#{noteId}
      OpenPK: {template: "OPEN#{org}", when: open = true}
      OpenSK: "{at}"
access_patterns:
  - name: notes
    query: Note
    where: org = $org AND at > $since
    key: {PK: "ORG#{org}", SK: {between: ["NOTE#{$since}$", "NOTE#~"]}}
  - name: open-notes
    query: Note
    where: org = $org AND open = true
    index: Open
  - name: birthday
    update: User
    change: SET age = age + 1
    if: age < 150 AND org <> 'x'
  - name: change-mail
    update: User
    change: SET mail = $mail
    old: {mail: $oldMail}
`

func TestMutants(t *testing.T) {
	m, found := parse.File(source.NewFile("notes.yaml", notes), nil)
	if found.Len() > 0 {
		t.Fatal(found.All())
	}
	want := []string{
		`lost-delimiter 21: MailPK: MAIL#{org}{mail|lower}`,
		`lost-delimiter 33: SK: NOTE#{at}{noteId}`,
		`lost-function 21: MailPK: MAIL#{org}#{mail}`,
		`lost-part 19: PK: ORG#`,
		`lost-part 20: SK: USER#`,
		`lost-part 21: MailPK: MAIL#{mail|lower}`,
		`lost-part 21: MailPK: MAIL#{org}`,
		`lost-part 33: SK: NOTE#{noteId}`,
		`lost-part 33: SK: NOTE#{at}`,
		`swapped-parts 21: MailPK: MAIL#{mail|lower}#{org}`,
		`swapped-parts 33: SK: NOTE#{noteId}#{at}`,
		`shortened-prefix 19: PK: O#{org}`,
		`shortened-prefix 19: PK: ORG{org}`,
		`shortened-prefix 19: PK: "{org}"`,
		`shortened-prefix 22: MailSK: U`,
		`lost-projection 8: ByMail: {partition_key: MailPK, sort_key: MailSK, projection: [age]}`,
		`lost-projection 9: Open: {partition_key: OpenPK, sort_key: OpenSK, projection: keys_only}`,
		`lost-index 8: `,
		`lost-index 9: `,
		`looser-domain 13: org: {type: string, length: 1..9}`,
		`looser-domain 13: org: {type: slug}`,
		`looser-domain 14: userId: string`,
		`looser-domain 17: age: {type: number, min: 0, max: 150}`,
		`lost-condition 48: if: org <> 'x'`,
		`lost-condition 48: `,
		`weaker-bound 39: where: org = $org AND at >= $since`,
		`weaker-bound 48: if: age <= 150 AND org <> 'x'`,
		`lost-when 34: OpenPK: {template: "OPEN#{org}"}`,
		`lost-unique 23: `,
		`lost-old-value 52: `,
		`lost-key-condition 40: key: {PK: "ORG#{org}"}`,
		`lost-version 30: version: {type: integer}`,
	}
	var got []string
	texts := map[string]bool{}
	for _, x := range Mutants(m) {
		got = append(got, fmt.Sprintf("%s %d: %s", x.Operator, x.Line, x.After))
		if texts[x.Text] || x.Text == notes {
			t.Errorf("%s is there twice, or changes nothing", got[len(got)-1])
		}
		texts[x.Text] = true
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("no mutant %s", w)
		}
	}
	if t.Failed() {
		t.Log("mutants:\n" + strings.Join(got, "\n"))
	}
}

// TestLostPartKeepsIdentity: what a broken key identifies is not its definition.
func TestLostPartKeepsIdentity(t *testing.T) {
	m, _ := parse.File(source.NewFile("notes.yaml", notes), nil)
	for _, x := range Mutants(m) {
		if x.After == "SK: NOTE#{at}" && !strings.Contains(x.Text, "    identity: [org, at, noteId]\n") {
			t.Errorf("the identity of Note is not written out:\n%s", x.Text)
		}
	}
}

// TestSample judges some mutants of the examples: what the whole run, `make
// mutation`, does with all of them.
func TestSample(t *testing.T) {
	if testing.Short() {
		t.Skip("runs dozens of checks")
	}
	paths, err := filepath.Glob("../../examples/*/access-patterns.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	var sources []Source
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, Source{Name: path, Text: string(text), Includes: os.DirFS(filepath.Dir(path))})
	}
	r, err := Run(context.Background(), sources, Options{Endpoint: endpoints(t), Workers: runtime.GOMAXPROCS(0), Sample: 50, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := r.Write(&out, false); err != nil {
		t.Fatal(err)
	}
	c := r.Count()
	if c.Mutants < 40 || c.Killed < 10 || c.Score() < 0.9 {
		t.Errorf("too few mutants, or too few of them noticed:\n%s", out.String())
	}
	t.Log(out.String()[strings.LastIndex(strings.TrimSuffix(out.String(), "\n"), "\n")+1:])
}

// TestLostDelimiterOfShop is the break that came first: a carrier and a tracking
// code that run into each other.
func TestLostDelimiterOfShop(t *testing.T) {
	path := "../../examples/shop/access-patterns.yaml"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	endpoint := endpoints(t)
	sound, err := check.File(context.Background(), source.NewFile(path, string(text)), nil, check.Options{Static: true})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Endpoint: endpoint}
	for _, x := range Mutants(sound.Model) {
		if x.Operator != LostDelimiter || !strings.HasPrefix(x.After, "GSI1PK: TRACKING#") {
			continue
		}
		j := &Judged{Mutant: x}
		if err := o.judge(context.Background(), job{sound, Source{Name: path, Text: string(text)}, j}); err != nil {
			t.Fatal(err)
		}
		if j.Verdict != Killed {
			t.Errorf("%s: %s", x.After, j.Verdict)
		}
		return
	}
	t.Error("there is no such mutant")
}
