package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/generate/document"
)

// diagram is the entities as boxes in rows: what others refer to stands above
// them. The layout depends on nothing but the model.
type diagram struct {
	Width, Height int
	Boxes         []*box
	Lines         []line
}

// box is an entity.
type box struct {
	Name          string
	Tint          int // the number of its colour
	X, Y          int
	Width, Height int
	Rows          []boxRow
	More          int // attributes that are not shown
	MoreY         int

	row   int
	place float64 // among the boxes of its row
	bend  bool    // it is no entity but a place where a long line passes a row
}

// boxRow is an attribute in a box; Y is its base line.
type boxRow struct {
	Name string
	Y    int
	Key  bool // it identifies the item
}

// line is a reference, drawn from the entity that refers to the other.
type line struct {
	Path   string // of SVG
	Title  string
	Dashed bool // items may refer to nothing
	Label  string
	LabelX int
	LabelY int
}

// Measures of the diagram in pixels.
const (
	boxHead    = 30
	boxLine    = 18
	boxPad     = 10
	boxShown   = 6 // attributes of a box
	charWidth  = 7
	gapX       = 36
	gapY       = 62
	margin     = 12
	bendWidth  = 8
	shelfWidth = 1120 // of groups side by side
	rowMost    = 5    // boxes side by side
)

// newDiagram lays out each group of entities that hang together by itself, and
// sets the groups side by side as far as there is room.
func newDiagram(d document.Document, tints map[string]int) diagram {
	g := diagram{Width: 2 * margin}
	x, y, shelf := margin, margin, 0 // shelf is the height of the groups beside each other
	for _, p := range partsOf(d, tints) {
		p.layout()
		if x > margin && x+p.width > shelfWidth {
			x, y, shelf = margin, y+shelf+gapY, 0
		}
		p.shift(x, y)
		x, shelf = x+p.width+gapX, max(shelf, p.height)
		g.Width = max(g.Width, x-gapX+margin)
		g.Height = max(g.Height, y+shelf+margin)
		ports(p.routes)
		for _, r := range p.routes {
			g.Lines = append(g.Lines, r.line())
		}
		g.Boxes = append(g.Boxes, slices.DeleteFunc(p.boxes, func(b *box) bool { return b.bend })...)
	}
	return g
}

// part is a group of entities that hang together by references.
type part struct {
	boxes         []*box
	routes        []*route
	width, height int
}

// partsOf are the groups of a document's entities, in the order of their first ones.
func partsOf(d document.Document, tints map[string]int) []*part {
	boxes := map[string]*box{}
	in := map[string]*part{}
	var out []*part
	for _, e := range d.Entities {
		boxes[e.Name] = newBox(d, e, tints[e.Name])
		in[e.Name] = &part{boxes: []*box{boxes[e.Name]}}
		out = append(out, in[e.Name])
	}
	for _, r := range d.Relations {
		one, other := in[r.To], in[r.From]
		one.routes = append(one.routes, &route{relation: r, from: boxes[r.From], to: boxes[r.To]})
		if one == other {
			continue
		}
		if slices.Index(out, other) < slices.Index(out, one) {
			one, other = other, one
		}
		one.boxes, one.routes = append(one.boxes, other.boxes...), append(one.routes, other.routes...)
		for _, b := range other.boxes {
			in[b.Name] = one
		}
		out = slices.DeleteFunc(out, func(p *part) bool { return p == other })
	}
	return out
}

// layout gives the group's boxes their places, from the point 0, 0.
func (p *part) layout() {
	p.arrange()
	p.breakRows()
	for _, r := range p.routes {
		r.bends = p.bends(r.from, r.to)
	}
	p.place()
}

// shift moves the group.
func (p *part) shift(x, y int) {
	for _, b := range p.boxes {
		b.at(b.X+x, b.Y+y)
	}
}

