# The chess clock. `make demo` and `make test` install what they need, and say what they install.

.PHONY: all build install install-image uninstall reference card laws man notices demo check test live-boards nightly appliance appliance-nightly appliance-quick appliance-day appliance-day-qemu appliance-bench appliance-packages appliance-read-only deb sd-image sd-image-check release release-check yocto-check audit bench bench-slint fuzz fuzz-bus picture pictures face clean help

all: build

help:
	@echo 'make demo    play with the clock in this terminal (scripted where there is none)'
	@echo 'make check   format, lints and unit tests of the crates that were changed'
	@echo 'make test    format, lints, all tests, documentation'
	@echo 'make live-boards six clocks, a broker, the page of live boards in Chromium; the examples of other programs'
	@echo 'make nightly the engine against a second model: ten million random events, all short games'
	@echo 'make audit   licences and known vulnerabilities of the dependencies'
	@echo 'make fuzz    look for inputs that break the clock (SECONDS=60 for each target)'
	@echo 'make fuzz-bus random D-Bus calls of the running service (CALLS=200000)'
	@echo 'make bench   time per event of the engine; memory and start-up time of the programs'
	@echo 'make bench-slint the painter of the face against Slint, which nothing else here uses (its licence: GPL)'
	@echo 'make reference   the XML of the D-Bus interfaces and the keys of a state in docs/schemas from the tables, docs/dbus.rst from the XML'
	@echo 'make card    five lines for the foot of the clock and a page with pictures, in each language: target/card/LANGUAGE.html'
	@echo 'make laws    docs/laws.md from the law tests (tests/laws)'
	@echo 'make man     the manual pages in docs/man'
	@echo 'make notices THIRD-PARTY-NOTICES.txt from the crates of the programs; the list of crates for Yocto'
	@echo 'make face    step through every state of the face (Enter), on a private bus'
	@echo 'make pictures the golden pictures of the face, and docs/face-states.md'
	@echo 'make build   release binaries in target/release'
	@echo 'make install install them, the units, the policy and the configuration into DESTDIR'
	@echo 'make install-image the settings of an image that is nothing but a clock, into DESTDIR (systemd/README.md)'
	@echo 'make uninstall remove them, but neither the configuration nor the games'
	@echo 'make deb     Debian packages in target/debs/ARCH (ARCH=arm64: for a Raspberry Pi)'
	@echo 'make release URL=ADDRESS  packages, card, manual pages, SBOM, changes and checksums of this commit in target/releases/VERSION'
	@echo 'make release-check the same twice, elsewhere and at another time: every byte must be the same'
	@echo 'make sd-image a card of Debian packages for Raspberry Pi 3, 4 and Zero 2: target/sd-image (root)'
	@echo 'make sd-image-check boots it in models of the Raspberry Pi 3 and 4 (root; ARGS=test_card.Pi4: only this one)'
	@echo 'make yocto-check the layer of the image, without building one (LAYERS=FOLDER: with bitbake; yocto/README.md)'
	@echo 'make appliance        boot the whole clock in a virtual machine and test it there (root)'
	@echo 'make appliance-nightly the same with the tests that take too long for every change'
	@echo 'make appliance-quick  a part of it on User-Mode Linux; takes seconds once it is built (root)'
	@echo 'make appliance-packages  the same with the Debian packages: install, upgrade in a game, remove, purge (root)'
	@echo 'make appliance-read-only  QEMU with the Debian packages on a read-only root: a game, disks, a pulled plug (root)'
	@echo 'make appliance-day    24 hours of blitz on it (ARGS=2: 2 hours): does the clock grow?'
	@echo 'make appliance-day-qemu  the same in QEMU, with latencies; takes hours'
	@echo 'make appliance-bench  the benchmarks that need a kernel (ARGS="latency signals": only these)'

# `make build` and `make install` must have the same PREFIX: clockd looks for its files in PREFIX/share/chess-clock.
PREFIX = /usr
build: export CHESS_CLOCK_SHARED = $(PREFIX)/share/chess-clock
build: export CHESS_CLOCK_COMMIT = $(shell git describe --always --dirty --exclude '*' --abbrev=12 2>/dev/null)
build:
	cargo build --release --locked --bins

