# gpuq: `make demo` runs it on a simulated region, `make test` passes the tests; both install what
# is missing first. BUILD= chooses another folder for what is built, CC= another compiler.

BUILD  ?= build
PREFIX ?= /usr/local
ifeq ($(origin CC),default)
CC := gcc
endif
CFLAGS ?= -O2 -g
# Beside them for the tests' own code, which is not what is shipped.
TESTFLAGS ?=
JOBS   ?= $(shell nproc)

# No rule is built in: none is tried for the hundreds of dependency files.
MAKEFLAGS += --no-builtin-rules

VERSION := $(shell sed -n 's/^\#define GPUQ_VERSION  *"\(.*\)"/\1/p' model/base/version.h)
PKGS    := ncursesw libcurl libcjson expat libcrypto sqlite3 yaml-0.1
SIMPKGS := libmicrohttpd libcjson libcrypto

WARN   := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla -Wformat=2 -Wstrict-prototypes \
          -Wmissing-prototypes -Wwrite-strings -Wundef -Werror
HARDEN := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong
LDHARD := -pie -Wl,-z,relro,-z,now
# SAN= replaces the hardening by sanitizers (see asan).
SAN    ?=
DEFS   := -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE
ALLC    = -std=c17 $(DEFS) -I. $(WARN) $(CFLAGS) -fPIE $(if $(SAN),$(SAN),$(HARDEN))

# ncursesw's own feature macros would fight with ours.
pkgflags = $(filter-out -D_%,$(shell pkg-config --cflags $(1) 2>/dev/null))
pkglibs  = $(shell pkg-config --libs $(1) 2>/dev/null)
# Asked once, not for each file.
ALLPKGS   := $(PKGS) $(SIMPKGS) cmocka vterm
PKGCFLAGS := $(call pkgflags,$(ALLPKGS))
TESTLDLIBS := $(call pkglibs,$(ALLPKGS)) -lm -lpthread -lutil

