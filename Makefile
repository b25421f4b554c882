# The two commands that anyone needs: make demo, make test. Both install what is missing first.

# What the build links against, on Debian 12; curl is the administrator's tool in the demo, tmux the terminal of the tests.
PACKAGES := libsqlite3-dev libsodium-dev duktape-dev libedit-dev zlib1g-dev libzip-dev pkg-config curl tmux

SHELL := /bin/bash

.PHONY: demo test growth bench lint build dist docs fuzz install clean

demo: install
	swift build -c release --product fieldbook
	swift build -c release --product fieldbook-gateway
	sample-data/demo.sh "$$(swift build -c release --show-bin-path)"

test: install
	swift build --build-tests
	Tests/run.sh

# The tests against squares, with every loop of ours counted: a build of its own, for the code counts itself, and only of
# the tests that measure.
growth: export FIELDBOOK_GROWTH := 1
growth: export LLVM_PROFILE_FILE := /dev/null
growth: install
	swift build --scratch-path .build/growth --product fieldbookPackageTests
	swift test --scratch-path .build/growth --skip-build --no-parallel \
	    --filter 'Growth|MergeWorkTests|LargeChannelSetTests'

# All benchmarks, or those whose names begin with NAME: make bench NAME=sync
bench: install
	swift build -c release --product fieldbook
	swift build -c release --product fieldbook-gateway
	swift build -c release --product fieldbook-bench
	"$$(swift build -c release --show-bin-path)/fieldbook-bench" $(NAME)

build: install
	swift build

# An archive of each program for other machines, in .build/dist. A program looks for the libraries of Swift in the folder of
# the toolchain that built it, which no other machine has, and then beside itself.
dist: install
	swift build -c release --product fieldbook
	swift build -c release --product fieldbook-gateway
	@set -euo pipefail; bin="$$(swift build -c release --show-bin-path)"; dist=.build/dist; rm -rf "$$dist"; \
	for program in fieldbook fieldbook-gateway; do \
	    libraries="$$(ldd "$$bin/$$program" | awk '$$3 ~ "/swift/linux/" { print $$3 }')"; \
	    mkdir -p "$$dist/$$program"; \
	    cp "$$bin/$$program" $$libraries "$$dist/$$program"; \
	    if [ "$$program" = fieldbook-gateway ]; then cp systemd/fieldbook-gateway* "$$dist/$$program"; fi; \
	    tar --create --gzip --owner=0 --group=0 --mode=u=rwX,go=rX --directory "$$dist" \
	        --file "$$dist/$$program.tar.gz" "$$program"; \
	    echo "$$dist/$$program.tar.gz"; \
	done

# The documentation for developers, as an archive for a web server: .build/docs/Fieldbook.doccarchive. The module re-exports
# others, whose symbols are shown as its own; those of C are read from where the build has them.
docs: install
	swift build --target Fieldbook
	@set -euo pipefail; shopt -s nullglob; bin="$$(swift build --show-bin-path)"; flags=(); \
	for map in Sources/C*/module.modulemap "$$bin"/{C,_C}*.build/module.modulemap \
	    .build/checkouts/*/Sources/{C,_C}*/include/module.modulemap .build/checkouts/*/Sources/GRDBSQLite/module.modulemap; do \
	    flags+=(-Xcc "-fmodule-map-file=$$map"); \
	done; \
	for folder in .build/checkouts/*/Sources/*/include; do flags+=(-Xcc "-I$$folder"); done; \
	rm -rf .build/docs; mkdir -p .build/docs/symbols; \
	swift symbolgraph-extract -module-name Fieldbook -I "$$bin/Modules" "$${flags[@]}" -skip-synthesized-members \
	    -target "$$(swift -print-target-info | sed -n 's/.*"unversionedTriple" *: *"\([^"]*\)".*/\1/p' | head -n 1)" \
	    -minimum-access-level public -output-dir .build/docs/symbols \
	    -experimental-allowed-reexported-modules=AttachmentVault,DocumentStore,Replication; \
	"$$(dirname "$$(readlink -f "$$(command -v swift)")")/docc" convert Sources/Fieldbook/Fieldbook.docc \
	    --fallback-display-name Fieldbook --fallback-bundle-identifier fieldbook --warnings-as-errors \
	    --additional-symbol-graph-dir .build/docs/symbols --output-path .build/docs/Fieldbook.doccarchive

lint:
	swift format lint --strict --recursive Package.swift Sources Models Migrations Benchmarks Tests sample-data

# How long each decoder is fuzzed, and which; all of them by default.
SECONDS := 60
TARGET :=

# Inputs that were interesting are kept in .build/fuzz/corpus for the next time; those that crash are left in
# .build/fuzz/crashes.
fuzz: export FIELDBOOK_FUZZ := 1
fuzz: install
	swift build --scratch-path .build/fuzz --product FieldbookFuzz
	@program="$$(swift build --scratch-path .build/fuzz --show-bin-path)/FieldbookFuzz"; \
	targets="$(TARGET)"; crashed=""; \
	mkdir -p .build/fuzz/crashes; \
	for target in $${targets:-$$("$$program")}; do \
	    echo "== $$target"; \
	    corpus=".build/fuzz/corpus/$$target"; mkdir -p "$$corpus"; \
	    FIELDBOOK_FUZZ_TARGET="$$target" "$$program" "$$corpus" -max_total_time=$(SECONDS) -max_len=8192 -timeout=10 \
	        -rss_limit_mb=2048 -verbosity=0 -artifact_prefix=".build/fuzz/crashes/$$target-" \
	        || crashed="$$crashed $$target"; \
	done; \
	if [ -n "$$crashed" ]; then echo "Crashes in:$$crashed; see .build/fuzz/crashes"; exit 1; fi

# Says what it installs, and nothing when all is there.
install:
	@missing=""; \
	for package in $(PACKAGES); do \
	    dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q "install ok installed" \
	        || dpkg-query -W -f='$${Provides}\n' 2>/dev/null | grep -qw "$$package" \
	        || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	    echo "Installing Debian packages:$$missing"; \
	    if [ "$$(id -u)" = 0 ]; then sudo=""; else sudo="sudo"; fi; \
	    $$sudo apt-get update -q && $$sudo apt-get install -q -y --no-install-recommends $$missing; \
	fi

clean:
	rm -rf .build
