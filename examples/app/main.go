// Command app keeps notes in a DynamoDB table:
//
//	app add USER TEXT
//	app list USER
//	app done USER NOTE
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/examples/app/store"
)

func main() {
	ctx := context.Background()
	cfg, err := config.LoadDefaultConfig(ctx)
	if err == nil {
		err = run(ctx, store.New(dynamodb.NewFromConfig(cfg), "notes"), os.Stdout, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run does what the arguments say.
func run(ctx context.Context, notes store.Querier, out io.Writer, args []string) error {
	switch {
	case len(args) == 3 && args[0] == "add":
		note, err := notes.AddNote(ctx, store.AddNoteParams{User: args[1], Text: args[2]})
		fmt.Fprintln(out, note.NoteID)
		return err
	case len(args) == 2 && args[0] == "list":
		for note, err := range notes.NotesOfUser(ctx, store.NotesOfUserParams{User: args[1]}) {
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s  %-4s  %s\n", note.NoteID, note.State, note.Text)
		}
		return nil
	case len(args) == 3 && args[0] == "done":
		_, err := notes.FinishNote(ctx, store.NoteKey{User: args[1], NoteID: args[2]})
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("%s has no note %s", args[1], args[2])
		}
		return err
	}
	return errors.New("usage: app add USER TEXT | app list USER | app done USER NOTE")
}
