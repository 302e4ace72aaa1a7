// Descriptor of drmemtrace (format/list.hpp).
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../format/check.hpp"
#include "../format/facts.hpp"
#include "../format/front.hpp"
#include "../format/layout.hpp"
#include "../format/open_options.hpp"
#include "../format/opened.hpp"
#include "../format/statements.hpp"
#include "check.hpp"
#include "feed.hpp"

namespace tracecodec::drmemtrace {

namespace detail {
inline constexpr std::array<std::string_view, 3> suffixes{".trace", ".memtrace", ".drmemtrace"};
}  // namespace detail

struct descriptor {
  static constexpr format::facts facts{.name = "drmemtrace",
                                       .title = "drmemtrace",
                                       .family = "drmemtrace",
                                       .thread = "thread",
                                       .chooses_threads = true,
                                       .has_code = true,
                                       .record = "record",
                                       .suffixes = detail::suffixes};

  static format::match probe(const format::front& f) {
    return target_of(f.bytes) ? format::match::marked : format::match::none;
  }
  static std::span<const format::layout> layouts(bool narrow) {
    static const std::array wide{format::layout_of<codec<target::x64>>("", "record")};
    static const std::array small{format::layout_of<codec<target::x86>>("", "record")};
    return narrow ? small : wide;
  }
  static bool is_narrow(format::opened from) {
    return target_of(from.input->peek(io::input::peek_limit)) == target::x86;
  }
  template <class Visitor> static decltype(auto) visit(format::opened from,
                                                       const format::open_options& o,
                                                       Visitor& visitor) {
    return visitor(trace_feed(std::move(*from.input), {.thread = o.thread}));
  }
  static format::check_summary check(format::opened from, const format::on_finding& report,
                                     const check_options& how, const format::open_options&) {
    const auto run = [&]<target T>() {
      const auto sum = checker<T, format::on_finding>(report, how).run(std::move(*from.input));
      return format::summary_of(sum.records, sum);
    };
    const bool small = target_of(from.input->peek(io::input::peek_limit)) == target::x86;
    return small ? run.template operator()<target::x86>() : run.template operator()<target::x64>();
  }
  // Adds the version, the file type, and the threads' process of the first records.
  static void about(format::opened from, format::statements& to) {
    any_reader records = open_reader(std::move(*from.input));
    records.with([&to](auto& r) {
      const auto b = r.next();
      for (std::size_t n = 0; n != std::min<std::size_t>(b.size(), 32); ++n) {
        const auto e = b[n];
        const auto number = std::to_string(e.value);
        if (e.is(record_type::header)) to.add("version", number);
        if (e.is(record_type::thread)) to.add("thread", number);
        if (e.is(record_type::pid)) to.add("process", number);
        if (e.is(marker::filetype)) to.add("filetype", hex(e.value));
        if (e.is(marker::chunk_instr_count)) to.add("chunk_instr_count", number);
        if (e.is(marker::page_size)) to.add("page_size", number);
        if (e.is(marker::cache_line_size)) to.add("cache_line_size", number);
      }
    });
  }
};

}  // namespace tracecodec::drmemtrace
