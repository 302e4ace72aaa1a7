#pragma once
#include "../zip_members.hpp"

#include <algorithm>
#include <utility>

#include "../../error.hpp"

namespace tracecodec::io {

namespace detail {

TRACECODEC_FUNC std::optional<std::size_t> find_zip_end(std::span<const std::byte> tail) {
  constexpr std::size_t fixed = 22;
  for (std::size_t n = fixed; n <= std::min(tail.size(), longest_zip_end); ++n) {
    const std::size_t at = tail.size() - n;
    if (zip_number(tail, at, 4) == 0x06054B50 && zip_number(tail, at + 20, 2) == n - fixed)
      return at;
  }
  return std::nullopt;
}

// Reader of a central directory. All positions are checked against the size of the file before
// anything is read or allocated.
class zip_directory {
 public:
  zip_directory(source& from, const std::string& name) : from_(from), name_(name) {
    const auto size = from.seekable();
    if (!size)
      throw trace_error(trace_errc::refused, {.file = name},
                        "the members of a zip archive are listed only in a file, not in a pipe");
    size_ = *size;
  }

  std::vector<zip_member> members() {
    find();
    if (start_ > end_ || bytes_ != end_ - start_)
      bad(end_, "the directory does not end where its end record begins");
    if (count_ > bytes_ / entry_size) bad(start_, "the directory is too small for its members");
    if (bytes_ > largest_zip_directory)
      throw trace_error(trace_errc::unsupported, {.file = name_, .offset = start_},
                        "the directory of this zip archive is larger than 64 MiB");
    const std::vector<std::byte> all = bytes_at(start_, bytes_);
    std::vector<zip_member> found;
    found.reserve(static_cast<std::size_t>(count_));
    std::span<const std::byte> rest = all;
    for (std::uint64_t i = 0; i != count_; ++i)
      found.push_back(take(rest, start_ + (all.size() - rest.size())));
    if (!rest.empty())
      bad(end_ - rest.size(), "the directory has more entries than its end states");
    check_order(found);
    std::erase_if(found, [](const zip_member& m) { return is_zip_decor(m.name); });
    return found;
  }

 private:
  static constexpr std::size_t entry_size = 46, local_size = 30;
  static constexpr std::uint64_t saturated = 0xFFFFFFFF;

  [[noreturn]] void bad(std::uint64_t offset, const std::string& message) const {
    throw trace_error(trace_errc::corrupt, {.file = name_, .offset = offset},
                      "corrupt zip data: " + message);
  }

  // Returns the `n` bytes at `offset`. They must be in the file.
  std::vector<std::byte> bytes_at(std::uint64_t offset, std::uint64_t n) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(n));
    from_.seek(offset);
    std::size_t held = 0;
    while (held < bytes.size()) {
      const std::size_t got = from_.read(std::span(bytes).subspan(held));
      if (got == 0) bad(offset + held, "the file became shorter while it was read");
      held += got;
    }
    return bytes;
  }

  // Finds the directory from the records at the end of the file (4.3.14 to 4.3.16).
  void find() {
    const std::uint64_t n = std::min<std::uint64_t>(size_, longest_zip_end);
    const std::vector<std::byte> tail = bytes_at(size_ - n, n);
    const auto at = find_zip_end(tail);
    if (!at)
      throw trace_error(trace_errc::truncated, {.file = name_, .offset = size_},
                        "zip data ends too early: the directory at the end is missing");
    end_ = size_ - n + *at;
    const std::uint64_t disk = zip_number(tail, *at + 4, 2);
    if (!is_first_disk(disk) || zip_number(tail, *at + 6, 2) != disk) refuse_disks();
    count_ = zip_number(tail, *at + 10, 2);
    bytes_ = zip_number(tail, *at + 12, 4);
    start_ = zip_number(tail, *at + 16, 4);
    if (count_ == 0xFFFF || bytes_ == saturated || start_ == saturated) find_zip64();
  }

  void find_zip64() {
    constexpr std::uint64_t locator_size = 20, record_size = 56;
    if (end_ < locator_size) return;
    const std::vector<std::byte> locator = bytes_at(end_ - locator_size, locator_size);
    if (zip_number(locator, 0, 4) != 0x07064B50) return;
    if (zip_number(locator, 16, 4) > 1) refuse_disks();
    end_ -= locator_size;
    const std::uint64_t at = zip_number(locator, 8, 8);
    if (end_ < record_size || at > end_ - record_size)
      bad(end_ + 8, "the zip64 record does not fit into the file");
    const std::vector<std::byte> record = bytes_at(at, record_size);
    if (zip_number(record, 0, 4) != 0x06064B50) bad(at, "expected the zip64 record");
    end_ = at;
    count_ = zip_number(record, 32, 8);
    bytes_ = zip_number(record, 40, 8);
    start_ = zip_number(record, 48, 8);
  }

