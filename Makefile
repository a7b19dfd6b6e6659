# Two commands do everything on a fresh Debian or Ubuntu machine with Rust: `make demo`, `make test`.

CONFORMANCE ?= ../shared/conformance
# Where files of others are there, no test that needs them may be skipped.
FOREIGN = $(if $(wildcard $(CONFORMANCE)/.),SINEW_REQUIRE_FOREIGN=1 CONFORMANCE="$(abspath $(CONFORMANCE))")

# Mesa's layer that sorts GPUs asks for a window system and complains when there is none; we sort them ourselves.
# The program leaves it out by itself, tests of the library do not.
export NODEVICE_SELECT = 1

.PHONY: setup demo test soak fuzz lint conformance test-look check-wasm bench doc clean

## what the system lacks; quiet when there is nothing to do
setup:
	@scripts/setup

## the whole line on figures made by code: prints what it measures, writes out/
demo: setup
	cargo run --release -p sinew-cli -- demo -o out

## lints and every test; those of the GPU may not be skipped, nor those on files of others where these are. Building shows its progress, tests only what fails
test: setup lint
	cargo test --workspace --no-run
	$(FOREIGN) SINEW_REQUIRE_GPU=1 cargo test --workspace --quiet

## every test, with twenty times the random cases
soak: setup
	cargo test --workspace --no-run
	$(FOREIGN) SINEW_REQUIRE_GPU=1 PROPTEST_CASES=5120 cargo test --workspace --quiet

## every way in, fuzzed for a minute each; scripts/fuzz has more
fuzz:
	scripts/fuzz

lint:
	cargo fmt --all -- --check
	cargo clippy --workspace --all-targets -- -D warnings
	@scripts/panics > /dev/null

## real files against independent results, when the folder is there
conformance:
	@if [ -d "$(CONFORMANCE)" ]; then \
		cargo run --release -p conformance -- "$(CONFORMANCE)"; \
	else \
		echo "conformance: SKIPPED, no folder $(CONFORMANCE)"; \
	fi

## pictures against those of three.js in a headless browser, all of them in target/look/sheet.png
test-look: setup
	@scripts/setup-look
	cargo run --release -p look -- --sheet $(if $(wildcard $(CONFORMANCE)/gltf/materials),--materials "$(CONFORMANCE)/gltf/materials")

## whether the viewer builds for browsers
check-wasm:
	@scripts/check-wasm

## benchmarks; each prints its ratio to a plain baseline in the same run
bench:
	cargo bench --workspace

doc:
	cargo doc --workspace --no-deps

clean:
	cargo clean
	rm -rf out node_modules
