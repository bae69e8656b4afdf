package engine

import "github.com/dynmodel/dynmodel/engine/api"

// Limits of tags (API reference, Tag).
const (
	maxTags          = 50
	maxTagKeyBytes   = 128
	maxTagValueBytes = 256
)

func checkTags(tags []api.Tag) error {
	if len(tags) > maxTags {
		return api.Invalid("Too many tags: a resource can have at most %d", maxTags)
	}
	for _, t := range tags {
		switch {
		case t.Key == "":
			return api.Constraint("", "tags.member.key", "Member must have length greater than or equal to 1")
		case len(t.Key) > maxTagKeyBytes:
			return api.Constraint(t.Key, "tags.member.key", "Member must have length less than or equal to 128")
		case len(t.Value) > maxTagValueBytes:
			return api.Constraint(t.Value, "tags.member.value", "Member must have length less than or equal to 256")
		}
	}
	return nil
}
