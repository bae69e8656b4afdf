package mutation

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// indexes drops indexes, and attributes from their projections.
func (b *breaker) indexes() {
	for _, x := range b.model.Table.Indexes {
		if !b.here(x.At) {
			continue
		}
		b.projection(x)
		b.index(x)
	}
}

// projection drops each attribute that an index lists; an index that has
// everything is left with its keys.
func (b *breaker) projection(x *model.Index) {
	node := b.root.Get("table").Get("indexes").Get(x.Name.Text)
	if node == nil {
		return
	}
	list := node.Get("projection")
	switch x.Projection.Type {
	case model.ProjectAll:
		if list != nil {
			b.add(LostProjection, part{index: x.Name.Text}, replace(list.At, "keys_only"))
		} else if node.Flow {
			b.add(LostProjection, part{index: x.Name.Text}, edit{node.At.End - 1, node.At.End - 1, ", projection: keys_only"})
		}
	case model.ProjectInclude:
		for i, a := range x.Projection.Attributes {
			p := part{index: x.Name.Text, attribute: a.Text}
			if len(list.Items) == 1 {
				b.add(LostProjection, p, replace(list.At, "keys_only"))
			} else if e, ok := withoutItem(list, i); ok {
				b.add(LostProjection, p, e)
			}
		}
	}
}

// index drops an index with the templates that only it needs, and the pins to
// it, so that the planner may find another way.
func (b *breaker) index(x *model.Index) {
	indexes := b.root.Get("table").Get("indexes")
	var edits []edit
	drop := func(is func(*yamltree.Entry) bool, in *yamltree.Node) bool {
		e, ok := removal(in, is)
		if ok {
			edits = append(edits, e)
		}
		return ok
	}
	if indexes == nil || !drop(func(e *yamltree.Entry) bool { return e.Value == indexes.Get(x.Name.Text) }, b.root) {
		return
	}
	for _, e := range b.model.Entities {
		if !b.dropKeys(e, b.ownKeys(x), &edits) {
			return
		}
	}
	for _, p := range b.model.Patterns {
		if p.Index == x && p.IndexPinned && !drop(func(e *yamltree.Entry) bool { return e.Key.Text == "index" }, b.pattern(p)) {
			return
		}
	}
	b.add(LostIndex, part{index: x.Name.Text}, edits...)
}

// ownKeys are the key attributes that only the index has.
func (b *breaker) ownKeys(x *model.Index) []string {
	var out []string
	for _, k := range x.Keys() {
		has := func(keys []model.KeyAttribute) bool {
			return slices.ContainsFunc(keys, func(other model.KeyAttribute) bool { return other.Name == k.Name })
		}
		elsewhere := has(b.model.Table.Keys())
		for _, other := range b.model.Table.Indexes {
			elsewhere = elsewhere || other != x && has(other.Keys())
		}
		if !elsewhere {
			out = append(out, k.Name)
		}
	}
	return out
}

// dropKeys drops an entity's templates of some key attributes, block by block.
func (b *breaker) dropKeys(e *model.Entity, names []string, edits *[]edit) bool {
	keys := b.entity(e).Get("keys")
	if keys == nil {
		return true
	}
	var gone []int
	for i, entry := range keys.Entries {
		if slices.Contains(names, entry.Key.Text) {
			gone = append(gone, i)
		}
	}
	if len(gone) == 0 {
		return true
	}
	if !keys.Flow {
		for _, i := range gone {
			cut, ok := without(keys, i)
			if !ok {
				return false
			}
			*edits = append(*edits, cut)
		}
		return true
	}
	var kept []string
	for i, entry := range keys.Entries {
		if !slices.Contains(gone, i) {
			kept = append(kept, b.file.Text()[entry.Key.At.Start:entry.Value.At.End])
		}
	}
	*edits = append(*edits, replace(keys.At, "{"+strings.Join(kept, ", ")+"}"))
	return len(kept) > 0
}
