package partiql

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// show writes a statement with every name, value and operator apart.
func show(s Statement) string {
	switch s := s.(type) {
	case *Select:
		columns := "*"
		if s.Columns != nil {
			columns = ""
			for _, c := range s.Columns {
				columns += fmt.Sprintf(" %s=%s", c.Name, showExpr(c.Path))
			}
		}
		return fmt.Sprintf("select %s from %v where %s order %v", strings.TrimSpace(columns), s.From, showExpr(s.Where), s.OrderBy)
	case *Insert:
		return fmt.Sprintf("insert %s %s", s.Table, s.Item.AppendJSON(nil))
	case *Update:
		actions := ""
		for _, a := range s.Actions {
			actions += fmt.Sprintf(" %s:=%s", showExpr(a.Path), showExpr(a.Value))
		}
		return fmt.Sprintf("update %s%s where %s returning %s", s.Table, actions, showExpr(s.Where), s.Returning)
	case *Delete:
		return fmt.Sprintf("delete %s where %s returning %s", s.Table, showExpr(s.Where), s.Returning)
	case *Exists:
		return "exists " + show(s.Select)
	}
	return fmt.Sprintf("%T", s)
}

func showAll(exprs []Expr) string {
	var texts []string
	for _, e := range exprs {
		texts = append(texts, showExpr(e))
	}
	return strings.Join(texts, " ")
}

func showExpr(e Expr) string {
	switch e := e.(type) {
	case nil:
		return "-"
	case Path:
		var texts []string
		for _, step := range e {
			if step.IsIndex {
				texts = append(texts, fmt.Sprint(step.Index))
			} else {
				texts = append(texts, step.Name)
			}
		}
		return strings.Join(texts, "/")
	case Literal:
		return string(e.Value.AppendJSON(nil))
	case *Binary:
		return fmt.Sprintf("(%s %s %s)", e.Op, showExpr(e.Left), showExpr(e.Right))
	case *Not:
		return fmt.Sprintf("(NOT %s)", showExpr(e.Condition))
	case *Between:
		return fmt.Sprintf("(BETWEEN %s %s %s)", showExpr(e.Operand), showExpr(e.Low), showExpr(e.High))
	case *In:
		return fmt.Sprintf("(IN %s: %s)", showExpr(e.Operand), showAll(e.List))
	case *Is:
		if e.Missing {
			return fmt.Sprintf("(MISSING %s)", showExpr(e.Operand))
		}
		return fmt.Sprintf("(NULL %s)", showExpr(e.Operand))
	case *Call:
		return fmt.Sprintf("%s(%s)", e.Function, showAll(e.Args))
	}
	return fmt.Sprintf("%T", e)
}

