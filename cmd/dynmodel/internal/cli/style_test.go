package cli

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
)

func newRoot() *cobra.Command {
	var out bytes.Buffer
	root := Root(&terminal.Streams{In: strings.NewReader(""), Out: &out, Err: &out, Env: func(string) string { return "" }})
	root.InitDefaultHelpCmd()
	return root
}

// each calls f for every command below the root.
func each(t *testing.T, f func(t *testing.T, cmd *cobra.Command)) {
	t.Helper()
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			t.Run(c.CommandPath(), func(t *testing.T) { f(t, c) })
			walk(c)
		}
	}
	walk(newRoot())
}

// terminalWidth is how wide help may be.
const terminalWidth = 80

func TestHelpOfCommands(t *testing.T) {
	each(t, func(t *testing.T, cmd *cobra.Command) {
		first, _ := utf8.DecodeRuneInString(cmd.Short)
		switch {
		case cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") || unicode.IsPunct(first):
			t.Errorf("Short is %q, want a phrase without a full stop", cmd.Short)
		case cmd.Args == nil:
			t.Error("takes any argument")
		case cmd.Example == "":
			t.Error("has no example")
		}
		if cmd.Parent().HasParent() {
			return // what ends a target or a format is said once, above it
		}
		for line := range strings.Lines(cmd.Long) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > terminalWidth {
				t.Errorf("a line of Long has %d columns, want %d at most: %s", n, terminalWidth, line)
			}
		}
		if !regexp.MustCompile(`\n\nExit status: 0\b[^.]*; 2 [^.]*\.$`).MatchString(cmd.Long) {
			t.Error(`Long does not end with "Exit status: 0 …; 2 …."`)
		}
		if !cmd.HasSubCommands() && cmd.ValidArgsFunction == nil && cmd.ValidArgs == nil {
			t.Error("arguments are not completed")
		}
	})
}

// TestExamples holds that every example is a command line that is accepted.
func TestExamples(t *testing.T) {
	ends := regexp.MustCompile(` [<>|].*`)
	each(t, func(t *testing.T, cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Example) {
			_, command, ok := strings.Cut(strings.TrimRight(line, "\n"), "dynmodel ")
			if !ok || !strings.HasPrefix(line, "  ") {
				t.Errorf("no command line: %q", line)
				continue
			}
			of, args, err := newRoot().Find(strings.Fields(ends.ReplaceAllString(command, "")))
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			if !strings.HasPrefix(of.CommandPath(), cmd.CommandPath()) {
				t.Errorf("%s: it is an example of %s", line, of.CommandPath())
			}
			if err := of.ParseFlags(args); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			if err := of.ValidateArgs(of.Flags().Args()); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	})
}

// stems are how flags are described that several commands have. A flag that is
// not among them is described in the same words everywhere.
var stems = map[string]string{
	"check":    `^write nothing; `,
	"fail-on":  `^exit with 1 on `,
	"file":     `^model .*; - is standard input( \(default: access-patterns\.yaml, if it is there\))?$`,
	"format":   `^how to (report|write files): .* or `,
	"max-rate": `^most requests a second`,
	"output":   `^(file|folder) .*(\(default|standard output)`,
	"region":   `^region `,
	"seed":     `^seed of `,
}

// differ are flags of one name that mean different things to different commands,
// by what the command is about.
var differ = []string{"force", "if-model", "items", "keep", "quiet", "table"}

// completed are flags whose values are completed.
var completed = []string{"color", "fail-on", "file", "format", "only", "pattern", "skip", "template"}

func TestFlagsOfCommands(t *testing.T) {
	first := map[string]*pflag.Flag{}
	each(t, func(t *testing.T, cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { judgeFlag(t, cmd, f, first) })
		cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) { judgeFlag(t, cmd, f, first) })
	})
}

