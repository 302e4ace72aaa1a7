// Calls every function of a reader, or only those that apply to each record.
#pragma once
#include "support.hpp"

namespace test {

// Number that is added to the error count for an error without a file name.
inline constexpr std::size_t nameless = 1000000000;

// Result of a walk.
struct walked {
  std::size_t errors = 0;  // trace_errors
  std::size_t bytes = 0;   // number of bytes read; `sum` keeps the reads from being optimised away
  unsigned sum = 0;

  void look(std::span<const std::byte> all) {
    bytes += all.size();
    for (const std::byte b : all) sum += std::to_integer<unsigned>(b);
  }
  template <class F> void attempt(F&& f) {
    if (const auto e = error_of(f)) errors += e->file().empty() ? nameless : 1;
  }
};

inline void walk_tables(const umtracer::reader& r, walked& w, std::uint32_t registers) {
  const auto& map = r.registers();
  for (std::uint32_t id = 0; id < registers; ++id) {
    const auto n = static_cast<std::uint16_t>(id);
    w.look(std::as_bytes(std::span(map.name(n))));
    w.sum += map.common_name(n) + map.info(n, true).largest + map.info(n, false).size;
  }
  w.sum += map.find("rax").value_or(0);
  for (std::size_t i = 0; i < r.instructions().size(); ++i) {
    w.look(r.instructions().code(i));
    w.attempt([&] { w.look(std::as_bytes(std::span(r.instructions().text(i)))); });
    w.attempt([&] {
      for (const auto& s : r.instructions().decoded(i).slots) w.sum += s.end();
    });
  }
  for (std::size_t i = 0; i < r.modules().size(); ++i) {
    w.sum += r.modules().version(i).value_or(umtracer::module_version{}).version[0];
    w.attempt([&] { w.look(r.modules().win_name(i).bytes()); });
    w.attempt([&] { w.look(r.modules().device_name(i).bytes()); });
  }
  for (std::size_t i = 0; i < r.threads().size(); ++i) w.look(r.threads().bytes(i));
  for (std::size_t i = 0; i < r.ranges().size(); ++i) w.look(r.ranges().bytes(i));
  for (std::size_t i = 0; i < r.syscalls().size(); ++i) {
    w.attempt([&] { w.sum += r.syscalls()[i].raw_id; });
    w.attempt([&] { w.look(r.syscalls().arguments(i).bytes()); });
    w.attempt([&] { w.look(r.syscalls().extras(i)); });
  }
}

// Selects whether all functions are called for a record, or only those for its type.
enum class calls : std::uint8_t { all, own };

inline void walk_record(const umtracer::reader& r, std::uint64_t id, walked& w,
                        std::uint32_t registers, calls what) {
  using enum umtracer::exec_type;
  w.sum += static_cast<unsigned>(r.neighbours_of(id).next);
  w.attempt([&] {
    const auto record = r[id];
    w.sum += record.thread() + record.flags();
    w.look(record.data());
    const auto attempt_if = [&](bool has, auto&& f) {
      if (has || what == calls::all) w.attempt(f);
    };
    const auto type = record.type();
    attempt_if(type == thread_end || type == application_end, [&] { w.sum += record.exit_code(); });
    attempt_if(record.has_syscall(), [&] { w.sum += static_cast<unsigned>(record.syscall_id()); });
    attempt_if(type == instruction, [&] {
      for (const auto& s : r.instructions().decoded(r.row_of(record)).slots) {
        const auto v = umtracer::value_of(s, record.values());
        w.sum += static_cast<unsigned>(v.address);
        w.look(v.bytes);
      }
    });
    attempt_if(record.has_context(), [&] {
      const auto context = record.context();
      w.look(context.buffer());
      for (std::uint32_t reg = 0; reg < registers; ++reg)
        w.look(context.register_bytes(static_cast<std::uint16_t>(reg)));
      w.sum += static_cast<unsigned>(context.get("rax").value_or(0));
      for (std::size_t i = 0; i < context.memory_count(); ++i) w.look(context.memory(i).bytes);
    });
  });
  w.sum += static_cast<unsigned>(r.module_at(0x400000, id).value_or(0));
}

// Walks over a trace. `registers` is the number of register ids to try. At most 512 exist.
inline walked walk(const umtracer::reader& r, std::uint32_t registers = 600,
                   calls what = calls::all) {
  walked w;
  walk_tables(r, w, registers);
  for (std::uint64_t id = 0; id < r.size(); ++id) walk_record(r, id, w, registers, what);
  return w;
}

}  // namespace test
