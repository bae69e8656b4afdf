package attr

// A Shape is what should stand at a place of a request. It decides the words
// in which the service, a Java program, refuses what stands there instead.
type Shape struct {
	kind shapeKind
	of   string // the class of a scalar or structure, or of what a list or map holds
	part bool
}

type shapeKind uint8

const (
	scalarShape shapeKind = iota
	structureShape
	listShape
	mapShape
	mapOfListsShape
)

// The shapes that are not the request's own.
var (
	stringShape  = Shape{kind: scalarShape, of: "String"}
	booleanShape = Shape{kind: scalarShape, of: "Boolean"}
	integerShape = Shape{kind: scalarShape, of: "Integer"}
	longShape    = Shape{kind: scalarShape, of: "Long"}
	dateShape    = Shape{kind: scalarShape, of: "Date"}
	doubleShape  = Shape{kind: scalarShape, of: "Double"}
	blobShape    = Shape{kind: scalarShape, of: "Blob"}
	valueShape   = StructureOf("AttributeValue")
	itemShape    = MapOf("AttributeValue")
)

// StructureOf is an object with the members of a shape of the service's model.
func StructureOf(name string) Shape { return Shape{kind: structureShape, of: name} }

// ListOf is an array of elements of the named shape.
func ListOf(name string) Shape { return Shape{kind: listShape, of: name} }

// MapOf is an object of any names with values of the named shape.
func MapOf(name string) Shape { return Shape{kind: mapShape, of: name} }

// MapOfLists is an object of any names with arrays of the named shape.
func MapOfLists(name string) Shape { return Shape{kind: mapOfListsShape, of: name} }

// Part is the shape as an element of a list or an entry of a map, for which the
// service has other words than for a member of a structure.
func (s Shape) Part() Shape {
	s.part = true
	return s
}

// class is the Java class or type that the shape is read into.
func (s Shape) class() string {
	switch s.kind {
	case scalarShape:
		switch s.of {
		case "Blob":
			return "class java.nio.ByteBuffer"
		case "Date":
			return "class java.util.Date"
		}
		return "class java.lang." + s.of
	case structureShape:
		return "class " + className(s.of)
	case listShape:
		return "java.util.List<" + className(s.of) + ">"
	case mapOfListsShape:
		return "java.util.Map<java.lang.String, java.util.List<" + className(s.of) + ">>"
	}
	return "java.util.Map<java.lang.String, " + className(s.of) + ">"
}

func className(of string) string {
	if of == "String" {
		return "java.lang.String"
	}
	return "com.amazonaws.dynamodb.v20120810." + of
}

// noScalar is the refusal of a string, number, boolean or null, which is given
// by its name.
func (s Shape) noScalar(token string) string {
	switch {
	case s.kind == scalarShape && s.of == "Blob":
		return "only base-64-encoded strings are convertible to bytes"
	case s.kind == scalarShape && s.of == "Boolean" && token == "STRING_VALUE":
		return "Unexpected token received from parser"
	case s.kind == scalarShape:
		return token + " cannot be converted to " + s.of
	case !s.part:
		return "Unexpected field type"
	case s.kind == structureShape:
		return "Unexpected value type in payload"
	}
	return "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class" +
		" (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"
}
