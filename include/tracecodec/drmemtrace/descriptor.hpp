// Descriptor of drmemtrace (format/list.hpp).
#pragma once
#include <array>
#include <optional>
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
#include "../format/own_option.hpp"
#include "../format/part_files.hpp"
#include "../format/statements.hpp"
#include "check.hpp"
#include "feed.hpp"
#include "folder.hpp"

namespace tracecodec::drmemtrace {}  // namespace tracecodec::drmemtrace

template <> inline constexpr bool tracecodec::format::is_own_option<tracecodec::drmemtrace::order> =
    true;

namespace tracecodec::drmemtrace {

namespace detail {
inline bool set_order(format::own_options& to, const std::string& value) {
  to.set(value == "time" ? order::time : order::thread);
  return true;
}
inline constexpr std::array<format::option_value, 2> order_names{{{"thread"}, {"time"}}};
}  // namespace detail

inline constexpr format::option order_option{
    .name = "order",
    .value = "ORDER",
    .choices = detail::order_names,
    .help = "Folders of drmemtrace files: one thread after the other (default), or all by time",
    .traces = "folders of drmemtrace files",
    .expected = "thread or time",
    .set = detail::set_order,
    .use = format::option_use::content,
    .is_set = format::is_set<order>,
    .reset = format::reset<order>,
    .lacking = [](const format::own_options& in) -> std::string_view {
      return in.has<order>() ? "files of threads to order" : "";
    }};

namespace detail {
inline constexpr std::array<std::string_view, 3> suffixes{".trace", ".memtrace", ".drmemtrace"};
inline constexpr std::array<const format::option*, 1> own_options{&order_option};
}  // namespace detail

struct descriptor {
  static constexpr format::facts facts{.name = "drmemtrace",
                                       .title = "drmemtrace",
                                       .family = "drmemtrace",
                                       .thread = "thread",
                                       .chooses_threads = true,
                                       .has_code = true,
                                       .record = "record",
                                       .suffixes = detail::suffixes,
                                       .options = detail::own_options};

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
  // Opens the files of a folder, or of its folder `trace`. Returns nullopt if there are none.
  static std::optional<io::input> open_folder(const std::string& path,
                                              const format::open_options& o) {
    auto files = format::part_files(path, detail::suffixes);
    if (files.empty()) files = format::part_files(io::joined(path, "trace"), detail::suffixes);
    if (files.empty()) return std::nullopt;
    return open_files(std::move(files), path, o.input, o.own.value_or(order::thread));
  }
  // Adds the first markers, and the first thread and process.
  static void about(format::opened from, format::statements& to) {
    open_reader(std::move(*from.input)).with([&to](auto& records) {
      for (const auto& e : records.next()) {
        if (is_instruction(e.type)) return;
        if (e.is(record_type::thread) || e.is(record_type::pid))
          to.add(std::string(name(e.type)), std::to_string(e.value));
        else if (e.is(marker::filetype))
          to.add("filetype", hex(e.value));
        else if (e.is(record_type::marker))
          to.add(std::string(name(static_cast<marker>(e.size))), std::to_string(e.value));
      }
    });
  }
};

}  // namespace tracecodec::drmemtrace
