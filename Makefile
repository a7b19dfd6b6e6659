# Two commands do everything on a fresh Debian or Ubuntu machine with Rust: `make demo`, `make test`.

CONFORMANCE ?= ../shared/conformance
# If conformance files exist, tests that need them may not be skipped.
FOREIGN = $(if $(wildcard $(CONFORMANCE)/.),SINEW_REQUIRE_FOREIGN=1 CONFORMANCE="$(abspath $(CONFORMANCE))")

# Disables Mesa's layer that sorts GPUs: it prints a warning if there is no window system, and Sinew sorts GPUs itself.
# The program disables the layer on its own; tests of the library do not.
export NODEVICE_SELECT = 1

# Runs a program of the workspace. Builds it first, or with BUILT=1 uses the build of `make test`.
run = $(if $(BUILT),target/debug/$(1),cargo run --quiet -p $(1) --)

.PHONY: setup demo view test soak fuzz lint conformance test-look check-wasm web web-serve test-web test-guests bench dist wheel test-python doc clean

## installs missing programs; prints nothing if none is missing
setup:
	@scripts/setup

## runs every step on figures made by code; prints measurements and writes out/
demo: setup
	@[ -x target/release/sinew ] || echo "demo: builds the sinew program without its window: 130 packages, about 5 minutes on two cores, 0.7 GB in target/; then draws for about a minute into out/"
	cargo run --release -p sinew-cli --no-default-features --features fbx -- demo -o out

## opens the window of the program; reuses the build of `make demo`
view: setup
	@echo "view: builds the window, about 6 minutes on two cores the first time"
	cargo run --release -p sinew-cli -- view $(wildcard out/mannequin.glb)

## runs lints and every test; tests of the GPU may not be skipped, nor tests of conformance files if these exist
test: setup
	@$(FOREIGN) SINEW_REQUIRE_GPU=1 scripts/test

## runs every test with twenty times as many random cases and a new seed; stores failing cases in proptest-regressions
soak: setup
	scripts/io-features --test
	scripts/test-aarch64
	SINEW_SOAK=1 scripts/test-python
	$(FOREIGN) SINEW_REQUIRE_GPU=1 SINEW_SOAK=1 PROPTEST_CASES=5120 PROPTEST_RNG_SEED=$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ') scripts/test --tests-only

## fuzzes every importer and other input for a minute each; see scripts/fuzz
fuzz:
	scripts/fuzz

## runs only the lints of `make test`
lint:
	@scripts/test --lints-only

## compares results on real files with independent results, if the folder exists
conformance:
	@if [ -d "$(CONFORMANCE)" ]; then \
		$(call run,conformance) "$(CONFORMANCE)"; \
	else \
		echo "conformance: SKIPPED, no folder $(CONFORMANCE)"; \
	fi

## compares pictures with pictures of three.js in a headless browser; writes them to target/look/sheet.png
test-look: setup
	@scripts/setup-look
	$(call run,look) --sheet $(if $(wildcard $(CONFORMANCE)/gltf/materials),--materials "$(CONFORMANCE)/gltf/materials")

## builds the viewer for browsers
check-wasm:
	@scripts/check-wasm

## builds the page of the viewer into web/dist: static files for any server
web: setup
	@scripts/setup-look
	scripts/web

## serves web/dist on this machine only
web-serve:
	@node web/serve.mjs web/dist

## builds the page fast and drives it in a browser; pictures go to target/web
test-web: setup
	@scripts/setup-look
	$(if $(BUILT),,cargo build --quiet -p sinew-cli -p sinew-fuzz --bins)
	scripts/web --quick
	node web/test.mjs

## builds the packages for C, Python and JavaScript, tests them, and compares their poses with those of Rust
test-guests: setup
	@BUILT=$(BUILT) scripts/test-guests

## runs benchmarks; each prints its ratio to a plain baseline in the same run
bench:
	cargo bench --workspace

## packs the program and the page of the viewer for other machines of this kind, as an archive in target/archives
dist: web
	@scripts/dist

## builds the wheel of the Python package for this platform into target/wheels, with all optimisations
wheel:
	@scripts/wheel

## builds the Python package fast into a fresh environment; runs its tests, examples and types
test-python:
	@scripts/test-python

doc:
	cargo doc --workspace --no-deps

clean:
	cargo clean
	rm -rf out node_modules web/dist
