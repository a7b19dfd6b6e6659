# Two commands do everything on a fresh Debian or Ubuntu machine with Rust: `make demo`, `make test`.

CONFORMANCE ?= ../shared/conformance
# Where files of others are there, no test that needs them may be skipped.
FOREIGN = $(if $(wildcard $(CONFORMANCE)/.),SINEW_REQUIRE_FOREIGN=1 CONFORMANCE="$(abspath $(CONFORMANCE))")

# Mesa's layer that sorts GPUs asks for a window system and complains when there is none; we sort them ourselves.
# The program leaves it out by itself, tests of the library do not.
export NODEVICE_SELECT = 1

# Programs of the workspace: built when they are run, or, with BUILT=1, as `make test` built them.
run = $(if $(BUILT),target/debug/$(1),cargo run --quiet -p $(1) --)

.PHONY: setup demo view test soak fuzz lint conformance test-look check-wasm bench dist doc clean

## installs what the system lacks; quiet when there is nothing to do
setup:
	@scripts/setup

## the whole line on figures made by code: prints what it measures, writes out/
demo: setup
	@[ -x target/release/sinew ] || echo "demo: builds the sinew program without its window: 130 packages, about 5 minutes on two cores, 0.7 GB in target/; then draws for about a minute into out/"
	cargo run --release -p sinew-cli --no-default-features --features fbx -- demo -o out

## the program with its window, opened; what `make demo` built is not built again
view: setup
	@echo "view: builds the window, about 6 minutes on two cores the first time"
	cargo run --release -p sinew-cli -- view $(wildcard out/mannequin.glb)

## lints and every test; those of the GPU may not be skipped, nor those on files of others where these are
test: setup
	@$(FOREIGN) SINEW_REQUIRE_GPU=1 scripts/test

## every test, with twenty times the random cases, drawn anew; what fails is kept in proptest-regressions
soak: setup
	$(FOREIGN) SINEW_REQUIRE_GPU=1 SINEW_SOAK=1 PROPTEST_CASES=5120 PROPTEST_RNG_SEED=$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ') scripts/test --tests-only

## every way in, fuzzed for a minute each; scripts/fuzz has more
fuzz:
	scripts/fuzz

## only the lints of `make test`
lint:
	@scripts/test --lints-only

## real files against independent results, when the folder is there
conformance:
	@if [ -d "$(CONFORMANCE)" ]; then \
		$(call run,conformance) "$(CONFORMANCE)"; \
	else \
		echo "conformance: SKIPPED, no folder $(CONFORMANCE)"; \
	fi

## pictures against those of three.js in a headless browser, all of them in target/look/sheet.png
test-look: setup
	@scripts/setup-look
	$(call run,look) --sheet $(if $(wildcard $(CONFORMANCE)/gltf/materials),--materials "$(CONFORMANCE)/gltf/materials")

## whether the viewer builds for browsers
check-wasm:
	@scripts/check-wasm

## benchmarks; each prints its ratio to a plain baseline in the same run
bench:
	cargo bench --workspace

## the program for other machines of this kind, as an archive in target/dist
dist:
	@scripts/dist

doc:
	cargo doc --workspace --no-deps

clean:
	cargo clean
	rm -rf out node_modules