func TestStatements(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`SELECT * FROM Shop`, `select * from {Shop } where - order []`},
		{`select * from "my shop"."by-date" ;`, `select * from {my shop by-date} where - order []`},
		{"SELECT * -- all\nFROM/**/Shop.idx", `select * from {Shop idx} where - order []`},
		{`SELECT a, "b c".d, l[0], m.l[1][2].x, m['k'], m[k2], (e) FROM T`, `select a=a d=b c/d l[0]=l/0 x=m/l/1/2/x k=m/k k2=m/k2 e=e from {T } where - order []`},
		{`SELECT * FROM T WHERE pk = 'it''s' AND sk >= 5 ORDER BY pk, sk DESC`, `select * from {T } where (AND (= pk {"S":"it's"}) (>= sk {"N":"5"})) order [{pk false} {sk true}]`},
		{`SELECT * FROM T WHERE a=1 OR b!=2 AND NOT c<3 OR d<>-4.5e1`, `select * from {T } where (OR (OR (= a {"N":"1"}) (AND (<> b {"N":"2"}) (NOT (< c {"N":"3"})))) (<> d {"N":"-45"})) order []`},
		{`SELECT * FROM T WHERE (a=1 OR b=2) AND c`, `!The arguments to AND/OR must be Expressions`},
		{`SELECT * FROM T WHERE a BETWEEN 1 AND 2 AND b NOT BETWEEN ? AND ?`, `select * from {T } where (AND (BETWEEN a {"N":"1"} {"N":"2"}) (NOT (BETWEEN b {"S":"p"} {"L":[]}))) order []`},
		{`SELECT * FROM T WHERE a IN (1,'x') AND b NOT IN [?] AND c IN <<?>>`, `select * from {T } where (AND (AND (IN a: {"N":"1"} {"S":"x"}) (NOT (IN b: {"S":"p"}))) (IN c: {"L":[]})) order []`},
		{`SELECT * FROM T WHERE a IS NULL AND b IS NOT NULL AND c is missing AND d IS NOT MISSING`, `select * from {T } where (AND (AND (AND (NULL a) (NOT (NULL b))) (MISSING c)) (NOT (MISSING d))) order []`},
		{`SELECT * FROM T WHERE Begins_With(a, 'x') AND SIZE(b) > 1 AND attribute_type(c, 'S') AND contains(d, e)`,
			`select * from {T } where (AND (AND (AND begins_with(a {"S":"x"}) (> size(b) {"N":"1"})) attribute_type(c {"S":"S"})) contains(d e)) order []`},
		{`SELECT * FROM T WHERE a = [1,'x',[true]] OR b = {'x':null,'y':{}} OR c = <<2,1>> OR d = (1,2) OR e = <<'a'>> OR f = FALSE`,
			`select * from {T } where (OR (OR (OR (OR (OR (= a {"L":[{"N":"1"},{"S":"x"},{"L":[{"BOOL":true}]}]}) (= b {"M":{"x":{"NULL":true},"y":{"M":{}}}})) (= c {"NS":["1","2"]})) (= d {"L":[{"N":"1"},{"N":"2"}]})) (= e {"SS":["a"]})) (= f {"BOOL":false})) order []`},
		{`INSERT INTO T VALUE {'pk':'a','n':-1,'l':[?],'m':{'x':?},'s':<<'b','a'>>,'z':null}`, `insert T {"l":{"L":[{"S":"p"}]},"m":{"M":{"x":{"L":[]}}},"n":{"N":"-1"},"pk":{"S":"a"},"s":{"SS":["a","b"]},"z":{"NULL":true}}`},
		{`UPDATE T SET a=1, b.c[0]=a+? SET d=if_not_exists(d, 0) - (1 + ?) REMOVE e REMOVE f[1] WHERE pk='k' RETURNING ALL NEW *`,
			`update T a:={"N":"1"} b/c/0:=(+ a {"S":"p"}) d:=(- if_not_exists(d {"N":"0"}) (+ {"N":"1"} {"L":[]})) e:=- f/1:=- where (= pk {"S":"k"}) returning ALL_NEW`},
		{`UPDATE T SET s=set_add(s, <<'x'>>) SET t = list_append(t, [1]) WHERE pk='k'`, `update T s:=set_add(s {"SS":["x"]}) t:=list_append(t {"L":[{"N":"1"}]}) where (= pk {"S":"k"}) returning NONE`},
		{`UPDATE T SET a=1 WHERE pk='k' RETURNING modified old *`, `update T a:={"N":"1"} where (= pk {"S":"k"}) returning UPDATED_OLD`},
		{`UPDATE T SET a=1 RETURNING MODIFIED NEW *`, `update T a:={"N":"1"} where - returning UPDATED_NEW`},
		{`DELETE FROM T WHERE pk='k' AND a=1 RETURNING ALL OLD *`, `delete T where (AND (= pk {"S":"k"}) (= a {"N":"1"})) returning ALL_OLD`},
		{`EXISTS(SELECT * FROM T WHERE pk='k' AND a IS MISSING)`, `exists select * from {T } where (AND (= pk {"S":"k"}) (MISSING a)) order []`},
	} {
		var parameters []attr.Value
		if strings.Count(tt.in, "?") == 2 {
			parameters = []attr.Value{attr.String("p"), attr.List()}
		}
		s, err := Parse(tt.in, parameters)
		got := ""
		if err != nil {
			got = "!" + err.Error()
		} else {
			got = show(s)
		}
		if got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.in, got, tt.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	file, err := os.Open("testdata/refusals.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	statement, count := "", 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		want, ok := strings.CutPrefix(line, "\t")
		if !ok {
			statement = line
			continue
		}
		if want == "malformed" {
			want = "Statement wasn't well formed, can't be processed: " + statement
		}
		count++
		if _, err := Parse(statement, nil); err == nil || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", statement, err, want)
		}
	}
	if count < 150 {
		t.Errorf("only %d refusals were read", count)
	}
}

