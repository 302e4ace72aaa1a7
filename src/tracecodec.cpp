// Compiles all library functions that are not templates once. If the translation units of a program
// include the headers with TRACECODEC_SEPARATE_COMPILATION, this is the only source file that the
// program needs. The TRACECODEC_WITH_... macros must be the same for this file and for the program.
#include "analysis.cpp"
#include "bt9.cpp"
#include "champsim.cpp"
#include "drmemtrace.cpp"
#include "file.cpp"
#include "format.cpp"
#include "io.cpp"
#include "program.cpp"
#include "query.cpp"
#include "rapidbin.cpp"
#include "riscv.cpp"
#include "trace.cpp"
#include "tracepack.cpp"
#include "umtracer.cpp"
#include "x64dbg.cpp"
#include "x86.cpp"
