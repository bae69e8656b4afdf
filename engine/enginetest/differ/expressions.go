package differ

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/dynmodel/dynmodel/engine/enginetest"
)

// scope collects the aliases of one request's expressions.
type scope struct {
	*generator
	names, values object
}

func (g *generator) newScope() *scope {
	return &scope{g, object{}, object{}}
}

// into adds the aliases to the request, now and then with a fault.
func (s *scope) into(request object) {
	if s.chance(1) {
		s.names["#unused"] = "unused"
	}
	if s.chance(1) {
		s.values[":unused"] = object{"S": "unused"}
	}
	if len(s.names) > 0 {
		request["ExpressionAttributeNames"] = s.names
	}
	if len(s.values) > 0 {
		request["ExpressionAttributeValues"] = s.values
	}
}

func (s *scope) name(name string) string {
	if s.chance(70) {
		return name
	}
	alias := "#" + name
	s.names[alias] = name
	return alias
}

func (s *scope) bind(value object) string {
	alias := fmt.Sprintf(":v%d", len(s.values))
	s.values[alias] = value
	return alias
}

// path makes a document path, mostly a short one.
func (s *scope) path() string { return s.deeper(s.name(pick(s.generator, attributes...)), 25) }

// deeper lets a path go on, with that chance at each step.
func (s *scope) deeper(path string, chance int) string {
	for s.chance(chance) {
		if s.chance(50) {
			path += fmt.Sprintf("[%d]", s.random.IntN(4))
		} else {
			path += "." + s.name(pick(s.generator, attributes...))
		}
	}
	return path
}

// anyPath may also be a key attribute.
func (s *scope) anyPath() string {
	keys := append(s.keyAttributes(), s.indexAttributes()...)
	if s.chance(15) {
		return s.deeper(s.name(pick(s.generator, keys...).Name), 5)
	}
	return s.path()
}

// operand of a comparison.
func (s *scope) operand() string {
	switch n := s.random.IntN(10); {
	case n < 5:
		return s.anyPath()
	case n < 9:
		return s.bind(s.value(1))
	}
	return "size(" + s.anyPath() + ")"
}

// condition makes a condition or filter expression.
func (s *scope) condition(depth int) string {
	if depth > 0 && s.chance(45) {
		switch s.random.IntN(4) {
		case 0:
			return s.condition(depth-1) + " AND " + s.condition(depth-1)
		case 1:
			return s.condition(depth-1) + " OR " + s.condition(depth-1)
		case 2:
			return "NOT " + s.condition(depth-1)
		default:
			return "(" + s.condition(depth-1) + ")"
		}
	}
	switch s.random.IntN(9) {
	case 0, 1, 2:
		return s.operand() + " " + pick(s.generator, "=", "<>", "<", "<=", ">", ">=") + " " + s.operand()
	case 3:
		return s.operand() + " BETWEEN " + s.operand() + " AND " + s.operand()
	case 4:
		return s.operand() + " IN (" + s.operand() + ", " + s.operand() + ")"
	case 5:
		return pick(s.generator, "attribute_exists", "attribute_not_exists") + "(" + s.anyPath() + ")"
	case 6:
		return "attribute_type(" + s.anyPath() + ", " + s.bind(object{"S": pick(s.generator, "S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS")}) + ")"
	case 7:
		return "begins_with(" + s.anyPath() + ", " + s.operand() + ")"
	default:
		return "contains(" + s.anyPath() + ", " + s.operand() + ")"
	}
}

