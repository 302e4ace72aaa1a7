// Compares descriptions of all words (words.py) with the model's bytes and outcomes, and
// checks them with randomly changed bytes: same_as_model VECTORS [CHANGES [SEED]].
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "random_checks.hpp"

namespace {
fuzz::bytes of_hex(const std::string& s) {
  fuzz::bytes out;
  for (std::size_t i = 0; i + 1 < s.size(); i += 2)
    out.push_back(static_cast<std::byte>(std::stoul(s.substr(i, 2), nullptr, 16)));
  return out;
}
}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const unsigned long changes = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 3;
  std::mt19937_64 numbers(argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1);
  const auto random = [&numbers](std::size_t below) {
    return static_cast<std::size_t>(numbers() % below);
  };
  std::ifstream file(argv[1]);
  std::size_t good = 0, refused = 0, wrong = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::size_t which = 0;
    std::string hex, expected;
    in >> which >> hex >> std::ws;
    std::getline(in, expected);
    const fuzz::bytes raw = of_hex(hex);
    for (unsigned long i = 0; i < changes; ++i) {
      fuzz::bytes other = raw;
      for (std::size_t n = random(3) + 1; n != 0 && !other.empty(); --n)
        other[random(other.size())] = static_cast<std::byte>(random(256));
      fuzz::check_worded(which, other);
    }
    if (!fuzz::compare_worded(which, raw, expected)) {
      std::fprintf(stderr, "description %zu, bytes %s\n", which, hex.c_str());
      ++wrong;
    }
    ++(expected[0] == 'o' ? good : refused);
  }
  std::printf("%zu descriptions, %zu records, %zu refused, %zu wrong\n", fuzz::worded_count, good,
              refused, wrong);
  return wrong == 0 && good != 0 && refused != 0 ? 0 : 1;
}
