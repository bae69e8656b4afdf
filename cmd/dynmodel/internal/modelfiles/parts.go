package modelfiles

import (
	"os"
	"path/filepath"

	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// IsModel tells whether a text is a model rather than a fragment or something else.
func IsModel(text string) bool {
	return versionKey.MatchString(text) && tableKey.MatchString(text)
}

// parts are the files that the model includes, in order; none when the model
// cannot be read that far.
func (f File) parts() []File {
	m, _ := parse.File(source.NewFile(f.Name, f.Text), f.Includes())
	if m == nil {
		return nil
	}
	var parts []File
	for _, file := range m.Files[1:] {
		parts = append(parts, File{Name: file.Name(), Text: file.Text()})
	}
	return parts
}

// Wholes puts the models that include a fragment in the fragment's place, each
// model once. A file that is neither a model nor included by one stays.
func Wholes(files []File) ([]File, error) {
	var out []File
	for _, f := range files {
		group := []File{f}
		if f.Name != Stdin && !IsModel(f.Text) {
			models, err := including(f)
			if err != nil {
				return nil, err
			}
			if len(models) > 0 {
				group = models
			}
		}
		out = append(out, group...)
	}
	return distinct(out), nil
}

// Related leaves out files that are neither a model nor included by one.
func Related(files []File) ([]File, error) {
	var out []File
	for _, f := range files {
		related := f.Name == Stdin || IsModel(f.Text)
		if !related {
			models, err := including(f)
			if err != nil {
				return nil, err
			}
			related = len(models) > 0
		}
		if related {
			out = append(out, f)
		}
	}
	return out, nil
}

// WithParts adds the files that the models include behind each of them, each
// file once.
func WithParts(files []File) []File {
	var out []File
	for _, f := range files {
		out = append(out, f)
		if f.Name != Stdin && IsModel(f.Text) {
			out = append(out, f.parts()...)
		}
	}
	return distinct(out)
}

// distinct leaves out files that are there already, perhaps by another path.
func distinct(files []File) []File {
	var out []File
	seen := map[string]bool{}
	for _, f := range files {
		at := f.Name
		if at != Stdin {
			at = absolute(at)
		}
		if !seen[at] {
			seen[at] = true
			out = append(out, f)
		}
	}
	return out
}

// including finds the models that include a fragment. What a model includes
// lies in its folder or below, so that they lie in the fragment's folder or
// above it; the search ends at the top of the repository, or where a folder may
// not be read.
func including(fragment File) ([]File, error) {
	var out []File
	for folder, ok := filepath.Dir(fragment.Name), true; ok; folder, ok = above(folder) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			break
		}
		var paths []string
		for _, d := range entries {
			if isYAML(d) {
				paths = append(paths, filepath.Join(folder, d.Name()))
			}
		}
		models, err := modelsAmong(paths)
		if err != nil {
			return nil, err
		}
		for _, m := range models {
			if m.includes(fragment) {
				out = append(out, m)
			}
		}
	}
	return out, nil
}

func (f File) includes(part File) bool {
	if !includeKey.MatchString(f.Text) {
		return false // told without reading the model: there may be many
	}
	for _, p := range f.parts() {
		if absolute(p.Name) == absolute(part.Name) {
			return true
		}
	}
	return false
}

// above is the folder above one, written as short as it was; false at the top
// of a repository or of the file system.
func above(folder string) (string, bool) {
	if _, err := os.Stat(filepath.Join(folder, ".git")); err == nil {
		return "", false
	}
	parent := filepath.Join(folder, "..")
	if filepath.Base(folder) != ".." && folder != "." {
		parent = filepath.Dir(folder)
	}
	return parent, absolute(parent) != absolute(folder)
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}
