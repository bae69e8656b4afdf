package expr_test

import (
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
)

// input places a text in a file of its own, with one byte before it.
func input(text string) expr.Input {
	file := source.NewFile("m.yaml", "\n"+text+"\n")
	return expr.Input{
		Text:     text,
		At:       source.Span{File: file, Start: 1, End: 1 + len(text)},
		IsEntity: func(name string) bool { return name == "Order" || name == "Customer" },
	}
}

func cond(t testing.TB, text string) expr.Cond {
	t.Helper()
	c, problem := expr.ParseCond(input(text))
	if problem != nil {
		t.Fatalf("%s: %s", text, problem)
	}
	return c
}

// TestParseCond reads conditions and writes them back: brackets show how they
// were understood.
func TestParseCond(t *testing.T) {
	tests := []struct{ text, want string }{
		{"email = $email", "email = $email"},
		{"a=1 OR b=2 AND c=3", "a = 1 OR (b = 2 AND c = 3)"},
		{"NOT a = 1 AND b = 2", "NOT a = 1 AND b = 2"},
		{"NOT (a = 1 AND b = 2)", "NOT (a = 1 AND b = 2)"},
		{"not not a = 1", "NOT NOT a = 1"},
		{"(a = 1 AND b = 2) AND c = 3", "a = 1 AND b = 2 AND c = 3"},
		{"(a = 1 or (b = 2 or c = 3))", "a = 1 OR b = 2 OR c = 3"},
		{"a between 1 and 2 and b = 3", "a BETWEEN 1 AND 2 AND b = 3"},
		{"placedAt BETWEEN $now - 5m AND $now + 90m", "placedAt BETWEEN $now - 5m AND $now + 90m"},
		{"expiresAt > $now - 1440m", "expiresAt > $now - 1d"},
		{"expiresAt > $now-0s", "expiresAt > $now - 0s"},
		{"id IN $ids", "id IN $ids"},
		{"status In ('a', 'it''s', $x)", "status IN ('a', 'it''s', $x)"},
		{"Order.status = 'paid'", "Order.status = 'paid'"},
		{"address.city = 'Rome' AND tags[0] = 'x' AND a[12].b.c <> 1", "address.city = 'Rome' AND tags[0] = 'x' AND a[12].b.c <> 1"},
		{"`first-name` = 'x' AND a.`In` = 1 AND `or``` < 2", "`first-name` = 'x' AND a.`In` = 1 AND `or``` < 2"},
		{"status = $status?", "status = $status?"},
		{"attribute_exists(a.b) AND attribute_not_exists ( c )", "attribute_exists(a.b) AND attribute_not_exists(c)"},
		{"attribute_type(a, 'SS') and begins_with(name, $p) and contains(tags, 'x')", "attribute_type(a, 'SS') AND begins_with(name, $p) AND contains(tags, 'x')"},
		{"size(name) > 3", "size(name) > 3"},
		{"lower(email) = lower($email)", "lower(email) = lower($email)"},
		{"pad(line, 3) = '007'", "pad(line, 3) = '007'"},
		{"shard(id, 10) = $shard AND day(placedAt) = $day", "shard(id, 10) = $shard AND day(placedAt) = $day"},
		{"week(placedAt) = $week AND bucket(placedAt, 90m) = bucket($at,15m)", "week(placedAt) = $week AND bucket(placedAt, 90m) = bucket($at, 15m)"},
		{"bucket(minute(at), 24h) = $x AND reactions[$emoji] > 1 AND a[$b].c[0] = 1", "bucket(minute(at), 1d) = $x AND reactions[$emoji] > 1 AND a[$b].c[0] = 1"},
		{"active = true AND gone = NULL AND x <> False", "active = true AND gone = null AND x <> false"},
		{"a = -5 AND b = 1.50 AND c = 1E3 AND d = - 2e-2", "a = -5 AND b = 1.5 AND c = 1000 AND d = -0.02"},
		{"a - -5 > b", "a - -5 > b"},
		{"(a) = 1", "a = 1"},
		{"(a + b) - (c - d) = 1", "a + b - (c - d) = 1"},
		{"((a = 1))", "a = 1"},
		{"tags = [1, 'x', [], {a: 1, `b c`: null}] AND s = <<2, 1, 2>>", "tags = [1, 'x', [], {a: 1, `b c`: null}] AND s = <<1, 2>>"},
		{"year = 2026 AND size = 3 AND contains = 1", "year = 2026 AND size = 3 AND contains = 1"},
		{"größe > 3", "größe > 3"},
		{"a =\n\t1", "a = 1"},
	}
	for _, tt := range tests {
		c := cond(t, tt.text)
		if got := expr.String(c); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.text, got, tt.want)
		}
		if again := cond(t, tt.want); !expr.Equal(c, again) {
			t.Errorf("%s: printed as %s, which reads as another tree", tt.text, tt.want)
		}
	}
}

