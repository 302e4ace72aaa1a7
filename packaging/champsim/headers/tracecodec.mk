# Read by make after ChampSim's Makefile, in ChampSim's folder:
#
#   make -f Makefile -f /path/to/tracecodec/packaging/champsim/headers/tracecodec.mk
#
# It compiles tracereader.cc alone as C++20, with tracecodec's headers. A library that is not installed is left out of
# both lists: without ZSTD ChampSim reads no .zst and no .tpack, without SIMDJSON no x64dbg trace, and without ZYDIS it
# knows no operands of x64dbg and UMTracer.
tracecodec_mk := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
TRACECODEC := $(tracecodec_mk)../../..
TRACECODEC_WITH := XZ GZIP BZIP2 ZSTD SIMDJSON ZYDIS
TRACECODEC_LIBS := -lzstd -lsimdjson -lZydis -pthread
%/tracereader.o %/tracereader.d: override CPPFLAGS += -std=c++20 -pthread -I$(tracecodec_mk) \
  -isystem $(TRACECODEC)/include $(addprefix -DTRACECODEC_WITH_,$(TRACECODEC_WITH))
override LDLIBS += $(TRACECODEC_LIBS)