  [[noreturn]] void refuse_disks() const {
    throw trace_error(trace_errc::unsupported, {.file = name_},
                      "a zip archive in several files: join them first (zip -s 0)");
  }

  // The archive must consist of one disk. Numbers of zip64 are saturated here.
  static bool is_first_disk(std::uint64_t number) { return number == 0 || number == 0xFFFF; }

  // Removes an entry from the front of `rest`. `offset` is its offset in the file.
  zip_member take(std::span<const std::byte>& rest, std::uint64_t offset) {
    if (rest.size() < entry_size || zip_number(rest, 0, 4) != 0x02014B50)
      bad(offset, "expected a directory entry");
    const auto name_size = static_cast<std::size_t>(zip_number(rest, 28, 2));
    const auto extra_size = static_cast<std::size_t>(zip_number(rest, 30, 2));
    const std::size_t size =
        entry_size + name_size + extra_size + static_cast<std::size_t>(zip_number(rest, 32, 2));
    if (rest.size() < size) bad(offset, "a directory entry is longer than the directory");
    if (!is_first_disk(zip_number(rest, 34, 2))) refuse_disks();
    zip_member m;
    m.packed = zip_number(rest, 20, 4);
    m.size = zip_number(rest, 24, 4);
    m.at = zip_number(rest, 42, 4);
    const auto* const text = reinterpret_cast<const char*>(rest.data() + entry_size);
    m.name.assign(text, name_size);
    widen(m, rest.subspan(entry_size + name_size, extra_size));
    const std::uint64_t before = local_size + name_size;
    if (m.at > start_ || before > start_ - m.at || m.packed > start_ - m.at - before)
      bad(offset, "a member does not fit into the file");
    rest = rest.subspan(size);
    return m;
  }

  // Replaces saturated values by those of the zip64 extra field (4.5.3).
  static void widen(zip_member& m, std::span<const std::byte> extra) {
    while (extra.size() >= 4) {
      const std::uint64_t id = zip_number(extra, 0, 2);
      const auto n = static_cast<std::size_t>(
          std::min<std::uint64_t>(zip_number(extra, 2, 2), extra.size() - 4));
      std::span<const std::byte> field = extra.subspan(4, n);
      extra = extra.subspan(4 + n);
      if (id != 1) continue;
      for (std::uint64_t* value : {&m.size, &m.packed, &m.at}) {
        if (*value != saturated || field.size() < 8) continue;
        *value = zip_number(field, 0, 8);
        field = field.subspan(8);
      }
    }
  }

  // Sorts the members by their offsets. Overlapping members would decompress to far more content
  // than the size of the file allows.
  void check_order(std::vector<zip_member>& found) const {
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    for (std::size_t i = 1; i < found.size(); ++i) {
      const zip_member& before = found[i - 1];
      if (found[i].at - before.at < local_size + before.name.size() + before.packed)
        bad(found[i].at, "members overlap");
    }
  }

  source& from_;
  const std::string& name_;
  std::uint64_t size_ = 0;
  std::uint64_t end_ = 0;                            // offset of the first byte after the directory
  std::uint64_t start_ = 0, bytes_ = 0, count_ = 0;  // offset, size and entries of the directory
};

// Returns a list of at most 8 names for an error message.
TRACECODEC_FUNC std::string zip_names(const std::vector<zip_member>& all) {
  constexpr std::size_t most = 8, longest = 80;
  std::string text;
  for (std::size_t i = 0; i != std::min(all.size(), most); ++i)
    text += (i == 0 ? "" : ", ") + all[i].name.substr(0, longest);
  if (all.size() > most) text += " and " + std::to_string(all.size() - most) + " more";
  return text;
}

}  // namespace detail

TRACECODEC_FUNC std::vector<zip_member> zip_members(source& from, const std::string& name) {
  return detail::zip_directory(from, name).members();
}

TRACECODEC_FUNC std::vector<zip_member> zip_content(std::vector<zip_member> all,
                                                    const zip_options& o, const std::string& name) {
  const auto refuse = [&](const std::string& message) {
    throw trace_error(trace_errc::unsupported, {.file = name}, message);
  };
  if (all.empty()) refuse("a zip archive without members");
  if (!o.member.empty()) {
    const auto wanted =
        std::find_if(all.begin(), all.end(), [&](const auto& m) { return m.name == o.member; });
    if (wanted == all.end())
      refuse("this zip archive has no member " + std::string(o.member) + ", only " +
             detail::zip_names(all));
    return {*wanted};
  }
  if (o.all || all.size() == 1) return all;
  if (!std::all_of(all.begin(), all.end(),
                   [](const auto& m) { return zip_chunk_number(m.name).has_value(); }))
    refuse("a zip archive of several files (" + detail::zip_names(all) +
           "): unpack it, or select one (zip_options::member)");
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::pair(*zip_chunk_number(a.name), a.at) < std::pair(*zip_chunk_number(b.name), b.at);
  });
  return all;
}

}  // namespace tracecodec::io
