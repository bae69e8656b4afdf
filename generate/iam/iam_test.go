package iam_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/iam"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	modelparse "github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// TestPolicies sends the requests of every access pattern past its policy: all
// are allowed, and there is no action in it without which none would be denied.
// Where the policy is bound to the principal's value, another value is denied.
func TestPolicies(t *testing.T) {
	for _, path := range models(t) {
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../examples/")
		t.Run(strings.ReplaceAll(name, "/", "-"), func(t *testing.T) {
			t.Parallel()
			in := read(t, path)
			policies := made(t, in)
			gen := data.New(in.Model, data.Options{Cases: 40, Items: 30})
			for _, p := range in.Plans {
				text, ok := policies["pattern-"+p.Pattern.Name.Text+".json"]
				if !ok {
					continue
				}
				t.Run(p.Pattern.Name.Text, func(t *testing.T) {
					judge(t, in.Model, parse(t, text), callsOf(t, in.Model, gen, p))
				})
			}
		})
	}
}

// TestRoles sends the requests of a role's patterns past its policy, and those of
// other patterns.
func TestRoles(t *testing.T) {
	in := read(t, filepath.Join("testdata", "tenants.yaml"))
	policies := made(t, in)
	gen := data.New(in.Model, data.Options{Cases: 20, Items: 30})
	for _, r := range in.Model.Table.Roles {
		text := policies["role-"+strings.ReplaceAll(r.Name.Text, " ", "-")+".json"]
		d := parse(t, text)
		for _, p := range in.Plans {
			mine := slices.Contains(r.Patterns, p.Pattern)
			may := !slices.ContainsFunc(callsOf(t, in.Model, gen, p), func(c call) bool {
				return !slices.ContainsFunc(c.tags, func(tag string) bool { return allowed(d, c, tag) })
			})
			if mine && !may {
				t.Errorf("%s may not do %s", r.Name.Text, p.Pattern.Name.Text)
			}
			if may && !mine && r.Name.Text == "clerk" && p.Pattern.Name.Text != "task-text" {
				t.Errorf("%s may do %s", r.Name.Text, p.Pattern.Name.Text)
			}
		}
	}
}

// TestOptions names another place and another principal.
func TestOptions(t *testing.T) {
	in := read(t, filepath.Join("testdata", "tenants.yaml"))
	in.Options = map[string]string{"account": "123456789012", "region": "cn-north-1", "partition": "aws-cn", "table": "mine", "principal": "${aws:username}"}
	d := parse(t, made(t, in)["pattern-tasks-of-tenant.json"])
	if len(d.Statement) != 1 {
		t.Fatalf("%+v", d)
	}
	c := d.Statement[0]
	if want := "arn:aws-cn:dynamodb:cn-north-1:123456789012:table/mine"; !slices.Equal(c.Resource, []string{want}) {
		t.Errorf("the resource is %v, not %s", c.Resource, want)
	}
	if got := c.Condition["ForAllValues:StringEquals"]["dynamodb:LeadingKeys"]; !slices.Equal(got, texts{"T#${aws:username}#TASK"}) {
		t.Errorf("the leading keys are %v", got)
	}
}

