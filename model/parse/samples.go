package parse

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// readSamples reads the items written out.
func (b *builder) readSamples() {
	for _, doc := range b.documents {
		if doc.samples == nil {
			continue
		}
		for _, e := range b.entries(doc.samples, "`samples` is a mapping from entities to lists of items") {
			d := b.lookup(e.Key.Text, e.Key.At)
			if d == nil {
				continue
			}
			for _, n := range b.items(e.Value, "the samples of an entity are a list of items") {
				b.sample(d, n)
			}
		}
	}
}

func (b *builder) sample(d *draft, n *yamltree.Node) {
	s := &model.Sample{At: n.At, Entity: d.entity}
	if b.whole(func() { s.Item = b.attributeValues([]*draft{d}, n) }) &&
		b.whole(func() { b.completeSample(d, s, n) }) && d.usable() {
		b.model.Samples = append(b.model.Samples, s)
	}
}

// completeSample fills in defaults and reports what a sample lacks.
func (b *builder) completeSample(d *draft, s *model.Sample, n *yamltree.Node) {
	var missing []string
	for _, a := range d.entity.Attributes {
		name := a.Name.Text
		if has(n, name) {
			continue
		}
		switch {
		case a.Default.Exists():
			s.Item[name] = a.Default
		case a.Version:
			s.Item[name] = value.OfInt(1)
		case a.Optional, a.Derive != nil:
		default:
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		b.errorf(head(n), "the sample lacks %s", enumerate(missing, "and"))
	}
	for _, a := range d.entity.Attributes {
		if a.PresentWith != nil && has(n, a.Name.Text) != has(n, a.PresentWith.Name.Text) {
			b.errorf(head(n), "`%s` and `%s` are there together or not at all", a.Name.Text, a.PresentWith.Name.Text)
		}
	}
}
