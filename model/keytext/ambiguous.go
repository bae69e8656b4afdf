package keytext

import "github.com/dynmodel/dynmodel/model"

// Reading is one way to read a key: for each part of its template, in order,
// the stretch of the text that the part made.
type Reading []string

// Ambiguous looks for a text that the template makes of two different sets of
// values, and gives the two ways to read it; false when there is none. The text
// is a shortest one.
func Ambiguous(t model.Template) (text string, first, second Reading, found bool) {
	a := compile(OfTemplate(t))
	if len(a.states) > maxStates {
		return "", nil, nil, false
	}
	s := &twoReadings{automaton: a, seen: map[spot]bool{}}
	end := s.search()
	if end == nil {
		return "", nil, nil, false
	}
	first, second = make(Reading, len(t.Parts)), make(Reading, len(t.Parts))
	for at := end; at != nil; at = at.before {
		text = string(at.char) + text
		one, two := a.states[at.first].part, a.states[at.second].part
		first[one] = string(at.char) + first[one]
		second[two] = string(at.char) + second[two]
	}
	return text, first, second, true
}

// spot is where two readings of one text are: the states that read its next
// character, and whether the two were in different parts before.
type spot struct {
	first, second int
	parted        bool
}

// reached is a spot with the character read there and the way to it.
type reached struct {
	spot
	char   rune
	before *reached
}

// twoReadings searches for two readings of one text, breadth first.
type twoReadings struct {
	*automaton
	seen map[spot]bool
	todo []*reached
}

// search gives the last character of a text with two readings, or nil.
func (s *twoReadings) search() *reached {
	s.reach(s.start, s.start, false, nil)
	for len(s.todo) > 0 {
		at := s.todo[0]
		s.todo = s.todo[1:]
		one, two := s.states[at.first], s.states[at.second]
		parted := at.parted || one.part != two.part
		if parted && one.next.end && two.next.end {
			return at
		}
		s.reach(one.next, two.next, parted, at)
	}
	return nil
}

// reach adds the spots of a step of either reading.
func (s *twoReadings) reach(one, two step, parted bool, before *reached) {
	for _, i := range one.states {
		for _, j := range two.states {
			at := spot{i, j, parted}
			if s.seen[at] || !parted && i > j {
				continue // before they part, the two readings are alike
			}
			s.seen[at] = true
			if r, ok := common(s.states[i].class, s.states[j].class); ok {
				s.todo = append(s.todo, &reached{at, r, before})
			}
		}
	}
}
