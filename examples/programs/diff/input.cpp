#include "input.hpp"

#include <tracecodec/champsim/descriptor.hpp>
#include <tracecodec/format/file_beside.hpp>
#include <tracecodec/io/error.hpp>
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/trace/reader.hpp>

#include <filesystem>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "../common/open_trace.hpp"
#include "../common/places.hpp"

namespace diff {

bool can_be_read_again(const std::string& path) {
  if (path == "-") return false;
  std::error_code ignored;
  const auto real = tracecodec::io::path_of(path);
  return std::filesystem::is_regular_file(real, ignored) ||
         std::filesystem::is_directory(real, ignored);
}

void input::leave_out(bool packed) {
  namespace champsim = tracecodec::champsim;
  namespace rapidbin = tracecodec::rapidbin;
  const bool records = format_->family == champsim::family, events = has_events();
  const auto refuse = [this](bool is_set, const char* why) {
    if (is_set) refusals_.emplace_back(why);
  };
  if (!has_threads_) {
    refuse(as_.thread.has_value(), "--thread: neither trace has threads");
    as_.thread.reset();
  }
  if (records && !packed) {
    refuse(as_.repair, "--repair: neither trace has a defect to repair");
    as_.repair = false;
  }
  if (!events) {
    const auto* const file = as_.own.get<rapidbin::metadata_file>();
    refuse(file != nullptr && !file->path.empty(), "--metadata: neither trace has metadata");
    refuse(as_.own.value_or(rapidbin::selection()).threads.size() != 0,
           "--thread: only RapidBin traces take several");
    as_.own.reset<rapidbin::metadata_file>();
    as_.own.reset<rapidbin::selection>();
  }
  if (!records) {
    refuse(as_.own.has<champsim::branch_rules>(),
           "--branch-rules: neither trace has records of ChampSim");
    refuse(as_.own.has<champsim::register_numbers>(),
           "--map-registers: neither trace has records of ChampSim");
    as_.own.reset<champsim::branch_rules>();
    as_.own.reset<champsim::register_numbers>();
  }
}

input::input(const std::string& path, const examples::reading& as) : path_(path), as_(as) {
  trace::source in = examples::open_trace(path, as);
  const tracecodec::format::facts& f = in.format();
  tells_values_ = f.has_values;
  const bool one = !f.chooses_threads;
  is_umtracer_ = f.name == "umtracer";
  format_ = &f;
  has_threads_ = !one;
  if (!one) only_ = as_.thread;
  leave_out(in.packed() != nullptr);
  const auto* const file = as_.own.get<tracecodec::rapidbin::metadata_file>();
  const std::string beside = tracecodec::rapidbin::metadata_path(path);
  has_metadata_ =
      has_events() && (file != nullptr ? !file->path.empty()
                                       : path != "-" && beside != path &&
                                             tracecodec::format::is_file_beside(
                                                 beside, "the metadata of a RapidBin trace"));
  again_ = can_be_read_again(path);
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
  if (auto wanted = as.own.value_or(tracecodec::rapidbin::selection());
      again_ && thread && !wanted.everything()) {
    wanted.threads = {}, wanted.names.threads = {};
    as.own.set(std::move(wanted));
  }
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
      if (format_->family != tracecodec::champsim::family)
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
