package workbench

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/jsontree"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// Key is where a file that dynmodel generated holds the model itself: a digest of
// the rest of the file, and the model's texts. Workbench passes it over.
const Key = "Dynmodel"

// Digest is a digest of what Workbench shows of a file and may change: not of the
// layout, of dates, or of the model that it carries.
func Digest(file *source.File) (string, error) {
	root, _, err := jsontree.Parse(file)
	if err != nil {
		return "", err
	}
	return digest(root), nil
}

func digest(root *yamltree.Node) string {
	h := sha256.New()
	for _, key := range []string{"ModelName", "DataModel"} {
		if n := root.Get(key); n != nil {
			canonical(h, n)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// canonical writes a node so that documents which mean the same are the same.
func canonical(w io.Writer, n *yamltree.Node) {
	switch n.Kind {
	case yamltree.Mapping:
		entries := slices.Clone(n.Entries)
		slices.SortStableFunc(entries, func(a, b *yamltree.Entry) int { return strings.Compare(a.Key.Text, b.Key.Text) })
		fmt.Fprintf(w, "{%d", len(entries))
		for _, e := range entries {
			io.WriteString(w, strconv.Quote(e.Key.Text))
			canonical(w, e.Value)
		}
	case yamltree.Sequence:
		fmt.Fprintf(w, "[%d", len(n.Items))
		for _, item := range n.Items {
			canonical(w, item)
		}
	case yamltree.Null:
		io.WriteString(w, "null ")
	default:
		fmt.Fprintf(w, "%d%q", n.Style, n.Text)
	}
}

// own gives back the model that a generated file carries, unless the rest of the
// file was changed since.
func own(d *draft.Draft, root *yamltree.Node) {
	n := d.Object(root, Key)
	if n == nil {
		return
	}
	if d.Scalar(n, "Digest") != digest(root) {
		d.Faultf(n.At, "the file was changed since dynmodel generated it; what only the model that it carries says is left out")
		return
	}
	for i, f := range d.List(n, "Files") {
		name, text := d.Scalar(f, "Name"), d.Scalar(f, "Text")
		if i == 0 {
			d.Text = text
			continue
		}
		if !filepath.IsLocal(filepath.FromSlash(name)) || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(name)) {
			d.Faultf(f.At, "the model that it carries includes `%s`, which is no model below its folder; it is left out", name)
			continue
		}
		d.Includes = append(d.Includes, source.NewFile(name, text))
	}
}
