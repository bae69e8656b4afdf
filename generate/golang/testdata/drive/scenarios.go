package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/generate/golang/testdata/drive/sharded"
	"github.com/dynmodel/dynmodel/generate/golang/testdata/drive/shop"
	"github.com/dynmodel/dynmodel/generate/golang/testdata/drive/writes"
)

// scenarios are what the oracle does not speak of: which error it is, cursors that
// are used elsewhere, batches of which a part is left undone.
var scenarios = []struct {
	name string
	run  func(context.Context) error
}{
	{"what exists", whatExists},
	{"versions", versions},
	{"lost races of reads before writes", lostRaces},
	{"guards are freed", guardsAreFreed},
	{"steps of transactions", steps},
	{"domains", domains},
	{"cursors", cursors},
	{"pages of merged queries", mergedPages},
	{"batches left undone", undone},
	{"items of unknown entities", unknownItems},
	{"streams of any entity", anyEntity},
	{"identifiers", identifiers},
	{"cancelled", cancelled},
}

func runScenarios() (failed int) {
	for _, s := range scenarios {
		if err := s.run(context.Background()); err != nil {
			fmt.Printf("%s: %v\n", s.name, err)
			failed++
		}
	}
	return failed
}

// table is a table on an engine of its own.
func table[T any](ctx context.Context, make func(*dynamodb.Client) T, create *dynamodb.CreateTableInput, options ...engine.Option) (T, *dynamodb.Client, error) {
	client := engine.New(options...).Client()
	_, err := client.CreateTable(ctx, create)
	return make(client), client, err
}

func tasks(ctx context.Context) (*writes.Table, *dynamodb.Client, error) {
	return table(ctx, func(c *dynamodb.Client) *writes.Table { return writes.New(c, "tasks") }, writes.CreateTableInput("tasks"))
}

// expect is an error unless got is of the kind.
func expect(what string, got, kind error) error {
	if !errors.Is(got, kind) {
		return fmt.Errorf("%s: %v, which is not: %v", what, got, kind)
	}
	return nil
}

func to[T any](v T) *T { return &v }

var task = writes.CreateTaskParams{Team: "red", Title: "Paint", Slug: to("paint"), Score: 7}

func whatExists(ctx context.Context) error {
	t, _, err := tasks(ctx)
	if err != nil {
		return err
	}
	made, err := t.CreateTask(ctx, task)
	if err != nil {
		return err
	}
	var exists *writes.ExistsError
	again := task
	again.TaskID = made.TaskID
	if _, err := t.CreateTask(ctx, again); !errors.As(err, &exists) || !slices.Equal(exists.Attributes, []string{"team", "taskId"}) {
		return fmt.Errorf("the same task again: %v", err)
	}
	if _, err := t.CreateTask(ctx, task); !errors.As(err, &exists) || !slices.Equal(exists.Attributes, []string{"team", "slug"}) {
		return fmt.Errorf("another task of that slug: %v", err)
	}
	return expect("it is a failed condition", exists, writes.ErrConditionFailed)
}

func versions(ctx context.Context) error {
	t, _, err := tasks(ctx)
	if err != nil {
		return err
	}
	made, err := t.CreateTask(ctx, task)
	if err != nil || made.Revision != 1 {
		return fmt.Errorf("a new task has the version %d: %v", made.Revision, err)
	}
	change := writes.RetitleParams{Team: "red", TaskID: made.TaskID, Revision: 1, Title: "Paint it"}
	changed, err := t.Retitle(ctx, change)
	if err != nil || changed.Revision != 2 || changed.Title != "Paint it" {
		return fmt.Errorf("%+v: %v", changed, err)
	}
	_, err = t.Retitle(ctx, change)
	var condition *writes.ConditionError
	if !errors.As(err, &condition) || condition.Item.(writes.Task).Revision != 2 {
		return fmt.Errorf("the current item is not with the error: %v", err)
	}
	change.TaskID = "00000000-0000-4000-8000-000000000000"
	_, missing := t.Retitle(ctx, change)
	return errors.Join(expect("a stale version", err, writes.ErrLostRace), expect("no task", missing, writes.ErrNotFound))
}

// between makes a write between a read and the write that depends on it.
type between struct {
	writes.DB
	then func()
}

func (b *between) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	out, err := b.DB.GetItem(ctx, in, o...)
	if b.then != nil {
		then := b.then
		b.then = nil
		then()
	}
	return out, err
}

