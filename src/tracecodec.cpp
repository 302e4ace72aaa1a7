// All of the library that is no template, compiled once: the one source file of a program whose
// translation units include the headers with TRACECODEC_SEPARATE_COMPILATION. The TRACECODEC_WITH_...
// of the libraries that are there must be the same for it and for them.
#include "analysis.cpp"
#include "champsim.cpp"
#include "file.cpp"
#include "format.cpp"
#include "io.cpp"
#include "program.cpp"
#include "rapidbin.cpp"
#include "trace.cpp"
#include "tracepack.cpp"
#include "umtracer.cpp"
#include "x64dbg.cpp"
#include "x86.cpp"
