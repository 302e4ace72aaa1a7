// Prints the statements that a trace contains about itself.
#pragma once
#include <cstdint>
#include <string>

#include "../common/json.hpp"
#include "../common/output.hpp"
#include "../common/text.hpp"
#include "parts.hpp"

namespace view {

// Writer of names and values, as lines of text or as a JSON object.
class statement_rows {
 public:
  statement_rows(const std::string& file, bool as_json) : as_json_(as_json) {
    if (as_json_)
      json_.object();
    else
      out_.text += examples::printable(file) + '\n';
  }
  // Adds a name and a string, unless the string is empty.
  void text(const char* name, const std::string& s) {
    if (s.empty()) return;
    if (as_json_) {
      json_.key(name).string(s);
    } else {
      add_label(out_.text, name);
      out_.text += examples::printable(s) + '\n';
    }
  }
  void number(const char* name, std::uint64_t n) {
    if (as_json_)
      json_.key(name).number(n);
    else
      text(name, std::to_string(n));
  }
  void finish() {
    if (as_json_) json_.end_object();
    out_.text += '\n';
    out_.finish();
  }

 private:
  bool as_json_;
  examples::output out_ = {};
  examples::json json_{out_.text};
};

}  // namespace view
