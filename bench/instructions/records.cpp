// Decodes and encodes records with the library and with hand-written code.
#include "by_hand.hpp"
#include "compare.hpp"
#include "samples.hpp"

int main() {
  for (const std::size_t n : {1000U, 3000U}) {
    compare<formats::champsim::instruction_codec, by_hand::champsim>("champsim",
                                                                     samples::of_size(64, n), n);
    compare<formats::champsim::cloudsuite_codec, by_hand::cloudsuite>("cloudsuite",
                                                                      samples::of_size(96, n), n);
    compare<formats::big_champsim, by_hand::big_champsim>("big_champsim", samples::of_size(64, n),
                                                          n);
    compare<formats::rapidbin, by_hand::rapidbin>("rapidbin", samples::of_size(8, n), n);
    compare<formats::drmemtrace, by_hand::drmemtrace>("drmemtrace", samples::of_size(12, n), n);
    compare<formats::x64dbg, by_hand::x64dbg>("x64dbg", samples::blocks(n), n);
  }
  return failed ? 1 : 0;
}
