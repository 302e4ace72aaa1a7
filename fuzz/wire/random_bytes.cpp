// Checks every random description with random bytes, truncated at every byte: random_bytes [INPUTS
// [SEED]], with INPUTS for each description. Finally prints how many records were complete and how
// many were truncated.
#include <cstdio>
#include <cstdlib>
#include <random>

#include "random_checks.hpp"

int main(int argc, char** argv) {
  const unsigned long inputs = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100;
  std::mt19937_64 random(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1);
  const std::size_t descriptions = fuzz::described_count;
  std::size_t never = 0;
  unsigned long long whole = 0, cut = 0;
  for (std::size_t d = 0; d < descriptions; ++d) {
    const unsigned long long before = whole;
    for (unsigned long i = 0; i < inputs; ++i) {
      // Half of the inputs have only small numbers, so that most counts fit.
      const unsigned largest = i % 2 != 0 ? 255 : i % 4 != 0 ? 3 : 15;
      fuzz::bytes in(static_cast<std::size_t>(random() % 200));
      for (std::byte& b : in)
        b = random() % 4 == 0 ? std::byte{0} : static_cast<std::byte>(random() % (largest + 1));
      for (std::size_t n = 0; n <= in.size(); ++n)
        ++(fuzz::check_described(d, fuzz::view(in).first(n)) ? whole : cut);
    }
    never += whole == before ? 1 : 0;
  }
  std::printf("%zu descriptions, %llu whole records, %llu cut; %zu descriptions were never whole\n",
              descriptions, whole, cut, never);
  return whole != 0 && cut != 0 ? 0 : 1;
}