// models are the sound examples, and those here that have what no example has.
func models(t *testing.T) (paths []string) {
	t.Helper()
	for _, root := range []string{filepath.Join("..", "..", "examples"), "testdata"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".yaml" && !strings.Contains(path, "broken") && !strings.Contains(path, "as-published") {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

func read(t *testing.T, path string) generate.Input {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, found := modelparse.File(source.NewFile(path, string(text)), os.DirFS(filepath.Dir(path)))
	if m == nil || len(found.All()) > 0 {
		t.Fatalf("%s: %+v", path, found.All())
	}
	in := generate.NewInput(m)
	in.Options = map[string]string{}
	return in
}

func made(t *testing.T, in generate.Input) map[string][]byte {
	t.Helper()
	files, err := iam.Target().Files(in)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		out[f.Path] = f.Content
	}
	return out
}

// call is what one call of a pattern asks of IAM, and the values that may be the
// principal's.
type call struct {
	asks []access
	tags []string
}

func judge(t *testing.T, m *model.Model, d document, calls []call) {
	t.Helper()
	if len(calls) == 0 {
		t.Fatal("no call sends anything")
	}
	tags := make([]string, len(calls))
	for i, c := range calls {
		fits := slices.IndexFunc(c.tags, func(tag string) bool { return allowed(d, c, tag) })
		if fits < 0 {
			t.Fatalf("a request is denied: %+v\nby %+v", c.asks, d)
		}
		tags[i] = c.tags[fits]
		if bound(d) && allowed(d, c, "someone else") {
			t.Errorf("another principal may do this, too: %+v", c.asks)
		}
	}
	for i, c := range d.Statement {
		for j, action := range c.Action {
			without := document{Statement: slices.Clone(d.Statement)}
			without.Statement[i].Action = slices.Delete(slices.Clone(c.Action), j, j+1)
			if !slices.ContainsFunc(indexes(calls), func(k int) bool { return !allowed(without, calls[k], tags[k]) }) {
				t.Errorf("%s in %+v is needed for nothing", action, c)
			}
		}
	}
}

func indexes(calls []call) []int {
	out := make([]int, len(calls))
	for i := range out {
		out[i] = i
	}
	return out
}

func allowed(d document, c call, tag string) bool {
	return !slices.ContainsFunc(c.asks, func(a access) bool { return !d.allows(a, tag) })
}

// bound tells whether all that the policy allows is bound to the principal.
func bound(d document) bool {
	return !slices.ContainsFunc(d.Statement, func(c clause) bool {
		for _, keys := range c.Condition {
			for _, patterns := range keys {
				if strings.Contains(strings.Join(patterns, ""), "PrincipalTag") {
					return false
				}
			}
		}
		return true
	})
}

// callsOf plays the calls of a pattern on its world and gathers what they send.
func callsOf(t *testing.T, m *model.Model, gen *data.Generator, p *plan.Plan) (calls []call) {
	t.Helper()
	db := engine.New()
	defer db.Close()
	world := gen.World(p.Pattern)
	s := stage{t: t, model: m, client: db.Client()}
	s.load(world)
	for _, b := range gen.Bindings(p.Pattern, world) {
		if by := m.Table.IsolateBy; by != nil && !p.Pattern.Across && len(valuesOf(b.Args, by.Text)) > 1 {
			continue // the call is about data of two, which nobody may see at once
		}
		c := call{tags: append(texts{""}, strs(b.Args)...)}
		v := p.For(b.Args)
		at := plan.Call{Args: b.Args, Now: b.Now}
		firsts, err := v.FirstReads(at)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range firsts {
			at.Old = append(at.Old, s.get(r))
		}
		if slices.ContainsFunc(at.Old, func(o plan.Stored) bool { return o == nil }) {
			continue // there is nothing to write
		}
		requests, err := v.Requests(at)
		if err != nil {
			t.Fatal(err)
		}
		requests = append(firsts, requests...)
		if found := s.found(v, requests); v.Each != nil {
			more, err := v.EachRequests(at, found)
			if err != nil {
				t.Fatal(err)
			}
			requests = append(requests, more...)
		} else if v.Then != nil {
			more, err := v.ThenRequests(at, found)
			if err != nil {
				t.Fatal(err)
			}
			requests = append(requests, more...)
		}
		for _, r := range requests {
			c.asks = append(c.asks, asks(m.Table, r)...)
		}
		if len(c.asks) > 0 {
			calls = append(calls, c)
		}
	}
	return calls
}

// strs are the texts among arguments.
func strs(args model.Args) (out []string) {
	visit(args, func(_ string, v value.Value) {
		if v.Kind() == value.String {
			out = append(out, v.Text())
		}
	})
	slices.Sort(out)
	return out
}

// valuesOf are the different values that arguments have under a name.
func valuesOf(args model.Args, name string) (out []string) {
	visit(args, func(of string, v value.Value) {
		if of == name && !slices.Contains(out, v.Text()) {
			out = append(out, v.Text())
		}
	})
	return out
}

// visit visits arguments and what is in them, with their names.
func visit(args model.Args, do func(name string, v value.Value)) {
	var each func(name string, v value.Value)
	each = func(name string, v value.Value) {
		do(name, v)
		for _, item := range v.Items() {
			each(name, item)
		}
		for _, f := range v.Fields() {
			each(f.Name, f.Value)
		}
	}
	for name, v := range args {
		each(name, v)
	}
}

// stage is a table with the items of a world.
type stage struct {
	t      *testing.T
	model  *model.Model
	client *dynamodb.Client
	items  []plan.Stored
}

func (s *stage) load(w *data.World) {
	s.t.Helper()
	ctx := context.Background()
	if _, err := s.client.CreateTable(ctx, sdk.Structure("world", s.model.Table, func(*model.Index) bool { return true })); err != nil {
		s.t.Fatal(err)
	}
	for _, i := range w.Instances {
		item, err := encode.Item(s.model, i.Entity, i.Item, func(string, int) int { return 0 })
		if err != nil {
			continue
		}
		if _, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("world"), Item: sdk.Item(item)}); err == nil {
			s.items = append(s.items, item)
		}
	}
}

