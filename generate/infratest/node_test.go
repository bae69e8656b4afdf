package infratest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// nodeVariable names the folder with the node_modules that these tests need, as
// `.ci/node-tools cdk` prints it.
const nodeVariable = "DYNMODEL_CDK_HOME"

// nodeFolder is a folder from which programs find the modules, gone after the
// test. Without the modules the test is skipped.
func nodeFolder(t *testing.T) string {
	t.Helper()
	home := os.Getenv(nodeVariable)
	if home == "" {
		t.Skipf("%s is not set; it is what .ci/node-tools cdk prints", nodeVariable)
	}
	folder, err := os.MkdirTemp(home, "test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// run runs a program of node in a folder and returns what it prints.
func run(t *testing.T, folder string, arguments ...string) []byte {
	t.Helper()
	cmd := exec.Command("node", arguments...)
	cmd.Dir = folder
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, problems.String())
	}
	return out
}

var className = regexp.MustCompile(`export class (\w+)`)

// TestCDK type-checks all constructs, synthesizes them, and makes the tables of
// the templates.
func TestCDK(t *testing.T) {
	folder := nodeFolder(t)
	var app strings.Builder
	app.WriteString("import { App, Stack } from 'aws-cdk-lib';\nconst app = new App();\nconst all: Record<string, unknown> = {};\n")
	all := samples(t)
	for i, s := range all {
		code := made(t, s.in, "cdk", "", nil)
		write(t, filepath.Join(folder, fmt.Sprintf("table%d.ts", i)), code)
		region := s.in.Model.Table.Region
		if region == "" {
			region = "eu-north-1"
		}
		fmt.Fprintf(&app, "import { %[1]s as Table%[2]d } from './table%[2]d';\n", className.FindSubmatch(code)[1], i)
		fmt.Fprintf(&app, "new Table%[1]d(new Stack(app, 'S%[1]d', { env: { account: '123456789012', region: %[2]q } }), 'Data');\n", i, region)
	}
	app.WriteString("const assembly = app.synth();\n")
	for i, s := range all {
		fmt.Fprintf(&app, "all[%q] = assembly.getStackByName('S%d').template;\n", s.name, i)
	}
	app.WriteString("console.log(JSON.stringify(all));\n")
	write(t, filepath.Join(folder, "app.ts"), []byte(app.String()))
	write(t, filepath.Join(folder, "tsconfig.json"), []byte(`{"compilerOptions": {"strict": true, "noEmit": true, "skipLibCheck": true, "target": "es2022", "module": "nodenext", "types": []}, "include": ["table*.ts"]}`))

	run(t, folder, filepath.Join("..", "node_modules", "typescript", "bin", "tsc"))
	var templates map[string]any
	unmarshal(t, run(t, folder, "--import", "tsx", "app.ts"), &templates)
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			compare(t, fromTemplate(t, templates[s.name], s.in.Model.Table.Region), wanted(s.in.Model.Table))
		})
	}
}

// validate has AWS's own validator judge the templates that it is given by name.
// What it only remarks on, and that names are fixed, is passed over.
const validate = `
import { CompositeEngine, TemplateFile } from '../node_modules/aws-cdk-lib/node_modules/@aws/cloudformation-validate/index.js';
const engine = new CompositeEngine();
for (const file of process.argv.slice(2)) {
  for (const d of engine.validateTemplate(new TemplateFile(file)).diagnostics) {
    if (d.severity !== 'INFO') console.log(file + ': ' + d.severity + ' ' + d.ruleId + ' ' + d.message);
  }
}
engine.free();
`

// TestValidate has AWS's validator of CloudFormation judge all templates.
func TestValidate(t *testing.T) {
	folder := nodeFolder(t)
	write(t, filepath.Join(folder, "validate.mjs"), []byte(validate))
	arguments := []string{"validate.mjs"}
	for _, s := range samples(t) {
		write(t, filepath.Join(folder, s.name+".yaml"), made(t, s.in, "cloudformation", "", nil))
		arguments = append(arguments, s.name+".yaml")
	}
	if out := run(t, folder, arguments...); len(out) > 0 {
		t.Errorf("%s", out)
	}
}
