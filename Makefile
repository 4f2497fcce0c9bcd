# `make test` is all there is to run before a commit; `make check` is its quick half.
# `make bench` measures; it asserts nothing, since machines differ.

.PHONY: test check bench

test: check
	cargo test --workspace

check:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

bench:
	cargo build --release
	bench/run
