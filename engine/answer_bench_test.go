package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
)

// BenchmarkAnswer answers prebuilt requests about many different items, from
// the text of a request to that of its answer: what a server does but for HTTP.
func BenchmarkAnswer(b *testing.B) {
	db := engine.New()
	b.Cleanup(func() { db.Close() })
	var answer []byte
	must := func(b *testing.B, op, body string) {
		var status int
		answer, status = db.Answer(context.Background(), "DynamoDB_20120810."+op, []byte(body), answer[:0])
		if status != 200 {
			b.Fatalf("%s: %s", op, answer)
		}
	}
	must(b, "CreateTable", ordersTable)
	random := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < benchItems; i += 25 {
		must(b, "BatchWriteItem", putsOfOrders(random, seriesFrom(i, 1)))
	}
	for _, c := range []struct {
		op   string
		body func() string
	}{
		{"BatchWriteItem", func() string { return putsOfOrders(random, seriesFrom(random.IntN(benchItems), 7919)) }},
		{"BatchGetItem", func() string {
			keys := make([]string, 25)
			for k, i := range seriesFrom(random.IntN(benchItems), 7919) {
				keys[k] = keyText(i)
			}
			return `{"RequestItems":{"orders":{"Keys":[` + strings.Join(keys, ",") + `]}}}`
		}},
		{"TransactWriteItems", func() string {
			i := seriesFrom(random.IntN(benchItems), 7919)
			return `{"TransactItems":[{"Put":{"TableName":"orders","Item":` + orderText(random, i[0]) + `}},` +
				`{"Update":{"TableName":"orders","Key":` + keyText(i[1]) + `,"UpdateExpression":"SET #c = #c + :one","ConditionExpression":"attribute_exists(PK)","ExpressionAttributeNames":{"#c":"counter"},"ExpressionAttributeValues":{":one":{"N":"1"}}}},` +
				`{"ConditionCheck":{"TableName":"orders","Key":` + keyText(i[2]) + `,"ConditionExpression":"attribute_exists(PK)"}}]}`
		}},
		{"Query", func() string {
			return fmt.Sprintf(`{"TableName":"orders","KeyConditionExpression":"PK = :p","ExpressionAttributeValues":{":p":{"S":"CUST#%06d"}}}`, random.IntN(benchItems/20))
		}},
		{"Scan", func() string { return `{"TableName":"orders"}` }},
	} {
		bodies := make([]string, 512)
		for i := range bodies {
			bodies[i] = c.body()
		}
		b.Run(c.op, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				must(b, c.op, bodies[i%len(bodies)])
			}
		})
	}
}

// seriesFrom returns 25 numbers of different items.
func seriesFrom(first, step int) []int {
	series := make([]int, 25)
	for k := range series {
		series[k] = (first + k*step) % benchItems
	}
	return series
}

// orderText is an item with as many attributes as they have in practice, of
// about 1 KB by DynamoDB's count.
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
	price := func() string { return strconv.Itoa(random.IntN(900)) + "." + strconv.Itoa(10+random.IntN(89)) }
	lines := make([]string, 4)
	for k := range lines {
		lines[k] = fmt.Sprintf(`{"M":{"sku":{"S":"SKU-%06d"},"title":{"S":"%s"},"qty":{"N":"%d"},"price":{"N":"%s"}}}`, random.IntN(999999), text(12), k+1, price())
	}
	key := keyText(i)
	return key[:len(key)-1] + fmt.Sprintf(`,"GSI1PK":{"S":"SKU#%05d"},"GSI1SK":{"S":"2026-01-01#%06d"},"entity":{"S":"Order"},"orderStatus":{"S":"PAID"},`+
		`"customerName":{"S":"%s"},"email":{"S":"customer.%d@example.com"},"currency":{"S":"EUR"},"total":{"N":"%s"},"counter":{"N":"%d"},"quantity":{"N":"3"},`+
		`"createdAt":{"S":"2026-01-01T12:30:15Z"},"expiresAt":{"N":"17%08d"},"gift":{"BOOL":true},`+
		`"shipTo":{"M":{"street":{"S":"%s"},"city":{"S":"Lisbon"},"zip":{"S":"12345"},"country":{"S":"PT"},"geo":{"M":{"lat":{"N":"%s"},"lon":{"N":"-%s"}}}}},`+
		`"lines":{"L":[%s]},"note":{"S":"%s"}}`,
		i%(benchItems/20), random.IntN(999999), text(14), random.IntN(999), price(), random.IntN(999), random.IntN(99999999),
		text(18), price(), price(), strings.Join(lines, ","), text(350))
}

func putsOfOrders(random *rand.Rand, items []int) string {
	puts := make([]string, len(items))
	for k, i := range items {
		puts[k] = `{"PutRequest":{"Item":` + orderText(random, i) + `}}`
	}
	return `{"RequestItems":{"orders":[` + strings.Join(puts, ",") + `]}}`
}
