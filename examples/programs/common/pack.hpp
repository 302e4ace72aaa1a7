// Writes output to a tracepack. The user selects a tracepack by a name that ends in .tpack.
#pragma once
#include <tracecodec/io/output/sink.hpp>
#include <tracecodec/tracepack/pack_options.hpp>
#include <tracecodec/tracepack/properties.hpp>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "command_line.hpp"

namespace examples {

// Command-line settings for writing a tracepack.
struct packing {
  tracecodec::tracepack::level level = tracecodec::tracepack::level::fast;
  bool no_code = false;
  // Names and values of the tracepack::about fields that --about sets.
  std::vector<std::pair<std::string, std::string>> texts = {};

  // Returns the name of the first option whose value is not the default, or null if all options
  // have their defaults. Programs use the name to refuse tracepack options for other outputs.
  [[nodiscard]] const char* first_set_option() const;
};

// Adds --level, --no-code and --about. Parsing these options sets `to`.
void add_packing(command_line& line, packing& to);

// Returns a sink that packs records into `out` and stores the metadata `about`. `how` overrides
// fields of `about`. `name` is the output's name in error messages. Throws usage_error if this
// build lacks tracepack support.
std::unique_ptr<tracecodec::io::sink> pack(std::unique_ptr<tracecodec::io::sink> out,
                                           const std::string& name,
                                           tracecodec::tracepack::about about, const packing& how);

// Writes whole records to a sink that pack() returned. `properties` contains the known properties
// of each record's instruction.
void write_packed(tracecodec::io::sink& to, std::span<const std::byte> records,
                  std::span<const tracecodec::tracepack::property> properties);

}  // namespace examples
