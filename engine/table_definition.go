package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
)

// Limits of tables and indexes (service quotas, DynamoDB developer guide).
const (
	maxGlobalIndexes    = 20
	maxLocalIndexes     = 5
	maxNonKeyAttributes = 100
	maxKeyNameBytes     = 255
	maxPartKeys         = 4 // HASH or RANGE attributes of a global index
)

// The kinds of projections and billing modes.
const (
	projectAll      = "ALL"
	projectInclude  = "INCLUDE"
	projectKeysOnly = "KEYS_ONLY"

	payPerRequest = "PAY_PER_REQUEST"
	provisioned   = "PROVISIONED"
)

// A definition is what CreateTable and UpdateTable say about keys: the parts
// that must agree with each other.
type definition struct {
	attributes []api.AttributeDefinition
	key        []api.KeySchemaElement
	locals     []api.LocalSecondaryIndex
	globals    []api.GlobalSecondaryIndex
	vectors    []api.VectorIndex
}

// checkIndexes checks each index by itself. The service lists global indexes
// before local ones.
func (d *definition) checkIndexes() error {
	var errs []error
	for i, x := range d.globals {
		errs = append(errs, checkGlobalMembers(element("globalSecondaryIndexes", i), &x))
	}
	for i, x := range d.locals {
		errs = append(errs, checkIndexMembers(element("localSecondaryIndexes", i), x.IndexName, x.KeySchema, x.Projection, 2))
	}
	for i, x := range d.vectors {
		errs = append(errs, checkVectorMembers(element("vectorIndexes", i), x))
	}
	return api.First(errs...)
}

// element names an element of a list as the service does.
func element(list string, i int) string { return fmt.Sprintf("%s.%d.member", list, i+1) }

func checkAttributes(attributes []api.AttributeDefinition) error {
	var errs []error
	for i, a := range attributes {
		at := element("attributeDefinitions", i)
		errs = append(errs,
			checkKeyName(at, a.AttributeName),
			required(at+".attributeType", a.AttributeType),
			oneOf(at+".attributeType", a.AttributeType, "B", "N", "S"))
	}
	return api.First(errs...)
}

func checkGlobalMembers(at string, x *api.GlobalSecondaryIndex) error {
	return api.First(
		checkIndexMembers(at, x.IndexName, x.KeySchema, x.Projection, 2*maxPartKeys),
		checkThroughput(at+".provisionedThroughput", x.ProvisionedThroughput))
}

func checkIndexMembers(at, name string, key []api.KeySchemaElement, p *api.Projection, most int) error {
	return api.First(
		checkIndexName(at+".indexName", name),
		checkElements(at+".keySchema", key, most),
		checkProjectionMembers(at+".projection", p))
}

func checkProjectionMembers(at string, p *api.Projection) error {
	if p == nil {
		return api.Required(at)
	}
	return api.First(
		oneOf(at+".projectionType", p.ProjectionType, projectAll, projectInclude, projectKeysOnly),
		checkProjectedNames(at+".nonKeyAttributes", p.NonKeyAttributes))
}

func checkProjectedNames(at string, names []string) error {
	if names == nil {
		return nil
	}
	if len(names) == 0 {
		return api.Constraint("[]", at, "Member must have length greater than or equal to 1")
	}
	for _, n := range names {
		if n == "" || len(n) > maxKeyNameBytes {
			return api.Constraint("["+strings.Join(names, ", ")+"]", at,
				"Member must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 1]")
		}
	}
	return nil
}

func checkElements(at string, key []api.KeySchemaElement, most int) error {
	if key == nil {
		return api.Required(at)
	}
	errs := []error{checkLength(at, elementList(key), len(key), 1, most)}
	for i, e := range key {
		at := element(at, i)
		errs = append(errs,
			checkKeyName(at, e.AttributeName),
			required(at+".keyType", string(e.KeyType)),
			oneOf(at+".keyType", string(e.KeyType), "HASH", "RANGE"))
	}
	return api.First(errs...)
}

func checkKeyName(at, name string) error {
	switch {
	case name == "":
		return api.Required(at + ".attributeName")
	case len(name) > maxKeyNameBytes:
		return api.Constraint(name, at+".attributeName", "Member must have length less than or equal to 255")
	}
	return nil
}

func required(member, value string) error {
	if value == "" {
		return api.Required(member)
	}
	return nil
}