// get is the item that a read leads to; nil when there is none.
func (s *stage) get(r plan.Request) plan.Stored {
	for _, item := range s.items {
		same := true
		for name, v := range r.Key {
			same = same && value.Equal(item[name], v)
		}
		if same {
			return item
		}
	}
	return nil
}

// found are the items that the queries of a variant find.
func (s *stage) found(v *plan.Variant, requests []plan.Request) (out []plan.Stored) {
	if v.Each == nil && v.Then == nil {
		return nil
	}
	for _, r := range requests {
		in := &dynamodb.QueryInput{TableName: aws.String("world"), KeyConditionExpression: aws.String(r.KeyCondition),
			ExpressionAttributeNames: r.Names, ExpressionAttributeValues: sdk.Item(r.Values)}
		if r.Index != "" {
			in.IndexName = aws.String(r.Index)
		}
		if r.Filter != "" {
			in.FilterExpression = aws.String(r.Filter)
		}
		if r.Projection != "" {
			in.ProjectionExpression = aws.String(r.Projection)
		}
		got, err := s.client.Query(context.Background(), in)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, item := range got.Items {
			key := plan.Stored{}
			for _, k := range s.model.Table.Keys() {
				key[k.Name] = stored(item[k.Name])
			}
			if whole := s.get(plan.Request{Key: key}); whole != nil {
				out = append(out, whole)
			}
		}
	}
	return out
}

func stored(v types.AttributeValue) value.Value {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return value.OfString(v.Value)
	case *types.AttributeValueMemberN:
		n, _ := value.OfNumber(v.Value)
		return n
	}
	return value.Value{}
}

var equality = regexp.MustCompile(`(#\w+) = (:\w+)`)

// asks are the accesses that IAM checks for a request.
func asks(t *model.Table, r plan.Request) []access {
	a := access{action: "dynamodb:" + string(r.API), resource: "arn:aws:dynamodb:eu-west-1:123456789012:table/" + t.Name.Text, context: map[string][]string{}}
	if r.Index != "" {
		a.resource += "/index/" + r.Index
	}
	pk := t.PartitionKey.Name
	leading := func(v value.Value) {
		a.context["dynamodb:LeadingKeys"] = append(a.context["dynamodb:LeadingKeys"], v.Text())
	}
	keyOf := func(r plan.Request) value.Value {
		if r.Key != nil {
			return r.Key[pk]
		}
		return r.Item[pk]
	}
	switch r.API {
	case plan.Query, plan.Scan:
		for _, m := range equality.FindAllStringSubmatch(r.KeyCondition, -1) {
			for i, k := range partition(t, r.Index) {
				if r.Names[m[1]] != k.Name {
					continue
				}
				key := "dynamodb:" + []string{"First", "Second", "Third", "Fourth"}[i] + "PartitionKeyValues"
				a.context[key] = []string{r.Values[m[2]].Text()}
				if i == 0 {
					leading(r.Values[m[2]])
				}
			}
		}
	case plan.BatchGetItem, plan.BatchWriteItem:
		for _, member := range r.Actions {
			leading(keyOf(member))
		}
	case plan.TransactWriteItems, plan.TransactGetItems:
		var out []access
		for _, member := range r.Actions {
			for _, inner := range asks(t, member) {
				if member.API == plan.ConditionCheck {
					inner.action = "dynamodb:ConditionCheckItem"
				}
				inner.context["dynamodb:EnclosingOperation"] = []string{string(r.API)}
				out = append(out, inner)
			}
		}
		return out
	case plan.ExecuteStatement:
		word, _, _ := strings.Cut(strings.TrimSpace(r.Statement), " ")
		a.action = "dynamodb:PartiQL" + strings.ToUpper(word[:1]) + strings.ToLower(word[1:])
	default:
		leading(keyOf(r))
	}
	a.selects(t, r)
	return []access{a}
}

// selects adds what a read selects, and the attributes that it names.
func (a access) selects(t *model.Table, r plan.Request) {
	switch {
	case r.Select != "":
		a.context["dynamodb:Select"] = []string{r.Select}
	case r.Projection != "":
		a.context["dynamodb:Select"] = []string{"SPECIFIC_ATTRIBUTES"}
		for _, name := range r.Names {
			a.context["dynamodb:Attributes"] = append(a.context["dynamodb:Attributes"], name)
		}
		for _, k := range t.Keys() {
			a.context["dynamodb:Attributes"] = append(a.context["dynamodb:Attributes"], k.Name)
		}
	}
}

func partition(t *model.Table, index string) []model.KeyAttribute {
	if x := t.Index(index); x != nil {
		return x.PartitionKey
	}
	return []model.KeyAttribute{t.PartitionKey}
}
