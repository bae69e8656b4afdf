#!/bin/sh
# Written by dynmodel init --git-hook: it proves the models of a commit, and sees
# that they are laid out. git commit --no-verify goes around it.
set -e
if ! command -v dynmodel >/dev/null; then
	echo "pre-commit: dynmodel is not installed; go install github.com/dynmodel/dynmodel/cmd/dynmodel@latest" >&2
	exit 1
fi
git diff --cached --name-only --diff-filter=ACMR -z -- '*.yaml' '*.yml' |
	xargs -0 sh -c '
		test $# -eq 0 && exit 0
		dynmodel fmt --check --if-model "$@" &&
		dynmodel check --quiet --if-model "$@"
	' dynmodel
