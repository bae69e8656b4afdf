package plan

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// Max is the character that sorts after everything in a key: U+10FFFF, which
// data never contains. It closes ranges that have no other end.
const Max = "\U0010FFFF"

// Recipe is how a key attribute's value is made for a request.
type Recipe struct {
	// Kind is the type of the value. A recipe of a Number or Binary has exactly
	// one part; a String is its parts' texts, one after another.
	Kind  value.Kind
	Parts []Part
}

// Part is a piece of a Recipe. Exactly one of Literal, Source, Fan, Random and
// Max is set; the other fields belong to Source and Fan.
type Part struct {
	// Literal is fixed text.
	Literal string
	// Source is a value over parameters, literals and $now. In a write, an
	// Attr is that attribute of the item as it was read first.
	Source expr.Operand
	// Fan is the dimension whose value for the request at hand stands here.
	Fan *Fan
	// Random draws a shard from 0 to Random-1.
	Random int
	// Max is the text that sorts after everything.
	Max bool

	// Attribute is what the value stands for; its type decides how it is written.
	Attribute *model.Attribute
	// Into is the way into Source's value, where that is a map or list.
	Into []expr.Step
	// Funcs are applied in order.
	Funcs []expr.Func
	// Neighbour is -1 or +1 for the text or number just before or after what
	// the functions give: the inclusive end of a half-open range.
	Neighbour int

	// chain are all functions through which the attribute is seen here, those
	// that were written around what it is compared with included.
	chain []expr.Func
	// term is the equality of where that the part settles; nil when it settles none.
	term expr.Cond
}

// KeyRecipe is a key attribute and how its value is made.
type KeyRecipe struct {
	Attribute model.KeyAttribute
	Value     Recipe
}
