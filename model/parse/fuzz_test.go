package parse_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// Whatever the text, reading it ends, with findings that have a place and a
// model that is whole.
func FuzzFile(f *testing.F) {
	f.Add(modeltest.Shop())
	for _, file := range append(files(f, "testdata/valid/*.yaml"), files(f, "testdata/invalid/*.yaml")...) {
		f.Add(file.Text())
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		m, list := parse.File(source.NewFile("m.yaml", text), folder(map[string]string{"part.yaml": "include: m.yaml"}))
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("took %v", took)
		}
		for _, finding := range list.All() {
			at := finding.Span
			if !at.Known() || at.Start < 0 || at.Start > at.End || at.End > len(at.File.Text()) {
				t.Errorf("finding %q is at %d to %d", finding.Message, at.Start, at.End)
			}
			if finding.Message == "" {
				t.Error("a finding without a message")
			}
		}
		if m == nil && list.Len() == 0 {
			t.Error("neither a model nor a finding")
		}
		if m != nil {
			checkWhole(t, m)
		}
	})
}

// Slips of the hand: lines lost, doubled, cut off, indented otherwise, or with
// a word of another line in the place of their own.
func TestSlips(t *testing.T) {
	lines := strings.Split(files(t, "testdata/valid/*.yaml")[0].Text(), "\n")
	random := rand.New(rand.NewPCG(1, 1))
	for i := range lines {
		other := strings.Fields(lines[random.IntN(len(lines))] + " x")
		words := strings.Fields(lines[i] + " x")
		slips := []string{
			"",
			lines[i] + "\n" + lines[i],
			lines[i][:random.IntN(len(lines[i])+1)],
			strings.Repeat(" ", random.IntN(3)) + strings.TrimSpace(lines[i]),
			strings.Replace(lines[i], words[random.IntN(len(words))], other[random.IntN(len(other))], 1),
		}
		slip := slips[i%len(slips)]
		text := strings.Join(slices.Concat(lines[:i], []string{slip}, lines[i+1:]), "\n")
		m, list := parse.File(source.NewFile("m.yaml", text), nil)
		if m == nil && list.Len() == 0 {
			t.Errorf("line %d as %q: neither a model nor a finding", i+1, slip)
		}
		if m != nil {
			checkWhole(t, m)
		}
	}
}

// Models of nothing but mistakes: reading stays linear, and stops reporting.
func TestHostileModels(t *testing.T) {
	many := func(before, format, after string) string {
		var b strings.Builder
		b.WriteString("version: 1\ntable: notes\n" + before)
		for i := range 30_000 {
			fmt.Fprintf(&b, format, i)
		}
		return b.String() + after
	}
	const one = "entities: {A: {attributes: {PK: uuid, SK: uuid}}}\n"
	for name, text := range map[string]string{
		"unknown keys":       many("", "key%d: x\n", ""),
		"unknown types":      many("entities:\n  A:\n    attributes:\n", "      a%d: strin\n", ""),
		"unknown entities":   many("entities:\n", "  E%[1]d: {attributes: {PK: uuid, SK: uuid, r: {ref: F%[1]d}}}\n", ""),
		"unknown patterns":   many(one+"access_patterns:\n", "  - {name: p%[1]d, get: A, after: q%[1]d}\n", ""),
		"unknown attributes": many(one+"access_patterns:\n  - name: p\n    query: A\n    where: PK = $x\n    select: [", "s%d,", "]\n"),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, list := parse.File(source.NewFile("m.yaml", text), nil)
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
			if list.Len() != 1000 {
				t.Errorf("%d findings, want 1000", list.Len())
			}
		})
	}
}
