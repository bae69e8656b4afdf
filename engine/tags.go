package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/engine/api"
)

// Limits of tags (API reference, Tag), in characters.
const (
	maxTags     = 50
	maxTagKey   = 128
	maxTagValue = 256
)

// TagResource sets tags of a table.
func (db *DB) TagResource(_ context.Context, in *api.TagResourceInput) (*api.Empty, error) {
	err := first(checkResource(in.ResourceArn), requiredList("tags", in.Tags), checkTagMembers(in.Tags), checkTagNames(in.Tags))
	switch {
	case err != nil:
		return nil, err
	case len(in.Tags) == 0:
		return nil, api.Invalid("Atleast one Tag needs to be provided as Input.") // the service's own spelling
	}
	t, err := db.lockResource(*in.ResourceArn)
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
	if err := checkTagCount(len(tags)); err != nil {
		return nil, err
	}
	t.tags = tags
	return &api.Empty{}, db.save(t.table)
}

// UntagResource removes tags of a table; those it does not have do not matter.
func (db *DB) UntagResource(_ context.Context, in *api.UntagResourceInput) (*api.Empty, error) {
	err := first(checkResource(in.ResourceArn), requiredList("tagKeys", in.TagKeys))
	switch {
	case err != nil:
		return nil, err
	case len(in.TagKeys) == 0:
		return nil, api.Invalid("Atleast one Tag Key needs to be provided as Input.")
	}
	t, err := db.lockResource(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	t.tags = slices.DeleteFunc(slices.Clone(t.tags), func(tag api.Tag) bool { return slices.Contains(in.TagKeys, tag.Key) })
	return &api.Empty{}, db.save(t.table)
}

// ListTagsOfResource lists the tags of a table.
func (db *DB) ListTagsOfResource(_ context.Context, in *api.ListTagsOfResourceInput) (*api.ListTagsOfResourceOutput, error) {
	if err := checkResource(in.ResourceArn); err != nil {
		return nil, err
	}
	t, err := db.lockResource(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	return &api.ListTagsOfResourceOutput{Tags: append([]api.Tag{}, t.tags...)}, nil
}

// checkResource checks the ARN of a table, or of a part of one.
func checkResource(arn *string) error {
	switch {
	case arn == nil:
		return api.Invalid("Invalid TableArn")
	case !isTableARN(*arn):
		return errTableARN(*arn)
	}
	return nil
}

func errTableARN(arn string) error {
	return api.Invalid("Invalid TableArn: Invalid ResourceArn provided as input %s", arn)
}

// isTableARN reports whether an ARN names a table, or a part of one, of any
// region and account.
func isTableARN(arn string) bool {
	parts := strings.SplitN(arn, ":", 6)
	return len(parts) == 6 && parts[0] == "arn" && parts[2] == "dynamodb" && len(parts[5]) > len("table/") && strings.HasPrefix(parts[5], "table/")
}

// lockResource locks the table of an ARN.
func (db *DB) lockResource(arn string) (locked, error) {
	t, err := db.lockAny(arn)
	if err != nil {
		return locked{}, api.Errorf(api.ResourceNotFound, "Requested resource not found: ResourcArn: %s not found", arn) // the service's own spelling
	}
	return t, nil
}

// checkTagMembers checks each tag of a request by itself.
func checkTagMembers(tags []api.Tag) error {
	var errs []error
	for i, t := range tags {
		at := element("tags", i)
		errs = append(errs,
			checkLength(at+".key", t.Key, len([]rune(t.Key)), 1, maxTagKey),
			checkLength(at+".value", t.Value, len([]rune(t.Value)), 0, maxTagValue))
	}
	return api.First(errs...)
}

// checkTagNames refuses what only AWS itself may call a tag (DynamoDB developer
// guide, tagging restrictions).
func checkTagNames(tags []api.Tag) error {
	for _, t := range tags {
		if strings.HasPrefix(strings.ToLower(t.Key), "aws:") {
			return api.InvalidParameter("Tag keys that begin with aws: are reserved, but a tag has the key %s", t.Key)
		}
	}
	return nil
}

func checkTagCount(n int) error {
	if n > maxTags {
		return api.Invalid("Too many tags: a resource can have at most %d", maxTags)
	}
	return nil
}
