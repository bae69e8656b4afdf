package api

import "github.com/dynmodel/dynmodel/engine/attr"

// ExpectedAttributeValue is a legacy condition on one attribute of an item to
// be written.
type ExpectedAttributeValue struct {
	Value              attr.Value
	Exists             *bool
	ComparisonOperator string
	AttributeValueList []attr.Value // nil is absent
}

// Condition is a legacy condition on one attribute of an item to be read.
type Condition struct {
	ComparisonOperator string
	AttributeValueList []attr.Value
}

// AttributeValueUpdate is a legacy change of one attribute. Action is PUT, ADD
// or DELETE; absent is PUT.
type AttributeValueUpdate struct {
	Action string
	Value  attr.Value
}
