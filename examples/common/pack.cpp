#include "pack.hpp"

#ifdef TRACECODEC_WITH_ZSTD
#include <tracecodec/tracepack/writer.hpp>
#endif

#include <utility>

#include "program.hpp"

namespace examples {

void add_pack_level(command_line& line, pack_level& to) {
  add_choice(
      line, "--level", {{"fast", {}}, {"high", {}}},
      [&to](const std::string& s) { to = s == "high" ? pack_level::high : pack_level::fast; },
      ".tpack: fast to read, or smaller (default fast)");
}

#ifdef TRACECODEC_WITH_ZSTD
std::unique_ptr<tracecodec::io::sink> pack(std::unique_ptr<tracecodec::io::sink> out,
                                           const std::string& /*name*/,
                                           const tracecodec::tracepack::about& about,
                                           pack_level level) {
  namespace tracepack = tracecodec::tracepack;
  return std::make_unique<tracepack::writer>(
      std::move(out),
      tracepack::pack_options{
          .about = about,
          .level = level == pack_level::high ? tracepack::level::high : tracepack::level::fast});
}
void write_packed(tracecodec::io::sink& to, std::span<const std::byte> records,
                  std::span<const tracecodec::tracepack::property> properties) {
  static_cast<tracecodec::tracepack::writer&>(to).write(records, properties);
}
#else
std::unique_ptr<tracecodec::io::sink> pack(std::unique_ptr<tracecodec::io::sink> /*out*/,
                                           const std::string& name,
                                           const tracecodec::tracepack::about& /*about*/,
                                           pack_level /*level*/) {
  throw usage_error(name + ": this build writes no tracepack, as it lacks zstd");
}
void write_packed(tracecodec::io::sink& to, std::span<const std::byte> records,
                  std::span<const tracecodec::tracepack::property> /*properties*/) {
  to.write(records);
}
#endif

}  // namespace examples
