package engine

import (
	"encoding/binary"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// tokenLife is how long the token of a transaction is remembered (API
// reference, TransactWriteItems).
const tokenLife = 10 * time.Minute

func checkToken(token *string) error {
	if token == nil {
		return nil
	}
	return checkLength("clientRequestToken", *token, len(*token), 1, maxTokenLength)
}

// idempotency knows the tokens of transactions that are under way. Those of
// transactions that were carried out are in the catalogue.
type idempotency struct {
	mu      sync.Mutex
	running map[string]bool
	trimmed time.Time
}

// begin takes a token; ok is false if its transaction is under way.
func (x *idempotency) begin(token string) (ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.running[token] {
		return false
	}
	if x.running == nil {
		x.running = make(map[string]bool)
	}
	x.running[token] = true
	return true
}

func (x *idempotency) end(token string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.running, token)
}

// trimEvery is how often expired tokens are forgotten.
const trimEvery = time.Minute

// mayTrim reports whether it is time to forget expired tokens.
func (x *idempotency) mayTrim(now time.Time) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	due := now.Sub(x.trimmed) >= trimEvery
	if due {
		x.trimmed = now
	}
	return due
}

// An execution is one transaction under its token.
type execution struct {
	token       string
	fingerprint uint64
	expires     time.Time
}

// What the keys of tokens begin with in the catalogue: by token, and by the
// time of their expiry.
const (
	tokenRecords  = "token/"
	expiryRecords = "expiry/"
)

// note adds to b that the transaction was carried out.
func (e *execution) note(b *store.Batch) {
	b.Put(catalogueSpace, tokenRecords+e.token, attr.NewItem(
		attr.Entry{Name: "expires", Value: attr.Int(e.expires.UnixNano())},
		attr.Entry{Name: "fingerprint", Value: attr.Binary(sequenceKey(e.fingerprint))}))
	b.Put(catalogueSpace, expiryKey(e.expires)+e.token, attr.Item{})
}

func expiryKey(at time.Time) string { return expiryRecords + sequenceKey(uint64(at.UnixNano())) }

// readExecution reads the record of a token.
func readExecution(token string, record attr.Item) execution {
	expires, _ := record.Get("expires")
	fingerprint, _ := record.Get("fingerprint")
	at, _ := expires.Int64()
	return execution{token, keySequence(fingerprint.Text()), time.Unix(0, at)}
}

// carriedOut reports whether the same transaction was carried out under its
// token. It is an error if another one was.
func (db *DB) carriedOut(this *execution) (done bool, err error) {
	now := db.now()
	if db.transactions.mayTrim(now) {
		if err := db.trimTokens(now); err != nil {
			return false, err
		}
	}
	record, known, err := db.store.Get(catalogueSpace, tokenRecords+this.token)
	if err != nil || !known {
		return false, err
	}
	switch before := readExecution(this.token, record); {
	case !now.Before(before.expires):
		return false, nil
	case before.fingerprint != this.fingerprint:
		return false, api.Errorf(api.IdempotentParameterMismatch, "The request token is being used for a different request")
	}
	return true, nil
}

// trimTokens forgets tokens that have expired. One that was used again since
// has another expiry.
func (db *DB) trimTokens(now time.Time) error {
	snapshot := db.store.Snapshot()
	defer snapshot.Close()
	var b store.Batch
	var failed error
	past := store.Range{From: expiryRecords, To: expiryKey(now)}
	err := snapshot.Range(catalogueSpace, past, func(key string, _ attr.Item) bool {
		token := key[len(expiryKey(now)):]
		var record attr.Item
		record, _, failed = snapshot.Get(catalogueSpace, tokenRecords+token)
		if expiryKey(readExecution(token, record).expires)+token == key {
			b.Delete(catalogueSpace, tokenRecords+token)
		}
		b.Delete(catalogueSpace, key)
		return failed == nil
	})
	return first(err, failed, db.store.Apply(&b))
}

// fingerprint identifies the content of a transaction.
func fingerprint(in *api.TransactWriteItemsInput) uint64 {
	f := digest{Digest: xxhash.New()}
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
type digest struct {
	*xxhash.Digest
	buf []byte
	enc []byte // of the item that is being hashed
}

func (d *digest) text(s *string) {
	if s == nil {
		d.Write([]byte{0})
		return
	}
	d.begin(len(*s))
	d.WriteString(*s)
}

// begin writes that a part of so many bytes follows.
func (d *digest) begin(n int) {
	d.buf = binary.LittleEndian.AppendUint32(append(d.buf[:0], 1), uint32(n))
	d.Write(d.buf)
}

func (d *digest) item(it *attr.Item) {
	if it == nil {
		d.text(nil)
		return
	}
	d.enc = it.AppendBinary(d.enc[:0])
	d.begin(len(d.enc))
	d.Write(d.enc)
}

func (d *digest) action(a transactAction) {
	d.Write([]byte{byte(a.kind)})
	d.text(a.table)
	d.item(a.item)
	d.text(a.update)
	d.text(a.guard.ConditionExpression)
	d.text(&a.guard.ReturnValuesOnConditionCheckFailure)
	d.item(a.guard.ExpressionAttributeValues)
	for _, alias := range attr.SortedKeys(a.guard.ExpressionAttributeNames) {
		name := a.guard.ExpressionAttributeNames[alias]
		d.text(&alias)
		d.text(&name)
	}
}
