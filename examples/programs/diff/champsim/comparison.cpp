#include "comparison.hpp"

#include <tracecodec/champsim/descriptor.hpp>
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/champsim/register_numbers.hpp>
#include <tracecodec/file/record_table.hpp>
#include <tracecodec/file/table_reader.hpp>
#include <tracecodec/io/compression/codec.hpp>
#include <tracecodec/io/error.hpp>
#include <tracecodec/io/os/path.hpp>
#include <tracecodec/trace/reader.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "../../common/program.hpp"
#include "../input.hpp"

namespace diff::champsim {

namespace {

using examples::reading;
using tracecodec::champsim::cloudsuite_descriptor;
using tracecodec::champsim::descriptor;
using tracecodec::champsim::register_numbers;
namespace feed = tracecodec::feed;

// Result of checking a trace's records against the table of --record.
enum class match : std::uint8_t {
  // The trace is a pipe or cannot be read.
  unknown,
  // The table of --record describes the records.
  described,
  // The records may belong to another format whose records have the same size.
  perhaps_other,
  // The trace's name or content shows that the records belong to another format.
  other
};

// Result of examining a trace before the comparison. `format` is the trace's format if --record is
// ignored.
struct look {
  match records = match::unknown;
  const tracecodec::format::facts* format = nullptr;
};

// Returns true if the trace's name has one of the suffixes of ChampSim and CloudSuite traces.
bool has_usual_suffix(std::string_view path) {
  std::string_view name = path.substr(tracecodec::io::file_name_at(path));
  name.remove_suffix(tracecodec::io::codec_suffix_of(name).text.size());
  for (const auto* const f : {&descriptor::facts, &cloudsuite_descriptor::facts})
    for (const std::string_view suffix : f->suffixes)
      if (name.size() > suffix.size() && tracecodec::io::ends_in(name, suffix)) return true;
  return false;
}

match likeness_of(trace::source in, const std::string& path,
                  const tracecodec::file::record_table& table) {
  if (const auto own = in.record())
    return own->text() == table.text() ? match::described : match::other;
  if (in.format().family != tracecodec::champsim::family || in.packed() != nullptr)
    return match::other;
  const std::string& magic = table.header().magic;
  if (!magic.empty())
    return tracecodec::file::header_flaw(table, path, in.input().peek(magic.size()))
               ? match::other
               : match::described;
  const std::size_t size = &in.format() == &descriptor::facts
                               ? sizeof(tracecodec::champsim::instruction)
                               : sizeof(tracecodec::champsim::cloudsuite_instruction);
  return has_usual_suffix(path) || table.size() != size ? match::other : match::perhaps_other;
}

look look_at(const std::string& path, const reading& as) {
  if (!can_be_read_again(path)) return {};
  reading plain = without_notes(as);
  plain.record = nullptr;
  plain.format = nullptr;
  plain.thread.reset();
  plain.own.reset<register_numbers>();
  try {
    trace::source in(path, plain);
    const tracecodec::format::facts& f = in.format();
    return {likeness_of(std::move(in), path, *as.record), &f};
  } catch (const tracecodec::trace_error& e) {
    if (e.code() == tracecodec::trace_errc::not_a_trace) return {match::described, {}};
    // Ignore the error here, because it occurs again when the trace is compared.
    return {};
  }
}

void leave_record_out(reading& as, const std::string& path, const tracecodec::format::facts& f,
                      const std::string& other) {
  as.record = nullptr;
  as.format = nullptr;
  examples::note("trace_diff", path + ": recognised and read as " + std::string(f.name) +
                                   "; --record applies only to " + other);
}

// Ignores --record for a trace that is recognised as another format, unless both traces are
// recognised as other formats.
void fit_records(const options& o, readings& to) {
  if (!o.as.record) return;
  const look a = look_at(o.a, o.as), b = look_at(o.b, o.as);
  const auto is_other = [](match one, match two) {
    return one == match::other ? two != match::other
                               : one == match::perhaps_other && two == match::described;
  };
  if (is_other(a.records, b.records)) leave_record_out(to.a, o.a, *a.format, o.b);
  if (is_other(b.records, a.records)) leave_record_out(to.b, o.b, *b.format, o.a);
}

// Counter of branch operands that are registers with a special meaning: the ip, the stack pointer
// and the flags.
class register_uses {
 public:
  explicit register_uses(const register_numbers& numbers) : numbers_(numbers) {}
  template <class List> void add(const List& written, const List& read) {
    n_ += uses(written, numbers_.ip) + uses(written, numbers_.sp) + uses(read, numbers_.flags);
  }
  [[nodiscard]] std::uint64_t count() const noexcept { return n_; }

 private:
  template <class List> static std::uint64_t uses(const List& all, std::uint8_t r) {
    return std::find(all.begin(), all.end(), r) != all.end() ? 1 : 0;
  }
  register_numbers numbers_;
  std::uint64_t n_ = 0;
};

// Returns true if the branches of a trace use ChampSim's register numbers instead of the numbers of
// --map-registers. Examines only the first million records, and only those with the branch flag.
bool has_own_numbers(const std::string& path, const reading& as) {
  if (!can_be_read_again(path)) return false;
  reading plain = without_notes(as);
  plain.own.reset<register_numbers>();
  register_uses own{register_numbers()}, mapped(*as.own.get<register_numbers>());
  try {
    trace::source in(path, plain);
    if (in.format().family != tracecodec::champsim::family) return false;
    constexpr std::uint64_t most_records = 1'000'000;
    const auto all = trace::open_columns(std::move(in), plain);
    using feed::column;
    all->want({column::recorded_branch, column::destination_registers, column::source_registers});
    std::uint64_t seen = 0;
    for (feed::columns batch; seen < most_records && all->next(batch); seen += batch.size()) {
      const auto branches = batch.recorded_branch();
      for (std::size_t row = 0; row != branches.size(); ++row) {
        if (branches[row] == 0) continue;
        const auto written = batch.destination_registers()[row],
                   read = batch.source_registers()[row];
        own.add(written, read);
        mapped.add(written, read);
      }
    }
  } catch (const tracecodec::trace_error&) {
    // Use the records that were read so far. The error occurs again when the trace is compared.
  }
  return own.count() > mapped.count();
}

// Ignores --map-registers for a trace whose branches use ChampSim's register numbers.
void fit_registers(reading& as, const std::string& path) {
  if (!as.own.has<register_numbers>() || !has_own_numbers(path, as)) return;
  as.own.reset<register_numbers>();
  examples::note("trace_diff", path +
                                   ": its branches already have ChampSim's register numbers, which "
                                   "--map-registers does not change");
}

void fit(const options& o, readings& to) {
  fit_records(o, to);
  fit_registers(to.a, o.a);
  fit_registers(to.b, o.b);
}

}  // namespace

constexpr format_comparison comparison{
    .format = &descriptor::facts,
    .help =
        "--record applies to the trace that has such records: a trace that is recognised as "
        "another "
        "format is read as that format. --map-registers applies to the trace whose branches do not "
        "have ChampSim's register numbers.",
    .fit = fit};

}  // namespace diff::champsim
