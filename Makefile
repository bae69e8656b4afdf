# `make help` lists the targets. Everything but `conformance`, and the tools
# that `lint` fetches, needs nothing but Go.

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME ?= 30s
OPERATIONS ?= 200000
SEED ?= 1

.PHONY: help build test lint bench fuzz mutation manual goldens docs conformance differ bench-compare

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16

build: ## the binary, in bin/
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o bin/dynmodel ./cmd/dynmodel

test: ## all tests that need nothing but Go
	go test ./...

lint: ## gofmt, vet, staticcheck
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "gofmt would change these files"; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...

bench: ## benchmarks of the check and the engine
	go test -run '^$$' -bench . -benchmem ./...

fuzz: ## every fuzz target for FUZZTIME each
	.ci/fuzz $(FUZZTIME)

mutation: ## break every sound example and see that the check notices
	go run ./cmd/mutation examples

manual: ## manual pages and completion for shells, in dist-manual/
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) go run ./cmd/dynmodel/internal/manual dist-manual

# The packages whose tests hold golden files and know of -update.
GOLDEN = $$(grep -rlE 'modeltest\.(Golden|Update)\(' --include='*_test.go' . | xargs -n1 dirname | sort -u)

goldens: ## write all golden files and transcripts again; read the difference before it is committed
	go test $(GOLDEN) -update

docs: ## write again what docs/ has from the code
	go test $(GOLDEN) -run '^TestDocs' -update

conformance: ## the engine's conformance cases against URL=http://…
	go test -count=1 ./engine/enginetest -run TestEndpoint -endpoint $(URL)

differ: ## random operations on the engine and on DynamoDB Local (DYNAMODB_LOCAL_HOME), compared
	go test -count=1 ./engine/enginetest/differ -run DynamoDBLocal -timeout 60m -operations $(OPERATIONS) -seed $(SEED)

bench-compare: ## the engine beside a bare handler, and DynamoDB Local if DYNAMODB_LOCAL_HOME is set
	go test -run '^$$' -bench '^BenchmarkCompare$$' ./engine
