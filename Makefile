# `make test` is all there is to run before a commit; `make check` is its quick half.
# `make bench` measures; it asserts nothing, since machines differ.

.PHONY: test check rust python python3 bench

test: check rust python

check:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# The second checker of certificates, docs/formats/check.py, is tested too.
rust: python3
	cargo test --workspace
	cargo test -p bouton-table --features shuttle --test shuttle
	cargo test -p bouton-search --features shuttle --lib interleavings

# The package for Python, and a cluster of two nodes on this machine. Built as the tests in Rust
# are, so that both share what is compiled.
ENVIRONMENT = target/python

python: $(ENVIRONMENT)/ready
	rm -rf $(ENVIRONMENT)/wheels
	$(ENVIRONMENT)/bin/maturin build --manifest-path apps/python/Cargo.toml --locked \
	  --interpreter $(ENVIRONMENT)/bin/python --compatibility linux --out $(ENVIRONMENT)/wheels
	$(ENVIRONMENT)/bin/pip install --quiet --no-deps --force-reinstall $(ENVIRONMENT)/wheels/*.whl
	$(ENVIRONMENT)/bin/pytest apps/python

$(ENVIRONMENT)/ready: apps/python/requirements-test.txt | python3
	python3 -m venv --clear $(ENVIRONMENT)
	$(ENVIRONMENT)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

python3:
	@python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' || \
	{ echo 'make test needs python3 with venv, version 3.10 or later: please install it' >&2; exit 1; }

bench:
	cargo build --release
	bench/run