# For packagers: DESTDIR is the root of the package, BINARIES the folder with the built programs.
DESTDIR =
SYSCONFDIR = /etc
BINARIES = target/release
PUT = install -D -m 644
UNITS = clockd.service clock-display.service clock-display-console.service clock-display-devices.service \
    chess-clock-publish@.service chess-clock-set-up.service chess-clock-backup.socket chess-clock-backup@.service \
    chess-clock-restore-time.service

install:
	@for program in clockd clockctl clock-display; do test -x $(BINARIES)/$$program || { \
	    echo "make install: there is no $(BINARIES)/$$program; run make build first, as the user who develops" >&2; exit 2; }; done
	for program in clockd clockctl clock-display; do \
	    install -D -m 755 $(BINARIES)/$$program $(DESTDIR)$(PREFIX)/bin/$$program || exit 1; done
	for kind in wiring controls rules; do for file in configs/$$kind/*.toml; do \
	    $(PUT) $$file $(DESTDIR)$(PREFIX)/share/chess-clock/$${file#configs/} || exit 1; done; done
	@# An existing configuration is not overwritten.
	for file in clockd display; do \
	    test -e $(DESTDIR)$(SYSCONFDIR)/chess-clock/$$file.toml || \
	    $(PUT) configs/$$file.toml -t $(DESTDIR)$(SYSCONFDIR)/chess-clock || exit 1; done
	$(PUT) ctl/completions/clockctl.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/clockctl
	$(PUT) ctl/completions/_clockctl -t $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions
	$(PUT) ctl/completions/clockctl.fish -t $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(PUT) dbus/org.chessclock.Clock1.xml -t $(DESTDIR)$(PREFIX)/share/dbus-1/interfaces
	@# The bus reads no policies below /usr/local.
	$(PUT) systemd/org.chessclock.Clock1.conf -t $(DESTDIR)/usr/share/dbus-1/system.d
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	for unit in $(UNITS); do \
	    sed -E 's#^(Exec[A-Za-z]*=)/usr/(bin|libexec)/#\1$(PREFIX)/\2/#' systemd/$$unit \
	        >$(DESTDIR)$(PREFIX)/lib/systemd/system/$$unit || exit 1; done
	install -D -m 755 systemd/chess-clock-publish systemd/chess-clock-restore-time -t $(DESTDIR)$(PREFIX)/libexec
	@# The files in it hold passwords.
	install -d -m 700 $(DESTDIR)$(SYSCONFDIR)/chess-clock/publish
	for page in docs/man/*; do \
	    $(PUT) $$page -t $(DESTDIR)$(PREFIX)/share/man/man$${page##*.} || exit 1; done
	@# The documents with the pictures that they show, but without the page of all golden pictures.
	for file in README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT THIRD-PARTY-NOTICES.txt display/fonts/LICENSE-DejaVu.txt display/fonts/LICENSE-FjallaOne.txt systemd/README.md \
	    $$(ls docs/*.md docs/*.rst docs/*.svg | grep -v face-states) \
	    $$(sed -n 's/.*(\(docs\/\)\{0,1\}\(pictures\/[^)]*\.png\)).*/docs\/\2/p' README.md docs/at-the-clock.md docs/face.md) \
	    $$(find examples docs/schemas -type f); do \
	    $(PUT) $$file $(DESTDIR)$(PREFIX)/share/doc/chess-clock/$$file || exit 1; done
	$(PUT) systemd/chess-clock.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/chess-clock.conf
	$(PUT) systemd/chess-clock.tmpfiles $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/chess-clock.conf
	$(PUT) systemd/60-chess-clock.rules systemd/61-chess-clock-screen.rules \
	    -t $(DESTDIR)$(PREFIX)/lib/udev/rules.d
	$(PUT) systemd/journald-chess-clock.conf \
	    $(DESTDIR)$(PREFIX)/lib/systemd/journald.conf.d/60-chess-clock.conf
	$(PUT) systemd/sleep-chess-clock.conf \
	    $(DESTDIR)$(PREFIX)/lib/systemd/sleep.conf.d/60-chess-clock.conf
	$(PUT) systemd/manager-chess-clock.conf \
	    $(DESTDIR)$(PREFIX)/lib/systemd/system.conf.d/60-chess-clock.conf
	$(PUT) systemd/getty-chess-clock.conf \
	    $(DESTDIR)$(PREFIX)/lib/systemd/system/getty@.service.d/60-chess-clock.conf
	$(PUT) systemd/sysctl-chess-clock.conf $(DESTDIR)$(PREFIX)/lib/sysctl.d/60-chess-clock.conf
	$(PUT) systemd/chrony-chess-clock.conf $(DESTDIR)$(SYSCONFDIR)/chrony/conf.d/chess-clock.conf
	$(PUT) systemd/sshd-chess-clock.conf $(DESTDIR)$(SYSCONFDIR)/ssh/sshd_config.d/60-chess-clock.conf

