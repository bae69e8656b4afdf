// Package awscli makes a script that creates a model's table with the AWS CLI, and
// brings one that is there to what the model says.
package awscli

import (
	"github.com/dynmodel/dynmodel/generate"
)

// Target is the generator.
func Target() generate.Target {
	return generate.Target{
		Name:  "cli",
		Title: "Shell script: the table by the AWS CLI, created or updated",
		Text: `Makes a bash script that needs nothing but the AWS CLI. It creates the table with
its indexes, time to live, backups, tags, replicas and auto scaling. Run again, it
changes what differs from the model, and nothing when nothing does.

It never takes anything away: an index, stream, KMS key or replica that the model
does not have is left, and tags and policies of auto scaling stay. What cannot be
changed, as keys, ends it with an error. So does an index with another key or
projection, unless it is run with --replace-indexes, which deletes the index and
makes it again: until that is done, queries of it fail.

  TABLE_NAME=shop-test AWS_ENDPOINT_URL=http://127.0.0.1:8000 ./table.sh`,
		Path:  "table.sh",
		Files: files,
	}
}

func files(in generate.Input) ([]generate.File, error) {
	s := &script{table: in.Model.Table}
	s.create()
	s.keys()
	s.capacity()
	s.indexes()
	s.settings()
	s.timeToLive()
	s.replicas()
	s.perRegion()
	s.scaling()
	s.line("")
	s.line(`say "$table is as the model has it"`)
	return []generate.File{{Content: []byte(s.whole()), Executable: true}}, nil
}
