#include "pack.hpp"

#ifdef TRACECODEC_WITH_ZSTD
#include <tracecodec/tracepack/writer.hpp>
#endif

#include <string>
#include <utility>

#include "program.hpp"

namespace examples {

namespace tracepack = tracecodec::tracepack;

void add_pack_level(command_line& line, tracepack::level& to) {
  using tracepack::level;
  add_choice(
      line, "--level", {{"fast", {}}, {"high", {}}},
      [&to](const std::string& s) { to = s == "high" ? level::high : level::fast; },
      ".tpack: fast to read, or smaller (default fast)");
}

#ifdef TRACECODEC_WITH_ZSTD
tracecodec::io::owned<tracecodec::io::sink> pack(tracecodec::io::owned<tracecodec::io::sink> out,
                                                 const std::string& /*name*/,
                                                 const tracepack::pack_options& options) {
  return tracecodec::io::make_owned<tracepack::writer>(std::move(out), options);
}
void write_packed(tracecodec::io::sink& to, std::span<const std::byte> records,
                  std::span<const tracepack::property> properties) {
  static_cast<tracepack::writer&>(to).write(records, properties);
}
#else
tracecodec::io::owned<tracecodec::io::sink> pack(
    tracecodec::io::owned<tracecodec::io::sink> /*out*/, const std::string& name,
    const tracepack::pack_options& /*options*/) {
  throw usage_error(name + ": this build writes no tracepack, as it lacks zstd");
}
void write_packed(tracecodec::io::sink& to, std::span<const std::byte> records,
                  std::span<const tracepack::property> /*properties*/) {
  to.write(records);
}
#endif

}  // namespace examples
