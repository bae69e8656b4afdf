package terraform

import (
	"regexp"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/dynmodel/dynmodel/generate/table"
)

// block adds a block, apart from what is before it.
func block(b *hclwrite.Body, name string) *hclwrite.Body {
	if len(b.Attributes()) > 0 || len(b.Blocks()) > 0 {
		b.AppendNewline()
	}
	return b.AppendNewBlock(name, nil).Body()
}

func comment(b *hclwrite.Body, text string) {
	b.AppendUnstructuredTokens(hclwrite.Tokens{{Type: hclsyntax.TokenComment, Bytes: []byte("# " + text + "\n")}})
}

func text(b *hclwrite.Body, name, value string) { b.SetAttributeValue(name, cty.StringVal(value)) }

func number(b *hclwrite.Body, name string, value int64) {
	b.SetAttributeValue(name, cty.NumberIntVal(value))
}

func given(b *hclwrite.Body, name string, value *int64) {
	if value != nil {
		number(b, name, *value)
	}
}

func flag(b *hclwrite.Body, name string, value bool) { b.SetAttributeValue(name, cty.BoolVal(value)) }

func texts(b *hclwrite.Body, name string, values []string) {
	list := make([]cty.Value, len(values))
	for i, v := range values {
		list[i] = cty.StringVal(v)
	}
	b.SetAttributeValue(name, cty.ListVal(list))
}

// tags adds tags as an object whose keys are quoted: they may be any text.
func tags(b *hclwrite.Body, list []types.Tag) {
	members := make([]hclwrite.ObjectAttrTokens, len(list))
	for i, t := range list {
		members[i] = hclwrite.ObjectAttrTokens{
			Name:  hclwrite.TokensForValue(cty.StringVal(*t.Key)),
			Value: hclwrite.TokensForValue(cty.StringVal(*t.Value)),
		}
	}
	b.SetAttributeRaw("tags", hclwrite.TokensForObject(members))
}

// reference sets an attribute to what a path of names refers to.
func reference(b *hclwrite.Body, name string, path ...string) {
	traversal := hcl.Traversal{hcl.TraverseRoot{Name: path[0]}}
	for _, step := range path[1:] {
		traversal = append(traversal, hcl.TraverseAttr{Name: step})
	}
	b.SetAttributeTraversal(name, traversal)
}

// interpolated is a text in which every second piece is a reference.
func interpolated(pieces []string) hclwrite.Tokens {
	var s strings.Builder
	for i, p := range pieces {
		if i%2 == 1 {
			p = "${" + p + "}"
		}
		s.WriteString(p)
	}
	return hclwrite.Tokens{{Type: hclsyntax.TokenQuotedLit, Bytes: []byte(`"` + s.String() + `"`)}}
}

func identifiers(names ...string) hclwrite.Tokens {
	list := make([]hclwrite.Tokens, len(names))
	for i, n := range names {
		list[i] = hclwrite.TokensForIdentifier(n)
	}
	return hclwrite.TokensForTuple(list)
}

// notInLabel is what the labels of resources do not have.
var notInLabel = regexp.MustCompile(`[^a-z0-9_]+`)

// newLabels gives the labels of indexes.
func newLabels() *table.Distinct {
	return table.NewDistinct(func(index string) string {
		return "index_" + notInLabel.ReplaceAllString(strings.ToLower(index), "_")
	}, "_no")
}

// label is that of a scaling.
func label(labels *table.Distinct, s table.Scaling) string {
	name := "table"
	if s.Index != "" {
		name = labels.Of(s.Index)
	}
	if s.Write {
		return name + "_write"
	}
	return name + "_read"
}
