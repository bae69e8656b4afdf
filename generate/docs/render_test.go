package docs

import (
	"bytes"
	"html"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/modeltest"
)

// render makes HTML of Markdown as GitHub reads it.
const render = `
import {micromark} from "micromark";
import {gfm, gfmHtml} from "micromark-extension-gfm";
const chunks = [];
for await (const c of process.stdin) chunks.push(c);
process.stdout.write(micromark(Buffer.concat(chunks).toString(), {extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true}));
`

var (
	cells    = regexp.MustCompile(`(?s)<t[dh][^>]*>(.*?)</t[dh]>`)
	elements = regexp.MustCompile(`</?([a-zA-Z0-9]+)[^>]*>`)
)

// TestMarkdownReads has a parser of GitHub's Markdown (in NODE_MODULES) read the
// document of a hostile model: what a person sees is what the model says.
func TestMarkdownReads(t *testing.T) {
	modules := os.Getenv("NODE_MODULES")
	if modules == "" {
		t.Skip("NODE_MODULES names no folder; .ci/node-tools docs installs one")
	}
	page := htmlOf(t, modules, rendered(t, hostile))
	for _, e := range elements.FindAllStringSubmatch(page, -1) {
		switch e[1] {
		case "h1", "h2", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "pre", "strong", "br", "details", "summary", "ul", "li":
		default:
			t.Errorf("an element from the model: %s", e[0])
		}
	}
	var seen []string
	for _, c := range cells.FindAllStringSubmatch(page, -1) {
		seen = append(seen, html.UnescapeString(elements.ReplaceAllString(c[1], "")))
	}
	all := strings.Join(seen, "\n") + "\n"
	for _, want := range []string{`T|<i>#{id}`, `S\|`, `</script>#{mark}`, `*{id}*`, `pipe|name`, `x|y | <i> | plain`, "because | <script>alert(5)</script> second line",
		`PK = "T|<i>#{id}" AND SK = "S\|"`} {
		if !strings.Contains(all, want+"\n") {
			t.Errorf("no cell shows %s", want)
		}
	}
	if shop := htmlOf(t, modules, rendered(t, modeltest.Shop())); strings.Count(shop, "<table>") < 20 || !strings.Contains(shop, `class="language-mermaid"`) {
		t.Errorf("the shop's document has %d tables", strings.Count(shop, "<table>"))
	}
}

func htmlOf(t *testing.T, modules string, markdown []byte) string {
	t.Helper()
	cmd := exec.Command("node", "--input-type=module", "--eval", render)
	cmd.Dir, cmd.Stdin, cmd.Stderr = modules, bytes.NewReader(markdown), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
