# diceref: `make run` builds and starts it, `make test` tests everything.

GO       ?= go
# Stamp the commit where there is one; a copy without history builds all the same.
VCS      := $(shell git rev-parse HEAD >/dev/null 2>&1 && echo true || echo false)
GOBUILD  := $(GO) build -buildvcs=$(VCS)
LINT     := $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
PACKAGES ?= ./...
FUZZTIME ?= 20s

.PHONY: help
help: ## say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

.PHONY: run
run: build ## install what is missing, build, start the server (ARGS="--source 0")
	@exec bin/diceref serve $(ARGS)

.PHONY: deps
deps: ## install g++, pkg-config and OpenCV where they are missing
	@.dev/install

.PHONY: build
build: deps ## build bin/diceref and bin/diceref-eye
	$(GOBUILD) -o bin/diceref ./cmd/diceref
	$(GOBUILD) -o bin/diceref-eye ./cmd/diceref-eye

.PHONY: test
test: build ## vet and test everything, the browser tests where there is a Chromium
	@.dev/install browser
	$(GO) vet $(PACKAGES)
	$(GO) test $$(.dev/install without-browser) $(PACKAGES)
	$(GO) test -tags matprofile -run Leak ./vision

.PHONY: soak
soak: build ## the long checks: ten minutes of watching, a thousand crashes, games read wrongly, a page open for half an hour
	DICEREF_SOAK=600 $(GO) test -tags matprofile -run Leak -timeout 30m -v ./vision
	DICEREF_SOAK=1 $(GO) test -run 'Pictures|Textures' -timeout 30m -v ./vision
	DICEREF_SOAK=1 $(GO) test -run Uploads -timeout 30m -v ./cmd/diceref-eye
	$(GO) test -run 'Crash|Stress|TwoActs' -timeout 4h ./match -kills 1000 -stresses 40
	$(GO) test -run BrowserDoesNotGrow -timeout 1h -v ./web -open 30m

.PHONY: figures
figures: build ## measure speed, idle cost and latency with VIDEO=game.mp4 (and game.json beside it)
	$(GO) test -count 1 -run Figures -v ./cmd/diceref -video $(abspath $(VIDEO))

.PHONY: lint
lint: deps ## check style, and who may import whom
	$(LINT) run $(PACKAGES)

.PHONY: format
format: deps ## format all Go files
	$(LINT) fmt

.PHONY: bench
bench: deps ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem $(PACKAGES)

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME
	@.dev/fuzz $(FUZZTIME)

.PHONY: model
model: ## train the models again from TABLES=dir, with photographs from PHOTOS=dir, and compare
	@sh vision/training/train.sh "$(abspath $(TABLES))" $(abspath $(PHOTOS)) # it works in its own folder

.PHONY: foresight
foresight: deps ## teach the network behind the suggestions of Dice Box again, for MINUTES=90
	@mkdir -p bin
	g++ -std=c++17 -O3 -march=native -ffast-math -fopenmp -o bin/train-foresight rules/dicebox/training/train.cpp
	bin/train-foresight bin/foresight.bin $(or $(MINUTES),90)
	bin/train-foresight --tell bin/foresight.bin 12 > rules/dicebox/testdata/foresight.json
	mv bin/foresight.bin rules/dicebox/model/

.PHONY: clean
clean: ## remove what was built
	rm -rf bin
