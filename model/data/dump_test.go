package data

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

func TestDump(t *testing.T) {
	name := os.Getenv("DUMP")
	if name == "" {
		t.Skip()
	}
	text, _ := os.ReadFile(name)
	m, list := parse.File(source.NewFile(name, string(text)), nil)
	for _, f := range list.All() {
		fmt.Println(f.Span.From().Line, f.Rule, f.Message)
	}
	g := New(m, Options{})
	for _, p := range m.Patterns {
		if only := os.Getenv("PATTERN"); only != "" && only != p.Name.Text {
			continue
		}
		start := time.Now()
		w := g.World(p)
		mid := time.Now()
		bs := g.Bindings(p, w)
		end := time.Now()
		fmt.Println("=====", p.Name.Text, len(w.Instances), len(bs), mid.Sub(start), end.Sub(mid), g.Consistent(w.Instances))
		if os.Getenv("PATTERN") == "" {
			continue
		}
		for _, i := range w.Instances {
			fmt.Print(i.Entity.Name.Text)
			for _, a := range i.Entity.Attributes {
				s := i.Item[a.Name.Text].String()
				if len(s) > 40 {
					s = s[:40]
				}
				fmt.Print(" ", a.Name.Text, "=", s)
			}
			fmt.Println()
		}
		for _, b := range bs {
			var names []string
			for n := range b.Args {
				names = append(names, n)
			}
			slices.Sort(names)
			for _, n := range names {
				s := b.Args[n].String()
				if len(s) > 120 {
					s = s[:120]
				}
				fmt.Print(n, "=", s, " ")
			}
			fmt.Println(" --", b.Note)
		}
	}
}
