# gpuq: `make demo` runs it on a simulated region, `make test` passes the tests; both install what
# is missing first. BUILD= chooses another folder for the objects, CC= another compiler.

BUILD   ?= build
ifeq ($(origin CC),default)
CC      := gcc
endif
SHARED  ?= ../shared
PKGS    := ncursesw libcurl libcjson libcrypto
SIMPKGS := libmicrohttpd libcjson libcrypto

VERSION := 0.1.0
WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla -Wformat=2 -Wstrict-prototypes \
           -Wmissing-prototypes -Wwrite-strings -Wundef -Werror
HARDEN  := -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
CFLAGS  ?= -O2 -g
LDHARD  := -pie -Wl,-z,relro,-z,now
SAN     ?=
ALLC     = -std=c17 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -I. $(WARN) $(CFLAGS) \
           $(if $(SAN),$(SAN),$(HARDEN)) -DGPUQ_VERSION='"$(VERSION)"'

# ncursesw's own feature macros would fight with ours.
pkgflags = $(filter-out -D_%,$(shell pkg-config --cflags $(1) 2>/dev/null))
pkglibs  = $(shell pkg-config --libs $(1) 2>/dev/null)

MODEL := $(wildcard model/base/*.c model/*.c)
AWS   := $(wildcard aws/*.c)
TUI   := $(wildcard tui/*.c)
VIEWS := $(wildcard views/*.c views/text/*.c)
SIM   := $(wildcard aws/sim/*.c)
APP   := app.c
# What the region may share with the client: the signer and the JSON getters, never the rules.
SIMSHARED := aws/sigv4.c aws/json.c

obj = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

UNIT  := $(wildcard tests/unit/test_*.c)
E2E   := $(wildcard tests/e2e/*.c)
UNITBIN := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(UNIT))
E2EBIN  := $(patsubst tests/e2e/%.c,$(BUILD)/tests/e2e_%,$(E2E))
TESTLIB := $(wildcard tests/*.c)

.PHONY: all demo test unit e2e sdk asan lint deps bench breaks fresh clean setup setup-tests FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: $(BUILD)/gpuq $(BUILD)/gpuq-sim

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(ALLC) $(call pkgflags,$(PKGS) libmicrohttpd cmocka vterm) -MMD -MP -c $< -o $@

# A change of compiler or flags rebuilds everything.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(ALLC)' | cmp -s - $@ || echo '$(CC) $(ALLC)' > $@

$(BUILD)/lib%.a:
	@rm -f $@
	$(AR) rcs $@ $^
$(BUILD)/libmodel.a: $(call obj,$(MODEL))
$(BUILD)/libaws.a: $(call obj,$(AWS))
$(BUILD)/libtui.a: $(call obj,$(TUI))
$(BUILD)/libviews.a: $(call obj,$(VIEWS))
$(BUILD)/libapp.a: $(call obj,$(APP))
$(BUILD)/libsim.a: $(call obj,$(filter-out aws/sim/main.c,$(SIM)) $(SIMSHARED))
$(BUILD)/libtest.a: $(call obj,$(TESTLIB))
LIBS = $(BUILD)/libapp.a $(BUILD)/libviews.a $(BUILD)/libaws.a $(BUILD)/libtui.a $(BUILD)/libmodel.a

$(BUILD)/gpuq: $(call obj,main.c) $(LIBS)
	$(CC) $(SAN) $(LDHARD) -o $@ $^ $(call pkglibs,$(PKGS)) -lm -lpthread

$(BUILD)/gpuq-sim: $(call obj,aws/sim/main.c) $(BUILD)/libsim.a $(BUILD)/libmodel.a
	$(CC) $(SAN) $(LDHARD) -o $@ $^ $(call pkglibs,$(SIMPKGS)) -lm -lpthread

$(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(BUILD)/libtest.a $(LIBS) $(BUILD)/libsim.a
	@mkdir -p $(@D)
	$(CC) $(SAN) $(LDHARD) -o $@ $^ $(call pkglibs,$(PKGS) $(SIMPKGS) cmocka vterm) -lm -lpthread -lutil

$(BUILD)/tests/e2e_%: $(BUILD)/obj/tests/e2e/%.o $(BUILD)/libtest.a $(LIBS)
	@mkdir -p $(@D)
	$(CC) $(SAN) $(LDHARD) -o $@ $^ $(call pkglibs,$(PKGS) cmocka vterm) -lm -lpthread -lutil

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

clean:
	rm -rf build
