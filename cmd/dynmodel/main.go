// Command dynmodel models single-table designs for Amazon DynamoDB and proves
// them by running every access pattern.
package main

import (
	"os"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/cli"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
)

func main() { os.Exit(cli.Main(os.Args[1:], terminal.System())) }
