package document_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/document"
	"github.com/dynmodel/dynmodel/generate/iam"
	"github.com/dynmodel/dynmodel/model/modeltest"
)

// tickets has one of nearly everything that a document tells of.
const tickets = `version: 1
name: tickets
description: Support tickets of many companies
table:
  name: tickets
  partition_key: PK
  sort_key: SK
  indexes:
    ByState: {partition_key: StatePK, sort_key: StateSK, projection: [title, tenant, number]}
    ByDay: {sort_key: openedAt, local: true, projection: keys_only}
  capacity: {provisioned: {read: 100, write: 50, autoscaling: {min: 10, max: 400, target: 60}}}
  ttl: expiresAt
  stream: {view: new_image, consumers: [search]}
  point_in_time_recovery: {days: 7}
  isolate_by: tenant
  deletion_protection: true
  encryption: {kms_key: alias/tickets}
  tags: {team: support}
  roles: {agent: [ticket, open-tickets], cleaner: [remove-tag]}
  region: eu-west-1
  replicas: [eu-west-1, us-east-1]
entities:
  Tenant:
    attributes: {tenant: slug, name: string}
    keys: {PK: "TENANT#{tenant}", SK: TENANT}
    unique: [name]
    volume: {count: 200}
  Ticket:
    description: What a customer has asked for
    attributes:
      tenant: {ref: Tenant}
      number: {type: integer, min: 1, max: 999999}
      title: {type: string, length: 1..80}
      state: [open, waiting, closed]
      openedAt: datetime
      expiresAt: epoch?
      priority: {type: integer, min: 1, max: 5, default: 3}
      version: {type: integer, version: true}
    keys:
      PK: TENANT#{tenant}
      SK: TICKET#{number|pad(6)}
      StatePK: {template: "STATE#{tenant}#{state}", when: state <> 'closed'}
      StateSK: "{number|pad(6)}"
    invariants: [priority <= 5]
    volume: {per: Tenant, count: 0..5000, average: 400}
    ignore: [{rule: mutable-key, reason: tickets change state rarely}]
  Tag:
    attributes: {tag: slug, tenant: {ref: Tenant}}
    keys: {PK: "TAG#{tag}#{tenant}", SK: TAG}
    volume: {per: Tenant, count: 10}
access_patterns:
  - {name: ticket, get: Ticket, rate: 90/s, consistent: true}
  - {name: open-tickets, query: Ticket, where: tenant = $tenant AND state = 'open', select: [number, title], order: number desc, limit: 25, rate: 10/s, peak: 40/s}
  - {name: tickets-of-tenant, query: Ticket, where: tenant = $tenant AND priority = $priority?, allow_filter: true}
  - {name: open-ticket, create: Ticket, with: {state: open, openedAt: $now}, rate: 2/s}
  - name: close
    update: Ticket
    change: SET state = 'closed'
    if: state = 'open'
  - {name: add-tenant, create: Tenant}
  - {name: import-tags, batch_write: [{for_each: $tags, count: 1..50, steps: [{put: Tag}]}]}
  - {name: remove-tag, delete: Tag}
  - {name: all-tags, scan: Tag, across: true, ignore: [{rule: full-scan, reason: "once a night"}]}
  - {name: search, external: OpenSearch, rate: 5/s}
  - {name: by-statement, partiql: 'SELECT * FROM tickets WHERE PK = $pk AND SK = $sk', params: {pk: string, sk: string}}
samples:
  Tenant:
    - {tenant: acme, name: Acme}
  Ticket:
    - {tenant: acme, number: 7, title: It does not start, state: open, openedAt: 2026-02-01T08:00:00Z}
    - {tenant: acme, number: 12, title: It does not stop, state: closed, openedAt: 2026-02-03T08:00:00Z, priority: 1}
`

func documentOf(t testing.TB, text string) document.Document {
	t.Helper()
	return document.New(input(t, text))
}

func input(t testing.TB, text string) generate.Input {
	t.Helper()
	return generate.NewInput(modeltest.Model(t, text))
}

// is compares anything by how it prints.
func is(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s\n got %v\nwant %v", what, got, want)
	}
}

