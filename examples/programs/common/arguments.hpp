// Command-line arguments in UTF-8, the encoding of all names in the library. On Windows, main()
// receives arguments in the code page of the process, which lacks some characters.
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

// Returns all arguments, starting with the program's name.
inline std::vector<std::string> arguments([[maybe_unused]] int argc, [[maybe_unused]] char** argv) {
#ifdef _WIN32
  int count = 0;
  // The array is not freed, because each program calls this function only once.
  if (wchar_t** const all = CommandLineToArgvW(GetCommandLineW(), &count)) {
    std::vector<std::string> line;
    for (int i = 0; i < count; ++i) line.push_back(tracecodec::io::name_of(all[i]));
    return line;
  }
#endif
  return {argv, argv + argc};
}

}  // namespace examples
