#include "pack.hpp"

#ifdef TRACECODEC_WITH_ZSTD
#include <tracecodec/tracepack/writer.hpp>
#endif

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "program.hpp"

namespace examples {

namespace tracepack = tracecodec::tracepack;

namespace {

struct named_text {
  const char* name;
  std::string tracepack::about::*text;
};
constexpr std::array<named_text, 7> texts{{{"program", &tracepack::about::program},
                                           {"arguments", &tracepack::about::arguments},
                                           {"recorder", &tracepack::about::recorder},
                                           {"machine", &tracepack::about::machine},
                                           {"date", &tracepack::about::date},
                                           {"region", &tracepack::about::region},
                                           {"comment", &tracepack::about::comment}}};

const named_text* find_text(const std::string& name) {
  const auto found =
      std::find_if(texts.begin(), texts.end(), [&](const named_text& t) { return t.name == name; });
  return found == texts.end() ? nullptr : &*found;
}

}  // namespace

const char* packing::first_set_option() const {
  return level != tracepack::level::fast ? "--level"
         : no_code                       ? "--no-code"
         : !texts.empty()                ? "--about"
                                         : nullptr;
}

void add_packing(command_line& line, packing& to) {
  using tracepack::level;
  line.begin_group("tracepack");
  add_choice(
      line, "--level", {{"fast", {}}, {"high", {}}},
      [&to](const std::string& s) { to.level = s == "high" ? level::high : level::fast; },
      "Pack for fast reading or for small files (default fast)");
  line.add_flag("--no-code", to.no_code, "Do not store the code and the length of instructions");
  add_values(
      line, "--about", "NAME=TEXT",
      [&to](const std::string& s) {
        const std::size_t end = s.find('=');
        if (end == s.npos || find_text(s.substr(0, end)) == nullptr) return false;
        to.texts.emplace_back(s.substr(0, end), s.substr(end + 1));
        return true;
      },
      "Store metadata, which trace_view --about prints. NAME is program, arguments, recorder, "
      "machine, "
      "date, region or comment. May be repeated",
      "program=, arguments=, recorder=, machine=, date=, region= or comment=, followed by text");
}

#ifdef TRACECODEC_WITH_ZSTD
std::unique_ptr<tracecodec::io::sink> pack(std::unique_ptr<tracecodec::io::sink> out,
                                           const std::string& /*name*/, tracepack::about about,
                                           const packing& how) {
  if (how.no_code)
    about.properties &= static_cast<std::uint8_t>(~(tracepack::has_lengths | tracepack::has_code));
  for (const auto& [name, text] : how.texts) about.*(find_text(name)->text) = text;
  return std::make_unique<tracepack::writer>(
      std::move(out), tracepack::pack_options{.about = std::move(about), .level = how.level});
}
void write_packed(tracecodec::io::sink& to, std::span<const std::byte> records,
                  std::span<const tracepack::property> properties) {
  static_cast<tracepack::writer&>(to).write(records, properties);
}
#else
std::unique_ptr<tracecodec::io::sink> pack(std::unique_ptr<tracecodec::io::sink> /*out*/,
                                           const std::string& name, tracepack::about /*about*/,
                                           const packing& /*how*/) {
  throw usage_error(name +
                    ": this build cannot write tracepack: it lacks zstd (TRACECODEC_WITH_ZSTD)");
}
void write_packed(tracecodec::io::sink& to, std::span<const std::byte> records,
                  std::span<const tracepack::property> /*properties*/) {
  to.write(records);
}
#endif

}  // namespace examples