// newBox is an entity with its most telling attributes: those that identify it,
// then those that refer to others, then the rest.
func newBox(d document.Document, e document.Entity, tint int) *box {
	refers := func(name string) bool {
		return slices.ContainsFunc(d.Relations, func(r document.Relation) bool { return r.From == e.Name && slices.Contains(r.By, name) })
	}
	weight := func(a document.Attribute) int {
		switch {
		case slices.Contains(e.Identity, a.Name):
			return 0
		case refers(a.Name):
			return 1
		}
		return 2
	}
	attributes := slices.Clone(e.Attributes)
	slices.SortStableFunc(attributes, func(a, b document.Attribute) int { return cmp.Compare(weight(a), weight(b)) })
	b := &box{Name: e.Name, Tint: tint, Width: 2*boxPad + charWidth*(len([]rune(e.Name))+3)}
	for i, a := range attributes {
		if i == boxShown {
			b.More = len(attributes) - i
			break
		}
		b.Rows = append(b.Rows, boxRow{Name: a.Name, Key: weight(a) == 0})
		b.Width = max(b.Width, 2*boxPad+charWidth*(len([]rune(a.Name))+2))
	}
	lines := len(b.Rows)
	if b.More > 0 {
		lines++
		b.Width = max(b.Width, 2*boxPad+charWidth*len("and 10 more"))
	}
	b.Height = boxHead + boxPad + lines*boxLine
	return b
}

// arrange puts every box into a row below those it refers to, and the boxes of
// a row into an order in which lines are short.
func (p *part) arrange() {
	for range p.boxes { // as often as the longest chain; circles end with that
		for _, r := range p.routes {
			if r.from != r.to && r.from.row <= r.to.row && r.to.row+1 < len(p.boxes) {
				r.from.row = r.to.row + 1
			}
		}
	}
	for i, b := range p.boxes {
		b.place = float64(i)
	}
	for range 6 {
		for _, b := range p.boxes {
			sum, n := 0.0, 0.0
			for _, r := range p.routes {
				switch {
				case r.from == b && r.to != b:
					sum, n = sum+r.to.place, n+1
				case r.to == b && r.from != b:
					sum, n = sum+r.from.place, n+1
				}
			}
			if n > 0 {
				b.place = (b.place + sum/n) / 2
			}
		}
	}
}

// breakRows breaks rows with too many boxes.
func (p *part) breakRows() {
	row, before, count := -1, -1, 0
	for _, b := range p.sorted() {
		if b.row != before || count == rowMost {
			row, before, count = row+1, b.row, 0
		}
		count++
		b.row = row
	}
}

// bends are places in the rows between two boxes for a line from one to the
// other, from the lower one up.
func (p *part) bends(from, to *box) []*box {
	var out []*box
	for row := from.row - 1; row > to.row; row-- {
		way := float64(from.row-row) / float64(from.row-to.row)
		b := &box{Width: bendWidth, row: row, place: from.place + way*(to.place-from.place), bend: true}
		out, p.boxes = append(out, b), append(p.boxes, b)
	}
	return out
}

// place gives the boxes their coordinates: row by row, each row in the middle.
func (p *part) place() {
	var rows [][]*box
	for _, b := range p.sorted() {
		if last := len(rows) - 1; last < 0 || rows[last][0].row != b.row {
			rows = append(rows, nil)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], b)
	}
	for _, row := range rows {
		p.width = max(p.width, widthOf(row))
	}
	for _, row := range rows {
		height := 0
		for _, b := range row {
			height = max(height, b.Height)
		}
		x := (p.width - widthOf(row)) / 2
		for _, b := range row {
			if b.bend {
				b.Height = height
			}
			b.at(x, p.height)
			x += b.Width + gapX
		}
		p.height += height + gapY
	}
	p.height -= gapY
	if slices.ContainsFunc(p.routes, func(r *route) bool { return !r.upward() }) {
		p.width += gapX // where lines go around
	}
}

// sorted are the boxes row by row.
func (p *part) sorted() []*box {
	out := slices.Clone(p.boxes)
	slices.SortStableFunc(out, func(a, b *box) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.place, b.place)) })
	return out
}

