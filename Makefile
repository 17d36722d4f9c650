# What one does with this repository. `make` lists it.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO ?= go
# Set to release: make build VERSION=1.2.3
VERSION ?=

# Pinned tools, installed into bin/tools by `make tools`.
OPA_VERSION := v1.22.3
GOLANGCI_VERSION := v2.15.0
ACTIONLINT_VERSION := v1.7.12
TOOLS := $(CURDIR)/bin/tools
export PATH := $(TOOLS):$(PATH)

# NVIDIA's library is there at run time or not at all. Its functions must be bound when they are called: bound at start,
# the program would not start on a host without a driver.
LDFLAGS := -extldflags=-Wl,-z,lazy$(if $(VERSION), -X main.release=$(VERSION))
BUILD := $(GO) build -trimpath -ldflags '$(LDFLAGS)'
GOTEST := $(GO) test -timeout 40m -ldflags '-extldflags=-Wl,-z,lazy'

FUZZTIME ?= 5s

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## bin/gpugate for this machine
	$(BUILD) -o bin/gpugate ./cmd/gpugate

.PHONY: build-static
build-static: ## bin/gpugate without cgo: runs anywhere, asks nvidia-smi instead of the driver's library
	CGO_ENABLED=0 $(BUILD) -o bin/gpugate ./cmd/gpugate

.PHONY: cross
cross: ## bin/gpugate-linux-amd64 and, without cgo, bin/gpugate-linux-arm64
	GOOS=linux GOARCH=amd64 $(BUILD) -o bin/gpugate-linux-amd64 ./cmd/gpugate
	CGO_ENABLED=0 GOOS=linux GOARCH=arm64 $(BUILD) -o bin/gpugate-linux-arm64 ./cmd/gpugate

.PHONY: test
test: ## every test, Go and Rego; those that need the lab are skipped unless `make lab` was run
	$(GOTEST) ./...
	$(GO) run -ldflags '$(LDFLAGS)' ./cmd/gpugate policy test

.PHONY: lab
lab: ## start real Docker daemons, a systemd and a Kubernetes API server for the tests (root, Debian 12)
	fixtures/lab/lab up

.PHONY: lab-down
lab-down: ## end the lab and remove its state
	fixtures/lab/lab down

.PHONY: tools
tools: ## install the pinned opa, golangci-lint and actionlint into bin/tools
	@[[ "$$($(TOOLS)/opa version 2>/dev/null)" == "Version: $(OPA_VERSION:v%=%)"* ]] || \
		GOBIN=$(TOOLS) $(GO) install github.com/open-policy-agent/opa@$(OPA_VERSION)
	@[[ "$$($(TOOLS)/golangci-lint version 2>/dev/null)" == *" $(GOLANGCI_VERSION:v%=%) "* ]] || \
		GOBIN=$(TOOLS) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	@[[ "$$($(TOOLS)/actionlint -version 2>/dev/null)" == "$(ACTIONLINT_VERSION)"* ]] || \
		GOBIN=$(TOOLS) $(GO) install github.com/rhysd/actionlint/cmd/actionlint@$(ACTIONLINT_VERSION)

.PHONY: lint
lint: tools ## read the code for faults: vet, golangci-lint, opa, shellcheck, actionlint
	$(GO) vet ./...
	golangci-lint run ./...
	.ci/rego check
	.ci/scripts
	actionlint .github/workflows/*.yml docs/examples/*/.github/workflows/*.yml

.PHONY: fmt
fmt: tools ## format Go and Rego
	golangci-lint fmt ./...
	opa fmt --write policies docs/example-rule

.PHONY: generate
generate: ## write everything that is generated: schemas, docs of facts and rules
	$(GO) generate ./...
	$(GO) run -ldflags '$(LDFLAGS)' ./cmd/gpugate policy docs docs
	$(GO) run -ldflags '$(LDFLAGS)' ./cmd/gpugate collect --quiet --from fixtures/hosts/docker-glm-clean --output docs/examples/ci/facts/cvd-glm-02.json
	.ci/readme

.PHONY: golden
golden: ## write the golden reports again; read the difference before you commit it
	$(GOTEST) ./fixtures -run TestGolden -update

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME (5s)
	@while IFS=: read -r file name; do \
		echo "$$name in $${file%/*}"; \
		$(GOTEST) -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) "./$${file%/*}"; \
	done < <(grep -roP --include='*_test.go' '^func \KFuzz\w+' cmd collector evaluator fixtures policies reports | sort)

.PHONY: mutants
mutants: ## change the policies, one thing at a time: their tests must notice (RULES="OWN001 lib/claims": only these)
	.ci/rego mutants $(RULES)

.PHONY: bench
bench: ## benchmarks
	$(GOTEST) -run '^$$' -bench . -benchmem ./...

.PHONY: clean
clean: ## remove what was built
	rm -rf bin
