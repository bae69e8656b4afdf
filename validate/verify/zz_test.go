package verify

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/source"
)

func TestMut(t *testing.T) {
	text, _ := os.ReadFile("../../examples/shop/access-patterns.yaml")
	for _, mu := range [][2]string{
		{"PRICE#{price|pad(8)}#{sku}", "PRICE#{price}#{sku}"},
		{"SK: ADDRESS#{label}", "SK: CART#{label}"},
		{"SK: ADDRESS#{label}", "SK: ORDER#{label}"},
		{"GSI1PK: EMAIL#{email}", "GSI1PK: EMAIL"},
		{"OPEN#{placedAt|day}", "OPEN#{placedAt|month}"},
		{", when: status = 'placed'", ""},
		{"projection: [orderId, customerId, total, placedAt]", "projection: [orderId, customerId, placedAt]"},
		{"SK: REVIEW#{customerId}", "SK: REVIEW"},
		{"SK: SHIPMENT#{parcel|pad(2)}", "SK: SHIPMENT"},
		{"if: stock >= $quantity", "if: stock > 0"},
		{"if: usesLeft > 0 AND endsAt > $now", "if: endsAt > $now"},
		{"    old: {email: $oldEmail}\n", ""},
		{`GSI1SK: "{reviewedAt}#{sku}"`, `GSI1SK: "{sku}#{reviewedAt}"`},
		{"TRACKING#{carrier}#{trackingCode}", "TRACKING#{trackingCode}"},
		{"    unique: [[carrier, trackingCode]]\n", ""},
		{"    unique: [email]\n", ""},
		{"SK: ORDER#{placedAt}#{orderId}", "SK: ORDER#{orderId}"},
		{"SK: ORDER#{placedAt}#{orderId}", "SK: ORDER#{placedAt}"},
		{"SK: PRODUCT\n", "SK: REVIEW#PRODUCT\n"},
		{"SK: CART#{sku}", "SK: \"{sku}\""},
		{"email: {type: email, stored: lower}", "email: email"},
		{"      PK: ORDER#{orderId}\n      SK: PAYMENT#{paymentId}", "      PK: ORDER#{orderId}\n      SK: ITEM#{paymentId}"},
		{"sku: {type: slug, length: 3..40}", "sku: {type: string, length: 3..40}"},
		{"category: {type: slug, length: 2..40, immutable: true}", "category: {type: string, length: 2..40, immutable: true}"},
		{"change: SET quantity = $quantity, expiresAt = $expiresAt", "change: SET quantity = $quantity"},
		{"label: {type: slug, length: 1..30}", "label: {type: slug, length: 0..30}"},
		{"sku: mug-blue}\n", "sku: mug-red}\n"},
	} {
		s := strings.Replace(string(text), mu[0], mu[1], 1)
		if s == string(text) {
			t.Log("NO CHANGE", mu[0])
			continue
		}
		m, found := parse.File(source.NewFile("shop", s), os.DirFS("."))
		planner := plan.New(m)
		var plans []*plan.Plan
		for _, p := range m.Patterns {
			plans = append(plans, planner.Pattern(p))
		}
		r, err := Run(context.Background(), Config{Model: m, Plans: plans, Endpoint: embedded()})
		if err != nil {
			t.Error(mu, err)
			continue
		}
		var b strings.Builder
		for _, f := range r.Findings {
			write(&b, f)
		}
		b.WriteString("\n   verdicts:")
		for _, p := range r.Patterns {
			if p.Verdict != Pass {
				b.WriteString(" " + p.Pattern.Name.Text + "=" + string(p.Verdict) + " " + p.Reason)
			}
		}
		b.WriteString("\n   other:")
		for _, f := range found.All() {
			b.WriteString(" " + f.Rule)
		}
		for _, p := range plans {
			for _, f := range p.Findings {
				b.WriteString(" " + f.Rule)
			}
		}
		t.Logf("=================== %s -> %s\n%s", mu[0], mu[1], b.String())
	}
}
