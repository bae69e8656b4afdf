package html

import (
	"image"

	"github.com/dynmodel/dynmodel/generate/document"
)

// Boxes are where the entities of a document are in its diagram.
func Boxes(d document.Document) []image.Rectangle {
	var out []image.Rectangle
	g := newDiagram(d, tintsOf(d))
	for _, b := range g.Boxes {
		r := image.Rect(b.X, b.Y, b.X+b.Width, b.Y+b.Height)
		if !r.In(image.Rect(0, 0, g.Width, g.Height)) {
			r = image.Rect(0, 0, g.Width, g.Height) // on all others
		}
		out = append(out, r)
	}
	return out
}
