package golang

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/examples/app/store"
)

var note = store.Note{User: "ada", NoteID: "01JNWM26V3N5T0K2R4M6P8S0A1", Text: "Buy tea and milk", State: store.NoteStateOpen, CreatedAt: time.Date(2026, 3, 9, 10, 15, 0, 0, time.UTC)}

// byHand is the item that a person would write down.
func byHand(n store.Note) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"PK":         &types.AttributeValueMemberS{Value: "USER#" + n.User},
		"SK":         &types.AttributeValueMemberS{Value: "NOTE#" + n.NoteID},
		"EntityType": &types.AttributeValueMemberS{Value: "Note"},
		"user":       &types.AttributeValueMemberS{Value: n.User},
		"noteId":     &types.AttributeValueMemberS{Value: n.NoteID},
		"text":       &types.AttributeValueMemberS{Value: n.Text},
		"state":      &types.AttributeValueMemberS{Value: string(n.State)},
		"createdAt":  &types.AttributeValueMemberS{Value: n.CreatedAt.UTC().Format(time.RFC3339)},
	}
}

// readByHand reads it back, as a person would.
func readByHand(item map[string]types.AttributeValue) (store.Note, bool) {
	text := func(name string) (string, bool) {
		s, ok := item[name].(*types.AttributeValueMemberS)
		if !ok {
			return "", false
		}
		return s.Value, true
	}
	user, ok1 := text("user")
	id, ok2 := text("noteId")
	body, ok3 := text("text")
	state, ok4 := text("state")
	created, ok5 := text("createdAt")
	at, err := time.Parse(time.RFC3339, created)
	return store.Note{User: user, NoteID: id, Text: body, State: store.NoteState(state), CreatedAt: at}, ok1 && ok2 && ok3 && ok4 && ok5 && err == nil
}

func TestByHand(t *testing.T) {
	item, err := note.MarshalItem()
	if err != nil {
		t.Fatal(err)
	}
	back, ok := readByHand(item)
	if want := byHand(note); len(item) != len(want) || !ok || back != note {
		t.Errorf("%v, not %v", item, want)
	}
}

func BenchmarkMarshal(b *testing.B) {
	b.Run("generated", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := note.MarshalItem(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			byHand(note)
		}
	})
}

func BenchmarkUnmarshal(b *testing.B) {
	item := byHand(note)
	b.Run("generated", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := store.UnmarshalNote(item); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, ok := readByHand(item); !ok {
				b.Fatal("not read")
			}
		}
	})
}
