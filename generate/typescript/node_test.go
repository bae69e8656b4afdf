package typescript

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// nodeVariable names the folder with the node_modules that these tests need, as
// `.ci/node-tools typescript` prints it.
const nodeVariable = "DYNMODEL_TYPESCRIPT_HOME"

// nodeFolder is a folder from which programs find the modules, gone after the
// test. Without the modules the test is skipped.
func nodeFolder(t *testing.T) string {
	t.Helper()
	home := os.Getenv(nodeVariable)
	if home == "" {
		t.Skipf("%s is not set; it is what .ci/node-tools typescript prints", nodeVariable)
	}
	folder, err := os.MkdirTemp(home, "test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// configuration is what the generated code is compiled with: strict, and besides
// without anything that is not used.
const configuration = `{"compilerOptions": {"strict": true, "noUnusedLocals": true, "skipLibCheck": true, "target": "es2022",
"module": "nodenext", "types": ["node"], "rootDir": "src", "outDir": "out"}, "include": ["src/*/*.ts"]}`

// compile type-checks the generated code of all models and compiles it, each into
// a folder of its own.
func compile(t *testing.T, folder string, models []*generated) {
	t.Helper()
	write(t, filepath.Join(folder, "tsconfig.json"), []byte(configuration))
	write(t, filepath.Join(folder, "package.json"), []byte(`{"type": "module"}`))
	for _, m := range models {
		for _, f := range m.files {
			write(t, filepath.Join(folder, "src", m.name, filepath.FromSlash(f.Path)), f.Content)
		}
	}
	cmd := exec.Command("node", filepath.Join("..", "node_modules", "typescript", "bin", "tsc"))
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// program is the program that calls the functions.
type program struct {
	in  io.WriteCloser
	out *bufio.Scanner
}

func start(t *testing.T, folder, endpoint string) *program {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "drive.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "drive.mjs"), text)
	cmd := exec.Command("node", "--no-warnings", "drive.mjs", endpoint)
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &program{in, bufio.NewScanner(out)}
	p.out.Buffer(nil, 64<<20)
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// request is a call of a function.
type request struct {
	Module string `json:"module"`
	Name   string `json:"name"`
	Args   any    `json:"args"`
	Now    int64  `json:"now"`
	Table  string `json:"table"`
	Size   int    `json:"size"` // of the pages; 0: no pages
}

// reply is what a function has answered.
type reply struct {
	Result any
	Error  string
}

func (p *program) call(r request) (reply, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return reply{}, err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return reply{}, err
	}
	if !p.out.Scan() {
		return reply{}, fmt.Errorf("the program has ended: %v", p.out.Err())
	}
	var out reply
	d := json.NewDecoder(bytes.NewReader(p.out.Bytes()))
	d.UseNumber()
	err = d.Decode(&out)
	return out, err
}

// toJSON is a value as the program reads it; sets at the top are lists.
func toJSON(v value.Value, top bool) any {
	switch v.Kind() {
	case value.Number:
		return json.Number(v.Text())
	case value.String:
		return v.Text()
	case value.Bool:
		return v.Truth()
	case value.Binary:
		return map[string]string{"$bytes": base64.StdEncoding.EncodeToString([]byte(v.Text()))}
	case value.Map:
		out := map[string]any{}
		for _, f := range v.Fields() {
			out[f.Name] = toJSON(f.Value, false)
		}
		return out
	case value.List, value.StringSet, value.NumberSet, value.BinarySet:
		list := []any{}
		for _, m := range v.Items() {
			list = append(list, toJSON(m, false))
		}
		if v.Kind() == value.List || top {
			return list
		}
		return map[string]any{"$set": list}
	}
	return nil
}

// fromJSON is what a function has answered as a value of an attribute.
func fromJSON(v any, a *model.Attribute) value.Value {
	switch v := v.(type) {
	case json.Number:
		n, _ := value.OfNumber(v.String())
		return n
	case string:
		return value.OfString(v)
	case bool:
		return value.OfBool(v)
	case []any:
		var members []value.Value
		for _, m := range v {
			members = append(members, fromJSON(m, nil))
		}
		if a != nil && isSet(a) {
			return value.OfSet(a.Type.Kind(), members...)
		}
		return value.OfList(members...)
	case map[string]any:
		return fromObject(v)
	}
	return value.OfNull()
}

func fromObject(v map[string]any) value.Value {
	if text, ok := v["$bytes"].(string); ok {
		b, _ := base64.StdEncoding.DecodeString(text)
		return value.OfBinary(string(b))
	}
	if list, ok := v["$set"].([]any); ok {
		var members []value.Value
		for _, m := range list {
			members = append(members, fromJSON(m, nil))
		}
		kind := value.StringSet
		if len(members) > 0 && members[0].Kind() == value.Number {
			kind = value.NumberSet
		} else if len(members) > 0 && members[0].Kind() == value.Binary {
			kind = value.BinarySet
		}
		return value.OfSet(kind, members...)
	}
	var fields []value.Field
	for name, m := range v {
		fields = append(fields, value.Field{Name: name, Value: fromJSON(m, nil)})
	}
	return value.OfMap(fields...)
}

// itemFrom is an object as an item of an entity.
func itemFrom(v any, e *model.Entity) model.Item {
	object, _ := v.(map[string]any)
	out := model.Item{}
	for name, m := range object {
		out[name] = fromJSON(m, e.Attribute(name))
	}
	return out
}

// brief is a text cut to a length that can be read.
func brief(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return text[:min(len(text), 600)]
}