# For makers of images, beside `make install` or the packages; not for a computer that is more than a clock.
IMAGE_UNITS = chess-clock-first.target chess-clock-devices.service chess-clock-drivers.service chess-clock-rest.service
IMAGE_DROP_INS = chess-clock-set-up.service clockd.service clock-display.service dbus.socket dbus-broker.service \
    iwd.service systemd-journald.service systemd-udevd.service
install-image:
	@test -n "$(DESTDIR)" || { \
	    echo 'make install-image: DESTDIR is not set; expected the root of an image, because its settings suit no other computer' >&2; exit 2; }
	$(PUT) $(addprefix systemd/image/,$(IMAGE_UNITS)) -t $(DESTDIR)$(SYSCONFDIR)/systemd/system
	for unit in $(IMAGE_DROP_INS); do \
	    $(PUT) systemd/image/$$unit.conf $(DESTDIR)$(SYSCONFDIR)/systemd/system/$$unit.d/60-chess-clock-image.conf || exit 1; done
	@# dbus.service is also a name of dbus-broker.service, and of two drop-ins of a unit with one file name systemd reads only one.
	$(PUT) systemd/image/dbus.service.conf $(DESTDIR)$(SYSCONFDIR)/systemd/system/dbus.service.d/50-chess-clock-image.conf
	$(PUT) systemd/image/dbus-broker.conf $(DESTDIR)$(SYSCONFDIR)/dbus-1/chess-clock-broker.conf
	$(PUT) systemd/image/brcmfmac.conf -t $(DESTDIR)$(SYSCONFDIR)/modprobe.d
	install -d $(DESTDIR)$(SYSCONFDIR)/systemd/system-generators
	for unit in $$(grep -v '^#' systemd/image/masked); do \
	    ln -sfn /dev/null $(DESTDIR)$(SYSCONFDIR)/systemd/system/$$unit || exit 1; done
	for generator in $$(grep -v '^#' systemd/image/masked-generators); do \
	    ln -sfn /dev/null $(DESTDIR)$(SYSCONFDIR)/systemd/system-generators/$$generator || exit 1; done

ARCH = $(shell dpkg --print-architecture)
deb:
	@sh tests/setup.sh deb
	@sh debian/build.sh $(ARCH) target/debs/$(ARCH)

# ARCHES=arm64: only the packages of this processor. URL: the folder from which the files will be downloaded; it is in the list
# that Raspberry Pi Imager reads. The card is that of `make sd-image`.
ARCHES = amd64 arm64
release release-check: export URL := $(URL)
release:
	@sh tests/setup.sh release
	@version=$$(python3 -B release/versions.py) && sh release/release.sh "target/releases/$$version" $(ARCHES)

release-check:
	@sh tests/setup.sh release
	@bash release/check.sh $(ARCHES)

# Writes the card to target/sd-image, after a check of its partitions and files. The cache is that of make appliance.
sd-image:
	@bash sd-image/build.sh

sd-image-check:
	@bash sd-image/check.sh $(ARGS)

# CHECKS="kernel rauc": only these.
CHECKS =
yocto-check:
	@sh tests/setup.sh yocto
	@LAYERS='$(LAYERS)' bash yocto/check.sh $(CHECKS)