func lostRaces(ctx context.Context) error {
	t, client, err := tasks(ctx)
	if err != nil {
		return err
	}
	made, err := t.CreateTask(ctx, task)
	if err != nil {
		return err
	}
	racing := writes.New(&between{DB: client, then: func() {
		_, err = t.Move(ctx, writes.MoveParams{Team: "red", TaskID: made.TaskID, State: writes.TaskStateDoing})
	}}, "tasks")
	_, lost := racing.Move(ctx, writes.MoveParams{Team: "red", TaskID: made.TaskID, State: writes.TaskStateDone})
	if err != nil {
		return err
	}
	return expect("a read before a write that lost", lost, writes.ErrLostRace)
}

func guardsAreFreed(ctx context.Context) error {
	t, _, err := tasks(ctx)
	if err != nil {
		return err
	}
	made, err := t.CreateTask(ctx, task)
	if err != nil {
		return err
	}
	if err := t.RenameSlug(ctx, writes.RenameSlugParams{Team: "red", TaskID: made.TaskID, Slug: "draw"}); err != nil {
		return err
	}
	other, err := t.CreateTask(ctx, task)
	if err != nil {
		return fmt.Errorf("the old slug is not free: %w", err)
	}
	if err := t.DeleteTask(ctx, other.Key()); err != nil {
		return err
	}
	if _, err := t.CreateTask(ctx, task); err != nil {
		return fmt.Errorf("the slug of what is deleted is not free: %w", err)
	}
	return expect("deleted twice", t.DeleteTask(ctx, other.Key()), writes.ErrNotFound)
}

func steps(ctx context.Context) error {
	t, _, err := tasks(ctx)
	if err != nil {
		return err
	}
	made, err := t.CreateTask(ctx, task)
	if err != nil {
		return err
	}
	for _, email := range []string{"ada@x.org", "bob@x.org"} {
		if _, err := t.Join(ctx, writes.JoinParams{Team: "red", Email: email, Role: writes.MemberRoleMember, Points: "1.50"}); err != nil {
			return err
		}
	}
	call := writes.HandOverParams{Team: "red", TaskID: made.TaskID, From: "Ada@x.org", To: "bob@x.org"}
	err = t.HandOver(ctx, call)
	var failed *writes.TransactionError
	if !errors.As(err, &failed) || failed.Step != 0 || failed.Name != "check Task" || !errors.Is(err, writes.ErrConditionFailed) {
		return fmt.Errorf("the step that fails is the first: %v", err)
	}
	if _, err := t.Move(ctx, writes.MoveParams{Team: "red", TaskID: made.TaskID, State: writes.TaskStateDoing}); err != nil {
		return err
	}
	if err := t.HandOver(ctx, call); err != nil {
		return err
	}
	m, err := t.Member(ctx, writes.MemberKey{Team: "red", Email: "ADA@x.org"})
	if err != nil || m.Points != "0.5" || m.Quota != 5 || !m.RenewAt.Equal(m.JoinedAt.Add(30*24*time.Hour)) {
		return fmt.Errorf("%+v: %v", m, err)
	}
	call.To = "nobody@x.org"
	if err := t.HandOver(ctx, call); !errors.As(err, &failed) || failed.Step != 2 || !errors.Is(err, writes.ErrNotFound) {
		return fmt.Errorf("the step that fails is the last: %v", err)
	}
	call.To = call.From
	return expect("from one to the same", t.HandOver(ctx, call), writes.ErrInvalid)
}

func domains(ctx context.Context) error {
	t, _, err := tasks(ctx)
	if err != nil {
		return err
	}
	var all []error
	for name, change := range map[string]func(*writes.CreateTaskParams){
		"team":   func(p *writes.CreateTaskParams) { p.Team = "Not a slug" },
		"taskId": func(p *writes.CreateTaskParams) { p.TaskID = "1" },
		"title":  func(p *writes.CreateTaskParams) { p.Title = strings.Repeat("x", 31) },
		"slug":   func(p *writes.CreateTaskParams) { p.Slug = to("") },
		"score":  func(p *writes.CreateTaskParams) { p.Score = 9001 },
	} {
		p := task
		change(&p)
		_, err := t.CreateTask(ctx, p)
		var invalid *writes.ValueError
		if !errors.As(err, &invalid) || invalid.Attribute != name {
			all = append(all, fmt.Errorf("%s: %v", name, err))
		}
	}
	_, err = t.Task(ctx, writes.TaskKey{Team: "red"})
	return errors.Join(append(all, expect("half a key", err, writes.ErrInvalid))...)
}

