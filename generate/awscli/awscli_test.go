package awscli

import (
	"os/exec"
	"testing"
)

// TestQuote has bash read words back.
func TestQuote(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	for _, text := range []string{"", "a", "a b", "it's", `"`, `it's "x"`, "$x", "it's $x", "`x`", `a\b`, `it's a\b`, "!", "it's!", "größe", "a\nb", "*", "~", "#a"} {
		out, err := exec.Command(bash, "-c", "printf %s "+quote(text)).Output()
		if err != nil || string(out) != text {
			t.Errorf("%q is written as %s, and read as %q, %v", text, quote(text), out, err)
		}
	}
}
