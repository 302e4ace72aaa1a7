// Files of schedules, which contain the order in which threads ran.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../file/describe.hpp"
#include "../file/reader.hpp"
#include "../format/part_files.hpp"
#include "../io/hash.hpp"
#include "../io/open.hpp"
#include "../io/os/path.hpp"
#include "layout.hpp"

namespace tracecodec::drmemtrace {

// Start of a part of a thread: after `start` instructions of the thread, at a timestamp. In a folder
// with a file for each core, `start` counts the instructions of the file, and `thread` may be the first
// thread of the file, as DynamoRIO's record_filter writes it.
struct schedule_entry {
  std::uint64_t thread, timestamp, cpu, start;
};
using schedule_codec = wire::record<schedule_entry, wire::order::little>;
static_assert(wire::is_laid_out_as<schedule_codec, R"(
Offset  Size  Field
------  ----  -----
0       8     thread
8       8     timestamp
16      8     cpu
24      8     start
)">);
using schedule_file =
    file::of<"drmemtrace schedule", file::records<schedule_codec, file::each<"entry">>>;

// Order of the parts of all threads of a folder.
class schedule {
 public:
  // Maximum number of entries, which use about 0.4 GB.
  static constexpr std::size_t most_entries = std::size_t{1} << 24;
  struct part {
    std::uint64_t timestamp, start;
    std::uint64_t position;  // in the order of all parts

    [[nodiscard]] auto place() const noexcept { return std::pair(timestamp, start); }
  };

  // Reads serial_schedule.bin of `folder`, or the members of cpu_schedule.bin.zip, in the order of
  // their timestamps. Throws trace_error(refused) if neither file is there, trace_error(unsupported)
  // for more than most_entries, and the errors of file::reader.
  static std::shared_ptr<const schedule> read(const std::string& folder,
                                              const io::open_options& options) {
    auto made = std::make_shared<schedule>();
    std::vector<schedule_entry> all;
    if (const std::string serial = find(folder, "serial_schedule.bin"); !serial.empty()) {
      made->name_ = serial;
      read(io::open_input(serial, options), all);
    } else if (const std::string cpus = find(folder, "cpu_schedule.bin"); !cpus.empty()) {
      made->name_ = cpus;
      read_cpus(cpus, options, all);
    } else {
      throw trace_error(trace_errc::refused, {folder},
                        "the folder contains neither serial_schedule.bin nor cpu_schedule.bin: "
                        "choose --order time or thread");
    }
    std::uint64_t position = 0;
    for (const schedule_entry& e : all)
      made->parts_[e.thread].push_back({e.timestamp, e.start, position++});
    for (auto& [thread, parts] : made->parts_) std::ranges::sort(parts, {}, &part::place);
    return made;
  }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Returns the parts of a thread by timestamp and start. Throws trace_error(corrupt) if there are none.
  [[nodiscard]] const std::vector<part>& parts_of(std::uint64_t thread) const {
    const auto at = parts_.find(thread);
    if (at != parts_.end()) return at->second;
    throw trace_error(trace_errc::corrupt, {name_},
                      "thread " + std::to_string(thread) + " is not in the schedule");
  }

  [[nodiscard]] bool has(std::uint64_t thread) const { return parts_.contains(thread); }
  // Returns the position of the part of a thread that begins at a timestamp after `start` instructions,
  // or nullopt.
  [[nodiscard]] std::optional<std::uint64_t> find(std::uint64_t thread, std::uint64_t timestamp,
                                                  std::uint64_t start) const {
    const auto of = parts_.find(thread);
    if (of == parts_.end()) return std::nullopt;
    const std::pair place(timestamp, start);
    const auto at = std::ranges::lower_bound(of->second, place, {}, &part::place);
    if (at == of->second.end() || at->place() != place) return std::nullopt;
    return at->position;
  }

 private:
  // Returns the path of the file `name` of `folder`, which may be compressed, or "".
  static std::string find(const std::string& folder, std::string_view name) {
    constexpr std::array<std::string_view, 1> suffixes{".bin"};
    for (const std::string& path : format::part_files(folder, suffixes))
      if (std::string_view(path).substr(io::file_name_at(path)).starts_with(name)) return path;
    return {};
  }
  static void read(io::input in, std::vector<schedule_entry>& to) {
    const std::string name = in.name();
    file::reader<schedule_file> from(std::move(in));
    for (auto b = from.next(); b.size() != 0; b = from.next()) {
      if (b.size() > most_entries - to.size())
        throw trace_error(trace_errc::unsupported, {name}, "more than 16777216 entries");
      to.insert(to.end(), b.begin(), b.end());
    }
  }
  // An archive has a member for each cpu.
  static void read_cpus(const std::string& path, io::open_options options,
                        std::vector<schedule_entry>& to) {
    options.zip.all = true;
    read(io::open_input(path, options), to);
    std::ranges::sort(to, {}, [](const schedule_entry& e) {
      return std::tuple(e.timestamp, e.cpu, e.thread, e.start);
    });
  }

  std::string name_ = {};
  std::unordered_map<std::uint64_t, std::vector<part>, io::keyed_hash> parts_ = {};
};

}  // namespace tracecodec::drmemtrace
