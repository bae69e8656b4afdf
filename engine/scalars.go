package engine

import (
	"iter"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/expr"
)

// Keys hold scalars, so that the service refuses expressions that look into a
// key attribute of the table or of an index, whatever they are for.

func (s *schema) checkScalars(paths iter.Seq[expr.Path]) error {
	for p := range paths {
		if len(p) == 1 {
			continue
		}
		switch name := p.Top(); {
		case s.key.has(name):
			return errNotScalar("Key", name)
		case slices.ContainsFunc(s.indexes, func(x *index) bool { return x.key.has(name) }):
			return errNotScalar("IndexKey", name)
		}
	}
	return nil
}

func errNotScalar(key, name string) error {
	return api.Invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: %s: %s", key, name)
}

func (s *schema) checkProjectedScalars(projection *expr.Projection) error {
	if projection == nil {
		return nil
	}
	return s.checkScalars(slices.Values(projection.Paths()))
}

func (s *schema) checkConditionScalars(condition expr.Condition) error {
	if condition == nil {
		return nil
	}
	return s.checkScalars(expr.Paths(condition))
}

func (s *schema) checkUpdateScalars(update *expr.Update) error {
	if update == nil {
		return nil
	}
	return first(
		s.checkProjectedScalars(update.Touched()),
		s.checkScalars(update.Reads()))
}
