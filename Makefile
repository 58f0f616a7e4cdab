# diceref: `make run` builds and starts it, and `make test` tests everything.

GO       ?= go
# Stamp the commit if there is one; a copy without history builds, too.
VCS      := $(shell git rev-parse HEAD >/dev/null 2>&1 && echo true || echo false)
GOBUILD  := $(GO) build -buildvcs=$(VCS)
LINT     := $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
PACKAGES ?= ./...
# Tests wait much: for a page, a camera, a server. So one package more than there are cores is tested at once,
# and those that take longest begin.
AT_ONCE  := $(shell expr $$(getconf _NPROCESSORS_ONLN || echo 1) + 1)
LONGEST  := $(if $(filter ./...,$(PACKAGES)),./vision ./web ./cmd/diceref ./match)
FUZZTIME ?= 20s

.PHONY: help
help: ## list what you can make
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

# Without a camera, OpenCV is not needed: ARGS="--source none".
.PHONY: run
run: $(if $(findstring --source none ,$(subst =, ,$(ARGS)) ),without-camera,build) ## install what is missing, build, and start the server (ARGS="--source 0")
	@exec bin/diceref serve $(ARGS)

.PHONY: deps
deps: ## install g++, pkg-config and OpenCV if they are missing
	@.dev/install

# Both at once: bin/diceref needs Go alone, so it is built while OpenCV is downloaded and installed.
.PHONY: build
build: ## build bin/diceref and bin/diceref-eye
	@.dev/install go
	@$(MAKE) --no-print-directory -j2 bin/diceref bin/diceref-eye

.PHONY: without-camera
without-camera: ## build only bin/diceref, which does not need OpenCV
	@.dev/install go
	@$(MAKE) --no-print-directory bin/diceref

.PHONY: bin/diceref
bin/diceref:
	@test -x $@ || echo "diceref: building $@ (the first time, this takes one to three minutes and 0.4 GB for Go's caches)"
	CGO_ENABLED=0 $(GOBUILD) -o $@ ./cmd/diceref

.PHONY: bin/diceref-eye
bin/diceref-eye:
	@.dev/install opencv
	@test -x $@ || echo "diceref: building $@ (the first time, this takes one to two minutes)"
	$(GOBUILD) -o $@ ./cmd/diceref-eye

.PHONY: test
test: build ## vet and test everything; the page, too, if there is a Chromium
	@.dev/install browser
	@.dev/install postgres
	@.dev/install network
	$(GO) vet $(PACKAGES)
	$(GO) vet -tags matprofile ./vision
	$(GO) test -timeout 30m -p $(AT_ONCE) -vet off $$(.dev/install without-browser) $(LONGEST) $(PACKAGES)
	$(GO) test -tags matprofile -run Leak ./vision

.PHONY: soak
soak: build ## run the long tests: ten minutes of watching, a thousand crashes, misread games, two hundred killed servers, cut networks and other faults of a hall, a page open for half an hour
	DICEREF_SOAK=600 $(GO) test -tags matprofile -run Leak -timeout 30m -v ./vision
	DICEREF_SOAK=1 $(GO) test -run 'Pictures|Textures' -timeout 30m -v ./vision
	DICEREF_SOAK=1 $(GO) test -run Uploads -timeout 30m -v ./cmd/diceref-eye
	$(GO) test -run 'Crash|Stress|TwoActs' -timeout 4h ./match -kills 1000 -stresses 40
	$(GO) test -run TestHall/Killed -timeout 1h ./match/hall -kills 200
	$(GO) test -run PushCutNetwork -timeout 1h -v ./cmd/diceref -cuts 200
	DICEREF_SOAK=1 $(GO) test -run HallSoak -timeout 1h -v ./cmd/diceref
	$(GO) test -run BrowserDoesNotGrow -timeout 1h -v ./web -open 30m

.PHONY: load
load: without-camera ## load a hall of three servers with TABLES=10,30,100 simulated tables
	$(GO) test -count 1 -run TestLoad -v -timeout 1h ./cmd/diceref -load-tables $(or $(TABLES),10,30,100) -load-pages $(or $(PAGES),10) -load-time 45s

.PHONY: figures
figures: build ## measure speed, idle cost and latency with VIDEO=game.mp4 (and game.json beside it)
	$(GO) test -count 1 -run Figures -v ./cmd/diceref -video $(abspath $(VIDEO))

.PHONY: followed
followed: build ## count the events told right of rendered games, VIDEOS="a.mp4 b.mp4" (and a.json, a.declare.jsonl beside them)
	$(GO) test -count 1 -run Followed -v ./cmd/diceref -videos "$(abspath $(VIDEOS))"

.PHONY: belief
belief: ## count how often players do what in GAMES=40 simulated games, and how often the eye errs in recordings; show how right what is told is
	$(GO) test -count 1 -timeout 1h -run 'TestBelief$$' -v ./match -belief $(or $(GAMES),40) -belief-write ../rules/diceflick/priors.json
	$(GO) test -count 1 -timeout 1h -run 'TestBoardReadings$$|TestBoardCalibration$$' -v ./match -spoilt $(or $(GAMES),40) -recordings "$(RECORDINGS)"

.PHONY: lint
lint: deps ## check style, spelling, and which package may import which
	$(LINT) run $(PACKAGES)

.PHONY: format
format: deps ## format all Go files
	$(LINT) fmt

.PHONY: bench
bench: deps ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem $(PACKAGES)

.PHONY: attack
attack: build ## try every known attack, and say which ones fail
	@.dev/attack

.PHONY: modules
modules: build ## ask whether a Go module in use is deprecated, taken back or outdated
	@.dev/modules

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME
	@.dev/fuzz $(FUZZTIME)

.PHONY: model
model: ## train the models again from TABLES=dir, with photos from PHOTOS=dir, and compare
	@sh vision/training/train.sh "$(abspath $(TABLES))" $(abspath $(PHOTOS)) # it works in its own folder

.PHONY: foresight
foresight: deps ## train the network that suggests moves in Dice Box again, for MINUTES=90
	@mkdir -p bin
	g++ -std=c++17 -O3 -march=native -ffast-math -fopenmp -o bin/train-foresight rules/dicebox/training/train.cpp
	bin/train-foresight bin/foresight.bin $(or $(MINUTES),90)
	bin/train-foresight --tell bin/foresight.bin 12 > rules/dicebox/testdata/foresight.json
	mv bin/foresight.bin rules/dicebox/model/

.PHONY: try
try: ## try make run on a bare system, as root: SUITE=trixie (any Debian or Ubuntu)
	@.dev/try $(SUITE)

.PHONY: dist
dist: ## make packages in dist/, on Debian 12 (TARGETS="amd64 arm64 windows macos", or some of them)
	@.dev/dist/make $(TARGETS)

.PHONY: try-dist
try-dist: ## try the packages of dist/ on a bare system, as root: SUITE=trixie ARCH=arm64 KIND=tarball
	@.dev/dist/try $(SUITE) $(ARCH) $(KIND)

.PHONY: clean
clean: ## delete everything that was built
	rm -rf bin dist
