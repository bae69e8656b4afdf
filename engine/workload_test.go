package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
)

// A workload is an operation with several requests to take turns with. Those
// with different numbers touch different items.
type workload struct {
	name, op string
	goals    [2]float64 // how many times as fast as a bare handler, on 1 and on 16 connections
	bodies   []string
}

// workloadRequests is how many requests a workload has.
const workloadRequests = 64

// workloads are the operations whose speed matters, on a table of so many
// items, a multiple of workloadRequests.
func workloads(items int) []*workload {
	random := rand.New(rand.NewPCG(1, 2))
	var all []*workload
	add := func(name, op string, one, sixteen float64, body func(random *rand.Rand, i []int) string) {
		w := &workload{name: name, op: op, goals: [2]float64{one, sixteen}}
		for r := range workloadRequests {
			own := make([]int, 25)
			for k := range own {
				own[k] = r + workloadRequests*((r*7+k*17)%(items/workloadRequests))
			}
			w.bodies = append(w.bodies, body(random, own))
		}
		all = append(all, w)
	}
	add("GetItem", "GetItem", 0.7, 0.7, func(_ *rand.Rand, i []int) string { return `{"TableName":"orders","Key":` + keyText(i[0]) + `}` })
	add("PutItem", "PutItem", 0.7, 0.7, func(random *rand.Rand, i []int) string {
		return `{"TableName":"orders","Item":` + orderText(random, i[0]) + `}`
	})
	add("UpdateItem", "UpdateItem", 0.7, 0.7, func(_ *rand.Rand, i []int) string { return "{" + countUp(i[0]) + "}" })
	add("Query 20", "Query", 0.6, 0.6, func(_ *rand.Rand, i []int) string {
		return fmt.Sprintf(`{"TableName":"orders","KeyConditionExpression":"PK = :p AND begins_with(SK, :s)","ExpressionAttributeValues":{":p":{"S":"CUST#%06d"},":s":{"S":"ORDER#2026"}}}`, i[0]/20)
	})
	add("Query index 20", "Query", 0.6, 0.6, func(_ *rand.Rand, i []int) string {
		return fmt.Sprintf(`{"TableName":"orders","IndexName":"GSI1","KeyConditionExpression":"GSI1PK = :p","ExpressionAttributeValues":{":p":{"S":"SKU#%05d"}}}`, i[0]/20)
	})
	add("BatchGetItem 25", "BatchGetItem", 0.54, 0.57, func(_ *rand.Rand, i []int) string {
		keys := make([]string, len(i))
		for k := range keys {
			keys[k] = keyText(i[k])
		}
		return `{"RequestItems":{"orders":{"Keys":[` + strings.Join(keys, ",") + `]}}}`
	})
	add("BatchWriteItem 25", "BatchWriteItem", 0.37, 0.34, putsOfOrders)
	add("TransactWriteItems 3", "TransactWriteItems", 0.71, 0.56, func(random *rand.Rand, i []int) string {
		return `{"TransactItems":[{"Put":{"TableName":"orders","Item":` + orderText(random, i[0]) + `}},` +
			`{"Update":{` + countUp(i[1]) + `,"ConditionExpression":"attribute_exists(PK)"}},` +
			`{"ConditionCheck":{"TableName":"orders","Key":` + keyText(i[2]) + `,"ConditionExpression":"attribute_exists(PK)"}}]}`
	})
	add("Scan 1 MB", "Scan", 0.17, 0.13, func(*rand.Rand, []int) string { return `{"TableName":"orders"}` })
	return all
}

func keyText(i int) string { return string(benchKey(i).AppendJSON(nil)) }

func countUp(i int) string {
	return `"TableName":"orders","Key":` + keyText(i) + `,"UpdateExpression":"SET #c = #c + :one","ExpressionAttributeNames":{"#c":"counter"},"ExpressionAttributeValues":{":one":{"N":"1"}}`
}

func putsOfOrders(random *rand.Rand, items []int) string {
	puts := make([]string, len(items))
	for k, i := range items {
		puts[k] = `{"PutRequest":{"Item":` + orderText(random, i) + `}}`
	}
	return `{"RequestItems":{"orders":[` + strings.Join(puts, ",") + `]}}`
}

