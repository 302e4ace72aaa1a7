#include "input.hpp"

#include <tracecodec/io/error.hpp>
#include <tracecodec/io/filesystem.hpp>
#include <tracecodec/trace/reader.hpp>

#include <filesystem>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "../common/open_trace.hpp"
#include "../common/places.hpp"

namespace diff {

input::input(const std::string& path, const examples::reading& as) : path_(path), as_(as) {
  trace::source in = examples::open_trace(path, as);
  const trace::format f = in.format();
  tells_values_ = f == trace::format::x64dbg || f == trace::format::umtracer;
  const bool one = f == trace::format::champsim;
  is_umtracer_ = f == trace::format::umtracer;
  format_ = f;
  has_threads_ = !one;
  if (!one) only_ = as_.thread;
  // What its format does not have is the other one's.
  if (one) as_.thread = std::nullopt;
  if (trace::has_records(f) && in.packed() == nullptr) as_.repair = false;
  if (!trace::has_events(f)) as_.metadata = std::nullopt, as_.wanted = {};
  if (!trace::has_records(f)) as_.branch_rules = std::nullopt, as_.map_registers = std::nullopt;
  std::error_code ignored;
  const std::string beside = tracecodec::rapidbin::metadata_path(path);
  has_metadata_ =
      has_events() && (as_.metadata ? !as_.metadata->empty()
                                    : path != "-" && beside != path &&
                                          trace::detail::is_file_beside(
                                              beside, "the metadata of a RapidBin trace"));
  const auto real = tracecodec::io::path_of(path);
  again_ = path != "-" && (std::filesystem::is_regular_file(real, ignored) ||
                           std::filesystem::is_directory(real, ignored));
  if (again_ && !one && !only_)
    find_threads(std::move(in));
  else if (again_)
    threads_ = {only_};
  else
    first_.emplace(std::move(in));
}

std::vector<tracecodec::program_module> input::modules() const {
  if (!is_umtracer_) return {};
  return examples::modules_of(path_, as_);
}

analysis::diff_source input::open(std::optional<std::uint32_t> thread) {
  if (!thread) thread = only_;
  examples::reading as = as_;
  if (again_) as.thread = thread;
  if (again_ && thread) as.wanted.threads = {}, as.wanted.names.threads = {};
  if (!only_) as.thread_name.clear();
  analysis::diff_source all(again_ ? trace::open_columns(path_, as)
                                   : trace::open_columns(std::move(*first_), as));
  assembly_ = [of = &all.trace()](const analysis::diff_step& i) {
    return analysis::assembly_of(i, *of);
  };
  return all;
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
      if (format_ != trace::format::cloudsuite)
        throw examples::usage_error(path_ + " has more than " + std::to_string(most_threads) +
                                    " threads: choose one with --thread");
      threads_.clear();  // as one
    }
  } catch (const tracecodec::trace_error& e) {
    // Damage is reported where it is compared. An error of the system may not come again.
    if (e.code() == tracecodec::trace_errc::system) throw;
  }
  if (threads_.empty()) threads_.emplace_back();
}

}  // namespace diff
