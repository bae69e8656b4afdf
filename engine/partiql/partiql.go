// Package partiql reads the statements of DynamoDB's PartiQL: SELECT, INSERT,
// UPDATE, DELETE, and the EXISTS of transactions. [Parse] turns a statement and
// its parameters into a tree of plain data with all values in place; carrying
// it out is for the engine.
//
// Refusals are [attr.ValidationError]s. Text that is no PartiQL at all is
// refused as a whole, before anything that DynamoDB's PartiQL lacks; those
// faults are reported in the order of the text. The words are those of DynamoDB
// Local, whose parser is the service's.
package partiql

import "github.com/dynmodel/dynmodel/engine/attr"

// MaxBytes is the longest statement, from the API reference of
// ExecuteStatement.
const MaxBytes = 8192

// Statement is one of *[Select], *[Insert], *[Update], *[Delete], *[Exists].
type Statement interface{ isStatement() }

// Target is a table, or an index of it.
type Target struct{ Table, Index string }

// Select reads items. A statement whose condition does not fix the partition
// key reads the whole table or index.
type Select struct {
	Columns []Column // nil for *
	From    Target
	Where   Expr // nil for all
	OrderBy []Order
}

// Column is a selected path and the name it has in the answer: its last name,
// with the indexes behind it, as in l[0].
type Column struct {
	Name string
	Path Path
}

// Order is a key attribute to order by.
type Order struct {
	Attribute  string
	Descending bool
}

// Insert adds an item that must not be there yet.
type Insert struct {
	Table string
	Item  attr.Item
}

// Update changes one item, which must be there. Where fixes its whole key.
type Update struct {
	Table     string
	Actions   []Action
	Where     Expr
	Returning Returning
}

// Action sets a path to a value, or removes it if Value is nil.
type Action struct {
	Path  Path
	Value Expr
}

// Delete removes one item. Where fixes its whole key.
type Delete struct {
	Table     string
	Where     Expr
	Returning Returning
}

// Exists is the check of a transaction that its Select finds an item. Its
// Where fixes the whole key and has a further condition.
type Exists struct{ Select *Select }

// Returning is a RETURNING clause, named as in ReturnValues.
type Returning string

// The RETURNING clauses. DELETE has ALL OLD * only.
const (
	ReturnNone        Returning = "NONE"
	ReturnAllOld      Returning = "ALL_OLD"
	ReturnAllNew      Returning = "ALL_NEW"
	ReturnModifiedOld Returning = "UPDATED_OLD"
	ReturnModifiedNew Returning = "UPDATED_NEW"
)

func (*Select) isStatement() {}
func (*Insert) isStatement() {}
func (*Update) isStatement() {}
func (*Delete) isStatement() {}
func (*Exists) isStatement() {}

// Expr is a [Path], a [Literal], a *[Call], or one of the conditions *[Binary],
// *[Not], *[Between], *[In], *[Is]. On the right-hand side of an update a
// *[Binary] is a sum or difference.
type Expr interface{ isExpr() }

// Path leads to a value inside an item. Its first element is a name.
type Path []Element

// Element is one step of a path: into a map by Name, or into a list by Index
// when IsIndex is set.
type Element struct {
	Name    string
	Index   int
	IsIndex bool
}

// Literal is a value, from the statement's text or its parameters.
type Literal struct{ Value attr.Value }

// Binary is an operator between two operands: AND, OR, =, <>, <, <=, >, >=, or
// in an update + and -.
type Binary struct {
	Op          string
	Left, Right Expr
}

// Not negates a condition.
type Not struct{ Condition Expr }

// Between holds for values from Low to High.
type Between struct{ Operand, Low, High Expr }

// In holds for values that are equal to one of the list.
type In struct {
	Operand Expr
	List    []Expr
}

// Is is IS NULL, or IS MISSING if Missing is set.
type Is struct {
	Operand Expr
	Missing bool
}

// Call is a function call. The name is in lower case and one of DynamoDB's: in
// conditions size, attribute_exists, attribute_not_exists, attribute_type,
// begins_with, contains; in updates if_not_exists, list_append, set_add,
// set_delete. The last two stand alone, with the assigned path as the first
// operand and a set as the second.
type Call struct {
	Function string
	Args     []Expr
}

func (Path) isExpr()     {}
func (Literal) isExpr()  {}
func (*Binary) isExpr()  {}
func (*Not) isExpr()     {}
func (*Between) isExpr() {}
func (*In) isExpr()      {}
func (*Is) isExpr()      {}
func (*Call) isExpr()    {}

// Conjuncts returns the conditions that AND joins at the top of a condition,
// in the order of the text.
func Conjuncts(e Expr) []Expr {
	if e == nil {
		return nil
	}
	if b, ok := e.(*Binary); ok && b.Op == "AND" {
		return append(Conjuncts(b.Left), Conjuncts(b.Right)...)
	}
	return []Expr{e}
}
