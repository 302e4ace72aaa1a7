// The command line: CLI11, with the exit codes, numbers and options that the programs share.
// Everything wrong with it is a usage_error.
#pragma once
#include <tracecodec/feed/open.hpp>
#include <tracecodec/umtracer/enumeration.hpp>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "output.hpp"
#include "program.hpp"

namespace examples {

// Parses a command line, the program's name first. Returns false if --help was asked for and
// printed. Throws usage_error.
inline bool parse(CLI::App& app, const std::vector<std::string>& line) {
  app.allow_windows_style_options(false);  // "/x" is a path there, too
  try {
    app.parse(
        std::vector<std::string>(line.rbegin(), line.rend() - 1));  // CLI11 takes the last first
    return true;
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return false;
  } catch (const CLI::ParseError& e) {
    throw usage_error(e.what() + std::string("; see --help"));
  }
}

// Decimal digits and nothing else: CLI11 would take 010 for 8, and what does not fit for the
// largest number that does.
inline std::optional<std::uint64_t> count_of(const std::string& s) {
  std::uint64_t n = 0;
  const auto r = std::from_chars(s.data(), s.data() + s.size(), n);
  if (r.ec != std::errc{} || r.ptr != s.data() + s.size()) return std::nullopt;
  return n;
}

// An option --name N that sets `to`, a std::uint64_t or an optional one.
template <class Number> CLI::Option* add_count(CLI::App& app, const std::string& name, Number& to,
                                               const std::string& text) {
  const auto set = [&to, name](const std::string& s) {
    const auto n = count_of(s);
    if (!n) throw CLI::ValidationError(name, "expected a number, got '" + s + "'");
    to = *n;
  };
  return app.add_option_function<std::string>(name, set, text)->type_name("N");
}

// How a trace is opened and read.
using reading = tracecodec::feed::visit_options;

// A size in bytes: decimal digits, and K, M or G for 2^10, 2^20 or 2^30 of them.
inline std::optional<std::uint64_t> size_of(std::string s) {
  unsigned shift = 0;
  constexpr std::string_view units = "KMG";
  if (const auto unit = s.empty() ? units.npos : units.find(s.back()); unit != units.npos) {
    shift = 10 * (static_cast<unsigned>(unit) + 1);
    s.pop_back();
  }
  const auto n = count_of(s);
  if (!n || *n > std::numeric_limits<std::uint64_t>::max() >> shift) return std::nullopt;
  return *n << shift;
}

// --memory-limit, for what a compressed input may ask for. add_format() has it.
inline void add_memory_limit(CLI::App& app, reading& as) {
  app.add_option_function<std::string>(
         "--memory-limit",
         [&as](const std::string& s) {
           const auto most = size_of(s);
           if (!most)
             throw CLI::ValidationError("--memory-limit",
                                        "expected a size as 512M or 2G, got '" + s + "'");
           as.input.limit_memory(*most);
         },
         "The largest dictionary (xz) or window (zstd) of a compressed input that is read: bytes, "
         "or with K, M or G (default 256M)")
      ->type_name("SIZE");
}

// A codec's name, of an option `option`.
inline tracecodec::io::codec codec_named(const std::string& option, const std::string& name) {
  const auto c = tracecodec::io::codec_of_name(name);
  if (!c) throw CLI::ValidationError(option, "unknown codec '" + name + "'");
  return *c;
}

// --format, its short form, --input-codec and --memory-limit.
inline void add_format(CLI::App& app, reading& as) {
  namespace feed = tracecodec::feed;
  const auto force = [&as](std::optional<feed::format> f, const std::string& name) {
    if (!f) throw CLI::ValidationError("--format", "unknown format '" + name + "'");
    if (as.format && as.format != f)
      throw CLI::ValidationError("--format", "two formats are named");
    as.format = f;
  };
  std::string known;
  for (const auto name : feed::format_names)
    known += (known.empty() ? "" : "|") + std::string(name);
  app.add_option_function<std::string>(
         "--format", [force](const std::string& name) { force(feed::format_of_name(name), name); },
         "Read the trace as this format instead of recognising it by content")
      ->type_name(known);
  app.add_flag_callback(
      "--cloudsuite", [force] { force(feed::format::cloudsuite, {}); },
      "Short for --format cloudsuite");
  app.add_option_function<std::string>(
         "--input-codec",
         [&as](const std::string& s) { as.input.compression = codec_named("--input-codec", s); },
         "Decompress the trace so instead of recognising its compression by content")
      ->type_name("none|xz|gzip|bzip2|zstd|lz4");
  add_memory_limit(app, as);
}

// --metadata and --no-metadata, for RapidBin.
inline void add_metadata(CLI::App& app, reading& as) {
  app.add_option_function<std::string>(
         "--metadata", [&as](const std::string& path) { as.metadata = path; },
         "The metadata of a RapidBin trace; x.json is found beside x.data")
      ->type_name("FILE");
  app.add_flag_callback(
      "--no-metadata", [&as] { as.metadata = ""; }, "Leave the metadata of a RapidBin trace aside");
}

// --names, for UMTracer.
inline void add_names(CLI::App& app, reading& as) {
  namespace umtracer = tracecodec::umtracer;
  app.add_option_function<std::vector<std::string>>(
         "--names",
         [&as](const std::vector<std::string>& headers) {
           umtracer::names all;
           for (const std::string& path : headers) umtracer::read_names(path, all);
           as.names = std::make_shared<const umtracer::names>(std::move(all));
         },
         "UMTracer: a header of XED or of the system calls whose enumeration names the trace's "
         "numbers; may be given several times")
      ->type_name("HEADER")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

// --variable, --lock and --location: which events of a RapidBin trace.
inline void add_events(CLI::App& app, reading& as) {
  const auto add = [&app](const std::string& name, tracecodec::rapidbin::id_set& to,
                          const std::string& what) {
    app.add_option_function<std::vector<std::string>>(
           name,
           [&to, name](const std::vector<std::string>& ids) {
             for (const std::string& s : ids) {
               const auto id = count_of(s);
               if (!id) throw CLI::ValidationError(name, "expected an id, got '" + s + "'");
               to.insert(*id);
             }
           },
           "Only events " + what + " (RapidBin); may be given several times")
        ->type_name("ID")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
  };
  add("--variable", as.wanted.variables, "on this variable");
  add("--lock", as.wanted.locks, "on this lock");
  add("--location", as.wanted.locations, "at this location");
}

// --thread and --repair, for the formats that have them, and the metadata.
inline void add_reading(CLI::App& app, reading& as) {
  add_metadata(app, as);
  add_names(app, as);
  app.add_option_function<std::vector<std::string>>(
         "--thread",
         [&as](const std::vector<std::string>& ids) {
           for (const std::string& s : ids) {
             const auto id = count_of(s);
             if (!id || *id > 0xFFFFFFFF)
               throw CLI::ValidationError("--thread", "expected a thread's id, got '" + s + "'");
             if (ids.size() == 1)
               as.thread = static_cast<std::uint32_t>(*id);
             else
               as.wanted.threads.insert(*id);
           }
         },
         "Only the instructions of this thread (x64dbg, RapidBin, UMTracer); several times for "
         "RapidBin")
      ->type_name("ID")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_flag(
      "--repair", as.repair,
      "x64dbg: mend blocks whose thread id is not marked, as it wrote them from October 2017 "
      "to August 2026. RapidBin, UMTracer: read what is whole, whatever the headers say");
}

// The trace, whatever its compression.
inline CLI::Option* add_trace(CLI::App& app, std::string& path) {
  return app.add_option("TRACE", path, "The trace; - is standard input")->type_name("");
}

}  // namespace examples
