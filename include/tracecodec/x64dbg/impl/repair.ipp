// Implementation of repair.hpp.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../reader.hpp"
#include "../repair.hpp"

namespace tracecodec::x64dbg {

template <target T>
void copy_user_block(user_block_data<T>& from, writer<T>& to, std::vector<std::byte>& spare) {
  if (from.whole() == false) return;
  const bool whole = from.whole().value_or(false);
  if (!whole && from.size() > largest_held_block)
    throw trace_error(trace_errc::refused, {from.name(), from.offset(), from.instruction(), {}},
                      "a user block of " + std::to_string(from.size()) +
                          " bytes can only be copied from an uncompressed file");
  spare.clear();
  if (whole) to.begin_user_block(from.type(), from.size());
  for (auto piece = from.next(); !piece.empty(); piece = from.next())
    if (whole)
      to.add_user_data(piece);
    else
      spare.insert(spare.end(), piece.begin(), piece.end());
  if (!whole) to.write_user_block(from.type(), spare);
}

namespace detail {
template <class Report> repair_summary repair_all(io::input in, std::unique_ptr<io::sink> out,
                                                  const std::string& name, const Report& report) {
  return with_reader(
      std::move(in), {.repair = true, .without_snapshot = true}, [&]<target T>(reader<T>& from) {
        repair_summary sum;
        writer<T> to(std::move(out), name, from.header(), {.mode = writer_mode::raw});
        from.on_user_block([&to, spare = std::vector<std::byte>()](user_block_data<T>& u) mutable {
          copy_user_block(u, to, spare);
        });
        from.on_skipped([&sum](const skipped_bytes& s) {
          ++sum.skipped_places;
          sum.skipped_bytes += s.size;
        });
        try {
          for (const instruction<T>& i : from) {
            to.write(i);
            ++sum.instructions;
            if (!from.was_mended()) continue;
            ++sum.mended;
            report(mended_place{i.offset, i.index, i.block.thread});
          }
        } catch (const trace_error& e) {
          const bool damaged = e.file() == from.name() && e.code() != trace_errc::refused;
          if (!damaged || sum.instructions == 0) throw;
          sum.cut = e;
        }
        to.finish();
        return sum;
      });
}
}  // namespace detail

#ifdef TRACECODEC_SEPARATE_COMPILATION
template void copy_user_block(user_block_data<target::x86>&, writer<target::x86>&,
                              std::vector<std::byte>&);
template void copy_user_block(user_block_data<target::x64>&, writer<target::x64>&,
                              std::vector<std::byte>&);
template repair_summary detail::repair_all(io::input, std::unique_ptr<io::sink>, const std::string&,
                                           const detail::mended_function&);
#endif

}  // namespace tracecodec::x64dbg
