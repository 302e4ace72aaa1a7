#include "packed.hpp"

#include <sys/utsname.h>

#include <array>
#include <ctime>
#include <memory>
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/io/compression/codecs.hpp>
#include <tracecodec/version.hpp>
#include <utility>

#include "../common/output_name.hpp"

namespace record {

namespace {

namespace tracepack = tracecodec::tracepack;

std::string machine() {
  utsname u{};
  if (::uname(&u) != 0) return {};
  return std::string(u.sysname) + ' ' + u.release + ' ' + u.machine;
}

std::string now() {
  std::array<char, 32> text{};
  const std::time_t t = std::time(nullptr);
  std::tm parts{};
  if (::gmtime_r(&t, &parts) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// Returns text that describes which instructions of the program were recorded.
std::string region_of(const options& o) {
  std::string s = "instructions from " + std::to_string(o.skip) + " on";
  if (o.count != static_cast<std::uint64_t>(-1)) s += ", " + std::to_string(o.count) + " at most";
  if (o.every != 0) s += ", " + std::to_string(o.length) + " of every " + std::to_string(o.every);
  if (o.markers) s += ", between markers";
  for (const place& p : o.places) {
    s += p.begins ? ", from " : ", to ";
    s += p.address ? "an address" : p.symbol;
    if (p.count != 1) s += ':' + std::to_string(p.count);
  }
  return s;
}

tracepack::about about_of(const options& o, std::size_t record_size, tracepack::processor whose) {
  tracepack::about a = record_size == tracecodec::champsim::cloudsuite_codec::size
                           ? tracepack::about_cloudsuite()
                           : tracepack::about_champsim();
  a.properties = tracepack::has_classes | tracepack::has_lengths | tracepack::has_code;
  a.processor = whose;
  a.program = o.command.front();
  for (std::size_t i = 1; i < o.command.size(); ++i)
    a.arguments += (i == 1 ? "" : " ") + o.command[i];
  constexpr std::size_t most = 4096;
  if (a.arguments.size() > most) a.arguments.resize(most);
  a.recorder = "trace_record " TRACECODEC_VERSION;
  if (!o.recorded_by.empty()) a.recorder += ", " + o.recorded_by;
  a.machine = machine();
  a.date = now();
  a.region = region_of(o);
  return a;
}

}  // namespace

bool is_packed(const std::string& path) {
  return examples::output_name(path).says(examples::form::pack);
}

std::unique_ptr<tracecodec::io::sink> as_named(std::unique_ptr<tracecodec::io::sink> file,
                                               const std::string& path) {
  return tracecodec::io::compress(tracecodec::io::codec_of_suffix(path), std::move(file), path);
}

std::unique_ptr<tracecodec::io::sink> pack(std::unique_ptr<tracecodec::io::sink> file,
                                           const std::string& path, std::size_t record_size,
                                           tracepack::processor whose, const options& o) {
  return examples::pack(std::move(file), path, about_of(o, record_size, whose), o.packed_as);
}

}  // namespace record