func TestParseCondTree(t *testing.T) {
	and, ok := cond(t, "Order.status = 'paid' AND id IN $ids").(*expr.And)
	if !ok || len(and.Terms) != 2 {
		t.Fatalf("got %#v", and)
	}
	attr := and.Terms[0].(*expr.Compare).Left.(*expr.Attr)
	if attr.Entity != "Order" || attr.Path.Name != "status" || !attr.Path.Top() {
		t.Errorf("got %#v", attr)
	}
	in := and.Terms[1].(*expr.In)
	if !in.FromList || in.List[0].(*expr.Param).Name != "ids" {
		t.Errorf("got %#v", in)
	}
	for _, tt := range []struct {
		node expr.Node
		want string
	}{
		{and, "Order.status = 'paid' AND id IN $ids"},
		{and.Terms[0], "Order.status = 'paid'"},
		{attr, "Order.status"},
		{and.Terms[0].(*expr.Compare).Right, "'paid'"},
		{in, "id IN $ids"},
		{in.List[0], "$ids"},
	} {
		if got := tt.node.Span().Text(); got != tt.want {
			t.Errorf("span: got %q, want %q", got, tt.want)
		}
	}
}

// problemTest is a text that is refused: where, and how it is said.
type problemTest struct{ text, at, want string }

func checkProblem(t *testing.T, tt problemTest, problem *expr.Problem) {
	t.Helper()
	if problem == nil {
		t.Errorf("%s: no problem", tt.text)
		return
	}
	if got := problem.At.Text(); got != tt.at {
		t.Errorf("%s: at %q, want %q (%s)", tt.text, got, tt.at, problem)
	}
	if got := problem.String(); !strings.Contains(got, tt.want) {
		t.Errorf("%s\n got %s\nwant %s", tt.text, got, tt.want)
	}
}