MODEL := $(wildcard model/base/*.c model/*.c)
AWS   := $(wildcard aws/*.c aws/auth/*.c)
TUI   := $(wildcard tui/*.c)
VIEWS := $(wildcard views/*.c views/text/*.c)
SIM   := $(filter-out aws/sim/main.c,$(wildcard aws/sim/*.c))
# What the region may share with the client: the signer and the JSON getters, never the rules.
SIMSHARED := aws/sigv4.c aws/json.c
APP     := main.c app.c
TESTLIB := $(wildcard tests/*.c)
# Those that take longest begin first.
first   = $(filter $(2),$(1)) $(filter-out $(1),$(2))
UNIT    := $(call first,test_property test_requeuer_kills test_auth_vectors test_shared_pace \
           test_auth_caches test_auth_process test_auth_events test_views_mouse test_views_edits,\
           $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c)))
E2E     := $(patsubst %,e2e_%,$(call first,switching providers logins faults freshness twelve drafts \
           kills_requeue commands panes moto cases_errors hours kills wild story stops,\
           $(patsubst tests/e2e/%.c,%,$(wildcard tests/e2e/*.c))))
# Tests are linked once, into one program: it costs as much for all as for one. Those that take
# arguments or stand in for functions of gpuq are linked alone and go by their path.
ALONE   := e2e_faults e2e_terminal test_request_look
BUNDLED := $(filter-out $(ALONE),$(UNIT) $(E2E))
named    = $(foreach test,$(1),$(if $(filter $(test),$(ALONE)),$(BUILD)/tests/)$(test))
TESTS   := $(BUILD)/tests/bundle $(ALONE:%=$(BUILD)/tests/%)
FUZZ    := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/%,$(wildcard tests/fuzz/fuzz_*.c))
BENCH   := $(patsubst tests/bench/%.c,$(BUILD)/tests/bench_%,$(wildcard tests/bench/*.c))
SOURCES  = $(MODEL) $(AWS) $(TUI) $(VIEWS) $(SIM) aws/sim/main.c $(APP) $(TESTLIB) \
           $(wildcard tests/unit/*.c tests/e2e/*.c tests/bench/*.c tests/bench/bare/*.c \
           tests/fuzz/*.c tests/pictures/*.c)

obj   = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
quiet = @echo '  $(1) $@';

.PHONY: all demo test beside unit e2e e2e-timed e2e-untimed sdk fuzz-short fuzz asan asan-timed valgrind soak lint deps bench screenshots \
        breaks fresh clean install uninstall dist deb reproducible FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: $(BUILD)/gpuq $(BUILD)/gpuq-sim

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALLC) $(PKGCFLAGS) $(OWN) -MMD -MP -c $< -o $@

# A change of compiler or flags rebuilds everything.
FLAGS = $(CC) $(ALLC)$(TESTFLAGS:%= %) $(call rename,TEST) $(ALONE)
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo "$(FLAGS)" | cmp -s - $@ || echo "$(FLAGS)" > $@

$(BUILD)/lib%.a:
	@rm -f $@
	@$(AR) rcs $@ $^
$(BUILD)/libmodel.a: $(call obj,$(MODEL))
$(BUILD)/libaws.a: $(call obj,$(AWS))
$(BUILD)/libtui.a: $(call obj,$(TUI))
$(BUILD)/libviews.a: $(call obj,$(VIEWS))
$(BUILD)/libsim.a: $(call obj,$(SIM))
$(BUILD)/libtest.a: $(call obj,$(TESTLIB))
LIBS = $(BUILD)/libviews.a $(BUILD)/libaws.a $(BUILD)/libtui.a $(BUILD)/libmodel.a
LINK = $(call quiet,LD)$(CC) $(SAN) $(LDHARD) -o $@ $^

$(BUILD)/gpuq: $(call obj,$(APP)) $(LIBS)
	$(LINK) $(call pkglibs,$(PKGS)) -lm -lpthread

$(BUILD)/gpuq-sim: $(call obj,aws/sim/main.c) $(BUILD)/libsim.a $(call obj,$(SIMSHARED)) $(BUILD)/libmodel.a
	$(LINK) $(call pkglibs,$(SIMPKGS)) -lm -lpthread

TESTLIBS = $(BUILD)/libtest.a $(BUILD)/libsim.a $(LIBS)
TESTLINK = @mkdir -p $(@D); echo '  LD $@'; $(CC) $(SAN) $(LDHARD) -o $@ $^ $(TESTLDLIBS)

# Each main becomes a function named as the test, declared and defined.
rename = '-Dmain=$(1)(void); int $(1)'
testname = $(if $(filter tests/e2e/%,$(1)),e2e_)$(basename $(notdir $(1)))
$(BUILD)/obj/tests/unit/test_%.o $(BUILD)/obj/tests/e2e/%.o: \
    OWN = $(TESTFLAGS) $(if $(filter $(call testname,$<),$(ALONE)),,$(call rename,$(call testname,$<)))
$(BUILD)/bundle_table.c: FORCE
	@mkdir -p $(@D)
	@{ echo '#include "tests/unit/bundle.h"'; printf 'int %s(void);\n' $(BUNDLED); \
	   echo 'const struct bundled bundle[] = {'; printf '{ "%s", %s },\n' \
	   $(foreach test,$(BUNDLED),$(test) $(test)); echo '{ 0 } };'; } >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(BUILD)/bundle_table.o: $(BUILD)/bundle_table.c tests/unit/bundle.h
	$(call quiet,CC)$(CC) $(ALLC) -c $< -o $@
$(BUILD)/tests/bundle: $(BUILD)/bundle_table.o $(call obj,tests/unit/bundle.c $(patsubst \
                       e2e_%,tests/e2e/%.c,$(BUNDLED:test_%=tests/unit/test_%.c))) $(TESTLIBS)
	$(TESTLINK)

# One of them, for who works at it, and for valgrind.
main = $(if $(filter $(1),$(ALONE)),,-Wl,--defsym=main=$(1))
$(BUILD)/tests/e2e_%: $(BUILD)/obj/tests/e2e/%.o $(TESTLIBS)
	$(TESTLINK) $(call main,$(@F))
$(BUILD)/tests/test_%: $(BUILD)/obj/tests/unit/test_%.o $(TESTLIBS)
	$(TESTLINK) $(call main,$(@F))
$(BUILD)/tests/bench_%: $(BUILD)/obj/tests/bench/%.o $(TESTLIBS)
	$(TESTLINK)
# With ENGINE=-fsanitize=fuzzer the main is libFuzzer's, else our own.
ENGINE ?=
FUZZMAIN = $(call obj,tests/fuzz/fuzz.c $(if $(ENGINE),,tests/fuzz/driver.c))
$(BUILD)/tests/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZMAIN) $(TESTLIBS)
	$(TESTLINK) $(ENGINE)
$(BUILD)/tests/shoot: $(BUILD)/obj/tests/pictures/shoot.o $(TESTLIBS)
	$(TESTLINK)

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

# --- for people ---

demo:
	@sh .packaging/setup
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@$(BUILD)/gpuq --demo

test:
	@sh .packaging/setup tests
	@$(MAKE) --no-print-directory -j$(JOBS) all $(TESTS) $(FUZZ)
	@$(MAKE) --no-print-directory -j3 e2e sdk beside

# Some wait for a disk's thread or a child's.
unit: $(TESTS)
	@GPUQ_BUILD=$(BUILD) GPUQ_TEST_JOBS=$(shell expr 2 \* $(JOBS)) tests/run $(call named,$(UNIT))

# Each fuzzer's corpus and three seconds of random inputs.
fuzz-short: $(FUZZ)
	@tests/fuzz/run 3 $(FUZZ)

# Those that work, in the time that those leave which wait: end to end, and under their own clocks.
beside: $(TESTS) $(FUZZ)
	@nice -n 19 $(MAKE) --no-print-directory unit
	@nice -n 19 $(MAKE) --no-print-directory fuzz-short

# They wait more than they work.
e2e: all $(TESTS)
	@GPUQ_BUILD=$(BUILD) GPUQ_TEST_JOBS=5 tests/run $(call named,$(E2E))

# What keeps to a pace, or runs many programs at once, and what does not.
TIMED := $(addprefix e2e_,freshness twelve hours faults switching panes logins providers kills \
         kills_requeue kills_screen matrix)
e2e-untimed: all $(TESTS)
	@GPUQ_BUILD=$(BUILD) GPUQ_TEST_JOBS=4 tests/run $(call named,$(filter-out $(TIMED),$(E2E)))
e2e-timed: all $(TESTS)
	@GPUQ_BUILD=$(BUILD) GPUQ_TEST_JOBS=2 tests/run $(call named,$(filter $(TIMED),$(E2E)))

sdk: all
	@GPUQ_SIM=$(abspath $(BUILD)/gpuq-sim) GPUQ=$(abspath $(BUILD)/gpuq) sh tests/sdk/run

ASAN := BUILD=build/asan CFLAGS='-O1 -g1 -fno-omit-frame-pointer' TESTFLAGS=-O0 \
        SAN='-fsanitize=address,undefined -fno-sanitize-recover=all'
asan:
	@sh .packaging/setup tests
	@$(MAKE) --no-print-directory -j$(JOBS) $(ASAN) all build/asan/tests-and-fuzzers
	@GPUQ_TEST_SECONDS=480 $(MAKE) --no-print-directory -j2 $(ASAN) e2e-untimed beside
# Two at a time these are quick enough under a sanitizer, which takes ten minutes: `make soak` does it.
asan-timed:
	@$(MAKE) --no-print-directory -j$(JOBS) $(ASAN) all build/asan/tests-and-fuzzers
	@GPUQ_TEST_SECONDS=480 $(MAKE) --no-print-directory $(ASAN) e2e-timed
build/asan/tests-and-fuzzers: $(TESTS) $(FUZZ)
	@touch $@

# The formatter, two checkers, and the warnings of both compilers.
lint:
	@sh .packaging/setup lint
	@GPUQ_CFLAGS="$(DEFS) $(call pkgflags,$(PKGS) $(SIMPKGS) cmocka vterm)" \
	 GPUQ_WARN="$(WARN)" sh tests/lint $(SOURCES)

deps:
	@sh tests/deps

# The libraries alone, beside which gpuq is held.
$(BUILD)/tests/bare: $(call obj,tests/bench/bare/bare.c)
	@mkdir -p $(@D)
	$(LINK) $(call pkglibs,$(PKGS))

bench: all $(BENCH) $(BUILD)/tests/bare
	@GPUQ_BUILD=$(BUILD) sh tests/bench/run

# The README's pictures, from the running program; two minutes, until it has read enough jobs.
screenshots: all $(BUILD)/tests/shoot
	@GPUQ_BUILD=$(BUILD) $(BUILD)/tests/shoot tests/pictures

# Long forms of tests: the region's calls and freshness, two simulated days (five minutes), the story
# under faults, kills at every call of a submission, 1.2 million lines of a log, check against the
# region, suggestions against all lists, 100,000 hostile texts on every screen, twenty wild
# keyboards under ASan, the fuzzers and memory.
# Seeds and figures are printed; GPUQ_SEED= takes one again.
soak: all $(TESTS)
	@GPUQ_BUILD=$(BUILD) GPUQ_SOAK_SECONDS=$(or $(SECONDS),600) GPUQ_TEST_SECONDS=7200 \
	 tests/run $(call named,e2e_freshness e2e_hours e2e_faults e2e_twelve e2e_kills \
	 e2e_kills_requeue e2e_logs test_logs_feed test_property test_suggest test_hostile)
	@$(MAKE) --no-print-directory asan-timed
	@GPUQ_BUILD=build/asan GPUQ_SOAK_SECONDS=$(or $(SECONDS),600) GPUQ_TEST_SECONDS=7200 \
	 tests/run e2e_wild
	@$(MAKE) --no-print-directory fuzz
	@$(MAKE) --no-print-directory valgrind

# Each fuzzer for a minute, side by side, by clang's libFuzzer with ASan and UBSan. What it finds
# worth keeping stays in the build folder for the next time.
LIBFUZZER := BUILD=build/fuzz CC=clang CFLAGS='-O1 -g -fno-omit-frame-pointer' \
             SAN='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all' \
             ENGINE=-fsanitize=fuzzer
fuzz:
	@sh .packaging/setup soak
	@$(MAKE) --no-print-directory -j$(JOBS) $(LIBFUZZER) build/fuzz/all-fuzzers
	@tests/fuzz/run $(or $(SECONDS),60) $(FUZZ:$(BUILD)/%=build/fuzz/%)
build/fuzz/all-fuzzers: $(FUZZ)
	@touch $@

# Unit tests, the fuzzers' corpora, the commands and a session of the dashboard under memcheck.
valgrind:
	@sh .packaging/setup soak
	@$(MAKE) --no-print-directory -j$(JOBS) all $(UNIT:%=$(BUILD)/tests/%) $(FUZZ) $(BUILD)/tests/e2e_story $(BUILD)/tests/e2e_commands
	@GPUQ_BUILD=$(BUILD) tests/valgrind $(UNIT:%=$(BUILD)/tests/%) $(FUZZ)

# The end-to-end story must go red under each patch of tests/breaks.
breaks:
	@sh tests/breaks/run

# The README's two commands in a bare root made by debootstrap (needs root, debootstrap, tmux).
fresh:
	@sh tests/fresh

# The two programs, the manual and the completions of three shells.
PLACE = BUILD='$(BUILD)' DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' sh .packaging/install
install: all
	$(PLACE) put

uninstall:
	$(PLACE) remove

# A source archive that builds and tests by itself, and a Debian package that lintian accepts; both
# the same bytes from the same source, wherever it lies.
dist:
	@sh .packaging/dist
deb:
	@sh .packaging/setup deb
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=$(abspath $(BUILD))/deb \
	 CFLAGS='-O2 -ffile-prefix-map=$(CURDIR)=.' all
	@BUILD=$(abspath $(BUILD))/deb sh .packaging/deb
# Twice each, in two folders: from the archive in the first one.
reproducible:
	@sh .packaging/reproducible

clean:
	rm -rf build
