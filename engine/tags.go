package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/engine/api"
)

// Limits of tags (API reference, Tag).
const (
	maxTags          = 50
	maxTagKeyBytes   = 128
	maxTagValueBytes = 256
)

// TagResource sets tags of a table.
func (db *DB) TagResource(_ context.Context, in *api.TagResourceInput) (*api.Empty, error) {
	if in.Tags == nil {
		return nil, first(notNull("resourceArn", in.ResourceArn), api.Required("tags"))
	}
	if err := checkTags(in.Tags); err != nil {
		return nil, err
	}
	t, err := db.lockResource(in.ResourceArn)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	tags := slices.Clone(t.tags)
	for _, tag := range in.Tags {
		if i := slices.IndexFunc(tags, func(old api.Tag) bool { return old.Key == tag.Key }); i >= 0 {
			tags[i] = tag
		} else {
			tags = append(tags, tag)
		}
	}
	if err := checkTags(tags); err != nil {
		return nil, err
	}
	t.tags = tags
	return &api.Empty{}, db.save(t.table)
}

// UntagResource removes tags of a table; those it does not have do not matter.
func (db *DB) UntagResource(_ context.Context, in *api.UntagResourceInput) (*api.Empty, error) {
	if in.TagKeys == nil {
		return nil, first(notNull("resourceArn", in.ResourceArn), api.Required("tagKeys"))
	}
	t, err := db.lockResource(in.ResourceArn)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	t.tags = slices.DeleteFunc(slices.Clone(t.tags), func(tag api.Tag) bool { return slices.Contains(in.TagKeys, tag.Key) })
	return &api.Empty{}, db.save(t.table)
}

// ListTagsOfResource lists the tags of a table.
func (db *DB) ListTagsOfResource(_ context.Context, in *api.ListTagsOfResourceInput) (*api.ListTagsOfResourceOutput, error) {
	t, err := db.lockResource(in.ResourceArn)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	return &api.ListTagsOfResourceOutput{Tags: append([]api.Tag{}, t.tags...)}, nil
}

// lockResource locks the table with the given ARN.
func (db *DB) lockResource(arn *string) (locked, error) {
	switch {
	case arn == nil:
		return locked{}, api.Required("resourceArn")
	case !strings.HasPrefix(*arn, "arn:"):
		return locked{}, api.Invalid("Invalid TableArn: Invalid ResourceArn provided as input %s", *arn)
	}
	t, err := db.lock(*arn)
	if err != nil {
		return locked{}, api.Errorf(api.ResourceNotFound, "Requested resource not found: ResourcArn: %s not found", *arn) // the service's own spelling
	}
	return t, nil
}

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
