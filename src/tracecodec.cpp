// Compiles everything in the library that is not a template once. It is the only source file
// that a program needs if its translation units include the headers with
// TRACECODEC_SEPARATE_COMPILATION. The TRACECODEC_WITH_... macros of the available libraries
// must be the same for this file and for the program.
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
