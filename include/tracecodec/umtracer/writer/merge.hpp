// Writes UMTracer traces from records that come thread by thread, each with the number of its place
// among all: they are merged into order, as an indexer of raw traces does.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../io/hash.hpp"
#include "../writer.hpp"
#include "lane_merge.hpp"

namespace tracecodec::umtracer {

// Which thread a record is of, and its number, which no other record of the trace has. Those of a
// thread rise; not every number must occur.
struct record_place {
  std::uint32_t thread;
  std::uint64_t sequence;
};

// As `writer`, but records are kept in a temporary file until finish() merges them. Memory: in
// addition up to 128 KiB for each thread that has as much. Only then do records and system calls
// get their numbers: calls are numbered by their entries, and the times of modules become the
// numbers of records.
class merging_writer : public record_calls<merging_writer, record_place> {
 public:
  // Throws as writer.
  merging_writer(const std::string& folder, std::span<const std::byte> context_map,
                 writer_options options = {})
      : out_(folder, context_map, options), lanes_(out_.folder_) {}

  // As those of `writer`.
  std::uint32_t add_thread(const thread_info& t) {
    const std::uint32_t id = out_.add_thread(t);
    lane_of_.emplace(id, lanes_.add_lane());
    last_.emplace_back();
    return id;
  }
  std::int64_t add_instruction(const instruction_info& i) { return out_.add_instruction(i); }
  void add_range(const address_range& r) { out_.add_range(r); }
  void set_xml(std::string text) { out_.set_xml(std::move(text)); }

  // A module that is there from the first record on whose sequence is `sequence` or more. What
  // module_info says of times is kept if it says it.
  std::int32_t add_module(const module_info& m, std::uint64_t sequence = 0) {
    const std::int32_t id = out_.add_module(m);
    if (!m.load_eid) changes_.push_back({sequence, id, true, changes_.size()});
    return id;
  }
  // It is gone from that record on.
  void unload_module(std::int32_t id, std::uint64_t sequence) {
    out_.unload_module(id);  // refuses one that is none
    changes_.push_back({sequence, id, false, changes_.size()});
  }

  // As those of `writer`; the number that the entry returns is for the record that ends the call,
  // which may come first or last, if only its sequence is greater.
  std::int64_t syscall_entry(record_place at, std::uint8_t flags, const syscall_info& s,
                             const context_values& c) {
    out_.syscalls_.check(s);
    put_context(followed{at, syscall_extent(s)}, exec_type::syscall_entry, flags, calls_, c);
    encode_syscall(s, {}, call_);
    return calls_++;
  }
  void syscall_exit(record_place at, std::uint8_t flags, std::int64_t id, std::uint64_t result,
                    const context_values& c) {
    if (id != -1) require_call(id);
    put_context(followed{at, 8}, exec_type::syscall_exit, flags, id, c);
    wire::u64le::store(result, call_);
  }
  void skipped_syscall_exit(record_place at, std::uint8_t flags, std::int64_t id) {
    require_call(id);
    store_behind_head<&execution::syscall_id>(
        id, put(at, exec_type::skipped_syscall_exit, flags, behind_head<&execution::syscall_id>));
  }

  // How many records there are.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] const context_map& registers() const noexcept { return out_.registers(); }
  [[nodiscard]] const instruction_writer& instructions() const noexcept {
    return out_.instructions();
  }

  // Merges, and completes the trace; nothing may be called after it. passed(done) is called now and
  // then, with 0 to 1, how far it has come; what it throws ends the work, and nothing is left.
  // Throws trace_error: refused for a sequence that occurs twice, for a system call that ends
  // before it begins or twice, and as writer's records; system.
  template <class Passed> void finish(Passed&& passed) {
    lanes_.seal();
    merge(passed);
    lanes_.remove();
    out_.finish();
  }
  void finish() {
    finish([](double) {});
  }

 private:
  friend record_calls;

  // A record that has bytes of a call behind it, which go to call_.
  struct followed {
    record_place at;
    std::size_t call_size;
  };
  struct module_change {
    std::uint64_t sequence;
    std::int32_t id;
    bool load;
    std::size_t told;  // how many were told before: those at one record stay in order
  };

