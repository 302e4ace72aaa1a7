# Makefile fragment that make reads after ChampSim's Makefile, in ChampSim's folder:
#
#   make -f Makefile -f /path/to/tracecodec/packaging/champsim/headers/tracecodec.mk
#
# It compiles only tracereader.cc as C++20, with tracecodec's headers. Remove a library that is not installed from
# both lists: without ZSTD, ChampSim does not read .zst and .tpack; without SIMDJSON, it does not read x64dbg
# traces; without ZYDIS, instructions of x64dbg and UMTracer have no operands.
tracecodec_mk := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
TRACECODEC := $(tracecodec_mk)../../..
TRACECODEC_WITH := XZ GZIP BZIP2 ZSTD SIMDJSON ZYDIS
TRACECODEC_LIBS := -lzstd -lsimdjson -lZydis -pthread
%/tracereader.o %/tracereader.d: override CPPFLAGS += -std=c++20 -pthread -I$(tracecodec_mk) \
  -isystem $(TRACECODEC)/include $(addprefix -DTRACECODEC_WITH_,$(TRACECODEC_WITH))
override LDLIBS += $(TRACECODEC_LIBS)
