# The chess clock. `make demo` and `make test` install what they need and say so.

.PHONY: all build demo test audit bench picture clean help

all: build

help:
	@echo 'make demo    play with the clock in this terminal (scripted where there is none)'
	@echo 'make test    format, lints, all tests, documentation, licences'
	@echo 'make audit   known weaknesses of the dependencies'
	@echo 'make bench   the engine in nanoseconds an event; memory and start-up of the programs'
	@echo 'make build   release binaries in target/release'

build:
	cargo build --release --locked --bins

demo:
	@sh tests/setup.sh demo
	@cargo build --release --locked --bins
	@target/release/clock-demo $(ARGS)

test:
	@sh tests/setup.sh test
	@sh tests/check.sh

audit:
	@sh tests/setup.sh test
	@sh tests/audit.sh

bench:
	@sh tests/setup.sh test
	cargo bench --locked -p clock-engine --features text --bench engine
	cargo build --release --locked --bins
	target/release/clock-measure

# The README's picture, painted by the real programs.
picture:
	@sh tests/setup.sh demo
	@cargo build --release --locked --bins
	target/release/clock-picture docs/face.svg

clean:
	cargo clean
