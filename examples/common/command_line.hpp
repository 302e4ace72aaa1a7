// The command line: CLI11, with the exit codes, numbers and options that the programs share.
// Everything wrong with it is a usage_error.
#pragma once
#include <tracecodec/file/record_table.hpp>
#include <tracecodec/trace/source.hpp>
#include <tracecodec/umtracer/layout/enumeration.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nearest.hpp"
#include "options.hpp"
#include "output.hpp"
#include "program.hpp"
#include "version.hpp"

namespace examples {

namespace detail {
// What is wrong with the form of a command line: the argument, and what to say of it.
struct fault {
  std::size_t at = 0;
  std::string why = {};
};

inline bool takes_value(const CLI::Option& o) { return o.get_items_expected_max() != 0; }

// The options' names with their dashes.
inline std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> all;
  for (const CLI::Option* o : app.get_options()) {
    for (const std::string& name : o->get_lnames()) all.push_back("--" + name);
    for (const std::string& name : o->get_snames()) all.push_back("-" + name);
  }
  return all;
}
inline std::string unknown_option(const CLI::App& app, const std::string& typed) {
  std::string near;
  const std::vector<std::string> known = names_of(app);
  const auto dashes = std::min(typed.find_first_not_of('-'), typed.size());
  if (typed.size() > dashes + 1) near = nearest("--" + typed.substr(dashes), known);
  if (near.empty() && typed.size() == dashes + 1)
    if (std::find(known.begin(), known.end(), "-" + typed.substr(dashes)) != known.end())
      near = "-" + typed.substr(dashes);
  return "unknown option '" + typed + "'" +
         (near.empty() ? "; see --help" : "; did you mean " + near + "?");
}

// Walks over the command line as CLI11 does, and finds the first argument that cannot be where it
// is: CLI11 names all of them, the last one first, and after those whose value is wrong.
class form_check {
 public:
  form_check(const CLI::App& app, const std::vector<std::string>& line) : app_(app), line_(line) {
    for (const CLI::Option* o : app.get_options())
      if (o->get_positional()) room_ += static_cast<std::size_t>(o->get_items_expected_max());
  }
  std::optional<fault> first_fault() {
    std::string why;
    for (std::size_t i = 1; i < line_.size(); ++i) {
      const std::size_t at = i;
      const std::string& s = line_[i];
      if (positional_only_ || s.size() < 2 || s[0] != '-')
        why = positional(s);
      else if (s == "--")
        positional_only_ = true;
      else if (s[1] == '-')
        why = long_option(s, i);
      else
        why = short_options(s, i);
      if (!why.empty()) return fault{at, why};
    }
    return std::nullopt;
  }

 private:
  std::string positional(const std::string& s) {
    if (room_ == 0) return "unexpected argument '" + s + "'; see --help";
    --room_;
    return {};
  }
  std::string long_option(const std::string& s, std::size_t& i) {
    const std::size_t equals = s.find('=');
    const std::string name = s.substr(0, equals);
    const CLI::Option* const o = app_.get_option_no_throw(name);
    if (o == nullptr || o->get_positional()) return unknown_option(app_, name);
    if (!takes_value(*o))
      return equals == s.npos ? std::string()
                              : name + ": expected no value, got '" + s.substr(equals + 1) + "'";
    if (equals != s.npos && equals + 1 == s.size()) return missing(name, *o);
    return value(name, *o, equals == s.npos, i);
  }
  // "-n5", or flags: "-cs".
  std::string short_options(const std::string& s, std::size_t& i) {
    const std::vector<std::string> known = names_of(app_);
    if (s.size() > 2 && std::find(known.begin(), known.end(), "-" + s) != known.end())
      return unknown_option(app_, s);
    for (std::size_t n = 1; n < s.size(); ++n) {
      const std::string name = std::string("-") + s[n];
      const CLI::Option* const o = app_.get_option_no_throw(name);
      if (o == nullptr) return unknown_option(app_, n == 1 ? s : name);
      if (takes_value(*o)) return value(name, *o, n + 1 == s.size(), i);
    }
    return {};
  }
  // `next`: it is the argument behind.
  std::string value(const std::string& name, const CLI::Option& o, bool next, std::size_t& i) {
    const bool once = o.get_multi_option_policy() != CLI::MultiOptionPolicy::TakeAll;
    if (once && std::find(seen_.begin(), seen_.end(), &o) != seen_.end())
      return name + " is given twice";
    seen_.push_back(&o);
    if (next && i + 1 == line_.size()) return missing(name, o);
    if (next) ++i;
    return {};
  }
  static std::string missing(const std::string& name, const CLI::Option& o) {
    const std::string type = o.get_type_name();
    return name + ": expected " + (type.empty() ? "a value" : type) + " behind it; see --help";
  }

