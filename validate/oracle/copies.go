package oracle

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// takeCopies gives the items that are written the values they copy. A new item
// takes its source's value; one that is changed takes it when the same write
// changes the source, unless a stream's consumer does that later.
func takeCopies(w *World, effects []effect) {
	for i := range effects {
		e := &effects[i]
		if e.After == nil || e.Step.Operation == model.Check {
			continue
		}
		for _, a := range e.Step.Entity.Attributes {
			if a.CopyOf == nil {
				continue
			}
			source, written := sourceOf(*e.After, a, w, effects)
			if source == nil || e.Step.Operation == model.UpdateItem && (!written || a.KeptBy != "") {
				continue
			}
			if v := source.Item[a.CopyOf.Attribute.Name.Text]; v.Exists() {
				e.After.Item[a.Name.Text] = v
			} else {
				delete(e.After.Item, a.Name.Text)
			}
		}
	}
}

// sourceOf is the item that the attribute copies from, as the write leaves it,
// and whether the write is what leaves it so; nil when there is none.
func sourceOf(in model.Instance, a *model.Attribute, w *World, effects []effect) (source *model.Instance, written bool) {
	links := linksTo(in.Entity, a)
	for _, e := range effects {
		if e.Step.Operation != model.Check && e.After != nil && leadsTo(in, links, *e.After, a.CopyOf.Entity) {
			return e.After, true
		}
	}
	for i := range w.instances {
		if leadsTo(in, links, w.instances[i], a.CopyOf.Entity) {
			return &w.instances[i], false
		}
	}
	return nil, false
}

// link is an attribute that refers to another one.
type link struct{ from, to *model.Attribute }

// linksTo are the attributes by which an entity refers to the source of its
// attribute a. Of several references to the source's entity, the one that
// begins like a counts: senderName is of the sender.
func linksTo(e *model.Entity, a *model.Attribute) []link {
	var best *model.Attribute
	for _, from := range e.Attributes {
		if from.Ref == nil || from.Ref.Entity != a.CopyOf.Entity {
			continue
		}
		if best == nil || common(from.Name.Text, a.Name.Text) > common(best.Name.Text, a.Name.Text) {
			best = from
		}
	}
	if best == nil {
		return nil
	}
	links := []link{{best, best.Ref.Attribute}}
	for _, part := range best.Ref.With {
		links = append(links, link{part.Own, part.Target})
	}
	return links
}

// common is the length of the beginning that two names share.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func leadsTo(in model.Instance, links []link, source model.Instance, e *model.Entity) bool {
	return len(links) > 0 && source.Entity == e && !slices.ContainsFunc(links, func(l link) bool {
		v := in.Item[l.from.Name.Text]
		return !v.Exists() || !value.Equal(v, source.Item[l.to.Name.Text])
	})
}
