# The front door. CMake (presets in CMakePresets.json) does the work; this file says what can be asked of it.

JOBS ?= $(shell nproc)
# Arguments for `make bench`; without any it runs them all.
ARGS ?=

CTEST = ctest --output-on-failure --no-tests=error -j $(JOBS)

.DEFAULT_GOAL := build
.PHONY: build packages run tour test bench check sanitize sanitize-asan sanitize-tsan fuzz format clean help soak

build: packages  ## Build everything: build/aduana and build/aduana-bench (default)
	cmake --preset release --log-level=WARNING
	cmake --build build --parallel $(JOBS)

packages:  ## Install the Debian packages that are missing
	@packaging/install-packages

run: build  ## See it work: the server, spiders, a made-up web on this machine, and the console to look at (half a minute)
	python3 examples/served_crawl.py build/aduana

tour: build  ## See the command line: a first store, filled and asked, and a simulated crawl
	examples/quickstart.sh
	build/simulated_crawl > /dev/null

test: build  ## Build and run every test
	cd build && $(CTEST)

bench: build  ## Measure against the baselines, in ratios (twenty minutes); ARGS="store --urls 2M" for one of them
ifeq ($(strip $(ARGS)),)
	build/aduana-bench url
	build/aduana-bench store
	build/aduana-bench frontier
	build/aduana-bench freshness
	build/aduana-bench graph
	build/aduana-bench serve
	build/aduana-bench paper --plot build/paper.svg
else
	build/aduana-bench $(ARGS)
endif

check: packages  ## Check the format of the sources and who includes whom
	git ls-files -z -- '*.cc' '*.h' | xargs -0 clang-format-14 --dry-run -Werror
	cmake --preset release --log-level=WARNING
	cmake --build build --parallel $(JOBS) --target include_rules_test
	build/include_rules_test --gtest_brief=1

soak: build  ## Kill a crawling process a thousand times and look for anything lost (a quarter of an hour, or more)
	ADUANA_KILLS=1000 build/cli_test --gtest_filter='CrawlKillTest.*'

sanitize: sanitize-asan sanitize-tsan  ## Run every test under the address, undefined behaviour and thread sanitizers

sanitize-asan: export ASAN_OPTIONS ?= detect_leaks=1:strict_string_checks=1:check_initialization_order=1
sanitize-asan: export UBSAN_OPTIONS ?= print_stacktrace=1
sanitize-tsan: export TSAN_OPTIONS ?= halt_on_error=1:second_deadlock_stack=1
sanitize-asan sanitize-tsan: sanitize-%: packages
	cmake --preset $* --log-level=WARNING
	cmake --build build-$* --parallel $(JOBS)
	cd build-$* && $(CTEST)

FUZZ_SECONDS ?= 60
fuzz: packages  ## Fuzz the URL parser, the server, and everything that reads bytes from the disk, FUZZ_SECONDS=60 each
	cmake --preset fuzz --log-level=WARNING
	cmake --build build-fuzz --parallel $(JOBS) --target url_fuzz formats_fuzz serve_fuzz
	cd build-fuzz && ./url_fuzz -dict=../tests/fuzz/url.dict -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1
	cd build-fuzz && ./formats_fuzz -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1
	cd build-fuzz && ./serve_fuzz -dict=../tests/fuzz/serve.dict -len_control=0 -entropic=0 -detect_leaks=0 -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1

format:  ## Bring the sources into the project's format
	git ls-files -z -- '*.cc' '*.h' | xargs -0 clang-format-14 -i

clean:  ## Remove what was built
	rm -rf build build-dev build-asan build-tsan build-fuzz

help:  ## Show this
	@awk -F ':.*  ## ' '/^[a-z-]+:.*  ## / { printf "%-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
