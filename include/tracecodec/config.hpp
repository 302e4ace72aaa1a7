// Selects where the functions of the library are compiled. By default they are inline, and
// compiled in every translation unit that uses them: a header includes its own implementation
// (impl/NAME.ipp) at its end. With TRACECODEC_SEPARATE_COMPILATION, headers only declare
// functions, and src/tracecodec.cpp compiles all of them. All translation units of a program
// must agree on this macro, and on the TRACECODEC_WITH_... macros of the available libraries.
//
// Virtual functions are TRACECODEC_FUNC in their class, too. If the first virtual function of
// a class becomes inline only after the class, g++ compiles all of its functions, even unused
// ones.
#pragma once

#ifdef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_FUNC
#else
#define TRACECODEC_FUNC inline
#endif
