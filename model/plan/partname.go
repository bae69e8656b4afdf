package plan

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model"
)

// partText is a part of a template without its braces: placedAt|day, random(4).
func partText(p model.Part) string {
	if p.Random > 0 {
		return fmt.Sprintf("random(%d)", p.Random)
	}
	var b strings.Builder
	b.WriteString(p.Path.String())
	for _, f := range p.Funcs {
		b.WriteString("|" + f.String())
	}
	return b.String()
}