# Removes what `make install` installs, except the configuration in SYSCONFDIR; never the games.
uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/bin/,clockd clockctl clock-display) \
	    $(addprefix $(DESTDIR)$(PREFIX)/lib/systemd/system/,$(UNITS)) \
	    $(DESTDIR)$(PREFIX)/libexec/chess-clock-publish \
	    $(DESTDIR)$(PREFIX)/libexec/chess-clock-restore-time \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions/clockctl \
	    $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_clockctl \
	    $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/clockctl.fish \
	    $(DESTDIR)$(PREFIX)/share/dbus-1/interfaces/org.chessclock.Clock1.xml \
	    $(DESTDIR)/usr/share/dbus-1/system.d/org.chessclock.Clock1.conf \
	    $(DESTDIR)$(PREFIX)/lib/sysusers.d/chess-clock.conf $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/chess-clock.conf \
	    $(DESTDIR)$(PREFIX)/lib/udev/rules.d/60-chess-clock.rules \
	    $(DESTDIR)$(PREFIX)/lib/udev/rules.d/61-chess-clock-screen.rules \
	    $(DESTDIR)$(PREFIX)/lib/systemd/journald.conf.d/60-chess-clock.conf \
	    $(DESTDIR)$(PREFIX)/lib/systemd/sleep.conf.d/60-chess-clock.conf \
	    $(DESTDIR)$(PREFIX)/lib/systemd/system.conf.d/60-chess-clock.conf \
	    $(DESTDIR)$(PREFIX)/lib/systemd/system/getty@.service.d/60-chess-clock.conf \
	    $(DESTDIR)$(PREFIX)/lib/sysctl.d/60-chess-clock.conf \
	    $(DESTDIR)$(SYSCONFDIR)/chrony/conf.d/chess-clock.conf \
	    $(DESTDIR)$(SYSCONFDIR)/ssh/sshd_config.d/60-chess-clock.conf
	for page in docs/man/*; do rm -f $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/}; done
	rm -rf $(DESTDIR)$(PREFIX)/share/chess-clock $(DESTDIR)$(PREFIX)/share/doc/chess-clock

# Only what the demo runs, without optimization of the libraries: the demo uses a small part of one core.
DEMO_PROGRAMS = clockd clockctl clock-display clock-demo
demo:
	@sh tests/setup.sh demo
	@cargo build --locked $(DEMO_PROGRAMS:%=--bin %)
	@target/debug/clock-demo $(ARGS)

test:
	@sh tests/setup.sh test
	@sh tests/check.sh

# Downloads 200 MB once: Chromium, mosquitto, the libraries of the examples.
live-boards:
	@sh tests/setup.sh live-boards
	cargo test --locked -p clock-tests --test live_boards -- --ignored --nocapture

# BASE=COMMIT: the crates that were changed since this commit.
check:
	@sh tests/check_changed.sh

# After a change of a table of dbus/src, or of dbus/org.chessclock.Clock1.template.xml.
reference:
	@sh tests/setup.sh reference
	@UPDATE_XML=1 UPDATE_SCHEMAS=1 cargo test --locked -p clock-dbus --lib up_to_date
	@python3 docs/dbus-reference.py

# The strip on the foot of the clock and a page with pictures, taken of the real programs. A browser prints it, or makes a PDF of it.
# LANGUAGES="de fr": only these.
CARD = target/card
LANGUAGES =
card:
	@sh tests/setup.sh demo
	@cargo build --locked $(DEMO_PROGRAMS:%=--bin %) --bin clock-card
	@target/debug/clock-card $(CARD) $(LANGUAGES)

# After a change in tests/laws.
laws:
	@sh tests/setup.sh test
	@UPDATE_LAWS=1 cargo test --locked -p clock-tests --test laws -- the_document_of_the_laws_is_up_to_date

# After a change of a command line, of configs/ or of the documents that are manual pages, too.
man:
	@sh tests/setup.sh test
	@UPDATE_MAN_PAGES=1 cargo test --locked --lib --bins -p clockctl -p clockd -p clock-display -- \
	    the_manual_page_is_up_to_date
	@UPDATE_MAN_PAGES=1 cargo test --locked -p clock-man-pages

# After a change of the dependencies.
notices:
	@python3 release/notices.py
	@python3 yocto/update-crates

# Each run has a new seed and prints it. PROPTEST_RNG_SEED=N repeats a run, EVENTS=N sets its length.
# INPUTS=N is the number of inputs of the longest enumerated games, RULES_INPUTS=N that of the
# enumerated sequences of claims and rulings, and RULES_GAMES=N the number of random games with them.
# GESTURE_GAMES=N is the number of random games of holds and releases at the clock.
EVENTS = 10000000
INPUTS = 7
RULES_INPUTS = 3
RULES_GAMES = 50000
GESTURE_GAMES = 1000000
nightly:
	@sh tests/setup.sh test
	@seed=$${PROPTEST_RNG_SEED:-$$(date +%s)}; echo "PROPTEST_RNG_SEED=$$seed"; \
	PROPTEST_RNG_SEED=$$seed PROPTEST_CASES=50000 CLOCK_MODEL_EVENTS=$(EVENTS) CLOCK_MODEL_INPUTS=$(INPUTS) \
	    CLOCK_RULES_INPUTS=$(RULES_INPUTS) CLOCK_RULES_GAMES=$(RULES_GAMES) \
	    cargo test --release --locked -p clock-engine --features text --test naive_model \
	    --test rules_model -- --nocapture && \
	CLOCK_SEED=$$seed CLOCK_GESTURE_GAMES=$(GESTURE_GAMES) \
	    cargo test --release --locked -p clockd-core --lib menu::gestures
	cargo clippy --locked -p clock-display --all-targets --features window -- -D warnings
	cargo test --locked -p clock-display --features window --lib --test face window

appliance:
	@bash tests/appliance/run.sh vm $(ARGS)

appliance-nightly:
	@bash tests/appliance/run.sh nightly $(ARGS)

appliance-bench:
	@bash tests/appliance/run.sh bench $(ARGS)

appliance-quick:
	@bash tests/appliance/run.sh quick $(ARGS)

appliance-packages:
	@bash tests/appliance/run.sh packages $(ARGS)

appliance-read-only:
	@bash tests/appliance/run.sh read-only $(ARGS)

appliance-day:
	@bash tests/appliance/run.sh day $(ARGS)

appliance-day-qemu:
	@bash tests/appliance/run.sh day-qemu $(ARGS)

audit:
	@sh tests/setup.sh audit
	@sh tests/audit.sh

SECONDS = 60
TARGETS =

fuzz:
	@sh tests/setup.sh fuzz
	@sh tests/fuzz/run.sh $(SECONDS) $(TARGETS)

# `make test` makes 2000 calls. Each run prints its seed; CLOCK_FUZZ_SEED=N repeats a run.
CALLS = 200000
fuzz-bus:
	@sh tests/setup.sh test
	@CLOCK_FUZZ_CALLS=$(CALLS) cargo test --release --locked -p clock-tests --test bus_fuzz -- --nocapture

bench:
	@sh tests/setup.sh test
	cargo bench --locked -p clock-engine --features text --bench engine
	cargo bench --locked -p clock-display --bench paint
	@# A release build of the clock loop allocates and frees nothing.
	cargo test --release --locked -p clockd-rt --lib no_allocation
	cargo build --release --locked --bins
	target/release/clock-measure

# The same picture with Slint: a workspace of its own, so that neither the clock nor `make test` depends on it.
# ARGS="pictures FOLDER" writes both pictures instead.
bench-slint:
	@sh tests/setup.sh test
	cargo run --release --locked --manifest-path tests/slint_face/Cargo.toml --target-dir target/slint-face -- $(ARGS)

# The picture of the terminal in the README, made with the real programs.
picture:
	@sh tests/setup.sh demo
	@cargo build --release --locked --bins
	target/release/clock-picture docs/face.svg

# Builds the face, too, so that it can be started in another terminal at once.
face:
	@sh tests/setup.sh demo
	@cargo build --locked -p clock-display
	@echo 'The face is target/debug/clock-display.'
	@cargo run --quiet --locked -p clock-display --example fake-clock

# The golden pictures of the face, and docs/face-states.md with all of them.
pictures:
	@sh tests/setup.sh test
	@UPDATE_PICTURES=1 cargo test --locked -p clock-display --test pictures

clean:
	cargo clean
