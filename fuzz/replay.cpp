// Runs a target on every file in some folders, without libFuzzer: replay TARGET FOLDER...
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "target.hpp"

namespace {
namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> all;
  if (!fs::is_directory(folder)) return all;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

// Runs the target on a copy of the exact size, so that a sanitizer detects reads past its end.
void run(const fuzz::target& target, const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::byte> exact(content.size());
  std::transform(content.begin(), content.end(), exact.begin(),
                 [](char c) { return static_cast<std::byte>(c); });
  target.run(exact);
}
}  // namespace

int main(int argc, char** argv) {
  const fuzz::target* const target = argc > 1 ? fuzz::target::find(argv[1]) : nullptr;
  if (target == nullptr) {
    std::fprintf(stderr, "usage: replay TARGET FOLDER...; the targets are:\n");
    for (const fuzz::target* t = fuzz::target::first; t != nullptr; t = t->next())
      std::fprintf(stderr, "  %.*s\n", static_cast<int>(t->name().size()), t->name().data());
    return 2;
  }
  std::size_t runs = 0;
  for (int i = 2; i < argc; ++i)
    for (const fs::path& file : files_in(argv[i])) {
      // The last line before a crash is the name of the file.
      std::printf("%s\n", file.filename().string().c_str());
      std::fflush(stdout);
      run(*target, file);
      ++runs;
    }
  std::printf("%zu inputs\n", runs);
  return runs == 0 ? 1 : 0;
}
