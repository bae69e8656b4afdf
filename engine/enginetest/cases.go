package enginetest

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed cases/*.txt
var caseFiles embed.FS

// Cases returns all conformance cases, by topic and in the order of their files.
func Cases() []Case {
	var all []Case
	files, err := caseFiles.ReadDir("cases")
	if err != nil {
		panic(fmt.Sprintf("embedded cases: %v", err)) // the compiler put them there
	}
	for _, file := range files {
		text, err := caseFiles.ReadFile(path.Join("cases", file.Name()))
		if err != nil {
			panic(fmt.Sprintf("embedded cases: %v", err))
		}
		cases, err := Parse(strings.TrimSuffix(file.Name(), ".txt"), string(text))
		if err != nil {
			panic(fmt.Sprintf("embedded cases: %v", err)) // TestCases keeps it from happening
		}
		all = append(all, cases...)
	}
	return all
}
