# Makefile fragment that make reads after ChampSim's Makefile, in ChampSim's folder:
#
#   make -f Makefile -f /path/to/tracecodec/packaging/champsim/library/tracecodec.mk
#
# It adds libtracecodec, which pkg-config must find. All of ChampSim stays C++17.
override CPPFLAGS += -I$(dir $(abspath $(lastword $(MAKEFILE_LIST)))) $(shell pkg-config --cflags tracecodec-c)
override LDLIBS += $(shell pkg-config --libs tracecodec-c)
