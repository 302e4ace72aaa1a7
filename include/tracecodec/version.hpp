// Version of the library, for the preprocessor and for programs. CMakeLists.txt reads the version
// from this file. meson.build must contain the same version.
#pragma once
#include <string_view>

#include "config.hpp"

#define TRACECODEC_VERSION_MAJOR 0
#define TRACECODEC_VERSION_MINOR 1
#define TRACECODEC_VERSION_PATCH 0
#define TRACECODEC_VERSION "0.1.0"

namespace tracecodec {

inline constexpr std::string_view version_string = TRACECODEC_VERSION;

}  // namespace tracecodec
