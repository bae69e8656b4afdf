package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/examples/app/store"
)

func TestApp(t *testing.T) {
	ctx := context.Background()
	db := engine.New()
	defer db.Close()
	if _, err := db.Client().CreateTable(ctx, store.CreateTableInput("notes")); err != nil {
		t.Fatal(err)
	}
	made := 0
	notes := store.New(db.Client(), "notes", store.WithIDs(func(string) (string, error) {
		made++
		return fmt.Sprintf("01JNWM26V3N5T0K2R4M6P8S0A%d", made), nil
	}))
	out := &strings.Builder{}
	for _, line := range []string{"add ada tea", "add ada milk", "done ada 01JNWM26V3N5T0K2R4M6P8S0A1", "list ada"} {
		if err := run(ctx, notes, out, strings.Fields(line)); err != nil {
			t.Fatal(line, err)
		}
	}
	want := "01JNWM26V3N5T0K2R4M6P8S0A1\n01JNWM26V3N5T0K2R4M6P8S0A2\n" +
		"01JNWM26V3N5T0K2R4M6P8S0A2  open  milk\n01JNWM26V3N5T0K2R4M6P8S0A1  done  tea\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
	_, err := notes.FinishNote(ctx, store.NoteKey{User: "ada", NoteID: "01JNWM26V3N5T0K2R4M6P8S0A1"})
	if !errors.Is(err, store.ErrConditionFailed) || errors.Is(err, store.ErrNotFound) {
		t.Errorf("finished twice: %v", err)
	}
	if err := run(ctx, notes, out, strings.Fields("done ada 01JNWM26V3N5T0K2R4M6P8S0A9")); err == nil || !strings.Contains(err.Error(), "has no note") {
		t.Errorf("a note that is not there: %v", err)
	}
}