// orderText is an item with as many attributes as they have in practice, of
// about 1 KB by DynamoDB's count. Of two for one key, all but the index's
// partition is different.
func orderText(random *rand.Rand, i int) string {
	text := func(n int) string {
		words := []string{"please", "leave", "the", "parcel", "with", "a", "neighbour", "if", "nobody", "is", "home"}
		var b strings.Builder
		for b.Len() < n {
			b.WriteString(words[random.IntN(len(words))])
			b.WriteByte(' ')
		}
		return b.String()
	}
	price := func() string { return fmt.Sprintf("%d.%d", random.IntN(900), 10+random.IntN(89)) }
	lines := make([]string, 4)
	for k := range lines {
		lines[k] = fmt.Sprintf(`{"M":{"sku":{"S":"SKU-%06d"},"title":{"S":"%s"},"qty":{"N":"%d"},"price":{"N":"%s"}}}`, random.IntN(999999), text(12), k+1, price())
	}
	key := keyText(i)
	return key[:len(key)-1] + fmt.Sprintf(`,"GSI1PK":{"S":"SKU#%05d"},"GSI1SK":{"S":"2026-01-%02d#%06d"},"entity":{"S":"Order"},"orderStatus":{"S":"PAID"},`+
		`"customerName":{"S":"%s"},"email":{"S":"customer.%d@example.com"},"currency":{"S":"EUR"},"total":{"N":"%s"},"counter":{"N":"%d"},"quantity":{"N":"3"},`+
		`"createdAt":{"S":"2026-01-01T12:30:15Z"},"expiresAt":{"N":"17%08d"},"gift":{"BOOL":true},`+
		`"shipTo":{"M":{"street":{"S":"%s"},"city":{"S":"Lisbon"},"zip":{"S":"12345"},"country":{"S":"PT"},"geo":{"M":{"lat":{"N":"%s"},"lon":{"N":"-%s"}}}}},`+
		`"lines":{"L":[%s]},"note":{"S":"%s"}}`,
		i/20, 1+random.IntN(31), random.IntN(999999), text(14), random.IntN(999), price(), random.IntN(999), random.IntN(99999999),
		text(18), price(), price(), strings.Join(lines, ","), text(350))
}

// furnishing are the requests that make the table of the workloads with its
// items.
func furnishing(items int, send func(op, body string)) {
	send("CreateTable", ordersTable)
	random := rand.New(rand.NewPCG(3, 4))
	for i := 0; i < items; i += 20 {
		some := make([]int, 20)
		for k := range some {
			some[k] = i + k
		}
		send("BatchWriteItem", putsOfOrders(random, some))
	}
}

// ordersTable makes the table of the workloads, with an index of all attributes.
const ordersTable = `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",
	"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},{"AttributeName":"GSI1PK","AttributeType":"S"},{"AttributeName":"GSI1SK","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],
	"GlobalSecondaryIndexes":[{"IndexName":"GSI1","Projection":{"ProjectionType":"ALL"},"KeySchema":[{"AttributeName":"GSI1PK","KeyType":"HASH"},{"AttributeName":"GSI1SK","KeyType":"RANGE"}]}]}`

// BenchmarkAnswer is what a server does but for HTTP: from the text of a request
// to that of its answer.
func BenchmarkAnswer(b *testing.B) {
	const items = 300 * workloadRequests
	db := engine.New()
	b.Cleanup(func() { db.Close() })
	var answer []byte
	send := func(b *testing.B, op, body string) {
		var status int
		answer, status = db.Answer(context.Background(), "DynamoDB_20120810."+op, []byte(body), answer[:0])
		if status != 200 {
			b.Fatalf("%s: %s", op, answer)
		}
	}
	furnishing(items, func(op, body string) { send(b, op, body) })
	for _, w := range workloads(items) {
		b.Run(w.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				send(b, w.op, w.bodies[i%len(w.bodies)])
			}
		})
	}
}
