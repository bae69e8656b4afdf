package engine

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
)

// maxPolicyBytes bounds a resource policy (service quotas).
const maxPolicyBytes = 20 << 10

// noPolicy is the revision that stands for no policy at all.
const noPolicy = "NO_POLICY"

// policies are the resource policies of a table and its stream, by ARN. They
// are kept and not enforced.
type policies struct {
	byARN    map[string]policy
	revision int
}

type policy struct{ text, revision string }

// PutResourcePolicy keeps a policy for a table, or for its stream.
func (db *DB) PutResourcePolicy(_ context.Context, in *api.PutResourcePolicyInput) (*api.ResourcePolicyRevision, error) {
	if err := first(checkResource(in.ResourceArn), notNull("policy", in.Policy)); err != nil {
		return nil, err
	}
	t, err := db.lockResource(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	if err := first(checkPolicy(in.Policy), t.policies.expect(*in.ResourceArn, in.ExpectedRevisionId)); err != nil {
		return nil, err
	}
	revision := t.policies.set(*in.ResourceArn, *in.Policy, t.now)
	return &api.ResourcePolicyRevision{RevisionId: revision}, db.save(t.table)
}

func checkPolicy(text *string) error {
	switch {
	case text == nil:
	case len(*text) > maxPolicyBytes:
		return api.Errorf(api.LimitExceeded, "The resource policy is larger than %d bytes", maxPolicyBytes)
	case !json.Valid([]byte(*text)):
		return api.Invalid("Invalid policy document: it is not JSON")
	}
	return nil
}

// set puts a policy, and returns its revision.
func (p *policies) set(arn, text string, now time.Time) string {
	p.revision++
	revision := strconv.FormatInt(now.UnixMilli(), 10) + strconv.Itoa(p.revision)
	p.put(arn, policy{text, revision})
	return revision
}

func (p *policies) put(arn string, one policy) {
	if p.byARN == nil {
		p.byARN = make(map[string]policy)
	}
	p.byARN[arn] = one
}

// expect checks that a policy has the revision that a request expects.
func (p *policies) expect(arn string, revision *string) error {
	now := noPolicy
	if have, ok := p.byARN[arn]; ok {
		now = have.revision
	}
	if revision != nil && *revision != now {
		return errNoPolicy(arn)
	}
	return nil
}

func errNoPolicy(arn string) error {
	return api.Errorf(api.PolicyNotFound, "Resource-based policy not found for the provided ResourceArn: %s", arn)
}

// GetResourcePolicy returns a policy that was put.
func (db *DB) GetResourcePolicy(_ context.Context, in *api.GetResourcePolicyInput) (*api.GetResourcePolicyOutput, error) {
	if err := checkResource(in.ResourceArn); err != nil {
		return nil, err
	}
	t, err := db.lockResource(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	p, ok := t.policies.byARN[*in.ResourceArn]
	if !ok {
		return nil, errNoPolicy(*in.ResourceArn)
	}
	return &api.GetResourcePolicyOutput{Policy: p.text, RevisionId: p.revision}, nil
}

// DeleteResourcePolicy forgets a policy; there need not be one.
func (db *DB) DeleteResourcePolicy(_ context.Context, in *api.DeleteResourcePolicyInput) (*api.ResourcePolicyRevision, error) {
	if err := checkResource(in.ResourceArn); err != nil {
		return nil, err
	}
	t, err := db.lockResource(*in.ResourceArn)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	if err := t.policies.expect(*in.ResourceArn, in.ExpectedRevisionId); err != nil {
		return nil, err
	}
	gone := t.policies.byARN[*in.ResourceArn]
	delete(t.policies.byARN, *in.ResourceArn)
	return &api.ResourcePolicyRevision{RevisionId: gone.revision}, db.save(t.table)
}
