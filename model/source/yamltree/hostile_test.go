package yamltree

import (
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
)

// fill repeats a text up to the largest size that is read.
func fill(before, repeated, after string) string {
	return before + strings.Repeat(repeated, (MaxSize-len(before)-len(after))/len(repeated)) + after
}

// deep is a block mapping in a block mapping, each line indented further.
func deep(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// bomb is a list of lists of lists, each twice as large as the one before.
func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x]\n")
	for i := 1; i < 60; i++ {
		n, last := string(rune('a'+i/26))+string(rune('a'+i%26)), "a0"
		if i > 1 {
			last = string(rune('a'+(i-1)/26)) + string(rune('a'+(i-1)%26))
		}
		b.WriteString(n + ": &" + n + " [*" + last + ", *" + last + "]\n")
	}
	return b.String()
}

// No input takes longer than a second, whatever it is made of. The test allows
// for a machine that is slow or busy: what it is after takes minutes.
func TestHostileInputEndsInTime(t *testing.T) {
	inputs := map[string]string{
		"list": fill("", "- a\n", ""), "flow list": fill("[", "a,", "]"), "open brackets": fill("", "[", ""), "open braces": fill("", "{a: ", ""),
		"dashes": fill("", "- ", ""), "question marks": fill("", "? ", ""), "question marks inside": fill("", "a?", ""), "comments": fill("", "#\n", ""),
		"keys with comments": fill("", "a: #\n", ""), "keys": fill("", "a: b\n", ""), "empty maps": fill("a: [", "{},", "]"),
		"anchors": fill("", "- &a x\n", ""), "aliases": fill("- &a x\n", "- *a\n", ""), "escapes": fill("\"", "\\n", "\""), "blank lines": fill("", "\n", ""),
		"spaces": fill("", " ", ""), "words": fill("", "a ", ""), "long plain": fill("a: b\n", " c\n", ""), "block": fill("a: |\n", " c\n", ""),
		"tabs": fill("", "\t", ""), "tab lines": fill("a:\n", "\tb: c\n", ""), "tags": fill("", "!a ", ""), "directives": fill("", "%TAG ! x\n", ""),
		"documents": fill("", "---\n", ""), "digits": fill("- ", "1", ""), "nested maps": fill("{", "a: ", "}"), "quotes": fill("", "'a' ", ""),
		"open quote": fill("a: \"", "x\n", ""), "colons": fill("", ":", ""), "bad lines": fill("a: b\n", "x\n", ""), "bad values": fill("", "a: `x\n", ""),
		"bad items": fill("a:\n", "- `x\n", ""), "stray": fill("  a: b\n", " c: d\n", ""), "bad flow": fill("", "a: {b: c{d}}\n", ""), "merge": fill("a: &a {x: y}\nb:\n", "  <<: *a\n", ""),
		"line ends": fill("", "a: b\r", ""), "separators": fill("", "a\u2028", ""), "one error below": fill("", "abcdefgh: ijklmnopqrstuvwxyz\n", "z: `"), "deep": deep(2500), "deep and bad": deep(1000) + "`", "bomb": bomb(),
	}
	limit := 15 * time.Second
	for name, text := range inputs {
		t.Run(name, func(t *testing.T) {
			var list diag.List
			start := time.Now()
			Parse(source.NewFile("m.yaml", text), &list)
			if took := time.Since(start); took > limit {
				t.Errorf("took %v, want at most %v", took, limit)
			} else if testing.Verbose() {
				t.Logf("%v, %d findings", took.Round(time.Millisecond), list.Len())
			}
		})
	}
}
