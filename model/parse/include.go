package parse

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// maxFiles bounds how many files a model is made of.
const maxFiles = 1000

// load reads the document and everything it includes into b.documents.
func (b *builder) load(file *source.File, files fs.FS) {
	l := &loader{builder: b, files: files, folder: filepath.Dir(file.Name()), loaded: map[string]bool{}}
	name := filepath.Base(file.Name())
	l.loaded[name] = true
	l.document(file, []string{name})
}

// loader follows includes. Names in it are slash-separated paths within files.
type loader struct {
	*builder
	files  fs.FS
	folder string // of the main document, as the user gave it
	loaded map[string]bool
}

// document reads a file; the chain of names ends with its own.
func (l *loader) document(file *source.File, chain []string) {
	syntax := &diag.List{}
	root := yamltree.Parse(file, syntax)
	main := len(chain) == 1
	if main && isForeign(root) {
		l.report(diag.Finding{Rule: diag.InvalidModel, Severity: diag.Error, Span: source.Span{File: file},
			Message: "this is no model: it has neither `version` and `table` nor `entities` and `access_patterns`",
			Fix:     "\"dynmodel import\" makes a model of what other tools say of a table, \"dynmodel init\" one to begin with"})
		return
	}
	l.list.Add(syntax.All()...)
	if root == nil {
		if main && l.list.Len() == 0 {
			l.errorf(source.Span{File: file}, "the file is empty; a model has at least a `version`, a `table` and `entities`")
		}
		return
	}
	d := &document{file: file, root: root}
	l.documents = append(l.documents, d)
	l.readRoot(d, main)
	if d.include == nil {
		return
	}
	for _, n := range l.members(d.include) {
		if pattern, ok := l.text(n); ok {
			l.include(n, pattern, chain)
		}
	}
}

// include reads the files that a name or a pattern with * stands for, relative
// to the file that includes them.
func (l *loader) include(n *yamltree.Node, pattern string, chain []string) {
	if l.files == nil {
		l.errorf(n.At, "a model from standard input includes nothing; give the file's name instead")
		return
	}
	full := path.Join(path.Dir(chain[len(chain)-1]), filepath.ToSlash(pattern))
	if path.IsAbs(pattern) || filepath.IsAbs(pattern) || !fs.ValidPath(full) {
		l.errorf(n.At, "`%s` leads out of the model's folder; included files lie in it or below", clip(pattern))
		return
	}
	names, err := fs.Glob(l.files, full)
	if err != nil {
		l.errorf(n.At, "`%s` is no pattern of file names: [ is not closed", clip(pattern))
		return
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.ContainsAny(full, "*?[") && slices.Contains(chain, name) })
	if len(names) == 0 {
		l.errorf(n.At, "there is no file `%s`", clip(pattern))
	}
	for _, name := range names {
		l.file(n, name, chain)
	}
}

func (l *loader) file(n *yamltree.Node, name string, chain []string) {
	switch {
	case slices.Contains(chain, name):
		l.errorf(n.At, "`%s` includes itself: %s", name, strings.Join(append(chain, name), " → "))
		return
	case l.loaded[name]:
		return
	case len(l.loaded) >= maxFiles:
		l.errorf(n.At, "a model is made of more than %d files", maxFiles)
		return
	}
	l.loaded[name] = true
	text, err := readFile(l.files, name)
	if err != nil {
		l.errorf(n.At, "`%s` cannot be read: %v", name, err)
		return
	}
	l.document(source.NewFile(filepath.Join(l.folder, filepath.FromSlash(name)), text), append(slices.Clone(chain), name))
}

// readFile reads a file no further than it needs to be found too large.
func readFile(files fs.FS, name string) (string, error) {
	f, err := files.Open(name)
	if err != nil {
		return "", reason(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", reason(err)
	}
	if info.IsDir() {
		return "", errors.New("it is a folder")
	}
	text, err := io.ReadAll(io.LimitReader(f, yamltree.MaxSize+1))
	if err != nil {
		return "", reason(err)
	}
	return string(text), nil
}

// reason is the error without the path, which the message names already.
func reason(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
