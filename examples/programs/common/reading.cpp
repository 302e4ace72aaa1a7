#include "reading.hpp"

#include <tracecodec/champsim/known_tables.hpp>
#include <tracecodec/file/record_table.hpp>
#include <tracecodec/rapidbin/reader/std_text.hpp>
#include <tracecodec/trace/limits.hpp>
#include <tracecodec/umtracer/layout/enumeration.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

namespace examples {

using tracecodec::rapidbin::id_kind;

namespace {
// The id that `s` is, a number alone; nullopt for what may be a name, as T2 may.
std::optional<std::uint64_t> plain_id(id_kind kind, const std::string& s) {
  const bool digit = !s.empty() && s[0] >= '0' && s[0] <= '9';
  return digit && kind != id_kind::location ? std_number(kind, s) : std::nullopt;
}

// A size in bytes: decimal digits, and K, M or G for 2^10, 2^20 or 2^30 of them.
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

// --memory-limit, for what a compressed input may ask for, and metadata take. add_format() has it.
void add_memory_limit(command_line& line, reading& as) {
  add_value(
      line, "--memory-limit", "SIZE",
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
choices written_codecs() {
  return {{"none", {}}, {"xz", {}}, {"gzip", {"gz"}}, {"zstd", {"zst", "zstandard"}}};
}

choices read_codecs() { return {{"bzip2", {"bz2"}}, {"lz4", {}}}; }

// --input-codec and --codec, for `to`.
void add_input_codec(command_line& line, std::optional<tracecodec::io::codec>& to) {
  choices all = written_codecs();
  for (choice& c : read_codecs()) all.push_back(std::move(c));
  add_choice(
      line, "--input-codec", all,
      [&to](const std::string& s) { to = tracecodec::io::codec_of_name(s); },
      "Decompress the trace so instead of recognising its compression by content");
}

// Has the program say what is doubtful in a trace, and what a reader leaves out, each line once: a trace
// may be opened again.
void add_warnings(command_line& line, reading& as) {
  const auto once = [program = line.program()](auto say) {
    return [program, say,
            said = std::make_shared<std::set<std::string>>()](const std::string& message) {
      if (said->insert(message).second) say(program, message);
    };
  };
  as.warn = once([](const std::string& program, const std::string& message) {
    complain(program, "warning: " + message);
  });
  as.note = once(note);
}

// --names, for UMTracer.
void add_names(command_line& line, reading& as) {
  namespace umtracer = tracecodec::umtracer;
  add_values(
      line, "--names", "HEADER",
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

// --branch-rules, for ChampSim and CloudSuite.
void add_branch_rules(command_line& line, reading& as) {
  using tracecodec::champsim::branch_rules;
  add_choice(
      line, "--branch-rules", {{"2022", {}}, {"2023", {}}},
      [&as](const std::string& s) {
        as.branch_rules = s == "2022" ? branch_rules::of_2022 : branch_rules::current;
      },
      "ChampSim, CloudSuite: the classes of branches as ChampSim's releases up to 2023-08 derive "
      "them, or as those since do (default 2023)");
}

// --record and --record-offset, in any order.
void add_record(command_line& line, reading& as) {
  using tracecodec::file::record_table;
  const auto offset = std::make_shared<std::optional<std::uint64_t>>();
  const auto set = [&as, offset](record_table table) {
    as.record = std::make_shared<const record_table>(*offset ? table.with_header(**offset)
                                                             : std::move(table));
  };
  std::string known;
  for (const auto& t : tracecodec::champsim::known_tables())
    known += (known.empty() ? "" : " or ") + std::string(t.name);
  add_value(
      line, "--record", "FILE",
      [set](const std::string& path) {
        set(tracecodec::champsim::read_table(path));
        return true;
      },
      "The trace has records of fixed size that FILE describes by a table such as trace_view "
      "--layout prints, or the table that is known as " +
          known +
          "; fields named as ChampSim's make an instruction, of CloudSuite's record if there is an "
          "asid or --format says so",
      "a file");
  add_value(
      line, "--record-offset", "BYTES",
      [&as, set, offset](const std::string& s) {
        *offset = size_of(s);
        if (*offset && **offset > record_table::largest_header) return false;
        if (*offset && as.record) set(*as.record);
        return offset->has_value();
      },
      "The first record begins so many bytes into the file, whatever the table of --record says",
      "a size up to 1G")
      .needs("--record");
}

// --map-registers, for ChampSim and CloudSuite.
void add_register_numbers(command_line& line, reading& as) {
  add_value(
      line, "--map-registers", "ip=N,sp=N,flags=N",
      [&as](const std::string& s) {
        as.map_registers = tracecodec::champsim::parse_register_numbers(s);
        return as.map_registers.has_value();
      },
      "ChampSim, CloudSuite: the trace has these numbers for the instruction pointer, the stack "
      "pointer and the flags; they are read as ChampSim's 26, 6 and 25, and the registers that "
      "have "
      "those get the numbers N",
      "ip=N, sp=N, flags=N or some of them, with different numbers from 1 to 255 (those left out "
      "are "
      "26, 6 and 25)");
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
      help, "a size as 512M or 2G");
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
  add_value(line, "--codec", type_of(all), set, "Compression, whatever OUT's suffix", one_of(all));
}

void add_format(command_line& line, reading& as) {
  namespace trace = tracecodec::trace;
  add_warnings(line, as);
  const auto force = [&as](std::optional<trace::format> f) {
    if (as.format && as.format != f) refuse_value("--format", "two formats are named");
    as.format = f;
  };
  choices known;
  for (const auto name : trace::format_names) known.push_back({std::string(name)});
  add_choice(
      line, "--format", known,
      [force](const std::string& name) { force(trace::format_of_name(name)); },
      "Read the trace as this format instead of recognising it by content");
  line.add_flag(
      "--cloudsuite", [force] { force(trace::format::cloudsuite); },
      "Short for --format cloudsuite");
  add_record(line, as);
  add_register_numbers(line, as);
  add_input_codec(line, as.input.compression);
  add_memory_limit(line, as);
}

void add_metadata(command_line& line, reading& as) {
  add_value(
      line, "--metadata", "FILE",
      [&as](const std::string& path) {
        as.metadata = path;
        return true;
      },
      "The metadata of a RapidBin trace; x.json is found beside x.data", "a file");
  line.add_flag(
      "--no-metadata", [&as] { as.metadata = ""; }, "Leave the metadata of a RapidBin trace aside");
}

void add_events(command_line& line, reading& as) {
  const auto add = [&line](const std::string& option_name, id_kind kind,
                           tracecodec::rapidbin::id_set& ids, std::vector<std::string>& names,
                           const std::string& what, const std::string& by) {
    add_values(
        line, option_name, "ID|NAME",
        [&ids, &names, kind](const std::string& s) {
          if (const auto id = plain_id(kind, s))
            ids.insert(*id);
          else if (!s.empty())
            names.push_back(s);
          return !s.empty();
        },
        "Only events " + what + " (RapidBin): by its name as trace_view shows it, or " + by +
            "; may be given several times",
        "an id or a name");
  };
  auto& wanted = as.wanted;
  add("--variable", id_kind::variable, wanted.variables, wanted.names.variables, "on this variable",
      "by its id, a number alone");
  add("--lock", id_kind::lock, wanted.locks, wanted.names.locks, "on this lock",
      "by its id, a number alone");
  add("--location", id_kind::location, wanted.locations, wanted.names.locations, "at this location",
      "its number");
}

namespace {
// Adds a thread to those that are chosen; returns false if `s` cannot be one.
bool choose_thread(reading& as, const std::string& s) {
  if (s.empty()) return false;
  const auto plain = plain_id(id_kind::thread, s), id = plain ? plain : id_of(s, 'T');
  // One is asked of any format, several of RapidBin.
  const bool first = !as.thread && as.wanted.threads.size() == 0 && as.wanted.names.threads.empty();
  as.wanted = tracecodec::trace::wanted_events(as);
  as.thread.reset();
  if (first && id && *id <= largest_std_number(id_kind::thread)) {
    as.thread = static_cast<std::uint32_t>(*id);
    as.thread_name = plain ? "" : s;
  } else if (plain) {
    as.wanted.threads.insert(*plain);
  } else {
    as.wanted.names.threads.push_back(s);
  }
  return true;
}
}  // namespace

void add_reading(command_line& line, reading& as) {
  add_branch_rules(line, as);
  add_metadata(line, as);
  add_names(line, as);
  add_values(
      line, "--thread", "ID|NAME", [&as](const std::string& s) { return choose_thread(as, s); },
      "Only the instructions of this thread (x64dbg, RapidBin, UMTracer) or of this address space "
      "(CloudSuite's asid); of RapidBin also several times, and by a name as trace_view shows it, "
      "which comes before T2 as a number; a number alone is the id",
      "a thread's id, 2 or T2");
  add_values(
      line, "--threads", "N",
      [&as](const std::string& s) {
        const auto n = count_of(s);
        if (!n || *n == 0 || *n > tracecodec::trace::most_threads) return false;
        as.threads = static_cast<unsigned>(*n);
        return true;
      },
      "tracepack: decode with so many threads, ahead of what is read (default 1)",
      "a number of threads, 1 to " + std::to_string(tracecodec::trace::most_threads));
  line.add_flag(
      "--repair", as.repair,
      "x64dbg: mend blocks whose thread id is not marked, as it wrote them from October 2017 "
      "to August 2026. RapidBin, UMTracer: read what is whole, whatever the headers say. "
      "tracepack: leave damaged frames out");
  line.add_flag(
      "--strict", as.strict,
      "STD text: refuse lines of wait, notify, notifyAll and dummy, and columns after the "
      "location, instead of leaving them out");
}

void require_no_events(const reading& as) {
  if (as.wanted.threads.size() != 0)
    throw usage_error("--thread: only RapidBin traces take several");
  if (!as.wanted.everything())
    throw usage_error("--variable, --lock and --location are for RapidBin traces");
}

std::string chosen_thread(const reading& as) {
  return as.thread_name.empty() ? std::to_string(as.thread.value_or(0)) : as.thread_name;
}

// The words for an id that is none, and no name either.
void refuse_unknown_names(
    const reading& as,
    const std::function<bool(tracecodec::rapidbin::id_kind, const std::string&)>& known) {
  const auto check = [&known](id_kind kind, const std::vector<std::string>& names,
                              const std::string& expected) {
    for (const std::string& s : names)
      if (!known(kind, s))
        throw usage_error("--" + std::string(name(kind)) + ": expected " + expected + ", got '" +
                          s + "'");
  };
  const auto& names = as.wanted.names;
  check(id_kind::thread, names.threads, "a thread's id, 2 or T2");
  check(id_kind::lock, names.locks, "an id, 16 or L16");
  check(id_kind::variable, names.variables, "an id, 16 or V16");
  check(id_kind::location, names.locations, "an id");
}

choices umtracer_tables() {
  return {{"exec", {"execs", "execution", "record", "records"}},
          {"ins", {"instruction", "instructions"}},
          {"syscall", {"syscalls"}},
          {"module", {"modules"}},
          {"thread", {"threads"}},
          {"context", {"contexts", "register", "registers"}},
          {"ranges", {"range"}}};
}

option add_trace(command_line& line, std::string& path) {
  return line.add_argument("TRACE", path, "The trace; - is standard input").type_name("");
}

}  // namespace examples
