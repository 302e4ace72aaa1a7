// Tests names from the text of a C header with an enumeration.
#include "target.hpp"
#include "tracecodec/umtracer/layout/enumeration.hpp"

namespace fuzz::umtracer_names {
namespace {
namespace umtracer = tracecodec::umtracer;

void run(view in) {
  const bool with_prefix = (take_byte(in) & 1U) != 0;
  const std::string prefix(with_prefix ? umtracer::mnemonic_prefix : "");
  umtracer::name_table names;
  if (error_of([&] { names = umtracer::parse_enumeration(text_of(in), prefix); })) return;
  std::string text = "enum {\n";
  for (const auto& e : names.entries()) {
    require(names.number(e.name) == e.number, "each name is found");
    require(!names.name(e.number).empty(), "each number has a name");
    text += prefix + e.name + " = " + std::to_string(e.number) + ",\n";
  }
  text += "};\n";
  const auto again = umtracer::parse_enumeration(text, prefix);
  require(again.entries() == names.entries(), "decode(encode(x)) == x");
}
const target registered("umtracer_names", run);
}  // namespace
}  // namespace fuzz::umtracer_names
