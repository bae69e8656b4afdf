package modelfiles

import (
	"errors"
	"os"
	"path/filepath"
)

// Replace puts a text in the place of a file's content, as a whole: whoever
// reads the file meanwhile sees the old text or the new. Its mode stays, and a
// link goes on leading to it.
func Replace(path, text string) (err error) {
	path, err = filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
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
	if err := errors.Join(err, temp.Chmod(info.Mode().Perm()), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
