// Tests truncation.hpp: a file that becomes shorter while it is mapped or read (POSIX).
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support.hpp"
#include "tracecodec/io/input/mapped_file.hpp"
#include "tracecodec/io/input/truncation.hpp"
#include "tracecodec/io/open.hpp"
#include "tracecodec/io/output/atomic_folder.hpp"
#include "tracecodec/io/window.hpp"

namespace fs = std::filesystem;
using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

constexpr std::size_t size = std::size_t{1} << 20;

std::size_t sum_of(std::span<const std::byte> all) {
  std::size_t sum = 0;
  for (const std::byte b : all) sum += std::to_integer<std::size_t>(b);
  return sum;
}

// Returns the exit status of a child process that runs `work`.
template <class Work> int status_of(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

// Returns true if a signal handler receives the address of a missing page. An emulator may report
// its own address instead, so the library cannot recognise the page.
bool missing_pages_are_told() {
  const temp_folder folder;
  write_file(folder.path("f"), bytes(size, std::byte{1}));
  const int fd = ::open(folder.path("f").c_str(), O_RDONLY);
  static void* at;
  at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  ::close(fd);
  fs::resize_file(folder.path("f"), 0);
  const int status = status_of([] {
    struct sigaction action {};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = [](int, siginfo_t* i, void*) { ::_exit(i->si_addr == at ? 7 : 1); };
    ::sigaction(SIGBUS, &action, nullptr);
    ::_exit(static_cast<int>(sum_of({static_cast<const std::byte*>(at), 1})));
  });
  ::munmap(at, size);
  if (WEXITSTATUS(status) == 7) return true;
  MESSAGE("not tried: signals do not tell the address");
  return false;
}

}  // namespace

