package check

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
)

const withSamples = `version: 1
table: posts
entities:
  Author:
    attributes: {authorId: {type: slug, minted: true}, since: date, until: date}
    invariants: [since <= until]
    keys: {PK: "AUTHOR#{authorId}", SK: AUTHOR}
  Post:
    attributes: {authorId: {ref: Author}, postId: ulid}
    keys: {PK: "AUTHOR#{authorId}", SK: "POST#{postId}"}
  Like:
    attributes: {postId: {ref: Post}, authorId: {ref: Author}}
    keys: {PK: "POST#{postId}", SK: "LIKE#{authorId}"}
access_patterns:
  - {name: likes, query: Like, where: postId = $postId}
samples:
  Author:
    - {authorId: ada, since: 2026-01-01, until: 2026-02-01}
    - {authorId: bob, since: 2026-03-01, until: 2026-02-01}
    - {authorId: ada, since: 2026-01-01, until: 2026-03-01}
  Post:
    - {authorId: ada, postId: 01J8ZQ6V3N5T0K2R4M6P8S0A1B}
  Like:
    - {postId: 01J8ZQ6V3N5T0K2R4M6P8S0A1B, authorId: ada}
    - {postId: 01J8ZQ6V3N5T0K2R4M6P8S0A1B, authorId: bob}
    - {postId: 01J8ZQ6V3N5T0K2R4M6P8S0A1C, authorId: bob}
`

// A sample that no world can have is said, as the proof leaves it out.
func TestSamplesThatCannotBe(t *testing.T) {
	want := []string{
		"19: the sample of Author cannot be: it breaks the invariant `since <= until`",
		"20: the sample of Author cannot be: it is the same Author as another sample",
		`25: the sample of Like cannot be: postId and authorId refer together to the Post with postId "01J8ZQ6V3N5T0K2R4M6P8S0A1B", and that has authorId "ada", not "bob"`,
	}
	file := source.NewFile("posts.yaml", withSamples)
	var got []string
	for _, f := range checked(t, file, os.DirFS("testdata")).Report.Findings {
		if f.Rule == diag.InvalidModel {
			got = append(got, strconv.Itoa(f.Span.From().Line)+": "+f.Message)
		}
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