// update makes an update expression with some of the clauses.
func (s *scope) update() string {
	clauses := []string{}
	add := func(percent int, keyword string, action func() string) {
		if !s.chance(percent) {
			return
		}
		actions := []string{action()}
		for s.chance(30) {
			actions = append(actions, action())
		}
		clauses = append(clauses, keyword+" "+strings.Join(actions, ", "))
	}
	add(70, pick(s.generator, "SET", "set"), func() string { return s.target() + " = " + s.setValue() })
	add(30, "REMOVE", s.target)
	add(25, "ADD", func() string { return s.target() + " " + s.bind(s.amount()) })
	add(15, "DELETE", func() string { return s.target() + " " + s.bind(s.amount()) })
	if len(clauses) == 0 {
		return "REMOVE " + s.target()
	}
	s.random.Shuffle(len(clauses), func(i, j int) { clauses[i], clauses[j] = clauses[j], clauses[i] })
	return strings.Join(clauses, " ")
}

// target is what an update changes: an attribute, now and then an index key.
func (s *scope) target() string {
	if keys := s.indexAttributes(); len(keys) > 0 && s.chance(10) {
		return s.name(pick(s.generator, keys...).Name)
	}
	return s.path()
}

// amount is a value for ADD and DELETE, mostly of a type they take.
func (s *scope) amount() object {
	if s.chance(90) {
		return pick(s.generator, object{"N": "1"}, object{"N": "-2.5"}, object{"SS": s.some("a", "b", "ab")},
			object{"NS": s.some("1", "2")}, object{"BS": s.some("AQ==", "/w==")})
	}
	return s.value(1)
}

func (s *scope) setValue() string {
	switch s.random.IntN(8) {
	case 0:
		return s.setOperand() + pick(s.generator, " + ", " - ") + s.setOperand()
	case 1:
		return "list_append(" + s.setOperand() + ", " + s.setOperand() + ")"
	case 2:
		return "if_not_exists(" + s.path() + ", " + s.setOperand() + ")"
	}
	return s.setOperand()
}

func (s *scope) setOperand() string {
	switch n := s.random.IntN(20); {
	case n < 5:
		return s.anyPath()
	case n < 6:
		return "if_not_exists(" + s.path() + ", " + s.bind(s.value(1)) + ")"
	case n < 10:
		return s.bind(object{"N": pick(s.generator, "1", "2.5", "-3")})
	case n < 13:
		return s.bind(object{"L": []any{s.value(0)}})
	}
	return s.bind(s.value(2))
}

func (s *scope) projection() string {
	paths := []string{s.anyPath()}
	for s.chance(60) {
		paths = append(paths, s.anyPath())
	}
	return strings.Join(paths, ", ")
}

// keyCondition makes the condition of a query on a key.
func (s *scope) keyCondition(hash enginetest.Attribute, sort []enginetest.Attribute) string {
	condition := s.name(hash.Name) + " = " + s.bind(s.keyValue(hash.Type))
	if len(sort) == 0 || s.chance(40) {
		return condition
	}
	name := s.name(sort[0].Name)
	bound := func() string { return s.bind(s.keyValue(sort[0].Type)) }
	switch s.random.IntN(4) {
	case 0:
		return condition + " AND " + name + " BETWEEN " + bound() + " AND " + bound()
	case 1:
		return condition + " AND begins_with(" + name + ", " + bound() + ")"
	default:
		return condition + " AND " + name + " " + pick(s.generator, "=", "<", "<=", ">", ">=") + " " + bound()
	}
}

// scramble damages an expression now and then: a word goes, comes twice or
// changes place, or a strange one comes in.
func (s *scope) scramble(expression string) string {
	if !s.chance(6) {
		return expression
	}
	return damage(s.random, expression)
}

func damage(random *rand.Rand, expression string) string {
	words := strings.Split(expression, " ")
	i, j := random.IntN(len(words)), random.IntN(len(words))
	switch random.IntN(4) {
	case 0:
		words[i] = ""
	case 1:
		words[i] += " " + words[i]
	case 2:
		words[i], words[j] = words[j], words[i]
	default:
		strange := []string{"(", ")", ",", "=", "AND", "NOT", "5", "'x'", "@", "#", ":", ".", "[", "name", "!=", "size", "#undefined", ":undefined"}
		words[i] = strange[random.IntN(len(strange))]
	}
	return strings.Join(words, " ")
}
