package wire

// Refusals are what the service refuses of the attribute values of a request:
// the first of each member. Which of them it tells depends on the order in
// which it looks at the members, not on that of the text.
type Refusals []refusal

type refusal struct {
	member string
	err    error
}

// In returns what is refused of the first of these members that has anything.
func (all Refusals) In(members ...string) error {
	for _, m := range members {
		for _, r := range all {
			if r.member == m {
				return r.err
			}
		}
	}
	return nil
}

// First returns what is refused of the member that is read first.
func (all Refusals) First() error {
	if len(all) == 0 {
		return nil
	}
	return all[0].err
}
