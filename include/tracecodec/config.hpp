// Where the functions of the library are compiled. By default in every translation unit that uses
// them: they are inline, and a header includes its own implementation (impl/NAME.ipp) at its end. With
// TRACECODEC_SEPARATE_COMPILATION headers only declare them, and one source file has them all,
// src/tracecodec.cpp. All of a program's translation units must agree on it, and on the
// TRACECODEC_WITH_... of the libraries that are there.
//
// What is heavy and called by few of those who include its header, such as opening a trace of any format, is
// declared TRACECODEC_LAZY, and its body is TRACECODEC_LAZY_FUNC. In the first case it is a template without
// an argument: a compiler makes what it calls only where it is called. (An inline function that calls a
// template has it made in any case. So its callers are TRACECODEC_LAZY, too, up to what a program calls, and
// classes that it alone uses are templates with the argument void.)
//
// Virtual functions are TRACECODEC_FUNC in their class, too: one that becomes inline only behind its class makes
// g++ compile all of the class's, whether or not a program uses it.
#pragma once

#ifdef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_FUNC
#define TRACECODEC_LAZY
#define TRACECODEC_LAZY_FUNC
#else
#define TRACECODEC_FUNC inline
#define TRACECODEC_LAZY template <class = void>
#define TRACECODEC_LAZY_FUNC template <class>
#endif
