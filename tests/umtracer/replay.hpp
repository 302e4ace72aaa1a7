// Replays a sample to a writer as a recording program would: system calls by their entries and
// exits, modules by their loads and unloads.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracecodec/umtracer/copy.hpp"
#include "umtracer/same_trace.hpp"

namespace test {

// Copies all tables except modules and system calls.
template <class Out> void replay_tables(const umtracer::reader& in, Out& out) {
  for (std::size_t i = 0; i < in.threads().size(); ++i) {
    const auto t = in.threads()[i];
    out.add_thread({t.id, t.win_tid, t.tib_address});
  }
  std::vector<umtracer::slot> slots;
  for (std::size_t i = 0; i < in.instructions().size(); ++i)
    out.add_instruction(umtracer::info_of(in.instructions(), i, slots));
  for (std::size_t i = 0; i < in.ranges().size(); ++i) out.add_range(in.ranges()[i]);
  const auto xml = in.files()[umtracer::file::xml];
  out.set_xml({reinterpret_cast<const char*>(xml.data()), xml.size()});
}

// Module without its times. Owns the texts.
struct stored_module {
  stored_module(const umtracer::module_table& from, std::size_t i)
      : win(units(from.win_name(i))), device(units(from.device_name(i))) {
    info = {from[i].start_address, from[i].end_address, win, device};
    info.version = from.version(i).value_or(umtracer::module_version{});
  }
  stored_module(const stored_module&) = delete;
  stored_module& operator=(const stored_module&) = delete;
  std::u16string win, device;
  umtracer::module_info info = {};
};

// Replays records one by one, at positions of the writer's type. The entry of a call
// must precede its end.
template <class Out> class replayer {
 public:
  replayer(const umtracer::reader& in, Out& out) : in_(in), out_(out) {}

  template <class Place> void tell(std::uint64_t i, Place at) {
    using type = umtracer::exec_type;
    const umtracer::record_view r = in_[i];
    const std::uint8_t flags = r.flags();
    switch (r.type()) {
      case type::instruction:
        return out_.instruction(
            at, flags, r.instruction_id(),
            r.values().first(in_.instructions().decoded(in_.row_of(r)).values_size));
      case type::thread_end:
        return out_.thread_end(at, flags, r.exit_code());
      case type::application_end:
        return out_.application_end(at, flags, r.exit_code());
      case type::skipped_syscall_exit:
        return out_.skipped_syscall_exit(at, flags, id_of_.at(r.syscall_id()));
      default:
        break;
    }
    const umtracer::context_values c = umtracer::values_of(r.context(), memory_);
    if (r.type() == type::thread_begin) return out_.thread_begin(at, flags, c);
    if (r.type() == type::syscall_entry) return enter(r.syscall_id(), at, flags, c);
    if (r.type() != type::syscall_exit) return out_.context_change(at, r.type(), flags, c);
    if (r.syscall_id() == -1) return out_.syscall_exit(at, flags, -1, 0, c);
    const auto row = in_.syscalls()[static_cast<std::size_t>(r.syscall_id())];
    out_.syscall_exit(at, flags, id_of_.at(r.syscall_id()), row.result, c);
  }

 private:
  template <class Place>
  void enter(std::int64_t id, Place at, std::uint8_t flags, const umtracer::context_values& c) {
    const auto& table = in_.syscalls();
    const auto i = static_cast<std::size_t>(id);
    const auto row = table[i];
    const auto stored = table.arguments(i);
    const std::vector<std::uint64_t> arguments(stored.begin(), stored.end());
    id_of_[id] = out_.syscall_entry(at, flags,
                                    {row.raw_id, row.uniform_id, row.convention, row.stack_pointer,
                                     arguments, row.extra_count, table.extras(i)},
                                    c);
  }

  const umtracer::reader& in_;
  Out& out_;
  std::map<std::int64_t, std::int64_t> id_of_ = {};
  std::vector<umtracer::memory_reference> memory_ = {};
};

}  // namespace test