func elementList(key []api.KeySchemaElement) string {
	list := make([]string, len(key))
	for i, e := range key {
		list[i] = fmt.Sprintf("KeySchemaElement(attributeName=%s, keyType=%s)", e.AttributeName, e.KeyType)
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// check checks that the parts agree.
func (d *definition) check() error {
	return first(
		d.checkTableKey(),
		d.checkLocals(),
		d.checkGlobals(),
		d.checkVectors(),
		d.checkUsed(),
		d.checkProjected())
}

func (d *definition) checkTableKey() error {
	if len(d.key) > len(d.attributes) {
		return api.Invalid("Invalid KeySchema: Some index key attribute have no definition")
	}
	return d.checkKey(d.key, 1)
}

// checkKey checks the order of a key, and that its attributes are defined.
func (d *definition) checkKey(key []api.KeySchemaElement, most int) error {
	return first(checkOrder(key, most), d.checkDefined(key), checkDistinct(key))
}

// checkOrder checks that the HASH attributes of a key, at most most of them, come
// before its RANGE attributes, of which there are as many at most.
func checkOrder(key []api.KeySchemaElement, most int) error {
	if key[0].KeyType != api.Hash {
		return api.Invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
	}
	hashes := 1
	for i, e := range key[1:] {
		switch {
		case e.KeyType == api.Range:
		case most == 1:
			return api.Invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
		case key[i].KeyType == api.Range:
			return api.Invalid("Invalid KeySchema: All HASH key elements must come before the RANGE key elements")
		default:
			hashes++
		}
	}
	if hashes > most || len(key)-hashes > most {
		return api.Invalid("Invalid KeySchema: A key can have at most %d HASH and %d RANGE key elements", most, most)
	}
	return nil
}

func checkDistinct(key []api.KeySchemaElement) error {
	seen := make(map[string]bool)
	for _, e := range key {
		if seen[e.AttributeName] {
			return api.Invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name")
		}
		seen[e.AttributeName] = true
	}
	return nil
}

func (d *definition) typeOf(name string) string {
	for _, a := range d.attributes {
		if a.AttributeName == name {
			return a.AttributeType
		}
	}
	return ""
}

func (d *definition) checkDefined(key []api.KeySchemaElement) error {
	defined := true
	var keys, names []string
	for _, e := range key {
		keys = append(keys, e.AttributeName)
		defined = defined && d.typeOf(e.AttributeName) != ""
	}
	for _, a := range d.attributes {
		names = append(names, a.AttributeName)
	}
	if defined {
		return nil
	}
	return api.InvalidParameter("Some index key attributes are not defined in AttributeDefinitions. Keys: [%s], AttributeDefinitions: [%s]",
		strings.Join(keys, ", "), strings.Join(names, ", "))
}

func (d *definition) checkLocals() error {
	switch {
	case d.locals == nil:
		return nil
	case len(d.locals) == 0:
		return api.InvalidParameter("List of LocalSecondaryIndexes is empty")
	case len(d.key) < 2:
		return api.InvalidParameter("Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
	}
	var names []string
	for _, x := range d.locals {
		if err := d.checkLocal(x); err != nil {
			return err
		}
		names = append(names, x.IndexName)
	}
	if err := checkIndexNames(names); err != nil {
		return err
	}
	if len(d.locals) > maxLocalIndexes {
		return api.InvalidParameter("Number of LocalSecondaryIndexes exceeds per-table limit of %d", maxLocalIndexes)
	}
	return nil
}

func (d *definition) checkLocal(x api.LocalSecondaryIndex) error {
	if err := d.checkKey(x.KeySchema, 1); err != nil {
		return err
	}
	switch own, table := x.KeySchema[0].AttributeName, d.key[0].AttributeName; {
	case len(x.KeySchema) < 2:
		return api.InvalidParameter("Index KeySchema does not have a range key for index: %s", x.IndexName)
	case own != table:
		return api.InvalidParameter("Index KeySchema does not have the same leading hash key as table KeySchema for index: %s. index hash key: %s, table hash key: %s", x.IndexName, own, table)
	}
	return checkProjection(x.Projection)
}

func (d *definition) checkGlobals() error {
	switch {
	case d.globals == nil:
		return nil
	case len(d.globals) == 0:
		return api.InvalidParameter("List of GlobalSecondaryIndexes is empty")
	}
	for _, x := range d.globals {
		if err := d.checkGlobal(x); err != nil {
			return err
		}
	}
	if err := checkIndexNames(d.indexNames()); err != nil {
		return err
	}
	if len(d.globals) > maxGlobalIndexes {
		return api.InvalidParameter("GlobalSecondaryIndex count exceeds the per-table limit of %d", maxGlobalIndexes)
	}
	return nil
}

func (d *definition) checkGlobal(x api.GlobalSecondaryIndex) error {
	return first(d.checkKey(x.KeySchema, maxPartKeys), checkProjection(x.Projection))
}

func checkProjection(p *api.Projection) error {
	switch {
	case p.ProjectionType == "":
		return api.InvalidParameter("Unknown ProjectionType: null")
	case p.ProjectionType == projectInclude && p.NonKeyAttributes == nil:
		return api.InvalidParameter("ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
	case p.ProjectionType != projectInclude && p.NonKeyAttributes != nil:
		return api.InvalidParameter("ProjectionType is %s, but NonKeyAttributes is specified", p.ProjectionType)
	}
	return nil
}

func checkIndexNames(names []string) error {
	seen := make(map[string]bool)
	for _, n := range names {
		if seen[n] {
			return api.InvalidParameter("Duplicate index name: %s", n)
		}
		seen[n] = true
	}
	return nil
}

func (d *definition) indexNames() []string {
	var names []string
	for _, x := range d.globals {
		names = append(names, x.IndexName)
	}
	for _, x := range d.locals {
		names = append(names, x.IndexName)
	}
	for _, x := range d.vectors {
		names = append(names, x.IndexName)
	}
	return names
}

// checkUsed refuses definitions of attributes that are in no key.
func (d *definition) checkUsed() error {
	if len(d.globals)+len(d.locals)+len(d.vectors) == 0 {
		if len(d.attributes) != len(d.key) {
			return api.InvalidParameter("Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions")
		}
		return nil
	}
	for i, a := range d.attributes {
		if slices.ContainsFunc(d.attributes[:i], func(b api.AttributeDefinition) bool { return a.AttributeName == b.AttributeName }) {
			return api.Invalid("Cannot have two attributes with the same name")
		}
	}
	used := d.used()
	if len(used) == len(d.attributes) {
		return nil
	}
	return api.InvalidParameter("Some AttributeDefinitions are not used. AttributeDefinitions: %s, keys used: %s",
		nameList(d.attributes), nameList(used))
}

// used returns the definitions of attributes that are in a key.
func (d *definition) used() []api.AttributeDefinition {
	keys := [][]api.KeySchemaElement{d.key}
	for _, x := range d.globals {
		keys = append(keys, x.KeySchema)
	}
	for _, x := range d.locals {
		keys = append(keys, x.KeySchema)
	}
	isUsed := make(map[string]bool)
	for _, key := range keys {
		for _, e := range key {
			isUsed[e.AttributeName] = true
		}
	}
	for _, x := range d.vectors {
		for _, e := range x.SearchSchema {
			isUsed[e.AttributeName] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(d.attributes), func(a api.AttributeDefinition) bool { return !isUsed[a.AttributeName] })
}

func nameList(attributes []api.AttributeDefinition) string {
	var names []string
	for _, a := range attributes {
		names = append(names, a.AttributeName)
	}
	slices.Sort(names)
	return "[" + strings.Join(names, ", ") + "]"
}

func (d *definition) checkProjected() error {
	n := 0
	for _, x := range d.globals {
		n += len(x.Projection.NonKeyAttributes)
	}
	for _, x := range d.locals {
		n += len(x.Projection.NonKeyAttributes)
	}
	for _, x := range d.vectors {
		n += vectorProjected(x)
	}
	if n > maxNonKeyAttributes {
		return api.InvalidParameter("Number of NonKeyAttributes over all secondary indexes is %d, which exceeds the limit of %d", n, maxNonKeyAttributes)
	}
	return nil
}

// schema returns what item operations need to know of a table with this
// definition, but for the spaces.
func (d *definition) schema(table string) *schema {
	s := &schema{table: table, key: d.keySchema(d.key)}
	for _, x := range d.globals {
		s.indexes = append(s.indexes, d.global(x))
	}
	for _, x := range d.locals {
		s.indexes = append(s.indexes, d.local(x))
	}
	for _, x := range d.vectors {
		s.vectors = append(s.vectors, d.vector(x))
	}
	return s
}

// keySchema returns the key of a table or an index for item operations.
func (d *definition) keySchema(key []api.KeySchemaElement) keySchema {
	var k keySchema
	for _, e := range key {
		typ, _ := attr.ParseType(d.typeOf(e.AttributeName))
		a := expr.KeyAttribute{Name: e.AttributeName, Type: typ}
		if e.KeyType == api.Hash {
			k.Hash = append(k.Hash, a)
		} else {
			k.Range = append(k.Range, a)
		}
		k.all = append(k.all, a)
	}
	return k
}

// global returns the index for item operations; it has no space yet.
func (d *definition) global(x api.GlobalSecondaryIndex) *index {
	return d.newIndex(x.IndexName, x.KeySchema, x.Projection)
}

func (d *definition) local(x api.LocalSecondaryIndex) *index {
	made := d.newIndex(x.IndexName, x.KeySchema, x.Projection)
	made.local = true
	return made
}

func (d *definition) newIndex(name string, key []api.KeySchemaElement, p *api.Projection) *index {
	own, table := d.keySchema(key), d.keySchema(d.key)
	return &index{name: name, key: own, tableKey: table, projection: newProjection(p, table, own)}
}
