package engine

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

// tokenLife is how long the token of a transaction is remembered (API
// reference, TransactWriteItems).
const tokenLife = 10 * time.Minute

func checkToken(token *string) error {
	switch {
	case token == nil:
		return nil
	case *token == "":
		return api.Constraint("", "clientRequestToken", "Member must have length greater than or equal to 1")
	case len(*token) > maxTokenLength:
		return api.Constraint(*token, "clientRequestToken", fmt.Sprintf("Member must have length less than or equal to %d", maxTokenLength))
	}
	return nil
}

// idempotency remembers the tokens of transactions that were carried out.
type idempotency struct {
	mu     sync.Mutex
	tokens map[string]*execution
	oldest []string // tokens in the order of their expiry
}

// An execution is one transaction under its token.
type execution struct {
	fingerprint uint64
	done        bool
	expires     time.Time
}

// once runs a transaction unless the token shows that it was carried out, and
// answers by replay if it was. One that fails can be tried again.
func (x *idempotency) once(token string, fingerprint uint64, now time.Time, run, replay func() (*api.TransactWriteItemsOutput, error)) (*api.TransactWriteItemsOutput, error) {
	before, err := x.begin(token, fingerprint, now)
	if err != nil {
		return nil, err
	}
	if before {
		return replay()
	}
	out, err := run()
	x.mu.Lock()
	defer x.mu.Unlock()
	if err != nil {
		delete(x.tokens, token)
		return nil, err
	}
	x.tokens[token].done = true
	x.oldest = append(x.oldest, token)
	return out, nil
}

// begin reserves the token; done is true if its transaction was carried out
// before.
func (x *idempotency) begin(token string, fingerprint uint64, now time.Time) (done bool, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for len(x.oldest) > 0 && !now.Before(x.tokens[x.oldest[0]].expires) {
		delete(x.tokens, x.oldest[0])
		x.oldest = x.oldest[1:]
	}
	switch e := x.tokens[token]; {
	case e == nil:
	case !e.done:
		return false, api.Errorf(api.TransactionInProgress, "The transaction with the given request token is already in progress")
	case e.fingerprint != fingerprint:
		return false, api.Errorf(api.IdempotentParameterMismatch, "The request token is being used for a different request")
	default:
		return true, nil
	}
	if x.tokens == nil {
		x.tokens = make(map[string]*execution)
	}
	x.tokens[token] = &execution{fingerprint: fingerprint, expires: now.Add(tokenLife)}
	return false, nil
}

// fingerprint identifies the content of a transaction.
func fingerprint(in *api.TransactWriteItemsInput) uint64 {
	f := digest{xxhash.New()}
	for _, w := range in.TransactItems {
		for _, a := range actionsOf(w) {
			if a.given {
				f.action(a)
			}
		}
	}
	return f.Sum64()
}

// A digest hashes the parts of a request so that no two ways of dividing the
// same text into parts look alike.
type digest struct{ *xxhash.Digest }

func (d digest) text(s *string) {
	if s == nil {
		d.Write([]byte{0})
		return
	}
	d.Write([]byte{1, byte(len(*s)), byte(len(*s) >> 8), byte(len(*s) >> 16), byte(len(*s) >> 24)})
	d.WriteString(*s)
}

func (d digest) item(it *attr.Item) {
	if it == nil {
		d.text(nil)
		return
	}
	enc := string(it.AppendBinary(nil))
	d.text(&enc)
}

func (d digest) action(a transactAction) {
	d.Write([]byte{byte(a.kind)})
	d.text(a.table)
	d.item(a.item)
	d.text(a.update)
	d.text(a.guard.ConditionExpression)
	d.text(&a.guard.ReturnValuesOnConditionCheckFailure)
	d.item(a.guard.ExpressionAttributeValues)
	for _, alias := range slices.Sorted(maps.Keys(a.guard.ExpressionAttributeNames)) {
		name := a.guard.ExpressionAttributeNames[alias]
		d.text(&alias)
		d.text(&name)
	}
}
