# `make test` is all there is to run before a commit; `make check` is its quick half.
# `make bench` measures; it asserts nothing, since machines differ.

.PHONY: test check bench python

test: check python
	cargo test --workspace
	cargo test -p bouton-table --features shuttle --test shuttle
	cargo test -p bouton-search --features shuttle --lib interleavings

# The second checker of certificates, docs/formats/check.py, is tested too.
python:
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' || \
	{ echo 'make test needs python3, version 3.8 or later: please install it' >&2; exit 1; }

check:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

bench:
	cargo build --release
	bench/run
