package infratest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/generate"
)

// scripted are the models whose scripts are run: the AWS CLI takes most of a
// second to start, and a script calls it a dozen times.
var scripted = []string{"on-demand", "scaled", "global"}

// TestScript runs the scripts by the AWS CLI on the engine, twice. The table is as
// the model has it, and the second time nothing is changed.
func TestScript(t *testing.T) {
	installed(t, "aws")
	for _, s := range samples(t) {
		if !slices.Contains(scripted, s.name) {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			cloud := newCloud(t)
			script := filepath.Join(t.TempDir(), "table.sh")
			write(t, script, made(t, s.in, "cli", "", nil))
			cloud.run(t, script)
			want := wanted(s.in.Model.Table)
			name := *want.create.TableName
			got := standing(t, cloud.db.Client(), name)
			if len(want.replicas) == 0 { // the engine counts replicas among what it says of the table
				if expected := alone(t, want); expected != got {
					t.Errorf("the table is\n%s\nand not\n%s", got, expected)
				}
			}
			compareScaling(t, cloud.scaled, want.scaling)
			cloud.writes = nil
			if said := cloud.run(t, script); strings.TrimSpace(said) != name+" is as the model has it" {
				t.Errorf("run again, the script says\n%s", said)
			}
			if again := standing(t, cloud.db.Client(), name); again != got || len(cloud.writes) > 0 {
				t.Errorf("run again, the script changes something by %v", cloud.writes)
			}
		})
	}
}

// keys of KMS; alias/notes is the second.
const (
	firstKey  = "arn:aws:kms:us-east-1:123456789012:key/11111111-12ab-34cd-56ef-1234567890ab"
	secondKey = "arn:aws:kms:us-east-1:123456789012:key/22222222-12ab-34cd-56ef-1234567890ab"
)

// TestScriptUpdates runs the script of a model on the table of an earlier version
// of it.
func TestScriptUpdates(t *testing.T) {
	installed(t, "aws")
	for _, c := range []struct {
		name, old, changed string
		arguments          []string
		said               []string // lines, before the one that all is as it must be
	}{
		{
			name:    "settings",
			changed: "indexes: {byType: {partition_key: type, projection: [a]}}, stream: new_image, ttl: until, point_in_time_recovery: {days: 3}, deletion_protection: true, class: infrequent_access, encryption: aws_managed, tags: {a: b}",
			said:    []string{"adding the index byType", "stream", "class", "encryption", "time to live", "deletion protection", "point-in-time recovery"},
		},
		{
			name:    "what is taken back, and another key",
			old:     "capacity: {on_demand: {max_read: 10}}, deletion_protection: true, encryption: {kms_key: '" + firstKey + "'}",
			changed: "encryption: {kms_key: alias/notes}",
			said:    []string{"limits of the table", "encryption", "deletion protection"},
		},
		{
			name:    "the key that the table has, by its alias",
			old:     "encryption: {kms_key: '" + secondKey + "'}",
			changed: "encryption: {kms_key: alias/notes}",
		},
		{
			name:    "capacity",
			old:     "indexes: {byType: {partition_key: type}}",
			changed: "indexes: {byType: {partition_key: type}}, capacity: {provisioned: {read: 5, write: 6}}",
			said:    []string{"capacity: provisioned"},
		},
		{
			name:    "figures",
			old:     "capacity: {provisioned: {read: 5, write: 6}}",
			changed: "capacity: {provisioned: {read: 50, write: 6}}",
			said:    []string{"capacity of the table"},
		},
		{
			name: "what is never taken away",
			old:  "indexes: {byType: {partition_key: type}}, stream: new_image, encryption: aws_managed",
			said: []string{"the index byType is not in the model; it is left", "the table has a stream, which the model has not; it is left",
				"the table has a KMS key, which the model has not; it is left"},
		},
		{
			name:    "an index with another projection",
			old:     "indexes: {byType: {partition_key: type, projection: [until, a]}}",
			changed: "indexes: {byType: {partition_key: type, projection: [until]}}",
			said: []string{"error: the index byType of notes cannot be changed: it is HASH type, INCLUDE, a, until, and the model has HASH type, INCLUDE, until; " +
				"--replace-indexes deletes it and makes it again"},
		},
		{
			name:      "an index with another key, replaced",
			old:       "indexes: {byType: {partition_key: type}}",
			changed:   "indexes: {byType: {partition_key: a, projection: keys_only}}",
			arguments: []string{"--replace-indexes"},
			said:      []string{"deleting the index byType", "adding the index byType"},
		},
		{
			name:    "time to live by another attribute",
			old:     "ttl: a",
			changed: "ttl: until",
			said:    []string{"error: time to live is by a, and the model has until; switch it off, and run this an hour later"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cloud := newCloud(t)
			script := filepath.Join(t.TempDir(), "table.sh")
			create(t, cloud.db.Client(), wanted(notes(t, c.old).Model.Table))
			changed := notes(t, c.changed)
			write(t, script, made(t, changed, "cli", "", nil))
			said := strings.Split(strings.TrimSpace(cloud.run(t, script, c.arguments...)), "\n")
			want := c.said
			failed := len(want) > 0 && strings.HasPrefix(want[0], "error: ")
			if !failed {
				want = append(slices.Clone(want), "notes is as the model has it")
			}
			if !slices.Equal(said, want) {
				t.Errorf("the script says\n%q\nand not\n%q", said, want)
			}
			if failed || c.changed == "" || len(c.said) == 0 {
				if len(cloud.writes) > 0 {
					t.Errorf("it changes something by %v", cloud.writes)
				}
				return
			}
			got := warm.ReplaceAllString(standing(t, cloud.db.Client(), "notes"), "")
			if expected := warm.ReplaceAllString(alone(t, wanted(changed.Model.Table)), ""); expected != got {
				t.Errorf("the table is\n%s\nand not\n%s", got, expected)
			}
		})
	}
}

