// Files of schedules, which contain the order in which threads ran.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "../file/describe.hpp"
#include "../file/reader.hpp"
#include "../format/part_files.hpp"
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

// Order of the parts of all threads of a folder. The position of an entry is its number in this order.
class schedule {
 public:
  // Maximum number of entries. An entry uses 36 bytes, so that all need 0.6 GB, and
  // 0.8 GB while they are read.
  static constexpr std::size_t most_entries = std::size_t{1} << 24;

  // Reads serial_schedule.bin of `folder`, or the members of cpu_schedule.bin.zip, in the order of
  // their timestamps. Throws trace_error(refused) if neither file is there, trace_error(unsupported)
  // for more than most_entries, and the errors of file::reader.
  static std::shared_ptr<const schedule> read(const std::string& folder, io::open_options options) {
    auto made = std::make_shared<schedule>();
    made->name_ = find(folder, "serial_schedule.bin");
    const bool serial = !made->name_.empty();
    if (!serial) made->name_ = find(folder, "cpu_schedule.bin");
    if (made->name_.empty())
      throw trace_error(trace_errc::refused, {folder},
                        "the folder contains neither serial_schedule.bin nor cpu_schedule.bin: "
                        "choose --order time or thread");
    options.zip.all = true;  // an archive has a member for each cpu
    made->read(io::open_input(made->name_, options), !serial);
    return made;
  }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const schedule_entry& operator[](std::uint32_t position) const noexcept {
    return entries_[position];
  }
  // Returns the positions of a thread's entries by timestamp and start.
  [[nodiscard]] std::span<const std::uint32_t> parts_of(std::uint64_t thread) const {
    const auto of = [this](std::uint32_t n) { return entries_[n].thread; };
    return {std::ranges::lower_bound(of_threads_, thread, {}, of),
            std::ranges::upper_bound(of_threads_, thread, {}, of)};
  }
  // Returns the position of the entry of a thread at a timestamp and after `start` instructions, or
  // nullopt.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t thread, std::uint64_t timestamp,
                                                  std::uint64_t start) const {
    const place wanted(thread, timestamp, start);
    const auto at = std::ranges::lower_bound(of_threads_, wanted, {},
                                             [this](std::uint32_t n) { return place_of(n); });
    return at != of_threads_.end() && place_of(*at) == wanted ? std::optional(*at) : std::nullopt;
  }

 private:
  // Returns the path of the file `name` of `folder`, which may be compressed, or "".
  static std::string find(const std::string& folder, std::string_view name) {
    constexpr std::array<std::string_view, 1> suffixes{".bin"};
    for (const std::string& path : format::part_files(folder, suffixes))
      if (std::string_view(path).substr(io::file_name_at(path)).starts_with(name)) return path;
    return {};
  }
  using place = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
  [[nodiscard]] place place_of(std::uint32_t n) const noexcept {
    const schedule_entry& e = entries_[n];
    return {e.thread, e.timestamp, e.start};
  }
  // Reads all entries. Sorts them by time if `sorts` is true.
  void read(io::input in, bool sorts) {
    file::reader<schedule_file> from(std::move(in));
    for (auto b = from.next(); b.size() != 0; b = from.next()) {
      if (b.size() > most_entries - entries_.size())
        throw trace_error(trace_errc::unsupported, {name_}, "more than 16777216 entries");
      entries_.insert(entries_.end(), b.begin(), b.end());
    }
    if (sorts)
      std::ranges::sort(entries_, {}, [](const schedule_entry& e) {
        return std::tuple(e.timestamp, e.cpu, e.thread, e.start);
      });
    of_threads_.resize(entries_.size());
    std::iota(of_threads_.begin(), of_threads_.end(), std::uint32_t{0});
    std::ranges::sort(of_threads_, {}, [this](std::uint32_t n) { return place_of(n); });
  }

  std::string name_ = {};
  std::vector<schedule_entry> entries_ = {};
  std::vector<std::uint32_t> of_threads_ = {};  // positions by thread, timestamp and start
};

}  // namespace tracecodec::drmemtrace
