// Package modelfiles finds the models that the arguments of a command name:
// files, folders to search, and standard input.
package modelfiles

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Stdin is the argument, and the file name in findings, that stands for standard input.
const Stdin = "-"

// Default is the model that is meant when none is named: the one that
// "dynmodel init" writes.
const Default = "access-patterns.yaml"

// HasDefault tells whether the present folder has the default model.
func HasDefault() bool {
	info, err := os.Stat(Default)
	return err == nil && info.Mode().IsRegular()
}

// MaxSize is the largest model file that is read, in bytes.
const MaxSize = 4 << 20

// File is the text of a model file.
type File struct {
	Name string // the path as given, or as found below a folder that was given
	Text string
}

// Includes is the folder in which the model's includes are looked up; nil for
// standard input.
func (f File) Includes() fs.FS {
	if f.Name == Stdin {
		return nil
	}
	return os.DirFS(filepath.Dir(f.Name))
}

// Read reads what the arguments name, each file once, in order: a file as it
// is, a folder's models in order of their paths, and - as standard input;
// without arguments the default model. The error says which argument could not
// be read and what to do.
func Read(args []string, stdin io.Reader) ([]File, error) {
	if len(args) == 0 {
		args = []string{Default}
	}
	var files []File
	seen := map[string]bool{}
	for _, arg := range args {
		found, err := read(arg, stdin)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if !seen[f.Name] {
				seen[f.Name] = true
				files = append(files, f)
			}
		}
	}
	return files, nil
}

func read(arg string, stdin io.Reader) ([]File, error) {
	if arg == "" {
		return nil, errors.New("an argument is empty; name a file, a folder, or - for standard input")
	}
	if arg == Stdin {
		text, err := readLimited(stdin)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		return []File{{Name: Stdin, Text: text}}, nil
	}
	info, err := os.Stat(arg)
	if err != nil {
		return nil, Explain(arg, err)
	}
	if info.IsDir() {
		return search(arg)
	}
	f, err := readFile(arg)
	if err != nil {
		return nil, err
	}
	return []File{f}, nil
}

func readFile(path string) (File, error) {
	f, err := os.Open(path)
	if err != nil {
		return File{}, Explain(path, err)
	}
	defer f.Close()
	text, err := readLimited(f)
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", path, err)
	}
	return File{Name: filepath.Clean(path), Text: text}, nil
}

// ErrTooLarge says that a file is larger than MaxSize.
var ErrTooLarge = errors.New("larger than 4 MB, which no model is; is it the right file?")

func readLimited(r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return "", err
	}
	if len(text) > MaxSize {
		return "", ErrTooLarge
	}
	return string(text), nil
}

// Explain says plainly what is wrong with a path that cannot be read.
func Explain(path string, err error) error {
	var failed *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file or folder", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: no permission to read it", path)
	case errors.As(err, &failed):
		return fmt.Errorf("%s: %w", path, failed.Err)
	}
	return err
}

// A file is a model when it has `version` and `table` at its top level; without
// `table` it is a fragment that some model includes.
var (
	versionKey = regexp.MustCompile(`(?m)^["']?version["']?[ \t]*:`)
	tableKey   = regexp.MustCompile(`(?m)^["']?table["']?[ \t]*:`)
	includeKey = regexp.MustCompile(`(?m)^["']?include["']?[ \t]*:`)
)

// search finds the models below a folder. Folders that hold other people's
// files, and hidden ones, are passed over.
func search(root string) ([]File, error) {
	var paths []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return Explain(path, err)
		case d.IsDir() && path != root && passedOver(d.Name()):
			return fs.SkipDir
		case isYAML(d):
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	models, err := modelsAmong(paths)
	if err == nil && len(models) == 0 {
		err = fmt.Errorf("%s: no model below this folder (a model is a .yaml file with `version:` and `table:` at its top level)", root)
	}
	return models, err
}

func isYAML(d fs.DirEntry) bool {
	return d.Type().IsRegular() && slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(d.Name()))
}

// modelsAmong reads the files that are models.
func modelsAmong(paths []string) ([]File, error) {
	var models []File
	for _, path := range paths {
		f, err := readFile(path)
		switch {
		case errors.Is(err, ErrTooLarge):
		case err != nil:
			return nil, err
		case IsModel(f.Text):
			models = append(models, f)
		}
	}
	return models, nil
}

func passedOver(folder string) bool {
	return strings.HasPrefix(folder, ".") || folder == "node_modules" || folder == "vendor"
}
