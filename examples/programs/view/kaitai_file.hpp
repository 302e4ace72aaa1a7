// Sections of a .ksy file that describe how records form a trace.
#pragma once
#include <string>

namespace view {

struct kaitai_file {
  std::string seq = {};    // entries of `seq:`; empty if a trace is not a single file
  std::string types = {};  // entries of `types:`
};

}  // namespace view
