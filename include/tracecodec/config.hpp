// How the library is compiled. By default it is header-only: a header has its functions inline. With
// TRACECODEC_SEPARATE_COMPILATION headers declare what is no template, and src/tracecodec.cpp, or the library
// tracecodec-compiled, has it once. All of a program is compiled in one of the two ways.
#pragma once

#if defined(TRACECODEC_SEPARATE_COMPILATION)
#define TRACECODEC_FUNC
#else
#define TRACECODEC_FUNC inline
#endif
