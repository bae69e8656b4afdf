package targets

import (
	"path"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
)

// Block holds a model's generate block against the targets there are: options
// that a target does not have, and targets that would write over each other.
func Block(m *model.Model) []diag.Finding {
	var found diag.List
	paths := map[string]string{}
	for _, entry := range m.Generate {
		t, ok := Named(entry.Name.Text)
		if !ok {
			found.Addf(diag.InvalidModel, diag.Error, entry.At, "there is no target `%s`", entry.Name.Text)
			continue
		}
		for _, option := range entry.Options {
			at, said := misplaced(t, option)
			if said != "" {
				found.Addf(diag.InvalidModel, diag.Error, at, "%s", said)
			}
		}
		place := path.Clean(entry.Path)
		if other := paths[place]; other != "" {
			found.Addf(diag.InvalidModel, diag.Error, entry.At, "`%s` and `%s` would both write %s", other, t.Name, place)
		}
		paths[place] = t.Name
	}
	return found.All()
}

// misplaced is what is wrong with an option and where: its value, when the
// target has such an option, else its name.
func misplaced(t generate.Target, o model.TargetOption) (at source.Span, said string) {
	for _, known := range t.Options {
		if known.Name == o.Name.Text {
			return o.Value.At, Misfit(t, o.Name.Text, o.Value.Text)
		}
	}
	return o.Name.At, Misfit(t, o.Name.Text, o.Value.Text)
}

// Options are the options of an entry of the generate block by name.
func Options(entry *model.Target) map[string]string {
	options := map[string]string{}
	for _, o := range entry.Options {
		options[o.Name.Text] = o.Value.Text
	}
	return options
}
