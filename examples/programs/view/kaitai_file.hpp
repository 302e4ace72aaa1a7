// The parts of a .ksy file, besides the records, that say how a trace consists of records.
#pragma once
#include <string>

namespace view {

struct kaitai_file {
  std::string seq = {};    // entries of `seq:`. Empty: a trace is not a single file
  std::string types = {};  // entries of `types:`
};

}  // namespace view
