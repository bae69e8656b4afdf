package parse

import (
	"cmp"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// capacity reads `on_demand`, or {on_demand: …}, or {provisioned: …}.
func (b *builder) capacity(n *yamltree.Node) model.Capacity {
	c := model.Capacity{At: n.At}
	if n.Kind == yamltree.Scalar {
		switch n.Text {
		case "on_demand":
			c.OnDemand = true
		case "provisioned":
			b.errorf(n.At, "provisioned capacity needs its figures: `{provisioned: {read: 10, write: 5}}`")
		default:
			b.word(n, "on_demand", "provisioned")
		}
		return c
	}
	b.object(n, head(n), "a capacity", []field{
		{"on_demand", false, func(n *yamltree.Node) {
			c.OnDemand = true
			b.object(n, head(n), "on-demand capacity", []field{
				{"max_read", false, b.units(&c.MaxRead)},
				{"max_write", false, b.units(&c.MaxWrite)},
				{"warm_read", false, b.units(&c.WarmRead)},
				{"warm_write", false, b.units(&c.WarmWrite)},
			})
		}},
		{"provisioned", false, func(n *yamltree.Node) {
			b.object(n, head(n), "provisioned capacity", []field{
				{"read", true, b.units(&c.Read)},
				{"write", true, b.units(&c.Write)},
				{"autoscaling", false, func(n *yamltree.Node) { c.AutoScaling = b.autoScaling(n) }},
			})
		}},
	})
	if n.Kind == yamltree.Mapping && len(n.Entries) != 1 && !n.Incomplete {
		b.errorf(head(n), "capacity is either `on_demand` or `provisioned`")
	}
	return c
}

func (b *builder) autoScaling(n *yamltree.Node) *model.AutoScaling {
	a := &model.AutoScaling{Target: 70}
	b.object(n, head(n), "autoscaling", []field{
		{"min", true, b.units(&a.Min)},
		{"max", true, b.units(&a.Max)},
		{"target", false, b.units(&a.Target)},
	})
	switch {
	case a.Min > a.Max && a.Max > 0:
		b.errorf(head(n), "autoscaling has a `min` above its `max`")
	case a.Target < 20 || a.Target > 90:
		b.errorf(head(n.Get("target")), "the target is 20 to 90 per cent of utilisation")
	}
	return a
}

func (b *builder) stream(n *yamltree.Node) *model.Stream {
	s := &model.Stream{At: n.At}
	view := func(n *yamltree.Node) {
		s.View = b.word(n, "keys_only", "new_image", "old_image", "new_and_old_images")
	}
	if n.Kind == yamltree.Scalar {
		view(n)
		return s
	}
	b.object(n, head(n), "a stream", []field{
		{"view", true, view},
		{"consumers", false, func(n *yamltree.Node) { s.Consumers = b.names(n) }},
	})
	return s
}

func (b *builder) recovery(n *yamltree.Node) model.PointInTimeRecovery {
	p := model.PointInTimeRecovery{At: n.At}
	if n.Kind == yamltree.Scalar {
		p.Enabled = b.boolean(n)
		return p
	}
	p.Enabled = true
	b.object(n, head(n), "point-in-time recovery", []field{
		{"days", true, func(n *yamltree.Node) {
			if p.Days = int(b.wholeNumber(n, countUnit(), 1)); p.Days > 35 {
				b.errorf(n.At, "DynamoDB keeps at most 35 days")
			}
		}},
	})
	return p
}

func (b *builder) dax(n *yamltree.Node) *model.DAX {
	d := &model.DAX{At: n.At}
	if n.Kind == yamltree.Scalar {
		if !b.boolean(n) {
			return nil
		}
		return d
	}
	b.object(n, head(n), "a DAX cluster", []field{
		{"nodes", false, b.count(&d.Nodes)},
		{"type", false, b.into(&d.Type)},
	})
	return d
}

func (b *builder) encryption(n *yamltree.Node) model.Encryption {
	e := model.Encryption{At: n.At}
	if n.Kind == yamltree.Scalar {
		e.Kind = b.word(n, "aws_owned", "aws_managed")
		return e
	}
	e.Kind = "kms_key"
	b.object(n, head(n), "encryption", []field{{"kms_key", true, b.into(&e.KMSKey)}})
	return e
}

func (b *builder) tags(n *yamltree.Node) []model.Tag {
	var out []model.Tag
	for _, e := range b.entries(n, "`tags` is a mapping from keys to values") {
		if text, ok := b.text(e.Value); ok {
			out = append(out, model.Tag{Key: e.Key.Text, Value: text})
		}
	}
	slices.SortFunc(out, func(a, b model.Tag) int { return cmp.Compare(a.Key, b.Key) })
	return out
}

// ignores reads [{rule: , reason: }].
func (b *builder) ignores(n *yamltree.Node) []*model.Ignore {
	if n == nil {
		return nil
	}
	var out []*model.Ignore
	for _, item := range b.items(n, "`ignore` is a list of {rule: , reason: }") {
		i := &model.Ignore{At: item.At}
		if b.whole(func() {
			b.object(item, head(item), "an ignore", []field{
				{"rule", true, func(n *yamltree.Node) { i.Rule.Text, _ = b.text(n); i.Rule.At = n.At }},
				{"reason", true, func(n *yamltree.Node) {
					if i.Reason, _ = b.text(n); i.Reason == "" && n.Kind == yamltree.Scalar {
						b.errorf(n.At, "the reason is empty; say why the finding is accepted")
					}
				}},
			})
		}) {
			out = append(out, i)
		}
	}
	return out
}

// targets are what `generate` can write.
func targets() []string {
	return []string{"docs", "html", "cloudformation", "terraform", "cdk", "cli", "iam", "go", "typescript", "workbench", "mermaid", "create-table"}
}

// readGenerate reads {docs: docs/table.md, go: {path: , package: }}.
func (b *builder) readGenerate(n *yamltree.Node) {
	if n == nil {
		return
	}
	for _, e := range b.entries(n, "`generate` is a mapping from targets to files") {
		t := &model.Target{At: e.Key.At, Name: model.Name{Text: e.Key.Text, At: e.Key.At}}
		if b.whole(func() { b.target(t, e) }) {
			b.model.Generate = append(b.model.Generate, t)
		}
	}
}

func (b *builder) target(t *model.Target, e *yamltree.Entry) {
	if !slices.Contains(targets(), e.Key.Text) {
		b.errorf(e.Key.At, "there is no target `%s`%s", clip(e.Key.Text), b.meant(e.Key.Text, targets(), "; write "))
	}
	if e.Value.Kind == yamltree.Scalar {
		t.Path = e.Value.Text
		return
	}
	for _, o := range b.entries(e.Value, "a target is a file's name, or a mapping with `path` and options") {
		text, _ := b.text(o.Value)
		if o.Key.Text == "path" {
			t.Path = text
		} else {
			t.Options = append(t.Options, model.TargetOption{
				Name:  model.Name{Text: o.Key.Text, At: o.Key.At},
				Value: model.Name{Text: text, At: o.Value.At},
			})
		}
	}
	if t.Path == "" && e.Value.Kind == yamltree.Mapping && !e.Value.Incomplete {
		b.errorf(e.Key.At, "the target `%s` needs `path`", e.Key.Text)
	}
}
