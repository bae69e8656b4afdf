package modelfiles

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write writes a file as a whole: whoever reads it meanwhile sees the old text or
// the new. The mode of a file that is there stays, and a link goes on leading
// to it.
func Write(path, text string) (err error) {
	mode := fs.FileMode(0o644)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".dynmodel-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temp.Name())
		}
	}()
	_, err = temp.WriteString(text)
	if err := errors.Join(err, temp.Chmod(mode), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
