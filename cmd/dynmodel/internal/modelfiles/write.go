package modelfiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Write writes a file as a whole: whoever reads it meanwhile sees the old text or
// the new. The folder it lies in is made. The mode of a file that is there stays,
// and a link goes on leading to it; what is no file, such as a device or a pipe,
// is written to. The error says which file could not be written, and why.
func Write(path, text string) error {
	return CannotWrite(path, write(path, text))
}

// CannotWrite says plainly why a path cannot be written to, or made as a folder;
// nil when the error is.
func CannotWrite(path string, err error) error {
	var failed *fs.PathError
	var unlinked *os.LinkError
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: no permission to write it", path)
	case errors.As(err, &failed):
		return fmt.Errorf("%s cannot be written: %w", path, failed.Err)
	case errors.As(err, &unlinked):
		return fmt.Errorf("%s cannot be written: %w", path, unlinked.Err)
	}
	return err
}

func write(path, text string) error {
	mode := fs.FileMode(0o644)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	switch info, err := os.Stat(path); {
	case err == nil && info.Mode().IsRegular():
		mode = info.Mode().Perm()
	case err == nil:
		return os.WriteFile(path, []byte(text), mode)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return replace(path, text, mode)
}

// replace writes a file beside the one at the path, and puts it in its place.
func replace(path, text string, mode fs.FileMode) (err error) {
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