func judgeFlag(t *testing.T, cmd *cobra.Command, f *pflag.Flag, first map[string]*pflag.Flag) {
	if f.Name == "help" {
		return
	}
	if f.Usage == "" || strings.HasSuffix(f.Usage, ".") {
		t.Errorf("--%s is described as %q, want a phrase without a full stop", f.Name, f.Usage)
	}
	if _, ok := cmd.GetFlagCompletionFunc(f.Name); !ok && slices.Contains(completed, f.Name) {
		t.Errorf("the values of --%s are not completed", f.Name)
	}
	if slices.Contains(differ, f.Name) {
		return
	}
	before := first[f.Name]
	if before == nil {
		first[f.Name] = f
		before = f
	}
	if f.Shorthand != before.Shorthand || f.Value.Type() != before.Value.Type() {
		t.Errorf("--%s is -%s %s, and of another command -%s %s", f.Name, f.Shorthand, f.Value.Type(), before.Shorthand, before.Value.Type())
	}
	stem, has := stems[f.Name]
	switch {
	case has && !regexp.MustCompile(stem).MatchString(f.Usage):
		t.Errorf("--%s is described as %q, want %s", f.Name, f.Usage, stem)
	case !has && f.Usage != before.Usage:
		t.Errorf("--%s is described as %q, and of another command as %q", f.Name, f.Usage, before.Usage)
	}
}

func TestMisuse(t *testing.T) {
	for command, want := range map[string]string{
		"chekc":                         "no command is named \"chekc\"; did you mean check?\nsee \"dynmodel --help\"",
		"frobnicate":                    "no command is named \"frobnicate\"\nsee \"dynmodel --help\"",
		"help chekc":                    "no command is named \"chekc\"\nsee \"dynmodel --help\"",
		"cost nosuch.yaml":              "nosuch.yaml: no such file or folder",
		"cost a.yaml b.yaml":            "\"b.yaml\" is an argument too many: this command takes one\nsee \"dynmodel cost --help\"",
		"cost -f a.yaml b.yaml":         "\"b.yaml\" is an argument too many: --file names the model\nsee \"dynmodel cost --help\"",
		"cost":                          "name the model with --file; there is no access-patterns.yaml here",
		"check --fromat json":           "no flag is named --fromat; did you mean --format?\nsee \"dynmodel check --help\"",
		"check --only key-colision":     "no rule is named \"key-colision\"; did you mean key-collision?",
		"version now":                   "\"now\" is an argument too many: this command takes none\nsee \"dynmodel version --help\"",
		"explain a b":                   "\"b\" is an argument too many: this command takes one\nsee \"dynmodel explain --help\"",
		"schema nosuch":                 "no schema is named \"nosuch\"; there are model, check, diff, cost, simulate\nsee \"dynmodel schema --help\"",
		"completion":                    "name a shell: bash, zsh, fish or powershell\nsee \"dynmodel completion --help\"",
		"cost --format xml":             "--format xml: must be text, json, csv or markdown\nsee \"dynmodel cost --help\"",
		"check --color blue":            "--color blue: must be auto, always or never\nsee \"dynmodel check --help\"",
		"check --seed -1":               "--seed -1: must be a whole number, 0 or more\nsee \"dynmodel check --help\"",
		"check --cases many":            "--cases many: must be a whole number\nsee \"dynmodel check --help\"",
		"check --max-rate fast":         "--max-rate fast: must be a number\nsee \"dynmodel check --help\"",
		"check --static=perhaps":        "--static perhaps: must be true or false\nsee \"dynmodel check --help\"",
		"serve --port 99999":            "--port 99999: must be a whole number from 0 to 65535\nsee \"dynmodel serve --help\"",
		"check --aws --endpoint http:x": "--endpoint and --aws name two places; give one of them",
	} {
		t.Run(command, func(t *testing.T) {
			args := strings.Fields(command)
			if args[0] == "check" {
				args = append(args, "model.yaml")
			}
			var out, errs bytes.Buffer
			code := Main(args, &terminal.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(string) string { return "" }})
			if code != exitTrouble || errs.String() != "dynmodel: "+want+"\n" || out.Len() > 0 {
				t.Errorf("exit code %d\n%s%s\nwant %d\n%s", code, out.String(), errs.String(), exitTrouble, want)
			}
		})
	}
}
