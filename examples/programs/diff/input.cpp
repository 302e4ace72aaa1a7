#include "input.hpp"

#include <tracecodec/io/error.hpp>
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/trace/places.hpp>
#include <tracecodec/trace/reader.hpp>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "../common/open_trace.hpp"
#include "../common/program.hpp"
#include "format_comparison.hpp"

namespace diff {

bool can_be_read_again(const std::string& path) {
  if (path == "-") return false;
  std::error_code ignored;
  const auto real = tracecodec::io::path_of(path);
  return std::filesystem::is_regular_file(real, ignored) ||
         std::filesystem::is_directory(real, ignored);
}

examples::reading without_notes(examples::reading as) {
  as.warn = as.note = nullptr;
  as.own.set<tracecodec::tracepack::on_lost>([](const tracecodec::tracepack::lost_records&) {});
  return as;
}

namespace {

// Returns the error message for option `o`, which neither trace's format supports. `what` is the
// result of option::lacking. It is either the property that the traces lack, or a message that
// begins with "only".
std::string refusal(const tracecodec::format::option& o,
                    const tracecodec::format::own_options& given, std::string_view what) {
  if (!what.starts_with("only ")) {
    // If the option itself is not set, its value comes from --thread, so the message names
    // --thread.
    const bool is_set = o.is_set == nullptr || o.is_set(given);
    return "--" + std::string(is_set ? o.name : "thread") + ": neither trace has " +
           std::string(what);
  }
  // The message has the form "only ... (--thread)". Move the option to the front.
  const std::string why = examples::with_options(std::string(what));
  const std::size_t at = why.rfind(" (--");
  if (at == why.npos || why.back() != ')') return why;
  return why.substr(at + 2, why.size() - at - 3) + ": " + why.substr(0, at);
}

}  // namespace

void input::leave_out(bool packed) {
  if (!has_threads() && as_.thread) {
    refusals_.emplace_back("--thread: neither trace has threads");
    as_.thread.reset();
  }
  if (!format_->repairs && !packed && as_.repair) {
    refusals_.emplace_back("--repair: neither trace has a defect to repair");
    as_.repair = false;
  }
  for (const tracecodec::format::facts* const f : trace::all_formats())
    for (const tracecodec::format::option* const o : f->options) {
      if (o->lacking == nullptr || o->reset == nullptr || format_->has(*o)) continue;
      const std::string_view what = o->lacking(as_.own);
      if (what.empty()) continue;
      refusals_.push_back(refusal(*o, as_.own, what));
      o->reset(as_.own);
    }
}

input::input(const std::string& path, const examples::reading& as) : path_(path), as_(as) {
  trace::source in = examples::open_trace(path, as);
  format_ = &in.format();
  own_ = comparison_of(*format_);
  if (has_threads()) only_ = as_.thread;
  leave_out(in.packed() != nullptr);
  again_ = can_be_read_again(path);
  if (again_ && has_threads() && !only_)
    find_threads(std::move(in));
  else if (again_)
    threads_ = {only_};
  else
    first_.emplace(std::move(in));
}

std::vector<tracecodec::program_module> input::modules() const {
  if (as_.symbols.empty() || !again_) return {};
  return trace::modules_of(trace::source(path_, as_), as_);
}

analysis::diff_source input::open(std::optional<std::uint32_t> thread) {
  if (!thread) thread = only_;
  examples::reading as = as_;
  if (again_) as.thread = thread;
  if (again_ && thread && own_ != nullptr && own_->keep_one_thread != nullptr)
    own_->keep_one_thread(as);
  if (!only_) as.thread_name.clear();
  analysis::diff_source all(again_ ? trace::open_columns(path_, as)
                                   : trace::open_columns(std::move(*first_), as));
  assembly_ = [of = &all.trace()](const analysis::diff_step& i) {
    return analysis::assembly_of(i, *of);
  };
  return all;
}

std::unique_ptr<tracecodec::feed::column_source> input::open_before() const {
  examples::reading as = without_notes(as_);
  as.thread = only_;
  return trace::open_columns(path_, as);
}

void input::find_threads(trace::source in) {
  threads_.clear();
  std::unordered_set<std::uint32_t> known;
  std::optional<std::uint32_t> last;
  try {
    const auto all = trace::open_columns(std::move(in), as_);
    all->want({tracecodec::feed::column::thread});
    for (tracecodec::feed::columns batch; known.size() <= most_threads && all->next(batch);)
      for (const std::uint32_t thread : batch.thread()) {
        if (last == thread) continue;
        last = thread;
        if (known.insert(thread).second) threads_.push_back(last);
      }
    if (known.size() > most_threads) {
      // If the format's threads are address spaces, the ids in a trace without threads may be
      // arbitrary. Compare such a trace as one thread.
      if (format_->thread == "thread")
        throw examples::usage_error(path_ + " has more than " + std::to_string(most_threads) +
                                    " threads: choose one with --thread");
      threads_.clear();
    }
  } catch (const tracecodec::trace_error& e) {
    // Ignore damage, because the comparison reads the trace again and reports the damage. Rethrow a
    // system error, because it might not occur a second time.
    if (e.code() == tracecodec::trace_errc::system) throw;
  }
  if (threads_.empty()) threads_.emplace_back();
}

}  // namespace diff