func TestCondProblems(t *testing.T) {
	tests := []problemTest{
		{"", "", "expected an attribute, a parameter or a value, but the text ends"},
		{"a == 1", "==", "== is not a comparison: write ="},
		{"a != 1", "!=", "write <>"},
		{"a = 1 && b = 2", "&&", "write AND"},
		{"a = 1 || b = 2", "||", "write OR"},
		{"!a = 1", "!", "write NOT"},
		{`a = "it's"`, `"it's"`, "'it''s'"},
		{`a = "open`, `"open`, "single quotes"},
		{"a = :value", ":value", "write $value"},
		{"#status = 1", "#status", "write status"},
		{"a = @x", "@x", "write $x"},
		{"#in = 1", "#in", "write in"},
		{"name LIKE 'a%'", "LIKE", "use begins_with(name, $prefix) or contains(name, $part)"},
		{"name is not null", "is", "attribute_exists(name)"},
		{"a NOT IN (1)", "NOT IN", "NOT stands before the whole condition: write NOT x IN …"},
		{"a not between 1 and 2", "not between", "write NOT x BETWEEN …"},
		{"active", "active", "a boolean is compared too: active = true"},
		{"active AND a = 1", "active", "active = true"},
		{"a = 1 = 2", "=", "join two comparisons with AND"},
		{"a < b <= c", "<=", "join two comparisons with AND"},
		{"a = ", "", "but the text ends"},
		{"(a = 1", "", "expected ) after the condition in brackets"},
		{"a = 1)", ")", "expected AND, OR or the end of the condition, found )"},
		{"a = 1 b = 2", "b", "found b"},
		{"set = 1", "set", "an attribute of that name stands in backquotes: `set`"},
		{"a = 'open", "'open", "no closing quote"},
		{"`a = 1", "`a = 1", "no closing backquote"},
		{"`` = 1", "``", "empty"},
		{"a = $", "$", "a parameter is $ and a name"},
		{"a = ${b}", "$", "a parameter is $ and a name"},
		{"a > $now?", "$now?", "$now is always there"},
		{"a = {id}", "}", "a parameter is written $id"},
		{"a > 5m", "5m", "a duration stands only beside + or -, such as $now - 5m"},
		{"a > 5m - $now", "5m - $now", "a duration is added"},
		{"a > 1h + 1h", "1h + 1h", "a duration is added"},
		{"a > $now - 999999999d", "999999999d", "no duration"},
		{"a > 5x", "5x", "neither a number nor a duration"},
		{"a = 12E4567", "12E4567", "not a number DynamoDB can store"},
		{"a = - b", "b", "expected a number after -"},
		{"a * 2 > 3", "*", "it adds and subtracts"},
		{"a IN 1", "1", "expected a list parameter or values in brackets after IN"},
		{"a IN ()", ")", "expected an attribute, a parameter or a value"},
		{"a IN (1", "", "expected ) at the end of the list of IN"},
		{"a BETWEEN 1, 2", ",", "expected AND between the two ends"},
		{"tags[x] = 1", "x", "a position in a list"},
		{"tags[99999999999999999999] = 1", "99999999999999999999", "a position in a list"},
		{"a. = 1", "=", "an attribute's name"},
		{"attribute_exists(a, b)", "attribute_exists(a, b)", "takes one operand, not 2"},
		{"begins_with(a)", "begins_with(a)", "takes 2 operands, not 1"},
		{"attribute_exists($a)", "$a", "asks about an attribute"},
		{"attribute_type(a, 'STRING')", "'STRING'", "use one of 'S'"},
		{"size(a, b) > 1", "size(a, b)", "takes one operand, not 2"},
		{"pad(line) = '1'", ")", "and a number, as in pad(name, 3)"},
		{"pad(line, 0) = '1'", "0", "a whole number from 1 to 38"},
		{"pad(line, n) = '1'", "n", "a whole number from 1 to 38"},
		{"lower(a, 2) = 'x'", ",", "expected ) at the end of lower(…)"},
		{"now() > a", "now", "the current time is $now"},
		{"Begins_With(a, 'x')", "Begins_With", "functions are written in lower case: write begins_with"},
		{"LOWER(a) = 'x'", "LOWER", "functions are written in lower case: write lower"},
		{"a = begins_with(b, 'x')", "begins_with", "is a condition and has no value"},
		{"exists(a)", "exists", "write attribute_exists(name)"},
		{"missing(a)", "missing", "write attribute_not_exists(name)"},
		{"random(3) = a", "random", "in templates only"},
		{"a " + strings.Repeat("x", 1000), strings.Repeat("x", 1000), strings.Repeat("x", 40) + "…"},
		{"startsWith(a, 'x')", "startsWith", "write begins_with"},
		{"length(a) > 1", "length", "write size(name)"},
		{"frobnicate(a) > 1", "frobnicate", "there is no function frobnicate"},
		{"a = <<1, 'x'>>", "<<1, 'x'>>", "a set holds"},
		{"a = <<>>", "<<>>", "a set holds"},
		{"a = [b]", "b", "expected a value"},
		{"a = \xff", "\xff", "expected"},
		{"email = email", "email = email", "email is compared with itself: a parameter is written $email"},
		{"a = if_not_exists(b, 1)", "if_not_exists(b, 1)", "if_not_exists stands in SET only"},
		{strings.Repeat("(", 1000) + "a = 1" + strings.Repeat(")", 1000), "(", "more than 64 levels deep"},
		{strings.Repeat("NOT ", 1000) + "a = 1", "NOT", "more than 64 levels deep"},
		{"a = " + strings.Repeat("[", 1000), "[", "more than 64 levels deep"},
		{"a = " + strings.Repeat("lower(", 1000), "lower", "more than 64 levels deep"},
	}
	for _, tt := range tests {
		c, problem := expr.ParseCond(input(tt.text))
		if c != nil {
			t.Errorf("%s: read as %s", tt.text, expr.String(c))
		}
		checkProblem(t, tt, problem)
	}
}

func TestTooLong(t *testing.T) {
	text := "a = '" + strings.Repeat("x", 1<<20) + "'"
	if _, problem := expr.ParseCond(input(text)); problem == nil || !strings.Contains(problem.Message, "too long") {
		t.Errorf("got %v", problem)
	}
	if _, problem := expr.ParseTemplate(input(text)); problem == nil || !strings.Contains(problem.Message, "too long") {
		t.Errorf("got %v", problem)
	}
}

