// Copies a drmemtrace trace, to extract a part of the trace or to change the compression.
#include <tracecodec/drmemtrace/writer.hpp>
#include <tracecodec/file/reader.hpp>
#include <tracecodec/trace/source.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "../../common/progress.hpp"
#include "../selected.hpp"
#include "conversion.hpp"
#include "output.hpp"
#include "splitter.hpp"

namespace convert {

namespace drmemtrace = tracecodec::drmemtrace;

namespace {

// Copy of the selected instructions of a trace, with the records that belong to them.
template <drmemtrace::target T> class copier {
 public:
  copier(drmemtrace::writer<T>& out, const options& o)
      : out_(out), thread_(o.as.thread), skip_(o.part.skip), end_(end_of(o)) {
    if (skip_ != 0 || thread_) out_.pause();
  }

  // Writes a record, if it is selected. Returns false if an instruction follows the selected ones.
  bool add(const drmemtrace::entry<T>& e) {
    using drmemtrace::marker, drmemtrace::record_type;
    if (e.is(record_type::thread)) now_ = static_cast<std::uint32_t>(e.value);
    if (e.is(marker::filetype)) shares_code_ = (e.value & drmemtrace::file_type::core_sharded) != 0;
    // The first records of a file precede its thread.
    if (e.is(record_type::header)) {
      front_.assign(1, e);
      return true;
    }
    if (!front_.empty() && front_.size() != most_front && !e.is(record_type::thread)) {
      front_.push_back(e);
      return true;
    }
    const bool selected = !thread_ || now_ == *thread_;
    if (selected || !begun_)
      for (const auto& before : front_) out_.write(before);
    front_.clear();
    if (!selected && !begun_ && is_front(e)) out_.write(e);
    if (!selected) {
      if (shares_code_) out_.learn(now_, e);
      return true;
    }
    if ((drmemtrace::is_instruction(e.type) || e.is(record_type::instr_no_fetch)) && e.size != 0) {
      if (at_ == end_) return false;
      if (at_++ == skip_) {
        out_.resume();
        begun_ = true;
      }
    }
    out_.write(e);
    return true;
  }

 private:
  static constexpr std::size_t most_front = 8;
  static bool is_front(const drmemtrace::entry<T>& e) {
    using drmemtrace::marker, drmemtrace::record_type;
    return e.is(record_type::thread) || e.is(record_type::pid) || e.is(marker::cache_line_size) ||
           e.is(marker::chunk_instr_count) || e.is(marker::page_size);
  }

  drmemtrace::writer<T>& out_;
  std::optional<std::uint32_t> thread_;
  std::uint64_t skip_, end_, at_ = 0;
  std::uint32_t now_ = 0;
  bool shares_code_ = false, begun_ = false;
  std::vector<drmemtrace::entry<T>> front_ = {};
};

}  // namespace

namespace {

// Passes all records of `from` to `to`, until it returns false. Returns true if it did, and the error
// that ended the trace early, or null.
template <class Reader, class Output>
std::pair<bool, std::exception_ptr> pass_records(Reader& from, Output& to, const options& o) {
  examples::progress_line progress(o.in);
  for (;;) {
    typename Reader::batch_type b;
    try {
      b = from.next();
    } catch (const io::interruption&) {
      throw;
    } catch (...) {
      return {false, std::current_exception()};
    }
    if (b.size() == 0) return {false, nullptr};
    stop_if_interrupted();
    for (std::size_t n = 0; n != b.size(); ++n)
      if (!to.add(b[n])) return {true, nullptr};
    progress.at(from.progress());
  }
}

}  // namespace

void copy_drmemtrace(tracecodec::trace::source in, const options& o, const format& /*to*/,
                     io::codec compression) {
  refuse_for_drmemtrace(o);
  tracecodec::trace::require_known_options(in, o.as);
  const bool merges = is_folder(o.in) && !o.as.thread;
  drmemtrace::open_reader(std::move(in.input()))
      .with([&]<drmemtrace::target T>(tracecodec::file::reader<drmemtrace::trace_file<T>>& from) {
        if (is_folder(o.out)) {
          splitter<T> out(o);
          const auto failure = pass_records(from, out, o).second;
          return finish(out, out.written(), failure, o);
        }
        drmemtrace::writer<T> out(open_drmemtrace(o.out, compression, o.packing), output_name(o),
                                  merges);
        copier<T> copy(out, o);
        const auto [cut, failure] = pass_records(from, copy, o);
        if (cut || failure || o.as.thread) out.cut();
        finish(out, out.written(), failure, o);
      });
}

}  // namespace convert
