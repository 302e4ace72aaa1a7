// Outputs that are tracepack: by a name that ends in .tpack.
#pragma once
#include <tracecodec/io/output/sink.hpp>
#include <tracecodec/tracepack/layout.hpp>
#include <tracecodec/tracepack/pack_options.hpp>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "command_line.hpp"

namespace examples {

// How a tracepack is written, as the command line says it.
struct packing {
  tracecodec::tracepack::level level = tracecodec::tracepack::level::fast;
  bool no_code = false;
  std::vector<std::pair<std::string, std::string>> texts =
      {};  // names of tracepack::about's, and they

  // The option that is given, if one is: for who writes none.
  [[nodiscard]] const char* given() const;
};

// --level, --no-code and --about, for `to`.
void add_packing(command_line& line, packing& to);

// Packs records into `out`, which is called `name`, and which `about` is said of unless `how` says something else.
// Throws usage_error if this build does not.
std::unique_ptr<tracecodec::io::sink> pack(std::unique_ptr<tracecodec::io::sink> out,
                                           const std::string& name,
                                           tracecodec::tracepack::about about, const packing& how);

// To such a sink: whole records, and what is known of the instruction of each.
void write_packed(tracecodec::io::sink& to, std::span<const std::byte> records,
                  std::span<const tracecodec::tracepack::property> properties);

}  // namespace examples