func widthOf(row []*box) int {
	w := (len(row) - 1) * gapX
	for _, b := range row {
		w += b.Width
	}
	return w
}

func (b *box) at(x, y int) {
	b.X, b.Y = x, y
	at := y + boxHead + boxLine
	for i := range b.Rows {
		b.Rows[i].Y = at
		at += boxLine
	}
	b.MoreY = at
}

// route is a reference on its way from one box, past other rows, to another.
type route struct {
	relation document.Relation
	from, to *box
	bends    []*box // from the lower row up
	// leaves and arrives are where it does so, along the sides of the boxes.
	leaves, arrives int
}

// upward tells whether it goes from a box to one in a row above.
func (r *route) upward() bool { return r.from.row > r.to.row }

// ports spread the ends of lines along the sides of boxes, in the order of where
// they go, so that few of them cross.
func ports(routes []*route) {
	leaving, arriving := map[*box][]*route{}, map[*box][]*route{}
	for _, r := range routes {
		if r.upward() {
			leaving[r.from] = append(leaving[r.from], r)
			arriving[r.to] = append(arriving[r.to], r)
		}
	}
	spread := func(b *box, ends []*route, next func(*route) *box, set func(*route, int)) {
		slices.SortStableFunc(ends, func(p, q *route) int { return cmp.Compare(next(p).middle(), next(q).middle()) })
		for i, r := range ends {
			set(r, b.X+b.Width*(i+1)/(len(ends)+1))
		}
	}
	for b, ends := range leaving {
		spread(b, ends, func(r *route) *box { return append(r.bends, r.to)[0] }, func(r *route, x int) { r.leaves = x })
	}
	for b, ends := range arriving {
		spread(b, ends, func(r *route) *box { return append([]*box{r.from}, r.bends...)[len(r.bends)] }, func(r *route, x int) { r.arrives = x })
	}
}

func (b *box) middle() int { return b.X + b.Width/2 }

// line is the route as curves from the top of the lower box to the bottom of the
// upper one; or around the side where it does not go up.
func (r *route) line() line {
	l := line{Dashed: r.relation.Optional, Label: countText(r.relation),
		Title: fmt.Sprintf("%s refers to %s by %s", r.relation.From, r.relation.To, strings.Join(r.relation.By, ", "))}
	if !r.upward() {
		return r.around(l)
	}
	x, y := r.leaves, r.from.Y
	l.LabelX, l.LabelY = x+5, y-7
	l.Path = fmt.Sprintf("M%d %d", x, y)
	curve := func(x2, y2 int) {
		half := (y - y2) / 2
		l.Path += fmt.Sprintf("C%d %d %d %d %d %d", x, y-half, x2, y2+half, x2, y2)
	}
	for _, b := range r.bends {
		curve(b.middle(), b.Y+b.Height)
		l.Path += fmt.Sprintf("V%d", b.Y)
		x, y = b.middle(), b.Y
	}
	curve(r.arrives, r.to.Y+r.to.Height)
	return l
}

// around is a line from one side of a box to that of another in its row or
// below, or of the box itself.
func (r *route) around(l line) line {
	x1, y1 := r.from.X+r.from.Width, r.from.Y+boxHead/2
	x2, y2 := r.to.X+r.to.Width, r.to.Y+boxHead/2
	if r.from == r.to {
		y2 += boxHead
	}
	side := max(x1, x2) + gapX - 6
	l.Path = fmt.Sprintf("M%d %d C%d %d %d %d %d %d", x1, y1, side, y1, side, y2, x2, y2)
	l.LabelX, l.LabelY = x1+4, y1-6
	return l
}

// countText is how many items refer to one: 0..50, 1, many.
func countText(r document.Relation) string {
	switch {
	case r.Most == 0:
		return ""
	case r.Least == r.Most:
		return document.Count(float64(r.Most))
	}
	return document.Count(float64(r.Least)) + "–" + document.Count(float64(r.Most))
}
