// The command line in UTF-8, as the library wants names. On Windows main() gets it in the code page
// of the process, which has not every character.
#pragma once
#include <string>
#include <vector>
#ifdef _WIN32
#include <filesystem>
#include <tracecodec/io/os/filesystem.hpp>

extern "C" {
__declspec(dllimport) wchar_t* __stdcall GetCommandLineW();
__declspec(dllimport) wchar_t** __stdcall CommandLineToArgvW(const wchar_t* line, int* count);
}
#endif

namespace examples {

// The program's name first.
inline std::vector<std::string> arguments([[maybe_unused]] int argc, [[maybe_unused]] char** argv) {
#ifdef _WIN32
  int count = 0;
  if (wchar_t** const all = CommandLineToArgvW(GetCommandLineW(), &count)) {  // lives on
    std::vector<std::string> line;
    for (int i = 0; i < count; ++i) line.push_back(tracecodec::io::name_of(all[i]));
    return line;
  }
#endif
  return {argv, argv + argc};
}

}  // namespace examples
