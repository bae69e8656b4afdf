package differ

import (
	"context"
	cryptorand "crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/engine/enginetest"
	"github.com/dynmodel/dynmodel/engine/enginetest/rawclient"
)

// tablePlaceholder stands for the table's name in operations and answers.
const tablePlaceholder = "$T"

// pair is one table on both endpoints.
type pair struct{ left, right side }

// side is a table on one endpoint.
type side struct {
	client *rawclient.Client
	table  string
}

func (r *runner) newPair(ctx context.Context, schema enginetest.Schema) (pair, error) {
	table := "differ." + strings.ToLower(cryptorand.Text()[:10])
	p := pair{side{r.left, table}, side{r.right, table}}
	request, err := schema.CreateTable(table)
	if err != nil {
		return p, err
	}
	for _, s := range []side{p.left, p.right} {
		answer, err := s.client.Call(ctx, "CreateTable", request)
		if err != nil {
			return p, err
		}
		if answer.Failed() {
			return p, fmt.Errorf("CreateTable %s: %s", request, answer.Body)
		}
	}
	return p, nil
}

func (p pair) drop(ctx context.Context) {
	for _, s := range []side{p.left, p.right} {
		// A table that stays behind costs memory, no more.
		_, _ = s.client.Call(ctx, "DeleteTable", fmt.Sprintf(`{"TableName":%q}`, s.table))
	}
}

// answer is a decoded answer, made comparable.
type answer struct {
	code, message string
	body          map[string]any
}

func (a answer) failed() bool { return a.code != "" }

func (a answer) text() string {
	if a.failed() {
		return fmt.Sprintf("%s: %s %s", a.code, a.message, encode(a.body))
	}
	return encode(a.body)
}

// do sends the operation, and the pages that follow if it asks for all.
func (s side) do(ctx context.Context, operation Operation) (answer, error) {
	first, err := s.page(ctx, operation, operation.Body)
	if err != nil || !operation.AllPages || first.failed() {
		return first, err
	}
	for key := first.body["LastEvaluatedKey"]; key != nil; {
		body := strings.TrimSuffix(operation.Body, "}") + `,"ExclusiveStartKey":` + encode(key) + "}"
		next, err := s.page(ctx, operation, body)
		if err != nil || next.failed() {
			return next, err
		}
		first.add(next)
		key = next.body["LastEvaluatedKey"]
	}
	first.sortItems()
	// Where pages end depends on the order of equal keys, and so does their cost.
	delete(first.body, "LastEvaluatedKey")
	delete(first.body, "ConsumedCapacity")
	return first, nil
}

func (a answer) add(page answer) {
	for _, count := range []string{"Count", "ScannedCount"} {
		a.body[count] = a.body[count].(float64) + page.body[count].(float64)
	}
	if items, ok := page.body["Items"].([]any); ok {
		a.body["Items"] = append(a.body["Items"].([]any), items...)
	}
}

func (s side) page(ctx context.Context, operation Operation, body string) (answer, error) {
	raw, err := s.client.Call(ctx, operation.Name, strings.ReplaceAll(body, tablePlaceholder, s.table))
	if err != nil {
		return answer{}, fmt.Errorf("%s %s: %w", operation.Name, body, err)
	}
	text := strings.ReplaceAll(string(raw.Body), s.table, tablePlaceholder)
	var a answer
	if err := json.Unmarshal([]byte(text), &a.body); err != nil {
		return answer{}, fmt.Errorf("%s %s: answer %s: %w", operation.Name, body, text, err)
	}
	if raw.Failed() {
		a.code, a.message = raw.Error()
		for _, member := range []string{"__type", "message", "Message"} {
			delete(a.body, member)
		}
	}
	normalise(a.body)
	if operation.AnyOrder {
		a.sortItems()
	}
	return a, nil
}

// normalise puts the elements of sets in order, at any depth, and drops zeros at
// the end of fractions: DynamoDB Local keeps those that arithmetic leaves there.
func normalise(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			normalise(element)
		}
	case map[string]any:
		for name, member := range value {
			switch typed := member.(type) {
			case []any:
				if name == "SS" || name == "NS" || name == "BS" {
					sortByText(typed)
				}
			case string:
				if name == "N" && strings.Contains(typed, ".") {
					value[name] = strings.TrimSuffix(strings.TrimRight(typed, "0"), ".")
				}
			}
			normalise(member)
		}
	}
}

// sortItems puts items that come in no order into one.
func (a answer) sortItems() {
	if items, ok := a.body["Items"].([]any); ok {
		sortByText(items)
	}
	if responses, ok := a.body["Responses"].(map[string]any); ok {
		for _, name := range slices.Sorted(maps.Keys(responses)) {
			if items, ok := responses[name].([]any); ok {
				sortByText(items)
			}
		}
	}
}

func sortByText(list []any) {
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(encode(a), encode(b)) })
}

// encode prints decoded JSON, members in order.
func encode(value any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// same compares answers. Texts of exceptions count only where both endpoints
// speak about an expression: elsewhere DynamoDB Local has its own.
func same(left, right answer) bool {
	if left.code != right.code || encode(left.body) != encode(right.body) {
		return false
	}
	return left.message == right.message || !aboutExpression(left.message) || !aboutExpression(right.message)
}

func aboutExpression(message string) bool {
	for _, prefix := range []string{"Invalid ", "Value provided in", "ExpressionAttribute", "Filter Expression",
		"The provided expression", "The document path", "An operand in the update expression", "The conditional",
		"Conditional", "One or more parameter values were invalid: C", "Type mismatch for attribute"} {
		if strings.HasPrefix(message, prefix) {
			return true
		}
	}
	return false
}
