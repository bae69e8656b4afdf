package diag

import (
	"testing"

	"github.com/dynmodel/dynmodel/model/source"
)

func TestSeverities(t *testing.T) {
	for s, word := range map[Severity]string{Info: "info", Warning: "warning", Error: "error"} {
		if got, ok := ParseSeverity(word); !ok || got != s || s.String() != word {
			t.Errorf("%s is read as %v", word, got)
		}
	}
	if _, ok := ParseSeverity("fatal"); ok {
		t.Error("fatal is a severity")
	}
	if got := Severity(9).String(); got != "Severity(9)" {
		t.Errorf("got %s", got)
	}
}

func TestListSortsAndKeepsEachOnce(t *testing.T) {
	f := source.NewFile("m.yaml", "abc")
	at := func(i int) source.Span { return source.Span{File: f, Start: i, End: i + 1} }
	var list List
	list.Addf("b", Warning, at(1), "later %d", 1)
	list.Addf("b", Info, at(0), "mild")
	list.Addf("a", Error, at(0), "bad")
	list.Addf("b", Info, at(0), "mild")
	list.Addf("b", Info, source.Span{}, "nowhere")
	if list.Len() != 5 || !list.Has(Error) || !list.Has(Info) {
		t.Errorf("%d findings", list.Len())
	}
	var got string
	for _, f := range list.All() {
		got += f.Message + ";"
	}
	if want := "nowhere;bad;mild;later 1;"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var mild List
	mild.Addf("r", Info, at(0), "x")
	if mild.Has(Warning) {
		t.Error("an info is a warning")
	}
}
