package mutation

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// promises drops what a model promises about its writes: that values are
// unique, that old values are known; and the attributes of pinned keys.
func (b *breaker) promises() {
	for _, e := range b.model.Entities {
		b.unique(e)
	}
	for _, p := range b.model.Patterns {
		b.given(p)
		b.keyConditions(p)
	}
}

// unique drops each entry of an entity's `unique`.
func (b *breaker) unique(e *model.Entity) {
	list := b.entity(e).Get("unique")
	if list == nil {
		return
	}
	for i := range e.Unique {
		p := part{entity: e.Name.Text, attribute: e.Unique[i].Of[0].Name.Text}
		if len(e.Unique) == 1 {
			b.remove(LostUnique, p, func(entry *yamltree.Entry) bool { return entry.Value == list })
		} else if i < len(list.Items) {
			if cut, ok := withoutItem(list, i); ok {
				b.add(LostUnique, p, cut)
			}
		}
	}
}

// given drops every `old` and `read_first` of a pattern.
func (b *breaker) given(p *model.Pattern) {
	var visit func(n *yamltree.Node)
	visit = func(n *yamltree.Node) {
		for i, e := range n.Entries {
			if e.Key.Text == "old" || e.Key.Text == "read_first" {
				if cut, ok := without(n, i); ok {
					b.add(LostOldValue, part{pattern: p.Name.Text}, cut)
				}
				continue
			}
			visit(e.Value)
		}
		for _, item := range n.Items {
			visit(item)
		}
	}
	if n := b.pattern(p); n != nil {
		visit(n)
	}
}

// keyConditions drops each attribute of a pinned key.
func (b *breaker) keyConditions(p *model.Pattern) {
	key := b.pattern(p).Get("key")
	if key == nil {
		return
	}
	for i := range key.Entries {
		if cut, ok := without(key, i); ok {
			b.add(LostKeyCondition, part{pattern: p.Name.Text}, cut)
		}
	}
}