// alone is what the engine says of a table, without what it has no word for.
func alone(t *testing.T, d description) string {
	t.Helper()
	said, _, _ := strings.Cut(described(t, d), "}{")
	return said + "}"
}

// warm is what a table is warmed up for, which stays when its capacity changes.
var warm = regexp.MustCompile(`"WarmThroughput": \{[^}]*\}`)

// notes is a small model with settings of its table.
func notes(t *testing.T, settings string) generate.Input {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notes.yaml")
	write(t, path, fmt.Appendf(nil, `version: 1
table: {name: notes, partition_key: PK, %s}
entities:
  Note:
    attributes: {note: ulid, type: slug, a: slug, until: epoch}
    keys: {PK: "NOTE#{note}"}
access_patterns:
  - {name: add-note, create: Note}
`, strings.TrimSuffix(settings+", ", ", ")))
	return read(t, path)
}

// cloud is the engine behind HTTP, with as much of Application Auto Scaling and of
// KMS as scripts need.
type cloud struct {
	db       *engine.DB
	endpoint string

	mu     sync.Mutex
	scaled []scaling
	writes []string // the operations that may change something
}

func newCloud(t *testing.T) *cloud {
	t.Helper()
	c := &cloud{db: engine.New()}
	server := httptest.NewServer(c)
	c.endpoint = server.URL
	t.Cleanup(func() { server.Close(); c.db.Close() })
	return c
}

func (c *cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	service, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if service == "AnyScaleFrontendService" {
		body, _ := io.ReadAll(r.Body)
		c.scale(operation, body)
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		fmt.Fprint(w, `{"PolicyARN": "arn:aws:autoscaling:x"}`)
		return
	}
	if service == "TrentService" { // that is KMS
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		fmt.Fprintf(w, `{"KeyMetadata": {"KeyId": "2", "Arn": %q}}`, secondKey)
		return
	}
	if !strings.HasPrefix(operation, "Describe") && operation != "TagResource" {
		c.mu.Lock()
		c.writes = append(c.writes, operation)
		c.mu.Unlock()
	}
	c.db.ServeHTTP(w, r)
}

// scale keeps what is registered, and the target of its policy.
func (c *cloud) scale(operation string, body []byte) {
	var in struct {
		ResourceId, ScalableDimension string
		MinCapacity, MaxCapacity      int64
		Policy                        struct{ TargetValue float64 } `json:"TargetTrackingScalingPolicyConfiguration"`
	}
	if json.Unmarshal(body, &in) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, index, _ := strings.Cut(in.ResourceId, "/index/")
	s := scaling{Index: index, Write: strings.Contains(in.ScalableDimension, "Write"), Min: in.MinCapacity, Max: in.MaxCapacity}
	i := slices.IndexFunc(c.scaled, func(o scaling) bool { return o.Index == s.Index && o.Write == s.Write })
	switch {
	case operation == "PutScalingPolicy" && i >= 0:
		c.scaled[i].Target = int64(in.Policy.TargetValue)
	case operation == "RegisterScalableTarget" && i < 0:
		c.scaled = append(c.scaled, s)
	}
}

// run runs a script and returns what it says.
func (c *cloud) run(t *testing.T, script string, arguments ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", append([]string{script}, arguments...)...)
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "AWS_ENDPOINT_URL="+c.endpoint, "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x",
		"AWS_DEFAULT_REGION=us-east-1", "AWS_CONFIG_FILE="+os.DevNull)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil && !strings.Contains(said.String(), "\nerror: ") && !strings.HasPrefix(said.String(), "error: ") {
		t.Fatalf("%v\n%s", err, said.String())
	}
	return said.String()
}

func compareScaling(t *testing.T, got, want []scaling) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("scaled are\n%+v\nand not\n%+v", got, want)
	}
}
