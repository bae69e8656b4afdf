package importer

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dynmodel/dynmodel/model/importer/draft"
)

// writer writes models to where the flags say.
type writer struct {
	*Options
	taken map[string]bool // file names in the folder
}

// isFolder tells whether --output names a folder: one that is there, or a path
// without the ending of a model.
func (w *writer) isFolder() bool {
	if w.output == "" {
		return false
	}
	if info, err := os.Stat(w.output); err == nil {
		return info.IsDir()
	}
	return strings.HasSuffix(w.output, "/") || filepath.Ext(w.output) == ""
}

// one writes a model, and what there is to say about it.
func (w *writer) one(d *draft.Draft, text string) error {
	path := w.output
	if w.isFolder() {
		path = filepath.Join(w.output, w.fileName(d.Table.Name.Text))
	}
	if len(d.Includes) > 0 && path == "" {
		return fmt.Errorf("the model of %s includes other files; name a folder with --output", d.Table.Name.Text)
	}
	if err := w.put(path, text); err != nil {
		return err
	}
	for _, f := range d.Includes {
		if err := w.put(filepath.Join(filepath.Dir(path), filepath.FromSlash(f.Name())), f.Text()); err != nil {
			return err
		}
	}
	if w.quiet {
		return nil
	}
	return w.report(d, path)
}

// fileName is a name for the model of a table that no other one has.
func (w *writer) fileName(table string) string {
	base := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < 0x20 {
			return '-'
		}
		return r
	}, table)
	name := base + ".yaml"
	for i := 2; w.taken[name]; i++ {
		name = fmt.Sprintf("%s-%d.yaml", base, i)
	}
	w.taken[name] = true
	return name
}

func (w *writer) put(path, text string) error {
	if path == "" {
		_, err := io.WriteString(w.streams.Out, text)
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	how := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if !w.force {
		how |= os.O_EXCL
	}
	f, err := os.OpenFile(path, how, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; --force overwrites it", path)
	}
	if err != nil {
		return err
	}
	if _, err := io.WriteString(f, text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// report says what was found, and what is wrong or lost.
func (w *writer) report(d *draft.Draft, path string) error {
	out := bufio.NewWriter(w.streams.Err)
	for _, n := range d.All() {
		fmt.Fprintf(out, "%s\n", n)
	}
	t := draft.Count(d)
	to := ""
	if path != "" {
		to = " to " + path
	}
	fmt.Fprintf(out, "%s%s: %s\n", d.Table.Name.Text, to, t)
	return out.Flush()
}