func TestChart(t *testing.T) {
	d := documentOf(t, tickets)
	var names []string
	for _, c := range d.Columns {
		names = append(names, c.Name+" "+c.Type+" "+strings.Join(c.Roles, "+"))
	}
	is(t, "columns", names, []string{"PK S partition key of the table+partition key of ByDay", "SK S sort key of the table",
		"StatePK S partition key of ByState", "StateSK S sort key of ByState", "openedAt S sort key of ByDay"})
	ticket := d.Entities[1]
	is(t, "keys", ticket.Keys, []document.Key{{Template: "TENANT#{tenant}"}, {Template: "TICKET#{number|pad(6)}"},
		{Template: "STATE#{tenant}#{state}", When: "state <> 'closed'"}, {Template: "{number|pad(6)}"}, {Template: "{openedAt}"}})
	is(t, "an entity outside of an index", d.Entities[2].Keys[2:], []document.Key{{}, {}, {}})
	is(t, "identity", ticket.Identity, []string{"tenant", "number"})
	is(t, "rules", ticket.Rules, []document.Fact{{Label: "Identity", Value: "tenant, number"}, {Label: "Always", Value: "priority <= 5"}})
	is(t, "attributes", ticket.Attributes, []document.Attribute{
		{Name: "tenant", Type: "slug", Notes: []string{"refers to Tenant.tenant"}}, {Name: "number", Type: "integer", Notes: []string{"1 to 999,999"}}, {Name: "title", Type: "string", Notes: []string{"1 to 80 characters"}},
		{Name: "state", Type: "open | waiting | closed"}, {Name: "openedAt", Type: "datetime"}, {Name: "expiresAt", Type: "epoch", Optional: true},
		{Name: "priority", Type: "integer", Notes: []string{"1 to 5", "default 3"}}, {Name: "version", Type: "integer", Notes: []string{"version, for optimistic locking"}}})
	is(t, "relations", d.Relations, []document.Relation{{From: "Ticket", To: "Tenant", By: []string{"tenant"}, Most: 5000}, {From: "Tag", To: "Tenant", By: []string{"tenant"}, Least: 10, Most: 10}})
}

func pattern(t *testing.T, d document.Document, name string) document.Pattern {
	t.Helper()
	i := slices.IndexFunc(d.Patterns, func(p document.Pattern) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no pattern %s", name)
	}
	return d.Patterns[i]
}

func TestPatterns(t *testing.T) {
	d := documentOf(t, tickets)
	get := pattern(t, d, "ticket")
	is(t, "a get", get.Variants[0].Steps, []document.Step{{API: "GetItem", Entity: "Ticket", Index: "table",
		Key: `PK = "TENANT#{tenant}" AND SK = "TICKET#{number|pad(6)}"`, Notes: []string{"strongly consistent"}}})
	is(t, "its cost", get.Variants[0].Cost, document.Cost{Known: true, Items: 1, ItemsRead: 1, RCU: 1, Requests: 1})
	is(t, "its rate", get.Rate, document.Rate{Text: "90/s", PerSecond: 90, Peak: 90, Known: true})

	open := pattern(t, d, "open-tickets")
	is(t, "a query", open.Variants[0].Steps, []document.Step{{API: "Query", Index: "ByState", Key: `StatePK = "STATE#{tenant}#open"`, Notes: []string{"descending", "limit 25", "asks for number, title"}}})
	is(t, "what it asks", open.Asks, "where tenant = $tenant AND state = 'open', order by number desc, the first 25")
	is(t, "its rate", open.Rate, document.Rate{Text: "10/s, at peak 40/s", PerSecond: 10, Peak: 40, Known: true})

	optional := pattern(t, d, "tickets-of-tenant")
	if len(optional.Variants) != 2 {
		t.Fatalf("%d variants", len(optional.Variants))
	}
	is(t, "its filter", optional.Variants[0].Steps[0].Filter, "priority = $priority")
	is(t, "without the parameter", optional.Variants[1].Absent, []string{"priority"})
	is(t, "and no filter", optional.Variants[1].Steps[0].Filter, "")

	create := pattern(t, d, "add-tenant")
	is(t, "a create with a guard", create.Variants[0].Steps, []document.Step{{API: "PutItem", Entity: "Tenant", Index: "table",
		Key: `PK = "TENANT#{tenant}" AND SK = "TENANT"`, Condition: "attribute_not_exists(PK)", Notes: []string{"in one transaction", "puts the guard of name"}}})

	scan := pattern(t, d, "all-tags")
	is(t, "a scan", scan.Variants[0].Steps[0].API+" "+scan.Variants[0].Steps[0].Filter, "Scan EntityType = 'Tag'")

	external := pattern(t, d, "search")
	is(t, "served elsewhere", []any{external.Service, len(external.Variants), external.Call == nil}, []any{"OpenSearch", 0, true})

	statement := pattern(t, d, "by-statement")
	is(t, "a statement", []any{statement.Variants[0].Steps[0].API, statement.Variants[0].Steps[0].Key, statement.Reads},
		[]any{"ExecuteStatement", "SELECT * FROM tickets WHERE PK = ? AND SK = ?", true})
}