func TestParameters(t *testing.T) {
	for in, count := range map[string]int{
		"SELECT * FROM T WHERE a=?": 1, "INSERT INTO T VALUE {'a':?,'b':[?,<<?>>]}": 3, "DELETE FROM T WHERE a='?'": 0, "UPDATE T SET a=? WHERE b=?": 2,
	} {
		for given := range count + 2 {
			parameters := make([]attr.Value, given)
			for i := range parameters {
				parameters[i] = attr.Int(int64(i))
			}
			_, err := Parse(in, parameters)
			if (err == nil) != (given == count) {
				t.Errorf("%s with %d parameters: %v", in, given, err)
			}
			if err != nil && err.Error() != "Number of parameters in request and statement don't match." {
				t.Errorf("%s with %d parameters: %v", in, given, err)
			}
		}
	}
}

func TestConjuncts(t *testing.T) {
	s, err := Parse("SELECT * FROM T WHERE a=1 AND (b=2 AND c=3) AND (d=4 OR e=5)", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := showAll(Conjuncts(s.(*Select).Where)); got != `(= a {"N":"1"}) (= b {"N":"2"}) (= c {"N":"3"}) (OR (= d {"N":"4"}) (= e {"N":"5"}))` {
		t.Error(got)
	}
	if Conjuncts(nil) != nil {
		t.Error("nothing has conjuncts")
	}
}

func TestHostileStatements(t *testing.T) {
	start := time.Now()
	for _, s := range []string{
		strings.Repeat("(", 16<<20),
		"SELECT * FROM T WHERE " + strings.Repeat("(", 8000),
		"SELECT * FROM T WHERE " + strings.Repeat("(", 4000) + "a" + strings.Repeat(")", 4000),
		"SELECT * FROM T WHERE a = " + strings.Repeat("[", 4000) + strings.Repeat("]", 4000),
		"SELECT * FROM T WHERE a = " + strings.Repeat("{'a':", 1600),
		"SELECT * FROM T WHERE a = " + strings.Repeat("<<", 4000),
		"SELECT * FROM T WHERE " + strings.Repeat("NOT ", 2000) + "a",
		"SELECT * FROM T WHERE a = " + strings.Repeat("- ", 4000) + "a",
		"SELECT * FROM T WHERE a = <<" + strings.Repeat("1,", 4000) + "1>>",
		"SELECT * FROM T WHERE a" + strings.Repeat(".b", 4000),
		"SELECT " + strings.Repeat("a,", 4000) + "a FROM T",
		"UPDATE T SET a = " + strings.Repeat("list_append(a,", 570) + "a",
		"SELECT * FROM T /* " + strings.Repeat("*", 8000),
		"SELECT * FROM T WHERE a = '" + strings.Repeat("x", 8000),
	} {
		if _, err := Parse(s, nil); err == nil {
			t.Errorf("%.40s… is accepted", s)
		}
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestNesting(t *testing.T) {
	for _, tt := range []struct {
		levels int
		ok     bool
	}{{30, true}, {31, true}, {32, false}} {
		list := strings.Repeat("[", tt.levels) + strings.Repeat("]", tt.levels)
		for _, s := range []string{"SELECT * FROM T WHERE a = " + list, "INSERT INTO T VALUE {'a': " + list + "}", "UPDATE T SET a = " + list + " WHERE k=1"} {
			if _, err := Parse(s, nil); (err == nil) != tt.ok {
				t.Errorf("%d levels in %.20s…: %v", tt.levels, s, err)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`SELECT a, b.c[0] FROM "T"."i" WHERE k='x' AND (n BETWEEN 1 AND ? OR NOT contains(s, 'y')) ORDER BY r DESC`,
		`INSERT INTO T VALUE {'k':'a','l':[1,?,{'x':null}],'s':<<'a','b'>>}`,
		`UPDATE T SET a=a+1, b=set_add(b,<<1>>) REMOVE c[1] WHERE k='a' RETURNING ALL NEW *`,
		`DELETE FROM T WHERE k IN ['a'] RETURNING ALL OLD *`,
		`EXISTS(SELECT * FROM T WHERE k='a' AND n IS NOT MISSING)`,
		"SELECT * FROM T LIMIT 1", "SELECT -- c\n* /* d */ FROM `x`", `SELECT COUNT(*) FROM T`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text, []attr.Value{attr.Int(1)})
		if (err == nil) != (s != nil) {
			t.Fatalf("%q: %v, %v", text, s, err)
		}
		if err == nil {
			show(s)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	parameters := []attr.Value{attr.String("CUSTOMER#1"), attr.String("ORDER#")}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(`SELECT * FROM "Shop"."by-date" WHERE pk = ? AND begins_with(sk, ?) ORDER BY sk DESC`, parameters); err != nil {
			b.Fatal(err)
		}
	}
}
