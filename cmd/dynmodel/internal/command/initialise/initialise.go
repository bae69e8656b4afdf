// Package initialise is `dynmodel init`: what a project begins with.
package initialise

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/buildinfo"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
)

//go:embed templates precommit.tmpl workflow.tmpl hook.sh
var files embed.FS

// templates are the models to begin with; the first is the default.
var templates = []string{"blank", "shop", "saas", "chat", "iot"}

// Options are the command's arguments and flags.
type Options struct {
	streams  *terminal.Streams
	dir      string
	template string
	gitHook  bool
}

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	o := &Options{streams: streams}
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Begin a model, with a pre-commit config and a CI workflow",
		Long: `Writes into a folder, the present one unless DIR is given, what a project begins
with: access-patterns.yaml, a commented model that checks without findings;
.pre-commit-config.yaml, which checks the models of every commit; and
.github/workflows/dynmodel.yml, which checks those of every push. A file that is
there already is left alone.

Templates: blank (notes, the smallest useful model), shop (customers, catalogue,
orders), saas (tenants kept apart, members, projects, tasks), chat (rooms,
messages, pins), iot (devices, readings that expire, alerts).

With --git-hook it writes a hook of Git instead, which checks the models of
every commit without pre-commit. A hook that somebody else wrote is left alone.

Exit status: 0, also when files were left alone; 2 for a wrong flag, or a folder
that cannot be written to.`,
		Example: `  dynmodel init
  dynmodel init orders --template shop
  dynmodel init --git-hook`,
		Args: command.AtMostOne,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.dir = "."
			if len(args) == 1 {
				o.dir = args[0]
			}
			if cmd.Flags().Changed("template") && o.gitHook {
				return errors.New("--git-hook writes no model; leave --template out")
			}
			return o.run()
		},
	}
	command.ChoiceFlag(cmd, &o.template, "template", templates[0], "model to begin with", templates...)
	cmd.Flags().BoolVar(&o.gitHook, "git-hook", false, "write a pre-commit hook of Git, and nothing else")
	return cmd
}

func (o *Options) run() error {
	if o.dir == "" {
		return errors.New("DIR is empty; name a folder")
	}
	if o.gitHook {
		return o.writeHook()
	}
	for _, file := range []struct{ path, from string }{
		{"access-patterns.yaml", "templates/" + o.template + ".yaml"},
		{".pre-commit-config.yaml", "precommit.tmpl"},
		{filepath.Join(".github", "workflows", "dynmodel.yml"), "workflow.tmpl"},
	} {
		if err := o.write(filepath.Join(o.dir, file.path), content(file.from)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(o.streams.Out, "next: dynmodel check %s\n", filepath.Join(o.dir, "access-patterns.yaml"))
	return err
}

// content is an embedded file, with the revision of this project that goes with
// the running binary.
func content(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return strings.ReplaceAll(string(text), "REVISION", revision(buildinfo.Read().Version))
}

var release = regexp.MustCompile(`^\d+\.\d+\.\d+$`)

// revision is the tag of a released version, else the branch that is developed on.
func revision(version string) string {
	if release.MatchString(version) {
		return "v" + version
	}
	return "main"
}

// write writes a new file, with the folders it is in.
func (o *Options) write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return modelfiles.CannotWrite(path, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		_, err := fmt.Fprintf(o.streams.Out, "left %s alone, which is there already\n", path)
		return err
	}
	if err != nil {
		return modelfiles.CannotWrite(path, err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(o.streams.Out, "wrote %s\n", path)
	return err
}