  // For record_calls.
  [[noreturn]] void refuse(const char* field, const std::string& why) const {
    throw trace_error(trace_errc::refused,
                      {out_.folder_.path(std::string(name(file::exec_records))), {}, size_, field},
                      why);
  }
  [[nodiscard]] std::byte* put(record_place at, exec_type type, std::uint8_t flags, std::size_t n) {
    return put(followed{at, 0}, type, flags, n);
  }
  [[nodiscard]] std::byte* put(const followed& placed, exec_type type, std::uint8_t flags,
                               std::size_t n) {
    const auto [at, call_size] = placed;
    const auto lane = lane_of_.find(at.thread);
    if (lane == lane_of_.end())
      refuse("thread_id", "there is no thread " + std::to_string(at.thread));
    std::optional<std::uint64_t>& last = last_[lane->second];
    if (last && at.sequence <= *last)
      refuse("sequence", std::to_string(at.sequence) + " does not follow " + std::to_string(*last) +
                             " of the same thread");
    n += exec_record_codec::size;
    std::byte* const to = detail::append_piece(lanes_, lane->second, {at.sequence, n, call_size});
    last = at.sequence;
    ++size_;
    exec_record_codec::store({at.thread, type, flags}, to);
    call_ = to + n;
    return to + exec_record_codec::size;
  }
  static void saw(std::uint8_t, std::size_t, std::span<const std::byte>) noexcept {}
  static void saw(const context_values&) noexcept {}

  void require_call(std::int64_t id) const {
    if (id < 0 || id >= calls_)
      refuse("syscall_id", "there is no system call " + std::to_string(id));
  }

  template <class Passed> void merge(Passed& passed) {
    std::sort(changes_.begin(), changes_.end(), [](const auto& a, const auto& b) {
      return std::pair(a.sequence, a.told) < std::pair(b.sequence, b.told);
    });
    std::optional<std::uint64_t> last;
    detail::merge_lanes(lanes_, [&](const detail::piece& p) {
      if (last == p.sequence)
        out_.refuse("sequence", std::to_string(p.sequence) + " occurs in two threads");
      last = p.sequence;
      apply_changes(p.sequence);
      write(p);
      if (out_.size() % 65536 == 0)
        passed(static_cast<double>(out_.size()) / static_cast<double>(size_));
    });
    apply_changes(~std::uint64_t{0});
  }
  // Those before the record that is next.
  void apply_changes(std::uint64_t sequence) {
    for (; changed_ < changes_.size() && changes_[changed_].sequence <= sequence; ++changed_) {
      const module_change& c = changes_[changed_];
      c.load ? out_.load_module(c.id) : out_.unload_module(c.id);
    }
  }
  void write(const detail::piece& p) {
    const record_view r(out_.map_files_, registers(), static_cast<std::uint64_t>(out_.size()), 0,
                        p.record);
    switch (r.type()) {
      case exec_type::syscall_entry:
        number_of_.emplace(r.syscall_id(),
                           out_.syscall_entry(r.thread(), r.flags(), info_of(p.call),
                                              values_of(r.context(), memory_)));
        break;
      case exec_type::syscall_exit:
        out_.syscall_exit(r.thread(), r.flags(), ended(r.syscall_id()),
                          wire::u64le::load(p.call.data()), values_of(r.context(), memory_));
        break;
      case exec_type::skipped_syscall_exit:
        out_.skipped_syscall_exit(r.thread(), r.flags(), ended(r.syscall_id()));
        break;
      default:
        out_.copy(r);
    }
  }
  // The final number of the call that ends.
  std::int64_t ended(std::int64_t id) {
    if (id == -1) return id;
    const auto found = number_of_.find(id);
    if (found == number_of_.end())
      out_.refuse("syscall_id", "the system call has not begun, or has ended already");
    const std::int64_t final_id = found->second;
    number_of_.erase(found);
    return final_id;
  }
  syscall_info info_of(std::span<const std::byte> call) {
    const syscall_record s = syscall_codec::load(call.data());
    const wire::array_view<wire::u64le> arguments(call.data() + syscall_front, s.argument_count);
    arguments_.assign(arguments.begin(), arguments.end());
    return {s.raw_id,
            s.uniform_id,
            s.convention,
            s.stack_pointer,
            arguments_,
            s.extra_count,
            call.subspan(syscall_front + 8U * s.argument_count)};
  }

  writer out_;
  detail::lanes lanes_;
  std::map<std::uint32_t, std::size_t> lane_of_ = {};    // by thread id
  std::vector<std::optional<std::uint64_t>> last_ = {};  // sequence, by lane
  std::vector<module_change> changes_ = {};
  std::size_t changed_ = 0;  // those that are done
  std::uint64_t size_ = 0;
  std::int64_t calls_ = 0;
  std::byte* call_ = nullptr;  // behind the last record
  std::unordered_map<std::int64_t, std::int64_t, io::keyed_hash> number_of_ =
      {};                                      // of calls that are not over
  std::vector<std::uint64_t> arguments_ = {};  // scratch
  std::vector<memory_reference> memory_ = {};  // scratch
};

}  // namespace tracecodec::umtracer