func cursors(ctx context.Context) error {
	t, client, err := table(ctx, func(c *dynamodb.Client) *shop.Table { return shop.New(c, "shop") }, shop.CreateTableInput("shop"))
	if err != nil {
		return err
	}
	for i := range 5 {
		if err := t.AddAddress(ctx, shop.Address{CustomerID: customer, Label: fmt.Sprintf("home-%d", i), Street: "s", City: "c", Postcode: "12", Country: "GB"}); err != nil {
			return err
		}
	}
	key := shop.AddressesParams{CustomerID: customer}
	page, err := t.AddressesPage(ctx, key, shop.PageSize(2))
	if err != nil || len(page.Items) != 2 || page.Next == "" {
		return fmt.Errorf("%+v: %v", page, err)
	}
	n := 0
	for _, err := range t.Addresses(ctx, key, shop.After(page.Next)) {
		if err != nil {
			return err
		}
		n++
	}
	if n != 3 {
		return fmt.Errorf("%d addresses after the second of five", n)
	}
	_, other := t.AddressesPage(ctx, shop.AddressesParams{CustomerID: "01J8ZQ6V3N5T0K2R4M6P8S0A1C"}, shop.After(page.Next))
	_, pattern := t.CartPage(ctx, shop.CartParams{CustomerID: customer}, shop.After(page.Next))
	_, broken := t.AddressesPage(ctx, key, shop.After(page.Next[1:]))
	_, foreign := shop.New(client, "elsewhere").AddressesPage(ctx, key, shop.After(page.Next))
	return errors.Join(expect("another customer", other, shop.ErrCursor), expect("another pattern", pattern, shop.ErrCursor),
		expect("a broken cursor", broken, shop.ErrCursor), expect("another table", foreign, shop.ErrCursor))
}

const customer = "01J8ZQ6V3N5T0K2R4M6P8S0A1B"

func mergedPages(ctx context.Context) error {
	t, _, err := table(ctx, func(c *dynamodb.Client) *sharded.Table { return sharded.New(c, "events") }, sharded.CreateTableInput("events"))
	if err != nil {
		return err
	}
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 40 {
		e := sharded.Event{Tenant: "a", Source: "s", EventID: fmt.Sprintf("01JNWM26V3N5T0K2R4M6P8S%03d", i), At: begin.Add(time.Duration(i) * 90 * time.Minute), Level: sharded.EventLevelWarn}
		if err := t.AddEvent(ctx, e); err != nil {
			return err
		}
	}
	p := sharded.EventsOfDaysParams{From: begin, To: begin.Add(72 * time.Hour)}
	var all []sharded.Event
	var cursor sharded.Cursor
	for {
		page, err := t.EventsOfDaysPage(ctx, p, sharded.PageSize(7), sharded.After(cursor))
		if err != nil {
			return err
		}
		all = append(all, page.Items...)
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if len(all) != 40 || !slices.IsSortedFunc(all, func(a, b sharded.Event) int { return b.At.Compare(a.At) }) {
		return fmt.Errorf("%d events of 40, or out of order", len(all))
	}
	stopped := 0
	for range t.EventsOfDays(ctx, p) {
		if stopped++; stopped == 3 {
			break
		}
	}
	inputs, err := t.EventsOfDaysInput(p)
	if err != nil || len(inputs) != 12 {
		return fmt.Errorf("%d requests for 4 days of 3 shards: %v", len(inputs), err)
	}
	p.From, p.To = p.To, p.From
	_, err = t.EventsOfDaysInput(p)
	return expect("crossed ends", err, sharded.ErrNoMatch)
}

func undone(ctx context.Context) error {
	t, _, err := table(ctx, func(c *dynamodb.Client) *shop.Table { return shop.New(c, "shop") }, shop.CreateTableInput("shop"))
	if err != nil {
		return err
	}
	client := engine.New(engine.WithFaults(engine.Faults{Seed: 3, Throttle: 0.4})).Client()
	if _, err := client.CreateTable(ctx, shop.CreateTableInput("shop")); err != nil {
		return err
	}
	slow := shop.New(client, "shop")
	var keys []shop.ProductKey
	for i := range 130 {
		p := shop.Product{SKU: fmt.Sprintf("sku-%03d", i), Title: "t", Category: "cat", Price: int64(i), Stock: 1}
		keys = append(keys, shop.ProductKey{SKU: p.SKU})
		for try := 0; ; try++ {
			if err := slow.AddProduct(ctx, p); err == nil || errors.Is(err, shop.ErrConditionFailed) {
				break
			} else if try > 50 {
				return err
			}
		}
	}
	var used shop.Capacity
	got, err := slow.ProductsOfCart(ctx, shop.ProductsOfCartParams{Keys: append(keys, keys[0])}, shop.Measure(&used))
	if err != nil || len(got) != 130 || got[129].SKU != "sku-129" || used.Requests < 3 {
		return fmt.Errorf("%d products in %d requests: %v", len(got), used.Requests, err)
	}
	none, err := t.ProductsOfCart(ctx, shop.ProductsOfCartParams{Keys: keys[:3]})
	if len(none) != 0 {
		return fmt.Errorf("%d products of an empty table", len(none))
	}
	return err
}

func unknownItems(ctx context.Context) error {
	t, client, err := table(ctx, func(c *dynamodb.Client) *shop.Table { return shop.New(c, "shop") }, shop.CreateTableInput("shop"))
	if err != nil {
		return err
	}
	if _, err := t.RegisterCustomer(ctx, shop.RegisterCustomerParams{CustomerID: customer, Email: "a@x.org", Name: "Ada"}); err != nil {
		return err
	}
	name := "shop"
	_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &name, Item: map[string]types.AttributeValue{
		"PK": &types.AttributeValueMemberS{Value: "CUSTOMER#" + customer}, "SK": &types.AttributeValueMemberS{Value: "ORDER#new"},
		"EntityType": &types.AttributeValueMemberS{Value: "Robot"},
	}})
	if err != nil {
		return err
	}
	collect := func(opts ...shop.QueryOption) (n int, err error) {
		for _, e := range t.CustomerWithOrders(ctx, shop.CustomerWithOrdersParams{CustomerID: customer}, opts...) {
			if e != nil {
				return n, e
			}
			n++
		}
		return n, nil
	}
	_, unknown := collect(shop.Consistent())
	n, err := collect(shop.SkipUnknown())
	if n != 1 || err != nil {
		return fmt.Errorf("%d items, the unknown one skipped: %v", n, err)
	}
	return expect("an unknown item", unknown, shop.ErrUnknownItem)
}