func TestViews(t *testing.T) {
	d := documentOf(t, tickets)
	is(t, "made up", d.Made, []string{"Tag"})
	is(t, "where items come from", d.Origin(), "The items are the model's samples; those of Tag are made up.")
	before, _, _ := strings.Cut(tickets, "samples:")
	is(t, "without samples", documentOf(t, before).Origin(), "The items are made up, as the model has no samples.")
	var shown []string
	for _, v := range d.Views {
		for _, p := range v.Partitions {
			for _, r := range p.Rows {
				shown = append(shown, fmt.Sprintf("%s %v %v %d %s", v.Name, p.Key, r.Sort, r.Item, r.Label))
			}
		}
	}
	is(t, "rows", strings.Join(shown, "\n"), strings.Join([]string{
		"table [TENANT#acme] [TENANT] 0 Tenant",
		"table [TENANT#acme] [TICKET#000007] 2 Ticket",
		"table [TENANT#acme] [TICKET#000012] 3 Ticket",
		"table [UNIQUE#Tenant#name#Acme] [UNIQUE#Tenant#name#Acme] 1 guard of Tenant.name",
		"table [TAG#tag-1#acme] [TAG] 4 Tag",
		"table [TAG#tag-2#acme] [TAG] 5 Tag",
		"ByState [STATE#acme#open] [000007] 2 Ticket",
		"ByDay [TENANT#acme] [2026-02-01T08:00:00Z] 2 Ticket",
		"ByDay [TENANT#acme] [2026-02-03T08:00:00Z] 3 Ticket",
	}, "\n"))
	is(t, "what is projected", d.Views[1].Partitions[0].Rows[0].Attributes, []document.Fact{{Label: "tenant", Value: "acme"},
		{Label: "number", Value: "7"}, {Label: "title", Value: "It does not start"}, {Label: "PK", Value: "TENANT#acme"}, {Label: "SK", Value: "TICKET#000007"}})
	is(t, "keys only", d.Views[2].Partitions[0].Rows[0].Attributes, []document.Fact{{Label: "SK", Value: "TICKET#000007"}})
}

func TestCalls(t *testing.T) {
	d := documentOf(t, tickets)
	for _, test := range []struct {
		pattern, view           string
		read, returned, written []int
	}{
		{"ticket", "table", []int{2}, []int{2}, nil},
		{"open-tickets", "ByState", []int{2}, []int{2}, nil},
		{"close", "table", nil, nil, []int{2}}, // not the one that is closed
		{"all-tags", "table", []int{0, 2, 3, 1, 4, 5}, []int{4, 5}, nil},
		{"add-tenant", "table", nil, nil, nil}, // of a name that is free
	} {
		c := pattern(t, d, test.pattern).Call
		if c == nil {
			t.Errorf("%s: no call", test.pattern)
			continue
		}
		is(t, test.pattern, []any{c.View, c.Read, c.Returned, c.Written, c.Refused}, []any{test.view, test.read, test.returned, test.written, false})
	}
	open := pattern(t, d, "open-tickets").Call
	is(t, "a request", open.Requests, []document.Request{{API: "Query", Index: "ByState", Lines: []document.Line{
		{Label: "Key condition", Value: "StatePK = 'STATE#acme#open'"}, {Label: "Projection", Value: "number, title"}, {Label: "Order", Value: "descending"}, {Label: "Limit", Value: "25"}}}})
}

func TestSizes(t *testing.T) {
	d := documentOf(t, tickets)
	ticket := d.Sizes[1]
	is(t, "volume", []any{ticket.Volume, ticket.Count, ticket.Known}, []any{"0 to 5,000 per Tenant, on average 400", 80000.0, true})
	is(t, "entries", []any{ticket.Indexes[0].Index, ticket.Indexes[0].Some, ticket.Indexes[1].Index, ticket.Indexes[1].Some, len(d.Sizes[0].Indexes)},
		[]any{"ByState", true, "ByDay", false, 0})
	if e := ticket.Indexes; e[1].Bytes >= e[0].Bytes || e[0].Bytes >= ticket.ItemBytes {
		t.Errorf("keys take %v, a projection %v, the item %v", e[1].Bytes, e[0].Bytes, ticket.ItemBytes)
	}
	count, _, known := d.Total()
	is(t, "total", []any{count, known}, []any{200.0 + 80000 + 2000, true})
	is(t, "mix", []any{d.Mix.Reads.Calls, d.Mix.Reads.PeakCalls, d.Mix.Writes.Calls, document.Percent(d.Mix.ReadShare())}, []any{100.0, 130.0, 2.0, "98%"})
	is(t, "without a rate", d.Mix.Without, []string{"tickets-of-tenant", "close", "add-tenant", "import-tags", "remove-tag", "all-tags", "by-statement"})
}