// TestOffset places a text that YAML has decoded: 'it”s' in the file is it's.
func TestOffset(t *testing.T) {
	file := source.NewFile("m.yaml", `where: 'a = ''x'' AND b == 1'`)
	text := "a = 'x' AND b == 1"
	offsets := []int{8, 9, 10, 11, 12, 14, 15, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28}
	in := expr.Input{Text: text, At: source.Span{File: file, Start: 7, End: 29}, Offset: func(i int) int { return offsets[i] }}
	_, problem := expr.ParseCond(in)
	checkProblem(t, problemTest{text, "==", "write ="}, problem)
}

func TestParseUpdate(t *testing.T) {
	tests := []struct{ text, want string }{
		{"SET status = 'shipped'", "SET status = 'shipped'"},
		{"set a = a + 1, b.c[0] = $x? remove d, e[1] add n 1 delete tags <<'x'>>", "SET a = a + 1, b.c[0] = $x? REMOVE d, e[1] ADD n 1 DELETE tags <<'x'>>"},
		{"SET a = $x + $y + 1, b = c - (1)", "SET a = $x + $y + 1, b = c - 1"},
		{"ADD n $by SET a = if_not_exists(a, 0) + $by", "SET a = if_not_exists(a, 0) + $by ADD n $by"},
		{"SET log = list_append(if_not_exists(log, []), $entries)", "SET log = list_append(if_not_exists(log, []), $entries)"},
		{"SET expiresAt = $now + 30d, `set` = (a - b)", "SET expiresAt = $now + 30d, `set` = a - b"},
	}
	for _, tt := range tests {
		u, problem := expr.ParseUpdate(input(tt.text))
		if problem != nil {
			t.Errorf("%s: %s", tt.text, problem)
			continue
		}
		if got := expr.String(u); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.text, got, tt.want)
		}
		if again, _ := expr.ParseUpdate(input(tt.want)); again == nil || !expr.EqualUpdates(u, again) {
			t.Errorf("%s: reads as another tree", tt.want)
		}
	}
}

func TestUpdateProblems(t *testing.T) {
	tests := []problemTest{
		{"", "", "expected SET, REMOVE, ADD or DELETE"},
		{"status = 'x'", "status", "expected SET, REMOVE, ADD or DELETE, found status"},
		{"SET a += 1", "+=", "write SET n = n + 1"},
		{"SET a == 1", "==", "write ="},
		{"SET a = 1 SET b = 2", "SET", "separate its actions with commas"},
		{"SET a = 1, REMOVE b", "REMOVE", "keyword"},
		{"REMOVE $a", "$a", "an attribute's name"},
		{"ADD a = 1", "=", "ADD and DELETE take no ="},
		{"SET a = 1 b = 2", "b", "expected SET, REMOVE, ADD or DELETE, found b"},
		{"SET a 1", "1", "expected = and a value"},
		{"SET a = if_not_exists($b, 1)", "$b", "if_not_exists asks about an attribute"},
		{"SET a = b + c + 1", "b + c + 1", "two operands at a time"},
		{"SET a = 1, b.c = 2 REMOVE a", "a", "a is changed here, and already as a"},
		{"SET a.b = 1, a.c = 2 REMOVE a.b[0]", "a.b[0]", "a.b[0] is changed here, and already as a.b"},
		{"SET a = 1 ADD n if_not_exists(n, 1)", "if_not_exists(n, 1)", "stands in SET only"},
		{"ADD n m", "m", "take a value or a parameter"},
		{"SET a = attribute_exists(b)", "attribute_exists", "is a condition and has no value"},
	}
	for _, tt := range tests {
		_, problem := expr.ParseUpdate(input(tt.text))
		checkProblem(t, tt, problem)
	}
}

func TestParseOperand(t *testing.T) {
	o, problem := expr.ParseOperand(input("createdAt + 7d"))
	if problem != nil || expr.String(o) != "createdAt + 7d" {
		t.Errorf("got %v, %v", o, problem)
	}
	_, problem = expr.ParseOperand(input("createdAt + 7d = 1"))
	checkProblem(t, problemTest{"", "=", "expected +, - or the end"}, problem)
	_, problem = expr.ParseOperand(input("7d"))
	checkProblem(t, problemTest{"", "7d", "stands only beside"}, problem)
}
