package engine_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

const victimWriters = 8

// victim writes until it is killed. Every writer numbers its items, and prints
// its own number and the item's once the write is acknowledged.
func victim(dir string) {
	db, err := engine.Open(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var writers sync.WaitGroup
	for w := range victimWriters {
		writers.Go(func() {
			numbers, _ := numbersOf(new(testing.B), db, w, 0)
			for n := len(numbers); ; n++ {
				if err := writeNumbered(db, w, n); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				fmt.Printf("%d %d\n", w, n)
			}
		})
	}
	writers.Wait()
}

func numbered(w, n int) attr.Item {
	return attr.NewItem(
		attr.Entry{Name: "pk", Value: attr.String(fmt.Sprint("writer", w))},
		attr.Entry{Name: "sk", Value: attr.Int(int64(n))})
}

// writeNumbered writes an item in one of several ways. A transaction counts the
// items of its writer as well.
func writeNumbered(db *engine.DB, w, n int) error {
	ctx, item := context.Background(), numbered(w, n)
	switch n % 3 {
	case 0:
		_, err := db.PutItem(ctx, &api.PutItemInput{TableName: ptr("tab"), Item: &item})
		return err
	case 1:
		_, err := db.BatchWriteItem(ctx, &api.BatchWriteItemInput{RequestItems: map[string][]api.WriteRequest{"tab": {{PutRequest: &api.PutRequest{Item: &item}}}}})
		return err
	}
	counter := numbered(w, -1)
	update := &api.TransactUpdate{TableName: ptr("tab"), Key: &counter, UpdateExpression: ptr("ADD transactions :one")}
	update.ExpressionAttributeValues = ptr(attr.NewItem(attr.Entry{Name: ":one", Value: attr.Int(1)}))
	_, err := db.TransactWriteItems(ctx, &api.TransactWriteItemsInput{
		ClientRequestToken: ptr(fmt.Sprint(w, "-", n)),
		TransactItems:      []api.TransactWriteItem{{Put: &api.TransactPut{TableName: ptr("tab"), Item: &item}}, {Update: update}},
	})
	return err
}

// numbersOf returns the numbers of a writer's items from some number on, and
// how many transactions it has counted.
func numbersOf(t testing.TB, db *engine.DB, w, from int) (numbers []int, transactions int64) {
	t.Helper()
	ctx := context.Background()
	in := &api.QueryInput{KeyConditionExpression: ptr("pk = :w AND sk >= :n")}
	in.TableName = ptr("tab")
	in.ExpressionAttributeValues = ptr(attr.NewItem(
		attr.Entry{Name: ":w", Value: attr.String(fmt.Sprint("writer", w))},
		attr.Entry{Name: ":n", Value: attr.Int(int64(from))}))
	for {
		out, err := db.Query(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range out.Items {
			sk, _ := item.Get("sk")
			n, _ := sk.Int64()
			numbers = append(numbers, int(n))
		}
		if out.LastEvaluatedKey.IsEmpty() {
			break
		}
		in.ExclusiveStartKey = &out.LastEvaluatedKey
	}
	counter := numbered(w, -1)
	out, err := db.GetItem(ctx, &api.GetItemInput{TableName: ptr("tab"), Key: &counter})
	if err != nil {
		t.Fatal(err)
	}
	if out.Item == nil {
		return numbers, 0
	}
	v, _ := out.Item.Get("transactions")
	transactions, _ = v.Int64()
	return numbers, transactions
}

// A process that writes is killed again and again. Whatever it acknowledged is
// there; what it had begun is there as a whole or not at all.
func TestKilled(t *testing.T) {
	t.Parallel()
	kills := 100
	if testing.Short() {
		kills = 5
	}
	dir := t.TempDir()
	db, err := engine.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	createTable(t, db, "pk, sk:N", indexSpec{name: "bySk", key: "sk:N", projects: "ALL"})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	var acknowledged [victimWriters]int
	for w := range acknowledged {
		acknowledged[w] = -1
	}
	r := rand.New(rand.NewPCG(1, 2))
	for round := range kills {
		before := acknowledged
		runVictim(t, dir, time.Duration(10+r.IntN(60))*time.Millisecond, &acknowledged)
		acknowledged = checkAcknowledged(t, dir, before, acknowledged) // what has been seen must stay, too
		if t.Failed() {
			t.Fatalf("after kill %d", round+1)
		}
	}
	total := 0
	for _, n := range acknowledged {
		total += n + 1
	}
	t.Logf("%d writes acknowledged, %d kills", total, kills)
	checkAcknowledged(t, dir, [victimWriters]int{}, acknowledged)
}

// runVictim lets a process write for some time, kills it, and notes the last
// number that it printed for each writer.
func runVictim(t *testing.T, dir string, life time.Duration, last *[victimWriters]int) {
	t.Helper()
	cmd := processOf("victim", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	killed := false
	for lines.Scan() {
		if !killed {
			killed = true
			time.AfterFunc(life, func() { cmd.Process.Kill() })
		}
		var w, n int
		if _, err := fmt.Sscanf(lines.Text(), "%d %d", &w, &n); err != nil {
			t.Errorf("line %q: %v", lines.Text(), err)
			continue
		}
		last[w] = n
	}
	if err := cmd.Wait(); err == nil || !killed {
		t.Errorf("the process was not killed: %v", err)
	}
}

// checkAcknowledged checks what writers wrote since before: all numbers up to
// the last acknowledged one, and at most one more. It returns the last ones.
func checkAcknowledged(t *testing.T, dir string, before, acknowledged [victimWriters]int) (lasts [victimWriters]int) {
	t.Helper()
	db, err := engine.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for w := range acknowledged {
		from := max(before[w], 0)
		numbers, transactions := numbersOf(t, db, w, from)
		for i, n := range numbers {
			if n != from+i {
				t.Fatalf("writer %d: %d is missing, though %d was acknowledged", w, from+i, acknowledged[w])
			}
		}
		last := from + len(numbers) - 1
		lasts[w] = last
		if last < acknowledged[w] || last > acknowledged[w]+1 {
			t.Errorf("writer %d: the last item is %d, acknowledged was %d", w, last, acknowledged[w])
		}
		if want := int64(last+1) / 3; transactions != want {
			t.Errorf("writer %d: %d transactions were counted, want %d", w, transactions, want)
		}
	}
	return lasts
}