func TestCapacity(t *testing.T) {
	c := documentOf(t, tickets).Capacity
	is(t, "mode", c.Mode, "provisioned")
	var uses []string
	for _, u := range c.Uses {
		uses = append(uses, fmt.Sprintf("%s: %s: %v %v", u.Space, u.Settings, u.Average.Reads, u.Peak.Reads))
	}
	settings := "provisioned: read 100, write 50, scaling between 10 and 400 at 60%"
	is(t, "uses", uses, []string{"table: " + settings + ": 90 90", "ByState: " + settings + ": 5 20"})
	if c.Cost == nil || c.Cost.Region != "eu-west-1" || c.Cost.Recommended == "" || c.Cost.Reason == "" || len(c.Cost.Modes) < 4 {
		t.Errorf("cost is %+v", c.Cost)
	}
	elsewhere := documentOf(t, strings.NewReplacer("region: eu-west-1", "region: mars-north-1").Replace(strings.Replace(tickets, "replicas: [eu-west-1, us-east-1]", "class: standard", 1)))
	if elsewhere.Capacity.Cost != nil || pattern(t, elsewhere, "ticket").Price != nil {
		t.Error("a region without prices has a cost")
	}
}

func TestOperations(t *testing.T) {
	is(t, "operations", documentOf(t, tickets).Operations, []document.Fact{
		{Label: "Time to live", Value: "expiresAt, of Ticket"}, {Label: "Stream", Value: "new image, read by search"},
		{Label: "Point-in-time recovery", Value: "on, for 7 days"}, {Label: "Deletion protection", Value: "on"}, {Label: "Table class", Value: "standard"},
		{Label: "Encryption at rest", Value: "the customer's key alias/tickets"}, {Label: "Region", Value: "eu-west-1"},
		{Label: "Replicas", Value: "eu-west-1 and us-east-1, eventual consistency"}, {Label: "Tags", Value: "team = support"},
		{Label: "Entity type", Value: "each item names its entity in EntityType"}})
}

func TestSecurity(t *testing.T) {
	s := documentOf(t, tickets).Security
	is(t, "isolation", s.Isolation, []document.Isolation{{Entity: "Tenant", Leads: []string{"table"}}, {Entity: "Ticket", Leads: []string{"table", "ByState"}}, {Entity: "Tag", Within: []string{"table"}}})
	is(t, "across", s.Across, []string{"all-tags"})
	is(t, "roles", s.Roles, []document.Role{{Name: "agent", Patterns: []string{"ticket", "open-tickets"}}, {Name: "cleaner", Patterns: []string{"remove-tag"}}})
	access := map[string]string{}
	for _, a := range s.Access {
		access[a.Pattern] = strings.ReplaceAll(strings.Join(a.Actions, " "), "dynamodb:", "") + " on " + strings.Join(a.Resources, " ")
	}
	is(t, "access", access, map[string]string{"ticket": "GetItem on table", "open-tickets": "Query on ByState", "tickets-of-tenant": "Query on table",
		"open-ticket": "PutItem on table", "close": "UpdateItem on table", "add-tenant": "PutItem on table", "import-tags": "BatchWriteItem on table",
		"remove-tag": "DeleteItem on table", "all-tags": "Scan on table", "by-statement": "PartiQLSelect on table"})
}

func TestLimits(t *testing.T) {
	limits := map[string]string{}
	for _, l := range documentOf(t, tickets).Limits {
		limits[l.Name] = l.Of + ": " + l.Text() + ", left " + l.Headroom()
	}
	for name, want := range map[string]string{
		"Global indexes":       ": 1 of 20, left 95%",
		"Local indexes":        ": 1 of 5, left 80%",
		"Projected attributes": ": 3 of 100, left 97%",
		"Sort key":             "openedAt of Ticket: 20 B of 1 KB, left 98%",
		"Transaction":          "add-tenant: 2 of 100, left 98%",
		"Read throughput":      "table: 90 of 40,000, left over 99%",
	} {
		is(t, name, limits[name], want)
	}
	if !strings.HasPrefix(limits["Item collection"], "Ticket: ") || !strings.HasSuffix(limits["Item collection"], " KB of 10 GB, left over 99%") {
		t.Errorf("item collection is %s", limits["Item collection"])
	}
}

