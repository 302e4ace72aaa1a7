// Where the functions of the library are compiled. By default in every translation unit that uses
// them: they are inline, and a header includes its own implementation (impl/NAME.ipp) at its end. With
// TRACECODEC_SEPARATE_COMPILATION headers only declare them, and one source file has them all,
// src/tracecodec.cpp. All of a program's translation units must agree on it, and on the
// TRACECODEC_WITH_... of the libraries that are there.
//
// Virtual functions are TRACECODEC_FUNC in their class, too: g++ compiles all functions of a class whose first
// virtual function becomes inline only after the class, whether or not a program uses them.
#pragma once

#ifdef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_FUNC
#else
#define TRACECODEC_FUNC inline
#endif
