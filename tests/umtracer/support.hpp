// What the tests of the umtracer floor share: the samples.
#pragma once
#include <array>
#include <string>

#include "../bytes.hpp"
#include "tracecodec/umtracer/reader.hpp"

namespace test {

namespace umtracer = tracecodec::umtracer;

inline constexpr std::array<const char*, 4> umtracer_samples{"plain32", "plain64", "awkward32",
                                                             "awkward64"};
inline std::string umtracer_sample(const std::string& name) { return data("umtracer/" + name); }

}  // namespace test
