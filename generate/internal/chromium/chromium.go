// Package chromium drives a headless Chromium, for the tests of what is to be seen
// in a browser: over the DevTools protocol, through two pipes.
package chromium

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Browser is a running Chromium. Messages on its pipes are JSON texts that end in
// a zero byte.
type Browser struct {
	t   testing.TB
	out io.Writer

	mu      sync.Mutex
	last    int
	waiting map[int]chan reply
	pages   map[string]*Page // by session
}

type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// Start starts a Chromium, or skips the test where there is none, and with -short;
// with REQUIRE_CHROMIUM=1 it is a failure that there is none. CHROMIUM may name one.
func Start(t testing.TB) *Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	path, err := find()
	if err != nil {
		missing(t, err.Error())
	}
	theirs, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--no-first-run", "--disable-extensions", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{theirs, ours} // file descriptors 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	ours.Close()
	c := &Browser{t: t, out: out, waiting: map[int]chan reply{}, pages: map[string]*Page{}}
	gone := make(chan struct{})
	go func() {
		c.listen(in)
		close(gone)
	}()
	t.Cleanup(func() {
		c.send("Browser.close", "", nil)
		<-gone
		cmd.Wait() // its error is that the pipe has closed
	})
	return c
}

// missing skips a test that lacks something, or fails it where that is required.
func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("REQUIRE_CHROMIUM") == "1" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// Script is the text of a script for pages, whose path a variable of the
// environment holds. Without it the test is skipped as by Start.
func Script(t testing.TB, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		missing(t, variable+" names no script; .ci/node-tools docs installs it")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// find is the browser that CHROMIUM names. One that merely lies on the machine is
// not used: driving it takes a minute, and the plain tests are to be quick everywhere.
func find() (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path, nil
	}
	return "", errors.New("CHROMIUM names no browser; .ci/chromium installs one and prints its path")
}

// listen hands every message to whoever waits for it, until the pipe closes.
func (c *Browser) listen(in io.Reader) {
	lines := bufio.NewReader(in)
	for {
		text, err := lines.ReadBytes(0)
		if err != nil {
			break
		}
		var m struct {
			ID        int
			Method    string
			SessionID string
			Params    json.RawMessage
			reply
		}
		if json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m) != nil {
			continue
		}
		c.mu.Lock()
		if waiting := c.waiting[m.ID]; waiting != nil {
			delete(c.waiting, m.ID)
			waiting <- m.reply
		} else if page := c.pages[m.SessionID]; page != nil {
			page.event(m.Method, m.Params)
		}
		c.mu.Unlock()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, waiting := range c.waiting {
		close(waiting)
	}
	c.waiting = nil
}

// patience is how long an answer may take on a busy machine.
const patience = 60 * time.Second

// send sends a command and waits for its answer.
func (c *Browser) send(method, session string, params any) (json.RawMessage, error) {
	answer := make(chan reply, 1)
	c.mu.Lock()
	if c.waiting == nil {
		c.mu.Unlock()
		return nil, errors.New("the browser has ended")
	}
	c.last++
	c.waiting[c.last] = answer
	command := map[string]any{"id": c.last, "method": method, "params": params}
	if params == nil {
		command["params"] = struct{}{}
	}
	if session != "" {
		command["sessionId"] = session
	}
	text, err := json.Marshal(command)
	if err == nil {
		_, err = c.out.Write(append(text, 0))
	}
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case r, ok := <-answer:
		switch {
		case !ok:
			return nil, errors.New("the browser has ended")
		case r.Error != nil:
			return nil, fmt.Errorf("%s: %s", method, r.Error.Message)
		}
		return r.Result, nil
	case <-time.After(patience):
		return nil, fmt.Errorf("%s: no answer", method)
	}
}

// Page is an open page.
type Page struct {
	browser *Browser
	session string
	loaded  chan struct{}
	// troubles are errors in the console, and requests of anything but the page.
	troubles []string
	url      string
}

// Open opens a page and waits until it is loaded.
func (c *Browser) Open(url string) *Page {
	c.t.Helper()
	var made struct{ TargetID string }
	c.must("Target.createTarget", "", map[string]any{"url": "about:blank"}, &made)
	var attached struct{ SessionID string }
	c.must("Target.attachToTarget", "", map[string]any{"targetId": made.TargetID, "flatten": true}, &attached)
	p := &Page{browser: c, session: attached.SessionID, loaded: make(chan struct{}, 1), url: url}
	c.mu.Lock()
	c.pages[p.session] = p
	c.mu.Unlock()
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		p.Do(domain+".enable", nil)
	}
	p.Do("Page.navigate", map[string]any{"url": url})
	select {
	case <-p.loaded:
	case <-time.After(patience):
		c.t.Fatalf("%s is not loaded", url)
	}
	return p
}

func (c *Browser) must(method, session string, params, result any) {
	c.t.Helper()
	text, err := c.send(method, session, params)
	if err == nil && result != nil {
		err = json.Unmarshal(text, result)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// event notes what happens in the page. The lock of the browser is held.
func (p *Page) event(method string, params json.RawMessage) {
	var e struct {
		Type             string
		Entry            struct{ Level, Text string }
		ExceptionDetails struct{ Text string }
		Request          struct{ URL string }
	}
	json.Unmarshal(params, &e) // what is no such event leaves it empty
	switch {
	case method == "Page.loadEventFired":
		select {
		case p.loaded <- struct{}{}:
		default:
		}
	case method == "Runtime.consoleAPICalled" && (e.Type == "error" || e.Type == "warning"),
		method == "Log.entryAdded" && (e.Entry.Level == "error" || e.Entry.Level == "warning"),
		method == "Runtime.exceptionThrown":
		p.troubles = append(p.troubles, string(params))
	case method == "Network.requestWillBeSent" && e.Request.URL != p.url && !strings.HasPrefix(e.Request.URL, "data:"):
		p.troubles = append(p.troubles, "asks for "+e.Request.URL)
	}
}

// Calm fails the test if anything went wrong in the page.
func (p *Page) Calm() {
	p.browser.t.Helper()
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	for _, trouble := range p.troubles {
		p.browser.t.Errorf("%s: %s", p.url, trouble)
	}
}

// Do sends a command of the protocol to the page.
func (p *Page) Do(method string, params any) {
	p.browser.t.Helper()
	p.browser.must(method, p.session, params, nil)
}

// Eval puts into value what an expression in the page evaluates to; a
// promise is awaited. Value may be nil.
func (p *Page) Eval(expression string, value any) {
	p.browser.t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	p.browser.must("Runtime.evaluate", p.session, map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &answer)
	if e := answer.ExceptionDetails; e != nil {
		p.browser.t.Fatalf("%s: %s", expression, e.Exception.Description)
	}
	if value == nil {
		return
	}
	if err := json.Unmarshal(answer.Result.Value, value); err != nil {
		p.browser.t.Fatalf("%s: %v", expression, err)
	}
}

// Text is the value of an expression in the page as a text.
func (p *Page) Text(expression string) string {
	p.browser.t.Helper()
	var text string
	p.Eval("Promise.resolve("+expression+").then(String)", &text)
	return text
}

// codes are the key codes of keys that write nothing.
var codes = map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}

// Press presses keys on the keyboard, one after another.
func (p *Page) Press(keys ...string) {
	p.browser.t.Helper()
	for _, key := range keys {
		down := map[string]any{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": codes[key]}
		switch {
		case codes[key] == 0:
			down["text"] = key
		case key == "Enter":
			down["text"] = "\r" // or it presses nothing
		}
		p.Do("Input.dispatchKeyEvent", down)
		p.Do("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": codes[key]})
	}
}
