package initialise

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
)

// hookMark is in every hook that this command writes, and in no other.
const hookMark = "# Written by dynmodel init --git-hook"

// writeHook puts the hook where Git looks for it. One of an earlier dynmodel is
// brought up to date.
func (o *Options) writeHook() error {
	path, err := hookPath(o.dir)
	if err != nil {
		return err
	}
	text := content("hook.sh")
	present, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case string(present) == text:
		_, err := fmt.Fprintf(o.streams.Out, "left %s alone, which is there already\n", path)
		return err
	case !strings.Contains(string(present), hookMark):
		return fmt.Errorf("%s is a hook that somebody else wrote, and is left alone; to check models in it, add\n  dynmodel check --quiet --if-model FILE…", path)
	}
	if err := modelfiles.Write(path, text); err != nil {
		return err
	}
	if err := os.Chmod(path, 0o755); err != nil {
		return err
	}
	_, err = fmt.Fprintf(o.streams.Out, "wrote %s\n", path)
	return err
}

// hookPath asks Git where the repository's pre-commit hook is: work trees and the
// setting core.hooksPath move it.
func hookPath(dir string) (string, error) {
	out, err := exec.Command("git", "-C", dir, "rev-parse", "--git-path", "hooks").Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("--git-hook needs git, which is not installed")
	}
	if err != nil {
		return "", fmt.Errorf("%s is not in a Git repository", dir)
	}
	folder := strings.TrimSpace(string(out))
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(dir, folder)
	}
	return filepath.Join(folder, "pre-commit"), nil
}