func anyEntity(context.Context) error {
	placed := time.Date(2026, 3, 9, 11, 15, 0, 7, time.FixedZone("", 3600))
	for _, e := range []shop.Entity{
		shop.Order{CustomerID: customer, OrderID: "01JNWM26V3N5T0K2R4M6P8S0A1", Status: shop.OrderStatusPlaced, Total: 5, PlacedAt: placed},
		shop.Coupon{Code: "SPRING", Percent: 10, UsesLeft: 1, EndsAt: placed},
	} {
		item, err := e.MarshalItem()
		if err != nil {
			return err
		}
		back, err := shop.UnmarshalAny(item)
		if err != nil || fmt.Sprintf("%T", back) != fmt.Sprintf("%T", e) {
			return fmt.Errorf("%T came back as %T: %v", e, back, err)
		}
		delete(item, "EntityType") // not projected, say
		back, err = shop.UnmarshalAny(item)
		if err != nil || fmt.Sprintf("%T", back) != fmt.Sprintf("%T", e) {
			return fmt.Errorf("%T came back by its keys as %T: %v", e, back, err)
		}
		if o, ok := back.(shop.Order); ok && (o.PlacedAt.Location() != time.UTC || o.PlacedAt.Nanosecond() != 0 || item["OpenPK"].(*types.AttributeValueMemberS).Value != "OPEN#2026-03-09") {
			return fmt.Errorf("%+v", o)
		}
	}
	return nil
}

func identifiers(ctx context.Context) error {
	t, _, err := tasks(ctx)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for range 3 {
		p := task
		p.Slug = nil
		made, err := t.CreateTask(ctx, p)
		if err != nil || seen[made.TaskID] {
			return fmt.Errorf("%s: %v", made.TaskID, err)
		}
		seen[made.TaskID] = true
	}
	return nil
}

func cancelled(ctx context.Context) error {
	client := engine.New(engine.WithFaults(engine.Faults{Throttle: 1})).Client()
	if _, err := client.CreateTable(ctx, shop.CreateTableInput("shop")); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err := shop.New(client, "shop").ProductsOfCart(ctx, shop.ProductsOfCartParams{Keys: []shop.ProductKey{{SKU: "abc"}}})
	if time.Since(begun) > 5*time.Second {
		return errors.New("a batch goes on although its context has ended")
	}
	return expect("a context that ends", err, context.DeadlineExceeded)
}
