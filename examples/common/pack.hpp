// Outputs that are tracepack: by a name that ends in .tpack.
#pragma once
#include <tracecodec/io/owned.hpp>
#include <tracecodec/io/sink.hpp>
#include <tracecodec/tracepack/layout.hpp>
#include <tracecodec/tracepack/pack_options.hpp>

#include <span>
#include <string>

#include "command_line.hpp"

namespace examples {

// --level, for `to`.
void add_pack_level(command_line& line, tracecodec::tracepack::level& to);

// Packs records into `out`, which is called `name`. Throws usage_error if this build does not.
tracecodec::io::owned<tracecodec::io::sink> pack(
    tracecodec::io::owned<tracecodec::io::sink> out, const std::string& name,
    const tracecodec::tracepack::pack_options& options);

// To such a sink: whole records, and what is known of the instruction of each.
void write_packed(tracecodec::io::sink& to, std::span<const std::byte> records,
                  std::span<const tracecodec::tracepack::property> properties);

}  // namespace examples