  const CLI::App& app_;
  const std::vector<std::string>& line_;
  std::vector<const CLI::Option*> seen_ = {};
  std::size_t room_ = 0;  // for arguments that are no options
  bool positional_only_ = false;
};
}  // namespace detail

// Parses a command line, the program's name first. Returns false if --help or --version was asked
// for and printed. Throws usage_error, of the first argument that is wrong.
inline bool parse(CLI::App& app, const std::vector<std::string>& line) {
  app.allow_windows_style_options(false);  // "/x" is a path there, too
  app.set_version_flag("--version", version_text(app.get_name()),
                       "Print the version and what was built in, and exit");
  const auto fault = detail::form_check(app, line).first_fault();
  const auto end = line.begin() + static_cast<std::ptrdiff_t>(fault ? fault->at : line.size());
  try {
    // CLI11 takes the last first.
    app.parse(std::vector<std::string>(std::reverse_iterator(end), line.rend() - 1));
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return false;
  } catch (const CLI::CallForVersion& e) {
    print(e.what());
    return false;
  } catch (const CLI::ValidationError& e) {  // before the fault
    throw usage_error(e.what() + std::string("; see --help"));
  } catch (const CLI::ParseError& e) {
    if (!fault) throw usage_error(e.what() + std::string("; see --help"));
  }
  if (fault) throw usage_error(fault->why);
  for (const CLI::Option* o : app.get_options())
    if (working_on.empty() && o->get_positional() && o->count() != 0) working_on = o->results()[0];
  return true;
}

// How a trace is opened and read.
using reading = tracecodec::trace::visit_options;

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

// --memory-limit, for what a compressed input may ask for, and metadata take. add_format() has it.
inline void add_memory_limit(CLI::App& app, reading& as) {
  add_value(
      app, "--memory-limit", "SIZE",
      [&as](const std::string& s) {
        const auto most = size_of(s);
        if (most) as.input.limit_memory(*most), as.metadata_memory = *most;
        return most.has_value();
      },
      "The largest dictionary (xz) or window (zstd) of a compressed input that is read: bytes, "
      "or with K, M or G (default 256M). And what RapidBin's metadata may take (default 1G)",
      "a size as 512M or 2G");
}

// Codecs that are written, by their names and by how their files and programs are called; and those
// that are only read.
inline choices written_codecs() {
  return {{"none", {}}, {"xz", {}}, {"gzip", {"gz"}}, {"zstd", {"zst", "zstandard"}}};
}
inline choices read_codecs() { return {{"bzip2", {"bz2"}}, {"lz4", {}}}; }

// --input-codec and --codec, for `to`.
inline void add_input_codec(CLI::App& app, std::optional<tracecodec::io::codec>& to) {
  choices all = written_codecs();
  for (choice& c : read_codecs()) all.push_back(std::move(c));
  add_choice(
      app, "--input-codec", all,
      [&to](const std::string& s) { to = tracecodec::io::codec_of_name(s); },
      "Decompress the trace so instead of recognising its compression by content");
}
inline void add_output_codec(CLI::App& app, std::optional<tracecodec::io::codec>& to) {
  const choices all = written_codecs();
  const auto set = [&to, all](const std::string& s) {
    if (const auto name = choose(read_codecs(), s))
      throw CLI::ValidationError("--codec", *name + " can be read, not written: expected " +
                                                one_of(all) + ", got '" + s + "'");
    const auto name = choose(all, s);
    if (name) to = tracecodec::io::codec_of_name(*name);
    return name.has_value();
  };
  add_value(app, "--codec", type_of(all), set, "Compression, whatever OUT's suffix", one_of(all));
}

// Has the program say what is doubtful in a trace, each line once: a trace may be opened again.
inline void add_warnings(CLI::App& app, reading& as) {
  as.warn = [program = app.get_name(),
             said = std::make_shared<std::set<std::string>>()](const std::string& message) {
    if (said->insert(message).second) complain(program, "warning: " + message);
  };
}

// --format, its short form, --record, --input-codec and --memory-limit.
inline void add_format(CLI::App& app, reading& as) {
  namespace trace = tracecodec::trace;
  add_warnings(app, as);
  const auto force = [&as](std::optional<trace::format> f) {
    if (as.format && as.format != f)
      throw CLI::ValidationError("--format", "two formats are named");
    as.format = f;
  };
  choices known;
  for (const auto name : trace::format_names) known.push_back({std::string(name)});
  add_choice(
      app, "--format", known,
      [force](const std::string& name) { force(trace::format_of_name(name)); },
      "Read the trace as this format instead of recognising it by content");
  app.add_flag_callback(
         "--cloudsuite", [force] { force(trace::format::cloudsuite); },
         "Short for --format cloudsuite")
      ->trigger_on_parse();
  add_value(
      app, "--record", "FILE",
      [&as](const std::string& path) {
        as.record = std::make_shared<const tracecodec::file::record_table>(
            tracecodec::file::read_record_table(path));
        return true;
      },
      "The trace has records of fixed size that FILE describes by a table such as trace_view "
      "--layout prints; fields named as ChampSim's make an instruction, of CloudSuite's record if "
      "there "
      "is an asid or --format says so",
      "a file");
  add_input_codec(app, as.input.compression);
  add_memory_limit(app, as);
}