func TestAccepted(t *testing.T) {
	is(t, "accepted", documentOf(t, tickets).Accepted, []document.Accepted{
		{Rule: "mutable-key", On: "entity Ticket", Reason: "tickets change state rarely"},
		{Rule: "full-scan", On: "access pattern all-tags", Reason: "once a night"}})
}

func TestItemsText(t *testing.T) {
	for want, c := range map[string]document.Cost{
		"":        {Items: 3},
		"3":       {Known: true, Items: 3, ItemsRead: 3},
		"8 of 12": {Known: true, Items: 8, ItemsRead: 12},
		"1":       {Known: true, Items: 1},
		"0.17":    {Known: true, Items: 0.17, ItemsRead: 0.171},
	} {
		is(t, fmt.Sprint(c), c.ItemsText(), want)
	}
}

func TestFormats(t *testing.T) {
	for n, want := range map[float64]string{0: "0", 0.5: "0.5", 1: "1", 0.3333: "0.33", 12.46: "12.5", 123.4: "123", 999: "999", 1250: "1,250", 12345: "12,345",
		999999: "999,999", 1e6: "1M", 1.5e7: "15M", 2.345e9: "2.35B", 0.00012: "0.0001", -1250: "-1,250"} {
		is(t, fmt.Sprint("count of ", n), document.Count(n), want)
	}
	for n, want := range map[float64]string{0: "0 B", 770: "770 B", 1024: "1 KB", 409600: "400 KB", 1 << 30: "1 GB", 1.5 * (1 << 40): "1.5 TB", 1023.6: "1 KB"} {
		is(t, fmt.Sprint("bytes ", n), document.Bytes(n), want)
	}
	for n, want := range map[float64]string{0: "0%", 0.004: "under 1%", 0.5: "50%", 0.999: "over 99%", 1: "100%"} {
		is(t, fmt.Sprint("share ", n), document.Percent(n), want)
	}
	for n, want := range map[float64]string{0: "$0.00", 0.001: "under $0.01", 0.06: "$0.06", 98.554: "$98.55", 8885.4: "$8,885"} {
		is(t, fmt.Sprint("money ", n), document.Money(n, "USD"), want)
	}
	is(t, "another currency", document.Money(3, "CNY"), "CNY 3.00")
	is(t, "stretches", document.Stretches("a `b` c ` d"), []document.Stretch{{Text: "a "}, {Text: "b", Code: true}, {Text: " c ` d"}})
}

// TestAccessIsThatOfPolicies holds the least privilege that documents tell of
// against the policies that are generated.
func TestAccessIsThatOfPolicies(t *testing.T) {
	shop, err := os.ReadFile("../../examples/shop/access-patterns.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{tickets, string(shop)} {
		policies := policiesOf(t, input(t, text))
		for _, a := range documentOf(t, text).Security.Access {
			slices.Sort(a.Resources)
			is(t, a.Pattern, fmt.Sprint(a.Actions, a.Resources), policies[a.Pattern])
		}
	}
}

// policiesOf are the actions of the policy of each access pattern, and what they
// are allowed on.
func policiesOf(t *testing.T, in generate.Input) map[string]string {
	t.Helper()
	in.Options = map[string]string{}
	for _, o := range iam.Target().Options {
		in.Options[o.Name] = o.Default
	}
	files, err := iam.Target().Files(in)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range files {
		name, isPattern := strings.CutPrefix(strings.TrimSuffix(f.Path, ".json"), "pattern-")
		if !isPattern {
			continue
		}
		var policy struct {
			Statement []struct{ Action, Resource []string }
		}
		if err := json.Unmarshal(f.Content, &policy); err != nil {
			t.Fatal(err)
		}
		var actions, resources []string
		for _, s := range policy.Statement {
			actions = append(actions, s.Action...)
			for _, r := range s.Resource {
				space := document.TableName
				if _, index, found := strings.Cut(r, "/index/"); found {
					space = index
				}
				resources = append(resources, space)
			}
		}
		slices.Sort(actions)
		slices.Sort(resources)
		out[name] = fmt.Sprint(slices.Compact(actions), slices.Compact(resources))
	}
	return out
}
