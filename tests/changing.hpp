// Files that another mapping changes while they are read (POSIX).
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bytes.hpp"

namespace test {

// File that is mapped twice: readers use one mapping, and changes are made through the other. The
// file's last byte is the last byte of a page, and no page follows. Therefore a read past the
// file's end crashes in every build.
class changing_file {
 public:
  explicit changing_file(const bytes& content) : content_(content) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    pages_ = std::max<std::size_t>((content.size() + page - 1) / page, 1) * page;
    front_ = pages_ - content.size();
    std::FILE* const file = std::tmpfile();
    if (file == nullptr || ::ftruncate(::fileno(file), static_cast<off_t>(pages_)) != 0)
      throw std::runtime_error("no temporary file");
    reserved_ = pages_ + page;
    seen_ = map(nullptr, reserved_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    map(seen_, pages_, PROT_READ, MAP_SHARED | MAP_FIXED, ::fileno(file));
    changed_ = map(nullptr, pages_, PROT_READ | PROT_WRITE, MAP_SHARED, ::fileno(file));
    std::fclose(file);
    restore();
  }
  changing_file(const changing_file&) = delete;
  changing_file& operator=(const changing_file&) = delete;
  ~changing_file() {
    ::munmap(seen_, reserved_);
    ::munmap(changed_, pages_);
  }

  [[nodiscard]] std::span<const std::byte> seen() const {
    return {seen_ + front_, content_.size()};
  }
  void restore() { std::copy(content_.begin(), content_.end(), changed_ + front_); }
  // Changes a byte, or restores its original value.
  void change(std::uint32_t random) noexcept {
    if (content_.empty()) return;
    constexpr std::uint32_t kinds = 8;
    const std::size_t at = random / kinds % content_.size();
    volatile std::byte* const p = changed_ + front_ + at;
    const std::uint32_t kind = random % kinds;
    if (kind < 2)
      *p = content_[at];
    else if (kind == 2)
      *p = std::byte{0xFF};
    else if (kind == 3)
      *p = std::byte{0};
    else
      *p = *p ^ static_cast<std::byte>(1U << (random >> 8U) % 8);
  }

 private:
  static std::byte* map(void* at, std::size_t size, int access, int how, int file) {
    void* const p = ::mmap(at, size, access, how, file, 0);
    if (p == MAP_FAILED) throw std::runtime_error("no mapping");
    return static_cast<std::byte*>(p);
  }

  const bytes content_;
  std::size_t pages_ = 0, reserved_ = 0, front_ = 0;
  std::byte* seen_ = nullptr;
  std::byte* changed_ = nullptr;
};

// Files of a trace that change while they are read.
class changing_files {
 public:
  explicit changing_files(const std::vector<bytes>& contents) {
    for (const bytes& content : contents)
      files_.push_back(std::make_unique<changing_file>(content));
  }
  [[nodiscard]] std::span<const std::byte> operator[](std::size_t i) const {
    return files_[i]->seen();
  }
  void restore() {
    for (const auto& file : files_) file->restore();
  }
  void change(std::uint32_t random) noexcept {
    files_[random % files_.size()]->change(random / static_cast<std::uint32_t>(files_.size()));
  }

 private:
  std::vector<std::unique_ptr<changing_file>> files_ = {};
};

// Thread that changes bytes during its lifetime.
class changing_thread {
 public:
  explicit changing_thread(changing_files& files)
      : thread_([this, &files] {
          for (std::uint32_t n = 1; !ends_; n = n * 1664525U + 1013904223U) {
            files.change(n >> 4U);
            if (n % 64 == 0) std::this_thread::yield();
          }
        }) {}
  changing_thread(const changing_thread&) = delete;
  changing_thread& operator=(const changing_thread&) = delete;
  ~changing_thread() {
    ends_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

// Calls read(files, step) repeatedly. In the first half of the calls, some bytes change whenever
// read() calls step(). In the second half, another thread changes bytes during read(). read() may
// throw trace_error for damaged content. Returns the number of steps.
template <class Read>
std::size_t read_changing(const std::vector<bytes>& contents, unsigned rounds, Read read) {
  changing_files files(contents);
  std::mt19937 random(rounds);
  std::size_t steps = 0;
  for (unsigned round = 0; round != rounds; ++round) {
    files.restore();
    const std::uint32_t most = 1U << round % 4;
    try {
      read(files, [&] {
        ++steps;
        for (auto n = random() % (most + 1); n != 0; --n)
          files.change(static_cast<std::uint32_t>(random()));
      });
    } catch (const trace_error&) {
      // The trace may be damaged by now.
    }
  }
  const changing_thread meanwhile(files);
  for (unsigned round = 0; round != rounds; ++round) {
    if (round % 4 == 0) files.restore();
    try {
      read(files, [] {});
    } catch (const trace_error&) {
      // The trace may be damaged by now.
    }
  }
  return steps;
}

}  // namespace test