TEST_CASE("a mapped file that becomes shorter reads as zeros and causes an error") {
  if (!missing_pages_are_told()) return;
  install_sigbus_handler();
  const temp_folder folder;
  const std::string path = folder.path("f"), message = path + ": became shorter while it was read";
  write_file(path, bytes(size, std::byte{1}));
  mapped_file first(path);
  const mapped_file other(path);
  CHECK(sum_of(first.bytes()) == size);
  CHECK_NOTHROW(first.check());
  fs::resize_file(path, 10'000);
  CHECK(error_of([&] { first.check(); }) == message);
  CHECK(sum_of(first.bytes()) == 10'000);
  CHECK(sum_of(other.bytes()) == 10'000);
  // When the file grows again, the bytes already read remain wrong.
  fs::resize_file(path, size);
  CHECK(error_of([&] { first.check(); }) ==
        path + ": could not be read: it became shorter for a while, or its disk fails");
  const mapped_file moved(std::move(first));
  CHECK_THROWS_AS(moved.check(), trace_error);
  CHECK(mapped_file(path).bytes().size() == size);
  CHECK_NOTHROW(mapped_file(path).check());
}

TEST_CASE("detects a truncation inside the last page by the file's size") {
  const temp_folder folder;
  write_file(folder.path("f"), bytes(100, std::byte{1}));
  input in = open_input(folder.path("f"));
  REQUIRE(in.mapped());
  window all(std::move(in));
  fs::resize_file(folder.path("f"), 60);
  CHECK(sum_of(all.look(100)) == 60);
  CHECK_THROWS_AS(all.check_end(), trace_error);
}

TEST_CASE("a deleted file stays readable") {
  static_cast<void>(cut_file_error());  // forgets errors of earlier tests
  const temp_folder folder;
  write_file(folder.path("f"), bytes(size, std::byte{1}));
  const mapped_file f(folder.path("f"));
  fs::remove(folder.path("f"));
  CHECK(sum_of(f.bytes()) == size);
  CHECK_NOTHROW(f.check());
  CHECK_NOTHROW(check_mapped_files());
  CHECK_FALSE(cut_file_error());
}

TEST_CASE("reports an error if the system does not return a file's size") {
  const temp_folder folder;
  write_file(folder.path("f"), bytes(100));
  const mapped_file f(folder.path("f"));
  const int status = status_of([&] {
    // Closes all files, so that their sizes are unknown.
    for (int fd = 3; fd < 100; ++fd) ::close(fd);
    const auto error = cut_file_error();
    ::_exit(error && error->code() == trace_errc::system ? 7 : 0);
  });
  CHECK(WEXITSTATUS(status) == 7);
}

TEST_CASE("an output made from a file that became shorter does not appear") {
  const temp_folder folder;
  write_file(folder.path("f"), bytes(size, std::byte{1}));
  write_file(folder.path("old"), bytes(3));
  {
    const mapped_file f(folder.path("f"));
    fs::resize_file(folder.path("f"), 60);
    atomic_file to(folder.path("old"));
    to.write(bytes(5));
    CHECK_THROWS_AS(to.finish(), trace_error);
    atomic_folder all(folder.path("all"));
    CHECK_THROWS_AS(all.finish(), trace_error);
    CHECK_THROWS_AS(check_mapped_files(), trace_error);
    CHECK_THROWS_AS(stdout_sink().finish(), trace_error);
  }
  CHECK(read_file(folder.path("old")) == bytes(3));
  CHECK(!fs::exists(folder.path("all")));
  // Once the file is closed, new outputs appear again. The error is stored until cut_file_error()
  // returns it.
  CHECK_NOTHROW(check_mapped_files());
  CHECK(cut_file_error());
  CHECK_FALSE(cut_file_error());
  atomic_folder(folder.path("all")).finish();
  CHECK(fs::exists(folder.path("all")));
  CHECK(std::distance(fs::directory_iterator(folder.path("")), {}) == 3);  // no temporary folder
}

TEST_CASE("reports a stream that becomes shorter instead of ending it") {
  const temp_folder folder;
  const std::string path = folder.path("f");
  write_file(path, bytes(size, std::byte{1}));
  bytes half(size / 2);
  input in = open_input(path, {.map = false});
  CHECK(in.read(half) == size / 2);
  fs::resize_file(path, size / 2);
  CHECK(error_of([&] { in.read(half); }) == path + ": became shorter while it was read");
  // A file that was read completely may become shorter.
  input again = open_input(path, {.map = false});
  CHECK(again.read(half) == size / 2);
  fs::resize_file(path, 1);
  CHECK(again.read(half) == 0);
}

TEST_CASE("passes other causes of the signal to the previous handler") {
  CHECK(WEXITSTATUS(status_of([] {
          std::signal(SIGBUS, [](int) { ::_exit(7); });
          os::detail::mapped_at = nullptr;  // as in a new process
          install_sigbus_handler();
          install_sigbus_handler();
          ::raise(SIGBUS);
        })) == 7);
  const int ended = status_of([] {
    std::signal(SIGBUS, SIG_DFL);
    os::detail::mapped_at = nullptr;
    install_sigbus_handler();
    ::raise(SIGBUS);
  });
  CHECK(WIFSIGNALED(ended));
  CHECK(WTERMSIG(ended) == SIGBUS);
  if (!missing_pages_are_told()) return;
  // If the signal was ignored before, it is still ignored, but mapped files are protected.
  const temp_folder folder;
  write_file(folder.path("f"), bytes(size, std::byte{1}));
  const mapped_file f(folder.path("f"));
  fs::resize_file(folder.path("f"), 10'000);
  CHECK(WEXITSTATUS(status_of([&] {
          std::signal(SIGBUS, SIG_IGN);
          os::detail::mapped_at = nullptr;
          install_sigbus_handler();
          ::raise(SIGBUS);
          ::_exit(sum_of(f.bytes()) == 10'000 ? 7 : 1);
        })) == 7);
}

TEST_CASE("an access to a missing page of another mapping ends the process with its address") {
  const temp_folder folder;
  write_file(folder.path("f"), bytes(size, std::byte{1}));
  const int fd = ::open(folder.path("f").c_str(), O_RDONLY);
  void* const at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  ::close(fd);
  fs::resize_file(folder.path("f"), 0);
  const int ended = status_of([&] {
    std::signal(SIGBUS, SIG_DFL);
    os::detail::mapped_at = nullptr;
    install_sigbus_handler();
    ::_exit(sum_of({static_cast<const std::byte*>(at), size}) == 0 ? 8 : 9);
  });
  CHECK(WIFSIGNALED(ended));
  CHECK(WTERMSIG(ended) == SIGBUS);
  ::munmap(at, size);
}

TEST_CASE("installs the handler from several threads, and runs it on an alternate stack") {
  CHECK(WEXITSTATUS(status_of([] {
          std::signal(SIGBUS, [](int) { ::_exit(7); });
          os::detail::mapped_at = nullptr;
          std::vector<std::thread> all;
          for (int i = 0; i < 8; ++i) all.emplace_back(install_sigbus_handler);
          for (std::thread& t : all) t.join();
          struct sigaction now {};
          ::sigaction(SIGBUS, nullptr, &now);
          if ((now.sa_flags & SA_ONSTACK) == 0) ::_exit(1);
          ::raise(SIGBUS);
        })) == 7);
}
