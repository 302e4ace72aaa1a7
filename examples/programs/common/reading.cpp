#include "reading.hpp"

#include <tracecodec/file/record_table.hpp>
#include <tracecodec/trace/described.hpp>
#include <tracecodec/trace/limits.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace examples {

namespace {
// Parses a size in bytes: decimal digits, optionally followed by K, M or G (2^10, 2^20, 2^30).
std::optional<std::uint64_t> size_of(std::string s) {
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

// Adds --memory-limit, which limits the memory for decompression and for metadata.
void add_memory_limit(command_line& line, reading& as) {
  add_value(
      line, "--memory-limit", "SIZE",
      [&as](const std::string& s) {
        const auto most = size_of(s);
        if (most) as.input.limit_memory(*most), as.memory = *most;
        return most.has_value();
      },
      "Refuse compressed inputs whose dictionary (xz) or window (zstd) is larger: bytes, or with "
      "K, M "
      "or G (default 256M). Also limits the memory for RapidBin's metadata (default 1G)",
      "a size such as 512M or 2G");
}

// Returns the compressions that can be written. The synonyms are their file suffixes and
// alternative names.
choices written_codecs() {
  return {{"none", {}}, {"xz", {}}, {"gzip", {"gz"}}, {"zstd", {"zst", "zstandard"}}};
}

// Returns the compressions that can only be read.
choices read_codecs() { return {{"bzip2", {"bz2"}}, {"lz4", {}}, {"snappy", {"sz"}}, {"zip", {}}}; }

// Adds --input-codec. Parsing the option sets `to`.
void add_input_codec(command_line& line, std::optional<tracecodec::io::codec>& to) {
  choices all = written_codecs();
  for (choice& c : read_codecs()) all.push_back(std::move(c));
  add_choice(
      line, "--input-codec", all,
      [&to](const std::string& s) { to = tracecodec::io::codec_of_name(s); },
      "Decompress the trace this way, instead of recognising its compression by content");
}

// Makes the program print warnings about a trace, and notes about content that a reader omits. Each
// message is printed once, even if the trace is opened again.
void add_warnings(command_line& line, reading& as) {
  const auto once = [program = line.program()](auto say) {
    return [program, say,
            said = std::make_shared<std::set<std::string>>()](const std::string& message) {
      if (said->insert(message).second) say(program, message);
    };
  };
  as.warn = once([](const std::string& program, const std::string& message) {
    print_message(program, "warning: " + message);
  });
  as.note = once(note);
}

// Adds --record and --record-offset, which may occur in any order.
void add_record(command_line& line, reading& as) {
  using tracecodec::file::record_table;
  const auto offset = std::make_shared<std::optional<std::uint64_t>>();
  const auto set = [&as, offset](record_table table) {
    as.record = std::make_shared<const record_table>(*offset ? table.with_header(**offset)
                                                             : std::move(table));
  };
  std::string known;
  for (const std::string_view name : tracecodec::trace::known_tables())
    known += (known.empty() ? "" : " or ") + std::string(name);
  add_value(
      line, "--record", "FILE",
      [set](const std::string& path) {
        set(tracecodec::trace::read_table(path));
        return true;
      },
      "Read records of fixed size that the table in FILE describes, in the form that trace_view "
      "--layout prints, or the known table " +
          known +
          ". Fields with ChampSim's names form an instruction, as CloudSuite's record if there is "
          "an "
          "asid or with --format cloudsuite",
      "a file");
  add_value(
      line, "--record-offset", "BYTES",
      [&as, set, offset](const std::string& s) {
        *offset = size_of(s);
        if (*offset && **offset > record_table::largest_header) return false;
        if (*offset && as.record) set(*as.record);
        return offset->has_value();
      },
      "Read the first record at this offset of the file, which overrides the table of --record",
      "a size up to 1G")
      .needs("--record");
}

}  // namespace

void add_size(command_line& line, const char* name, std::uint64_t& to, const char* help) {
  add_value(
      line, name, "SIZE",
      [&to](const std::string& s) {
        const auto n = size_of(s);
        if (n) to = *n;
        return n.has_value();
      },
      help, "a size such as 512M or 2G");
}

void add_output_codec(command_line& line, std::optional<tracecodec::io::codec>& to) {
  const choices all = written_codecs();
  const auto set = [&to, all](const std::string& s) {
    if (const auto name = choose(read_codecs(), s))
      refuse_value("--codec", *name + " can be read, not written: expected " + one_of(all) +
                                  ", got '" + s + "'");
    const auto name = choose(all, s);
    if (name) to = tracecodec::io::codec_of_name(*name);
    return name.has_value();
  };
  add_value(line, "--codec", type_of(all), set,
            "Compress the output this way, whatever OUT's suffix is", one_of(all));
}

void add_format(command_line& line, reading& as) {
  namespace trace = tracecodec::trace;
  line.begin_group("Input");
  add_warnings(line, as);
  const auto force = [&as](const std::string& name) {
    const auto* const f = trace::find_format(name);
    if (as.format != nullptr && as.format != f)
      refuse_value("--format", "two different formats are selected");
    as.format = f;
  };
  choices known;
  for (const auto* const f : trace::all_formats()) known.push_back({std::string(f->name)});
  add_choice(line, "--format", known, force,
             "Read the trace as this format, instead of recognising it by content");
  for (const auto* const f : trace::all_formats())
    if (f->has_short_option)
      line.add_flag(
          "--" + std::string(f->name), [force, f] { force(std::string(f->name)); },
          "Read the trace as this format: short for --format " + std::string(f->name));
  add_record(line, as);
  add_own_options(line, as, option_use::content);
  add_input_codec(line, as.input.compression);
  add_memory_limit(line, as);
}

void add_own_options(command_line& line, reading& as, option_use use) {
  add_own_options(line, as.own, use);
}
namespace {
// Returns the family of the formats that support the option. Returns an empty view if formats of
// several families support it.
std::string_view family_of(const tracecodec::format::option& own) {
  std::string_view family;
  for (const auto* const f : tracecodec::trace::all_formats()) {
    if (!f->has(own)) continue;
    if (!family.empty() && family != f->family) return {};
    family = f->family;
  }
  return family;
}
}  // namespace

void add_own_options(command_line& line, tracecodec::format::own_options& to, option_use use) {
  const std::string before = line.group();
  std::vector<const tracecodec::format::option*> added;
  for (const auto* const format : tracecodec::trace::all_formats())
    for (const auto* const own : format->options) {
      const bool seen = std::find(added.begin(), added.end(), own) != added.end();
      if (seen || own->use != use) continue;
      added.push_back(own);
      const std::string_view family = family_of(*own);
      line.begin_group(family.empty() ? before : std::string(family));
      const std::string name = "--" + std::string(own->name), help(own->help);
      const auto set = [&to, own](const std::string& value) { return own->set(to, value); };
      if (own->value.empty()) {
        line.add_flag(
            name, [set] { set(""); }, help);
      } else if (!own->choices.empty()) {
        choices all;
        for (const auto& one : own->choices) {
          all.push_back({std::string(one.name), {}});
          for (const std::string_view word : one.also)
            if (!word.empty()) all.back().also.emplace_back(word);
        }
        add_choice(
            line, name, all, [set](const std::string& value) { set(value); }, help);
      } else if (own->repeats) {
        add_values(line, name, std::string(own->value), set, help, std::string(own->expected));
      } else {
        add_value(line, name, std::string(own->value), set, help, std::string(own->expected));
      }
    }
  line.begin_group(before);
}

void require_own_options(const tracecodec::format::own_options& given, option_use use,
                         const tracecodec::format::facts& f, std::string_view what) {
  for (const auto* const format : tracecodec::trace::all_formats())
    for (const auto* const own : format->options) {
      if (own->use != use || f.has(*own) || own->is_set == nullptr || !own->is_set(given)) continue;
      std::string why = "--" + std::string(own->name) + " is for " + std::string(own->traces);
      if (!what.empty())
        why += ": " + std::string(what) +
               (own->traces.find(" and ") == own->traces.npos ? " is not" : " is neither");
      throw usage_error(why);
    }
}

namespace {
// Adds a thread to the selection. Returns false if `s` does not specify a thread. A single id is
// valid for every format. Names and several threads are valid only for formats with a thread
// option.
bool choose_thread(reading& as, const std::string& s) {
  if (s.empty()) return false;
  const auto* const several = tracecodec::trace::find_option("thread");
  const bool first = !as.thread && (several == nullptr || !several->is_set(as.own));
  const auto plain = count_of(s), id = plain ? plain : id_of(s, 'T');
  if (first && id && *id <= std::numeric_limits<std::uint32_t>::max()) {
    as.thread = static_cast<std::uint32_t>(*id);
    as.thread_name = plain ? "" : s;
    return true;
  }
  if (several == nullptr) return false;
  if (as.thread) several->set(as.own, chosen_thread(as));
  as.thread.reset();
  return several->set(as.own, s);
}
}  // namespace

void add_reading(command_line& line, reading& as) {
  line.begin_group("Input");
  add_own_options(line, as, option_use::instructions);
  add_own_options(line, as, option_use::files);
  line.add_flag(
      "--repair", as.repair,
      "Read all that is sound in a damaged trace. x64dbg: also mend blocks whose thread id "
      "is not marked, as x64dbg wrote them from October 2017 to August 2026. RapidBin, "
      "UMTracer: read all whole records, whatever the headers say. tracepack: skip damaged "
      "frames");
  line.begin_group("Selection");
  add_values(
      line, "--thread", "ID|NAME", [&as](const std::string& s) { return choose_thread(as, s); },
      "Read only the instructions of this thread (x64dbg, RapidBin, UMTracer) or of this address "
      "space "
      "(CloudSuite's asid). RapidBin: may be repeated, and may be a name as trace_view prints it, "
      "which takes precedence over T2 as a number; a number alone is the id",
      "a thread's id, 2 or T2");
  line.begin_group("tracepack");
  add_values(
      line, "--threads", "N",
      [&as](const std::string& s) {
        const auto n = count_of(s);
        if (!n || *n == 0 || *n > tracecodec::trace::most_threads) return false;
        as.threads = static_cast<unsigned>(*n);
        return true;
      },
      "Decode ahead with this many threads (default 1)",
      "a number of threads, 1 to " + std::to_string(tracecodec::trace::most_threads));
}

namespace {
// Calls f(option, what) for each option that is set and selects records (option_use::choice). Omits
// options that every trace supports. `what` names the property that an unsuitable trace lacks.
template <class F> void for_each_choice(const reading& as, F f) {
  for (const auto* const format : tracecodec::trace::all_formats())
    for (const auto* const own : format->options)
      if (own->use == option_use::choice && own->lacking != nullptr)
        if (const std::string_view what = own->lacking(as.own); !what.empty()) f(*own, what);
}
}  // namespace

bool has_choices(const reading& as) {
  bool any = false;
  for_each_choice(as, [&any](const auto&, std::string_view) { any = true; });
  return any;
}

void require_choices(const reading& as, const tracecodec::format::facts& f) {
  const auto* const several = tracecodec::trace::find_option("thread");
  if (several != nullptr && several->is_set(as.own) && !f.has(*several))
    throw usage_error("--thread: only " + std::string(several->traces) +
                      " accept several threads, or names");
  require_own_options(as.own, option_use::choice, f, "");
  for_each_choice(as, [&f](const auto& own, std::string_view what) {
    if (!f.has(own) && what.starts_with("only "))
      throw usage_error(with_options(std::string(what)));
  });
}

std::string chosen_thread(const reading& as) {
  return as.thread_name.empty() ? std::to_string(as.thread.value_or(0)) : as.thread_name;
}

option add_trace(command_line& line, std::string& path) {
  return line.add_argument("TRACE", path, "The trace; - is standard input").type_name("");
}

}  // namespace examples
