// Package targets lists the generators, and holds what is said to them against
// what they understand.
package targets

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/awscli"
	"github.com/dynmodel/dynmodel/generate/cdk"
	"github.com/dynmodel/dynmodel/generate/cloudformation"
	"github.com/dynmodel/dynmodel/generate/createtable"
	"github.com/dynmodel/dynmodel/generate/docs"
	"github.com/dynmodel/dynmodel/generate/golang"
	"github.com/dynmodel/dynmodel/generate/html"
	"github.com/dynmodel/dynmodel/generate/iam"
	"github.com/dynmodel/dynmodel/generate/mermaid"
	"github.com/dynmodel/dynmodel/generate/terraform"
	"github.com/dynmodel/dynmodel/generate/typescript"
	"github.com/dynmodel/dynmodel/generate/workbench"
	"github.com/dynmodel/dynmodel/model/diag"
)

// All are the targets in the order of help.
func All() []generate.Target {
	return []generate.Target{
		docs.Target(),
		html.Target(),
		mermaid.Target(),
		workbench.Target(),
		cloudformation.Target(),
		terraform.Target(),
		cdk.Target(),
		awscli.Target(),
		createtable.Target(),
		iam.Target(),
		golang.Target(),
		typescript.Target(),
	}
}

// Named is the target of that name; false when there is none.
func Named(name string) (generate.Target, bool) {
	all := All()
	i := slices.IndexFunc(all, func(t generate.Target) bool { return t.Name == name })
	if i < 0 {
		return generate.Target{}, false
	}
	return all[i], true
}

// Files makes a target's files. Options that are not given have their defaults.
func Files(t generate.Target, in generate.Input) ([]generate.File, error) {
	options := map[string]string{}
	for _, o := range t.Options {
		options[o.Name] = o.Default
	}
	for name, value := range in.Options {
		options[name] = value
	}
	in.Options = options
	files, err := t.Files(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	return files, nil
}

// Several tells whether a target makes several files, so that its path is a folder.
func Several(t generate.Target) bool { return strings.HasSuffix(t.Path, "/") }

// Misfit says what is wrong with an option of a target, with what was probably
// meant; "" when nothing is.
func Misfit(t generate.Target, name, value string) string {
	names := make([]string, len(t.Options))
	for i, o := range t.Options {
		names[i] = o.Name
		if o.Name != name {
			continue
		}
		if o.Values == nil || slices.Contains(o.Values, value) {
			return ""
		}
		return fmt.Sprintf("the option `%s` of `%s` cannot be `%s`; write %s", name, t.Name, value, either(o.Values))
	}
	said := fmt.Sprintf("the target `%s` has no option `%s`", t.Name, name)
	switch near := diag.Nearest(name, names); {
	case near != "":
		return said + fmt.Sprintf("; did you mean `%s`?", near)
	case len(names) > 0:
		return said + "; it has " + either(names)
	}
	return said + "; it has none"
}

func either(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "`" + w + "`"
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return strings.Join(quoted[:len(quoted)-1], ", ") + " or " + quoted[len(quoted)-1]
}
