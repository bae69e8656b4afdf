package html_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate/document"
	"github.com/dynmodel/dynmodel/generate/internal/chromium"
)

// onDisk is a model's page as a file, by its address.
func onDisk(t *testing.T, m text) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table.html")
	if err := os.WriteFile(path, m.page(t), 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// seen is what a page shows after a choice.
type seen struct {
	Chosen string
	Detail string
	View   string
	// Marks are the texts beside items, by view and the item's number.
	Marks map[string]map[int]string
	// Shown are the marks that a reader can see without another click.
	Shown map[int]string
}

const look = `(() => {
	const marks = {}, shown = {};
	document.querySelectorAll("tr[data-item]").forEach((row) => {
		const text = row.querySelector(".mark").textContent;
		if (text === "") return;
		(marks[row.closest(".view").dataset.view] ??= {})[row.dataset.item] = text;
		if (row.offsetParent) shown[row.dataset.item] = text;
	});
	const details = [...document.querySelectorAll(".detail")].filter((d) => d.offsetParent);
	const views = [...document.querySelectorAll(".view")].filter((v) => v.offsetParent);
	return {
		chosen: [...document.querySelectorAll("#choices [aria-selected=true] span")].map((e) => e.textContent).join(),
		detail: details.map((d) => d.querySelector("h3").textContent).join(),
		view: views.map((v) => v.dataset.view).join(),
		marks, shown,
	};
})()`

// TestChoices opens the page of every example from disk, clicks every access
// pattern, and compares the items that are marked with the engine's answer.
func TestChoices(t *testing.T) {
	browser := chromium.Start(t)
	for _, m := range models(t) {
		in := m.input(t)
		d := document.New(in)
		answered := answers(t, in)
		page := browser.Open(onDisk(t, m))
		for i, p := range d.Patterns {
			page.Eval(fmt.Sprintf(`document.getElementById("choice-%d").click()`, i), nil)
			var got seen
			page.Eval(look, &got)
			if got.Chosen != p.Name || got.Detail != p.Name {
				t.Errorf("%s: %s is chosen, and %q is shown of %q", m.name, p.Name, got.Detail, got.Chosen)
			}
			if p.Call != nil && got.View != p.Call.View {
				t.Errorf("%s: %s reads %s, and %s is shown", m.name, p.Name, p.Call.View, got.View)
			}
			if want := expected(p, answered[p.Name]); !equal(got.Marks, want) {
				t.Errorf("%s: %s: marked are %v; the engine says %v", m.name, p.Name, got.Marks, want)
			}
			if p.Call != nil && len(p.Call.Returned) > 0 && len(got.Shown) == 0 {
				t.Errorf("%s: %s: what it returns is not to be seen", m.name, p.Name)
			}
		}
		page.Calm()
	}
}

// expected are the marks of a pattern by view: for reads by the engine's answer.
func expected(p document.Pattern, a answer) map[string]map[int]string {
	want := map[string]map[int]string{}
	put := func(view string, items []int, text string) {
		for _, n := range items {
			if want[view] == nil {
				want[view] = map[int]string{}
			}
			want[view][n] = text
		}
	}
	if p.Call == nil {
		return want
	}
	read, returned := a.read, a.returned
	if p.Call.Writes && len(a.read) == 0 {
		read = p.Call.Read // before a write
	}
	put(p.Call.View, read, "read, dropped")
	put(p.Call.View, returned, "returned")
	put(document.TableName, a.referred, "read then")
	put(document.TableName, p.Call.Written, "written")
	return want
}

func equal(a, b map[string]map[int]string) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

func shop(t *testing.T) text {
	t.Helper()
	all := models(t)
	return all[slices.IndexFunc(all, func(m text) bool { return m.name == "shop/access-patterns.yaml" })]
}

// TestKeyboard reads the page without a mouse.
func TestKeyboard(t *testing.T) {
	page := chromium.Start(t).Open(onDisk(t, shop(t)))
	focus := func() string {
		return page.Text(`document.activeElement.id || document.activeElement.className || document.activeElement.tagName`)
	}
	reach := func(what string, keys ...string) {
		t.Helper()
		page.Press(keys...)
		if got := focus(); got != what {
			t.Fatalf("after %q the focus is on %q, want %q", keys, got, what)
		}
	}
	chosen := func() string {
		var got seen
		page.Eval(look, &got)
		return got.Detail
	}
	reach("skip", "Tab")
	reach("main", "Enter")
	reach("search", "/")
	reach("theme", "Tab")

	page.Eval(`document.querySelector("#choices [aria-selected=true]").focus()`, nil)
	before := chosen()
	page.Press("ArrowDown")
	if after := chosen(); before != "cart" || after != "take-out-of-cart" {
		t.Errorf("an arrow leads from %s to %s", before, after)
	}
	reach("choice-0", "Home")
	reach("choice-0", "ArrowUp")
	page.Press("End")
	if got := chosen(); got != "redeem-coupon" {
		t.Errorf("End leads to %s", got)
	}
	reach("tab-0", "Tab")
	reach("tab-1", "ArrowRight")
	if view := page.Text(`document.querySelector(".view.chosen").dataset.view`); view != "GSI1" {
		t.Errorf("the second tab shows %s", view)
	}
	reach("scroll", "Tab") // the table of items can be scrolled with the keyboard
	if outline := page.Text(`getComputedStyle(document.activeElement).outlineStyle`); outline != "solid" {
		t.Errorf("the focus is not to be seen: %s", outline)
	}
	page.Calm()
}

// TestSearch finds text in tables and in the list of access patterns.
func TestSearch(t *testing.T) {
	page := chromium.Start(t).Open(onDisk(t, shop(t)))
	shown := func(selector string) string {
		return page.Text(fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((e) => e.offsetParent).length`, selector))
	}
	page.Press("/", "t", "e", "a", "p", "o", "t")
	if got := page.Text(`document.getElementById("search").value`); got != "teapot" {
		t.Fatalf("typed is %q", got)
	}
	rows := strings.Fields(page.Text(`[...document.querySelectorAll(".view.chosen tr[data-item]")].filter((e) => e.offsetParent).map((e) => e.dataset.item).join(" ")`))
	in := document.New(shop(t).input(t))
	for _, v := range in.Views[0].Partitions {
		for _, r := range v.Rows {
			says := strings.Contains(strings.ToLower(fmt.Sprint(r, v.Key)), "teapot")
			if found := slices.Contains(rows, fmt.Sprint(r.Item)); found != says {
				t.Errorf("item %d: it holds the text: %v, it is found: %v", r.Item, says, found)
			}
		}
	}
	if got := page.Text(`document.getElementById("found").textContent`); !strings.HasSuffix(got, " entries found") {
		t.Errorf("said is %q", got)
	}
	page.Press("Escape")
	if got := shown("#choices [role=option]"); got != fmt.Sprint(len(in.Patterns)) {
		t.Errorf("after Escape %s patterns are shown", got)
	}
	page.Press("c", "o", "u", "p", "o", "n")
	if got := shown("#choices [role=option]"); got != "3" {
		t.Errorf("%s patterns are about a coupon", got)
	}
	page.Calm()
}

// TestTheme follows the system, and then the reader.
func TestTheme(t *testing.T) {
	browser := chromium.Start(t)
	page := browser.Open(onDisk(t, shop(t)))
	prefer := func(scheme string) {
		page.Do("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}})
		page.Eval(`new Promise((done) => setTimeout(done, 200))`, nil) // until the page is told
	}
	theme := func() string {
		return page.Text(`document.documentElement.dataset.theme + " " + document.getElementById("theme").getAttribute("aria-pressed")`)
	}
	prefer("dark")
	if got := theme(); got != "dark true" {
		t.Errorf("in a dark system it is %s", got)
	}
	page.Eval(`document.getElementById("theme").click()`, nil)
	if got := theme(); got != "light false" {
		t.Errorf("after the button it is %s", got)
	}
	prefer("light")
	prefer("dark")
	if got := theme(); got != "light false" {
		t.Errorf("what the reader chose has become %s", got)
	}
	page.Calm()
}

// TestNarrow holds that the page as a whole never scrolls sideways, on screens of
// many widths, and that printed it shows all views.
func TestNarrow(t *testing.T) {
	page := chromium.Start(t).Open(onDisk(t, shop(t)))
	for _, width := range []int{320, 390, 760, 1024, 1440, 1920} {
		page.Do("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false})
		if got := page.Text(`document.documentElement.scrollWidth`); got != fmt.Sprint(width) {
			t.Errorf("at %d pixels the page is %s wide", width, got)
		}
	}
	page.Do("Emulation.setEmulatedMedia", map[string]any{"media": "print"})
	if got := page.Text(`[...document.querySelectorAll(".view")].filter((e) => e.offsetParent).length`); got != "3" {
		t.Errorf("printed are %s of 3 views", got)
	}
	page.Calm()
}

// TestAccessible runs axe-core (AXE_CORE is its script) on the page, light and dark.
func TestAccessible(t *testing.T) {
	axe := chromium.Script(t, "AXE_CORE")
	browser := chromium.Start(t)
	for _, m := range models(t) {
		if !strings.HasPrefix(m.name, "shop/") && !strings.HasPrefix(m.name, "telemetry/access") {
			continue // it takes its time, and the pages are alike
		}
		page := browser.Open(onDisk(t, m))
		page.Eval(axe+"; 0", nil)
		for _, theme := range []string{"light", "dark"} {
			page.Eval(fmt.Sprintf(`document.documentElement.dataset.theme = %q`, theme), nil)
			page.Eval(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`, nil)
			var violations []string
			page.Eval(`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then((r) =>
				r.violations.map((v) => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map((n) => n.html + " " + n.failureSummary).join(" | ")))`, &violations)
			for _, v := range violations {
				t.Errorf("%s, %s: %s", m.name, theme, v)
			}
		}
		page.Calm()
	}
}
