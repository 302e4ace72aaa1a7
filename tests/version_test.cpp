// Tests that the numbers and the string in version.hpp equal meson's version.
#include <cstdio>
#include <string>
#include <tracecodec/version.hpp>

int main() {
  const std::string numbers = std::to_string(TRACECODEC_VERSION_MAJOR) + '.' +
                              std::to_string(TRACECODEC_VERSION_MINOR) + '.' +
                              std::to_string(TRACECODEC_VERSION_PATCH);
  const bool same = numbers == TRACECODEC_VERSION && tracecodec::version_string == numbers &&
                    numbers == TRACECODEC_TEST_VERSION;
  if (!same)
    std::printf("version.hpp has the numbers %s and the string %s, meson.build has %s\n",
                numbers.c_str(), TRACECODEC_VERSION, TRACECODEC_TEST_VERSION);
  return same ? 0 : 1;
}