// --metadata and --no-metadata, for RapidBin.
inline void add_metadata(CLI::App& app, reading& as) {
  add_value(
      app, "--metadata", "FILE",
      [&as](const std::string& path) {
        as.metadata = path;
        return true;
      },
      "The metadata of a RapidBin trace; x.json is found beside x.data", "a file");
  app.add_flag_callback(
      "--no-metadata", [&as] { as.metadata = ""; }, "Leave the metadata of a RapidBin trace aside");
}

// --names, for UMTracer.
inline void add_names(CLI::App& app, reading& as) {
  namespace umtracer = tracecodec::umtracer;
  add_values(
      app, "--names", "HEADER",
      [&as](const std::string& path) {
        umtracer::names all = as.names ? *as.names : umtracer::names();
        umtracer::read_names(path, all);
        as.names = std::make_shared<const umtracer::names>(std::move(all));
        return true;
      },
      "UMTracer: a header of XED or of the system calls whose enumeration names the trace's "
      "numbers; may be given several times",
      "a file");
}

// --variable, --lock and --location: which events of a RapidBin trace.
inline void add_events(CLI::App& app, reading& as) {
  const auto add = [&app](const std::string& name, char letter, tracecodec::rapidbin::id_set& to,
                          const std::string& what) {
    add_values(
        app, name, "ID",
        [&to, letter](const std::string& s) {
          const auto id = id_of(s, letter);
          if (id) to.insert(*id);
          return id.has_value();
        },
        "Only events " + what + " (RapidBin); may be given several times",
        std::string("an id, 16 or ") + letter + "16");
  };
  add("--variable", 'V', as.wanted.variables, "on this variable");
  add("--lock", 'L', as.wanted.locks, "on this lock");
  add_values(
      app, "--location", "ID",
      [&as](const std::string& s) {
        const auto id = count_of(s);
        if (id) as.wanted.locations.insert(*id);
        return id.has_value();
      },
      "Only events at this location (RapidBin); may be given several times", "an id");
}

// --branch-rules, for ChampSim and CloudSuite.
inline void add_branch_rules(CLI::App& app, reading& as) {
  using tracecodec::champsim::branch_rules;
  add_choice(
      app, "--branch-rules", {{"2022", {}}, {"2023", {}}},
      [&as](const std::string& s) {
        as.branch_rules = s == "2022" ? branch_rules::of_2022 : branch_rules::current;
      },
      "ChampSim, CloudSuite: the classes of branches as ChampSim's releases up to 2023-08 derive "
      "them, or as those since do (default 2023)");
}

// --thread and --repair, for the formats that have them, and the metadata.
inline void add_reading(CLI::App& app, reading& as) {
  add_branch_rules(app, as);
  add_metadata(app, as);
  add_names(app, as);
  add_values(
      app, "--thread", "ID",
      [&as](const std::string& s) {
        const auto id = id_of(s, 'T');
        if (!id || *id > 0xFFFFFFFF) return false;
        // One is asked of any format, several of RapidBin.
        if (as.thread) as.wanted.threads.insert(*std::exchange(as.thread, std::nullopt));
        if (as.wanted.threads.size() == 0)
          as.thread = static_cast<std::uint32_t>(*id);
        else
          as.wanted.threads.insert(*id);
        return true;
      },
      "Only the instructions of this thread (x64dbg, RapidBin, UMTracer); several times for "
      "RapidBin",
      "a thread's id, 2 or T2");
  app.add_flag(
      "--repair", as.repair,
      "x64dbg: mend blocks whose thread id is not marked, as it wrote them from October 2017 "
      "to August 2026. RapidBin, UMTracer: read what is whole, whatever the headers say");
}

// The tables of an UMTracer trace that have rows.
inline choices umtracer_tables() {
  return {{"exec", {"execs", "execution", "record", "records"}},
          {"ins", {"instruction", "instructions"}},
          {"syscall", {"syscalls"}},
          {"module", {"modules"}},
          {"thread", {"threads"}},
          {"context", {"contexts", "register", "registers"}},
          {"ranges", {"range"}}};
}

// The trace, whatever its compression.
inline CLI::Option* add_trace(CLI::App& app, std::string& path) {
  return app.add_option("TRACE", path, "The trace; - is standard input")->type_name("");
}

}  // namespace examples
