package html_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/generate/document"
	"github.com/dynmodel/dynmodel/generate/html"
	"github.com/dynmodel/dynmodel/generate/internal/chromium"
	"github.com/dynmodel/dynmodel/model/modeltest"
)

// hostile would run scripts, end the page's own or break out of attributes if
// anything were written as it is.
var hostile = text{name: "hostile", yaml: `version: 1
name: "</title><script>boom(1)</script>"
description: "</style><script>boom(2)</script>\" onmouseover=\"boom(3)"
table:
  name: hostile
  partition_key: PK
  sort_key: SK
entities:
  Thing:
    description: "<img src=x onerror=boom(4)>"
    attributes:
      id: {type: string, length: 1..20}
      "</svg><script>boom(5)</script>": string?
      mark: ["</dd><script>boom(6)</script>", "javascript:boom(7)"]
    keys: {PK: "</script><script>boom(8)</script>{id}", SK: "{{{mark}"}
access_patterns:
  - {name: thing, description: "</script><script>boom(9)</script>", get: Thing}
  - {name: things, query: Thing, where: id = $id}
  - {name: put-thing, put: Thing, ignore: [{rule: unguarded-put, reason: "<script>boom(10)</script>"}]}
samples:
  Thing:
    - {id: "' onclick='boom(11)", mark: "javascript:boom(7)", "</svg><script>boom(5)</script>": "</td><script>boom(12)</script>"}
`}

var tags = regexp.MustCompile(`<[a-zA-Z/!][^>]*>`)

// TestEscapes holds that nothing of a model becomes a tag or an attribute.
func TestEscapes(t *testing.T) {
	page := string(hostile.page(t))
	for _, tag := range tags.FindAllString(page, -1) {
		if strings.Contains(tag, "boom") && !strings.HasPrefix(tag, "<div role=\"option\"") {
			t.Errorf("a tag from the model: %s", tag)
		}
	}
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("%d scripts", n)
	}
	for _, want := range []string{
		"<title>&lt;/title&gt;&lt;script&gt;boom(1)&lt;/script&gt;: table design</title>",
		"<small>&lt;img src=x onerror=boom(4)&gt;</small>",
		`<dd>&lt;/td&gt;&lt;script&gt;boom(12)&lt;/script&gt;</dd>`,
		`&lt;script&gt;boom(8)&lt;/script&gt;<var>{id}</var>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestHostileRuns opens the page in a browser, where nothing must happen.
func TestHostileRuns(t *testing.T) {
	page := chromium.Start(t).Open(onDisk(t, hostile))
	if got := page.Text(`document.querySelector("h1").textContent`); got != `</title><script>boom(1)</script>` {
		t.Errorf("the heading is %q", got)
	}
	page.Calm()
}

// TestSelfContained holds that the page asks for nothing: no address but that of
// the SVG namespace is in it.
func TestSelfContained(t *testing.T) {
	page := string(shop(t).page(t))
	for _, pattern := range []string{`(?i)\bsrc=`, `(?i)href="[^#]`, `(?i)@import`, `(?i)url\(`, `(?i)https?://[^"'<\s]*\.(js|css|woff2?|png)`, `fetch\(|XMLHttpRequest|import\(`} {
		if found := regexp.MustCompile(pattern).FindString(page); found != "" {
			t.Errorf("the page asks for something: %s", found)
		}
	}
}

var ids = regexp.MustCompile(`\sid="([^"]+)"`)

// TestReferences holds that every id is there once, and everything that is
// referred to is there.
func TestReferences(t *testing.T) {
	for _, m := range models(t) {
		page := string(m.page(t))
		seen := map[string]bool{}
		for _, id := range ids.FindAllStringSubmatch(page, -1) {
			if seen[id[1]] {
				t.Errorf("%s: %s is there twice", m.name, id[1])
			}
			seen[id[1]] = true
		}
		for _, ref := range regexp.MustCompile(`(?:aria-labelledby|aria-controls|aria-describedby|data-detail|href)="#?([^"]+)"`).FindAllStringSubmatch(page, -1) {
			if !seen[ref[1]] {
				t.Errorf("%s: nothing is %s", m.name, ref[1])
			}
		}
	}
}

// TestDiagram holds that boxes do not lie on each other and are within the
// picture, whatever the relations.
func TestDiagram(t *testing.T) {
	for _, m := range append(models(t), text{name: "big", yaml: modeltest.Big(60, 240)}) {
		d := document.New(m.input(t))
		boxes := html.Boxes(d)
		if len(boxes) != len(d.Entities) {
			t.Errorf("%s: %d boxes of %d entities", m.name, len(boxes), len(d.Entities))
		}
		for i, a := range boxes {
			for _, b := range boxes[i+1:] {
				if a.Overlaps(b) {
					t.Errorf("%s: %v lies on %v", m.name, a, b)
				}
			}
		}
	}
}

// TestBig holds that the page of a large model is made in a moment.
func TestBig(t *testing.T) {
	in := text{name: "big", yaml: modeltest.Big(60, 240)}.input(t)
	start := time.Now()
	if _, err := html.Render(document.New(in)); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	} else {
		t.Log(took)
	}
}

// TestAnyModel holds that whatever can be read can be shown: the models of other
// packages' tests, and the smallest there are.
func TestAnyModel(t *testing.T) {
	var all []text
	for _, folder := range []string{"../../model/parse/testdata/valid", "../../model/plan/testdata"} {
		files, err := filepath.Glob(folder + "/*.yaml")
		if err != nil || len(files) == 0 {
			t.Fatal("no models in ", folder, err)
		}
		for _, f := range files {
			yaml, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, text{name: f, folder: filepath.Dir(f), yaml: string(yaml)})
		}
	}
	all = append(all,
		text{name: "smallest", yaml: "version: 1\ntable: {name: notes, partition_key: id}\nentities:\n  Note:\n    attributes: {id: ulid, text: string}\naccess_patterns:\n  - {name: note, get: Note}\n  - {name: add, create: Note}\n"},
		text{name: "nothing", yaml: "version: 1\ntable: {name: notes, partition_key: id}\nentities: {}\naccess_patterns: []\n"})
	for _, m := range all {
		d := document.New(m.input(t))
		if _, err := html.Render(d); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		for _, p := range d.Patterns {
			if p.Call == nil {
				continue
			}
			for _, n := range slices.Concat(p.Call.Read, p.Call.Returned, p.Call.Referred, p.Call.Written) {
				if n < 0 || n >= len(d.Items) {
					t.Errorf("%s: %s has an item %d of %d", m.name, p.Name, n, len(d.Items))
				}
			}
		}
	}
}
