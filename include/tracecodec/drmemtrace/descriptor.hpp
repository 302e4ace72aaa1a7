// Descriptor of drmemtrace (format/list.hpp).
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../format/facts.hpp"
#include "../format/file_descriptor.hpp"
#include "../format/own_option.hpp"
#include "../format/part_files.hpp"
#include "../format/statements.hpp"
#include "check.hpp"
#include "feed.hpp"
#include "folder.hpp"

namespace tracecodec::drmemtrace {

inline constexpr std::array<format::option_value, 3> order_names{
    {{"thread"}, {"time"}, {"schedule"}}};
inline constexpr std::array<format::option_value, 2> extra_accesses_names{{{"records"}, {"drop"}}};
inline constexpr auto order_option = format::choice_option<order, order_names>(
    {.name = "order",
     .value = "ORDER",
     .help =
         "Folders of drmemtrace files: one thread after the other (default), all by time, or as "
         "serial_schedule.bin says",
     .traces = "folders of drmemtrace files",
     .expected = "thread, time or schedule",
     .use = format::option_use::content,
     .lacking = [](const format::own_options& in) -> std::string_view {
       return in.has<order>() ? "files of threads to order" : "";
     }});
inline constexpr auto extra_accesses_option =
    format::choice_option<extra_accesses, extra_accesses_names>(
        {.name = "extra-accesses",
         .value = "HOW",
         .help = "drmemtrace to ChampSim: accesses beyond four reads and two writes become further "
                 "records of the same ip (default), or are left out",
         .traces = "drmemtrace traces that become ChampSim's",
         .expected = "records or drop",
         .use = format::option_use::output});

namespace detail {
// The suffix .trace is also ChampSim's, so that only files in a folder have it.
inline constexpr std::array<std::string_view, 3> part_suffixes{".drmemtrace", ".memtrace",
                                                               ".trace"};
inline constexpr auto suffixes = std::span(part_suffixes).first<2>();
inline constexpr std::array<const format::option*, 2> own_options{&order_option,
                                                                  &extra_accesses_option};
}  // namespace detail

struct descriptor : format::two_file_descriptor<target_of, trace_file, checker> {
  static constexpr format::facts facts{.name = "drmemtrace",
                                       .title = "drmemtrace",
                                       .family = "drmemtrace",
                                       .thread = "thread",
                                       .chooses_threads = true,
                                       .has_code = true,
                                       .record = "record",
                                       .has_chunks = true,
                                       .suffixes = detail::suffixes,
                                       .options = detail::own_options};

  template <class Visitor> static decltype(auto) visit(format::opened from,
                                                       const format::open_options& o,
                                                       Visitor& visitor) {
    return visitor(trace_feed(std::move(*from.input), {.thread = o.thread}));
  }
  // Opens the files of a folder, or of its folder `trace`. Returns nullopt if there are none, or if the
  // first one is not a trace.
  static std::optional<io::input> open_folder(const std::string& path,
                                              const format::open_options& o) {
    std::string folder = path;
    auto files = format::part_files(folder, detail::part_suffixes);
    if (files.empty())
      files = format::part_files(folder = io::joined(path, "trace"), detail::part_suffixes);
    if (files.empty()) return std::nullopt;
    io::input first = io::open_input(files.front(), o.input);
    const auto width = target_of(first.peek(io::input::peek_limit));
    if (!width) return std::nullopt;
    folder_order how{.by = o.own.value_or(order::thread)};
    if (how.by == order::schedule) how.schedule = schedule::read(folder, o.input);
    if (width == target::x86)
      return file::open_merged<section_rule<target::x86>>(std::move(files), path, o.input, how);
    return file::open_merged<section_rule<target::x64>>(std::move(files), path, o.input, how);
  }
  // Adds the first markers, and the first thread and process.
  static void about(format::opened from, format::statements& to) {
    open_reader(std::move(*from.input)).with([&to](auto& records) {
      for (const auto& e : records.next()) {
        if (is_instruction(e.type)) return;
        if (e.is(record_type::thread) || e.is(record_type::pid))
          to.add(std::string(name(e.type)), std::to_string(e.value));
        else if (e.is(record_type::marker) && !name(static_cast<marker>(e.size)).empty())
          to.add(std::string(name(static_cast<marker>(e.size))), std::to_string(e.value));
      }
    });
  }
};

}  // namespace tracecodec::drmemtrace
