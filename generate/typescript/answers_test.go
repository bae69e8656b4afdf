package typescript

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// generated is a model with what is made of it.
type generated struct {
	name      string
	model     *model.Model
	plans     []*plan.Plan
	files     []generate.File
	functions map[string]made // by the names of the patterns
}

// made is a function, with the way it goes.
type made struct {
	name, way string
	params    bool
}

var declared = regexp.MustCompile(`(?:/\*\*|\*) (\S+), (over ElectroDB|over the document client|by a PartiQL statement)(?s:.*?)\nexport async function (\w+)\(\s*db: Store((?s:.*?))\): Promise`)

// models are the examples, and the models whose names, types and writes are tested
// for Go.
func models(t *testing.T) (all []*generated) {
	t.Helper()
	var files []string
	for _, pattern := range []string{"../../examples/*/*.yaml", "../../examples/*/*/*.yaml", "../golang/testdata/*.yaml", "testdata/*.yaml"} {
		found, err := filepath.Glob(filepath.FromSlash(pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		all = append(all, generatedOf(t, file))
	}
	return all
}

func generatedOf(t *testing.T, file string) *generated {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, found := parse.File(source.NewFile(file, string(text)), os.DirFS(filepath.Dir(file)))
	if m == nil {
		t.Fatalf("%s: %+v", file, found.All())
	}
	out := &generated{model: m, functions: map[string]made{}}
	folder, base := filepath.Base(filepath.Dir(file)), strings.TrimSuffix(filepath.Base(file), ".yaml")
	if out.name = folder + "-" + base; base == "access-patterns" {
		out.name = folder
	}
	planner := plan.New(m)
	out.plans = planner.All()
	if out.files, err = filesOf(m); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for _, f := range out.files {
		if f.Path == "patterns.ts" {
			for _, match := range declared.FindAllStringSubmatch(string(f.Content), -1) {
				out.functions[match[1]] = made{name: match[3], way: match[2], params: strings.Contains(match[4], "p: ")}
			}
		}
	}
	return out
}

// TestAnswers type-checks what is generated of every example and calls the functions
// as the check calls the patterns, against the engine over HTTP: what they answer and
// leave has to be what the oracle says.
func TestAnswers(t *testing.T) {
	folder := nodeFolder(t)
	all := models(t)
	compile(t, folder, all)
	db := engine.New()
	t.Cleanup(func() { db.Close() })
	server := httptest.NewServer(db)
	t.Cleanup(server.Close)
	node := start(t, folder, server.URL)
	for _, m := range all {
		t.Run(m.name, func(t *testing.T) {
			d := &driver{generated: m, client: db.Client(), node: node, data: data.New(m.model, data.Options{Cases: 12, Items: 30}), held: map[string]plan.Stored{}}
			in := sdk.Table(m.model.Table)
			in.TableName = &m.name
			if _, err := d.client.CreateTable(context.Background(), in); err != nil {
				t.Fatal(err)
			}
			for i, p := range m.model.Patterns {
				d.pattern(t, p, m.plans[i])
			}
			t.Logf("%d patterns, of them %s; %d calls, %d of writes accepted, %d passed over", len(m.model.Patterns), m.ways(), d.calls, d.accepted, d.skipped)
		})
	}
}

// ways tells how many functions go which way.
func (m *generated) ways() string {
	n := map[string]int{}
	for _, f := range m.functions {
		n[f.way]++
	}
	var out []string
	for _, way := range slices.Sorted(maps.Keys(n)) {
		out = append(out, fmt.Sprintf("%d %s", n[way], way))
	}
	return strings.Join(out, ", ")
}

// pattern calls one function as often as there are bindings.
func (d *driver) pattern(t *testing.T, p *model.Pattern, plans *plan.Plan) {
	f, ok := d.functions[p.Name.Text]
	if !ok {
		if p.Operation != model.External && slices.ContainsFunc(plans.Variants, (*plan.Variant).Served) {
			t.Errorf("%s has no function", p.Name.Text)
		}
		return
	}
	c := &trial{driver: d, pattern: p, plan: plans, function: f}
	if err := c.run(); err != nil {
		t.Fatalf("%s: %v", p.Name.Text, err)
	}
	if len(c.said) > 0 && d.passes(plans) {
		for _, said := range c.said[:min(3, len(c.said))] {
			t.Errorf("%s, %s: %s", p.Name.Text, f.way, said)
		}
	}
}

// passes tells whether the check finds nothing wrong with a pattern: only then its
// function has to be right, too.
func (d *driver) passes(p *plan.Plan) bool {
	other := engine.New()
	defer other.Close()
	name := "verified"
	result, err := verify.Run(context.Background(), verify.Config{Model: d.model, Plans: []*plan.Plan{p}, Endpoint: verify.Endpoint{
		Client: other.Client(), Table: func() string { return name },
	}})
	return err != nil || result.Patterns[0].Verdict == verify.Pass
}

// trial is one pattern, called.
type trial struct {
	*driver
	pattern  *model.Pattern
	plan     *plan.Plan
	function made
	said     []string // what is wrong
}

func (c *trial) fail(b data.Binding, format string, args ...any) {
	given, _ := json.Marshal(argsOf(b.Args))
	c.said = append(c.said, brief(fmt.Sprintf(format, args...))+" of "+brief(string(given)))
}

// writes tells whether the pattern's function writes.
func (c *trial) writes() bool {
	return !c.pattern.Operation.IsRead() && c.pattern.Operation != model.PartiQL
}

func (c *trial) run() error {
	made := c.data.World(c.pattern)
	w := c.worldOf(made.Instances, !c.writes())
	if err := c.hold(w.items); err != nil {
		return err
	}
	for _, b := range c.data.Bindings(c.pattern, made) {
		call := oracle.Call{Pattern: c.pattern, Args: b.Args, Now: b.Now}
		if !call.Sensible() || !c.plan.For(b.Args).Served() {
			continue
		}
		if c.pattern.Token != "" {
			b.Args = maps.Clone(b.Args)
			b.Args[c.pattern.Token] = value.OfString(fmt.Sprintf("%s-%d", c.name, c.calls))
			call.Args = b.Args
		}
		c.calls++
		run := c.read
		if c.writes() {
			run = c.write
		}
		if err := run(w, call, b); err != nil {
			return err
		}
	}
	return nil
}

func argsOf(args model.Args) map[string]any {
	out := map[string]any{}
	for name, v := range args {
		out[name] = toJSON(v, true)
	}
	return out
}

func (c *trial) invoke(b data.Binding, size int) (reply, error) {
	r := request{Module: c.name, Name: c.function.name, Now: b.Now.UnixMilli(), Table: c.name, Size: size}
	if c.function.params {
		r.Args = argsOf(b.Args)
	}
	return c.node.call(r)
}

// unfit tells whether the plan itself takes no such call.
func (c *trial) unfit(b data.Binding) bool {
	_, err := c.plan.For(b.Args).Requests(plan.Call{Args: b.Args, Now: b.Now})
	return err != nil
}

// pages tells whether callers page through what the function gives.
func (c *trial) pages() bool {
	return c.pattern.Page > 0 && c.pattern.Limit == 0 && !c.pattern.One && !c.pattern.Count && c.pattern.Then == nil &&
		!slices.ContainsFunc(c.plan.Variants, func(v *plan.Variant) bool { return v.Read != nil && len(v.Read.Fan) > 0 })
}

// read compares the answer of a read with the oracle's.
func (c *trial) read(w world, call oracle.Call, b data.Binding) error {
	answer := w.oracle.Read(call)
	size := 0
	if c.pages() {
		size = 3
	}
	got, err := c.invoke(b, size)
	switch {
	case err != nil:
		return err
	case got.Error != "" && c.unfit(b):
		c.skipped++
		return nil
	case got.Error != "":
		c.fail(b, "fails: %s", got.Error)
		return nil
	case c.pattern.Count:
		if n, _ := got.Result.(json.Number).Int64(); int(n) != answer.Want {
			c.fail(b, "counts %d, not %d", n, answer.Want)
		}
		return nil
	case c.pattern.Then != nil:
		return c.pairs(w, call, answer, got, b)
	}
	c.compare(answer, rowsOf(got.Result), b)
	return nil
}

// rowsOf are the items that a function gives, whether one, none or a list.
func rowsOf(result any) []any {
	list, ok := result.([]any)
	if !ok {
		list = []any{result}
	}
	return slices.DeleteFunc(list, func(v any) bool { return v == nil })
}

// instance is what a function gives as an item of the model.
func (c *trial) instance(row any, answer oracle.Answer) model.Instance {
	object, _ := row.(map[string]any)
	if name, ok := object["entity"].(string); ok && object["item"] != nil {
		e := c.model.Entity(name)
		return model.Instance{Entity: e, Item: itemFrom(object["item"], e)}
	}
	for _, m := range answer.Matches {
		if in := (model.Instance{Entity: m.Entity, Item: itemFrom(row, m.Entity)}); maps.EqualFunc(in.Item, m.Item, value.Equal) {
			return in
		}
	}
	entities := c.pattern.Entities
	for _, s := range c.pattern.AllSteps() {
		entities = append(entities, s.Entity)
	}
	if c.pattern.Statement != nil {
		entities = c.pattern.Statement.Returns
	}
	return model.Instance{Entity: entities[0], Item: itemFrom(row, entities[0])}
}

// compare compares items with those that have to come.
func (c *trial) compare(answer oracle.Answer, got []any, b data.Binding) {
	if len(got) != answer.Want {
		c.fail(b, "gives %d items, not %d of %d", len(got), answer.Want, len(answer.Matches))
		return
	}
	left := slices.Clone(answer.Matches)
	var order []model.Instance
	for _, row := range got {
		in := c.instance(row, answer)
		i := slices.IndexFunc(left, func(m model.Instance) bool { return m.Entity == in.Entity && c.same(m.Item, in.Item) })
		if i < 0 {
			c.fail(b, "gives %v, which does not match", in.Item)
			return
		}
		order = append(order, left[i])
		left = slices.Delete(left, i, i+1)
	}
	if !answer.Prefix(order) && len(c.pattern.Order) > 0 {
		c.fail(b, "gives its items in another order")
	}
}

// same tells whether an item is given as it is, or in those attributes that are selected.
func (c *trial) same(want, got model.Item) bool {
	if len(c.pattern.Select) == 0 && c.pattern.Statement == nil {
		return maps.EqualFunc(want, got, value.Equal)
	}
	for name, v := range got {
		if !value.Equal(want[name], v) && want[name].Exists() {
			return false
		}
	}
	for _, n := range c.pattern.Select {
		if !value.Equal(want[n.Text], got[n.Text]) {
			return false
		}
	}
	return true
}

// pairs compares the items of a query and what they refer to.
func (c *trial) pairs(w world, call oracle.Call, answer oracle.Answer, got reply, b data.Binding) error {
	var found []any
	var referring []model.Instance
	others := map[string]bool{}
	for _, row := range rowsOf(got.Result) {
		object := row.(map[string]any)
		found = append(found, object["found"])
		referring = append(referring, c.instance(object["found"], answer))
		if object["other"] != nil {
			e := c.pattern.Then.Entity
			others[oracle.Identity(model.Instance{Entity: e, Item: itemFrom(object["other"], e)})] = true
		}
	}
	c.compare(answer, found, b)
	want := map[string]bool{}
	for _, id := range w.oracle.Then(call, referring).Identities {
		want[id] = true
	}
	if !maps.Equal(want, others) {
		c.fail(b, "refers to %d items, not to %d", len(others), len(want))
	}
	return nil
}

// write compares what a write does with what the oracle says.
func (c *trial) write(w world, call oracle.Call, b data.Binding) error {
	if err := c.hold(w.items); err != nil {
		return err
	}
	want := w.oracle.Write(call)
	got, err := c.invoke(b, 0)
	if err != nil {
		return err
	}
	stored, err := c.look()
	if err != nil {
		return err
	}
	expected := w.items
	if want.Refusal == "" {
		if expected, err = c.expected(w, want); err != nil {
			c.skipped++
			return nil // what the model says cannot be stored
		}
	}
	switch {
	case want.Refusal != "" && c.pattern.Operation.WritesEach():
		c.skipped++ // what was written before the refusal stays
		return nil
	case want.Refusal == "" && got.Error != "" && c.unfit(b):
		c.skipped++
		return nil
	case want.Refusal == "" && got.Error != "":
		c.fail(b, "is refused: %s", got.Error)
		return nil
	case want.Refusal != "" && got.Error == "":
		c.fail(b, "is accepted, though %s", want.Refusal)
		return nil
	}
	for key := range keysOf(expected, stored) {
		if !sameItem(expected[key], stored[key]) {
			c.fail(b, "(%s) leaves %v, not %v", got.Error, apart(stored[key], expected[key]), apart(expected[key], stored[key]))
			return nil
		}
	}
	if got.Error == "" {
		c.accepted++
		c.returned(want, got, b)
	}
	return nil
}

// apart are the attributes of an item that another one has not so.
func apart(item, other plan.Stored) plan.Stored {
	out := maps.Clone(item)
	maps.DeleteFunc(out, func(name string, v value.Value) bool { return value.Equal(v, other[name]) })
	return out
}

// returned compares the item that a call returns.
func (c *trial) returned(want oracle.Outcome, got reply, b data.Binding) {
	if want.Returned == nil || got.Result == nil || c.pattern.Step == nil {
		return
	}
	if in := itemFrom(got.Result, c.pattern.Step.Entity); !maps.EqualFunc(in, want.Returned, value.Equal) {
		c.fail(b, "returns %v, not %v", in, want.Returned)
	}
}
