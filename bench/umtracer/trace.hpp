// Large UMTracer trace that repeats a small one.
#pragma once
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <tracecodec/umtracer/reader.hpp>

namespace bench {

namespace umtracer = tracecodec::umtracer;

// Trace with the instruction records of a sample, repeated, in a temporary folder that the
// destructor removes. The neighbours of a record are always in the same repetition.
class umtracer_trace {
 public:
  // Repeats the records of the sample plain64 `times` times. Needs TRACECODEC_TEST_DATA.
  explicit umtracer_trace(std::uint64_t times)
      : folder_(std::filesystem::temp_directory_path() /
                ("tracecodec_" + std::to_string(::getpid()))) {
    const std::string sample = std::string(TRACECODEC_TEST_DATA) + "/umtracer/plain64";
    std::filesystem::create_directory(folder_);
    for (const auto name : umtracer::file_names)
      std::filesystem::copy_file(sample + "/" + std::string(name), folder_ / name);
    const umtracer::reader from(sample);
    std::vector<std::byte> records;
    std::vector<std::uint64_t> offsets, ids(from.size(), none);
    std::vector<std::int64_t> neighbours;
    std::uint64_t n = 0;
    for (std::uint64_t i = 0; i < from.size(); ++i)
      if (from[i].type() == umtracer::exec_type::instruction) ids[i] = n++;
    const auto id_of = [&](std::int64_t i, std::uint64_t base) {
      return i < 0 || ids[static_cast<std::size_t>(i)] == none
                 ? -1
                 : static_cast<std::int64_t>(ids[static_cast<std::size_t>(i)] + base);
    };
    const auto all = from.files()[umtracer::file::exec_records];
    records.assign(all.begin(), all.begin() + 16);
    for (std::uint64_t t = 0; t < times; ++t)
      for (std::uint64_t i = 0; i < from.size(); ++i) {
        if (ids[i] == none) continue;
        const umtracer::record_view r = from[i];
        const auto at = all.begin() + static_cast<std::ptrdiff_t>(r.offset());
        offsets.push_back(records.size());
        records.insert(records.end(), at, at + 6 + static_cast<std::ptrdiff_t>(r.data().size()));
        neighbours.push_back(id_of(from.neighbours_of(i).previous, t * n));
        neighbours.push_back(id_of(from.neighbours_of(i).next, t * n));
      }
    const std::uint64_t count = offsets.size();
    std::memcpy(records.data() + 8, &count, 8);
    offsets.push_back(records.size());
    write("exec.vtable", records);
    write("exec.offsets", offsets);
    write("exec.prev_next.column", neighbours);
  }
  umtracer_trace(const umtracer_trace&) = delete;
  umtracer_trace& operator=(const umtracer_trace&) = delete;
  ~umtracer_trace() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path() const { return folder_.string(); }

 private:
  static constexpr std::uint64_t none = static_cast<std::uint64_t>(-1);
  template <class T> void write(const char* name, const std::vector<T>& all) const {
    std::ofstream out(folder_ / name, std::ios::binary);
    out.write(reinterpret_cast<const char*>(all.data()),
              static_cast<std::streamsize>(all.size() * sizeof(T)));
    if (!out.flush()) std::abort();
  }
  std::filesystem::path folder_;
};

}  // namespace bench
