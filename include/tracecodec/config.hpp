// Selects where the functions of the library are compiled. By default, functions are inline and are
// compiled in every translation unit that uses them. A header includes its own implementation
// (impl/NAME.ipp) at its end. With TRACECODEC_SEPARATE_COMPILATION, headers only declare functions,
// and src/tracecodec.cpp compiles all functions. Compile all translation units of a program with
// the same setting of this macro, and with the same TRACECODEC_WITH_... macros of the available
// libraries.
//
// Virtual functions also have TRACECODEC_FUNC in the class definition. If the first virtual
// function of a class becomes inline only after the class definition, g++ compiles all functions of
// the class, even unused functions.
#pragma once

// Every header of the library includes this header first, so an older C++ standard always causes
// the following error first. Visual Studio reports the standard in _MSVC_LANG.
#if __cplusplus < 202002L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 202002L)
#error "tracecodec needs C++20: compile with -std=c++20"
// An error that ends the compilation, so that no others follow.
#include "tracecodec needs C++20"
#endif

#ifdef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_FUNC
#else
#define TRACECODEC_FUNC inline
#endif
