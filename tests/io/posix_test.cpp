// Tests file.hpp and atomic_file.hpp on POSIX systems: permissions, links, devices and limits.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "../child.hpp"
#include "goldens.hpp"
#include "support.hpp"
#include "tracecodec/io/input/file.hpp"
#include "tracecodec/io/open.hpp"
#include "tracecodec/io/output/atomic_file.hpp"
#include "tracecodec/io/output/atomic_folder.hpp"

namespace fs = std::filesystem;
using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

unsigned mode_of(const std::string& path) {
  return static_cast<unsigned>(fs::status(path).permissions());
}

void write_atomically(const std::string& path, const bytes& data) {
  atomic_file to(path);
  to.write(data);
  to.finish();
}

}  // namespace

TEST_CASE("a new file has the umask's permissions, and a replaced file keeps its own") {
  const temp_folder folder;
  const mode_t mask = ::umask(027);
  write_atomically(folder.path("new"), lines(1, 2));
  CHECK(mode_of(folder.path("new")) == 0640);
  write_file(folder.path("old"), lines(1, 3));
  ::chmod(folder.path("old").c_str(), 0606);
  write_atomically(folder.path("old"), lines(1, 2));
  ::umask(mask);
  CHECK(mode_of(folder.path("old")) == 0606);
  CHECK(read_file(folder.path("old")) == lines(1, 2));
}

TEST_CASE("removes leftovers of ended writers, but not files of other writers") {
  const temp_folder folder;
  const std::string path = folder.path("folder");
  const auto leave = [&path] {
    ::test::in_child([&path] {
      const auto left = std::make_unique<atomic_folder>(path);
      left->create("f").flush();
      ::_exit(0);  // runs no destructors
      return true;
    });
  };
  leave();
  CHECK(folder.count() == 1);
  { const atomic_folder other(folder.path("another name")); }
  CHECK(folder.count() == 1);
  {
    atomic_folder first(path);
    CHECK(folder.count() == 1);
    const atomic_folder second(path);
    CHECK(folder.count() == 2);
    leave();  // does not remove the folders of first and second
    CHECK(folder.count() == 3);
    first.create("f").finish();
    first.finish();
    CHECK(fs::exists(path + "/f"));
    CHECK(folder.count() == 3);
  }
  CHECK(folder.count() == 2);
  fs::remove_all(path);
  { const atomic_folder other(path); }
  CHECK(folder.count() == 0);
  // An atomic_file also removes leftovers of a folder with its name.
  leave();
  { const atomic_file file(path); }
  CHECK(folder.count() == 0);
}

TEST_CASE("a symbolic link is kept, and its target is replaced or created") {
  const temp_folder folder;
  fs::create_directory(folder.path("sub"));
  write_file(folder.path("sub/f"), lines(1, 3));
  fs::create_symlink("sub/f", folder.path("link"));
  fs::create_symlink("link", folder.path("link2"));
  write_atomically(folder.path("link2"), lines(1, 2));
  CHECK(fs::is_symlink(folder.path("link")));
  CHECK(fs::is_symlink(folder.path("link2")));
  CHECK(read_file(folder.path("sub/f")) == lines(1, 2));

  fs::create_symlink("sub/new", folder.path("dangling"));
  write_atomically(folder.path("dangling"), lines(1, 2));
  CHECK(fs::is_symlink(folder.path("dangling")));
  CHECK(read_file(folder.path("sub/new")) == lines(1, 2));

  fs::create_symlink("loop", folder.path("loop"));
  CHECK(error_of([&] { atomic_file f(folder.path("loop")); }) ==
        folder.path("loop") + ": Too many levels of symbolic links");
}

TEST_CASE("a device or a fifo is written to instead of being replaced") {
  write_atomically("/dev/null", lines(1, 100));
  CHECK(fs::is_character_file("/dev/null"));

  const temp_folder folder;
  const std::string path = folder.path("fifo");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  bytes got(lines(1, 100).size());
  std::thread reader([&] {
    int error = 0;
    os::read_full(os::open(path, O_RDONLY), got, error);
  });
  write_atomically(path, lines(1, 100));
  reader.join();
  CHECK(got == lines(1, 100));
  CHECK(fs::is_fifo(path));
  CHECK(folder.count() == 1);
}

TEST_CASE("on a full disk the error names the final file, which does not appear") {
  if (fs::exists("/dev/full")) {
    CHECK(error_of([] { write_atomically("/dev/full", lines(1, 100)); }) ==
          "/dev/full: No space left on device");
  }
  // A limit on the file size simulates a full disk.
  const temp_folder folder;
  const std::string path = folder.path("f");
  write_file(path, lines(1, 3));
  rlimit old{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &old) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = old;
  small.rlim_cur = 100'000;
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string error;
  std::string later;
  {
    atomic_file to(path);
    error = error_of([&] { to.write(sample(200'000)); });
    later = error_of([&] { to.finish(); });
  }
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  CHECK(error == path + ": File too large");
  CHECK(later == path + ": already finished or failed");
  CHECK(read_file(path) == lines(1, 3));
  CHECK(folder.count() == 1);
}

TEST_CASE("reads a fifo to its writer's end, in pieces of any size") {
  const temp_folder folder;
  const std::string path = folder.path("fifo");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const bytes data = sample(300'000);
  std::thread writer([&] {
    const os::descriptor to = os::open(path, O_WRONLY);
    for (std::size_t at = 0; at < data.size(); at += 7777) {
      const std::size_t n = std::min<std::size_t>(7777, data.size() - at);
      os::write_all(to, std::span(data).subspan(at, n), path);
    }
  });
  file_source from(path);
  CHECK_FALSE(from.regular());
  CHECK_FALSE(from.size().has_value());
  bytes start(100'000);
  CHECK(from.read(start) == start.size());  // a full read, although the pipe holds at most 64 KiB
  CHECK(start + drain(from).data == data);
  writer.join();
}

// Returns true if signals work. In qemu-i386 7.2, a thread that returns from a signal handler gets
// the thread pointer of another thread. A child process checks this, because the affected thread
// can no longer be used.
bool signals_are_sound() {
  const auto child = ::test::in_child([] {
    static std::atomic<bool> arrived{false};
    struct sigaction action {};
    action.sa_handler = [](int) { arrived = true; };
    ::sigaction(SIGUSR1, &action, nullptr);
    const pthread_t self = ::pthread_self();
    std::thread([&] {
      ::pthread_kill(self, SIGUSR1);
      for (;;) ::pause();
    }).detach();
    while (!arrived) ::usleep(1000);
    // The call uses a pointer, because compilers assume that pthread_self() never changes.
    pthread_t (*volatile const now)() = &::pthread_self;
    return ::pthread_equal(now(), self) != 0;
  });
  return child.second == 0;
}

TEST_CASE("waiting for a file can be stopped, and otherwise continues after signals") {
  if (!signals_are_sound()) return;
  const temp_folder folder;
  const std::string path = folder.path("fifo");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const bytes data = lines(1, 100);
  static std::atomic<bool> stops{false};
  static std::atomic<int> signals{0};
  struct sigaction action {};
  struct sigaction former {};
  action.sa_handler = [](int) { ++signals; };  // without SA_RESTART
  REQUIRE(::sigaction(SIGUSR1, &action, &former) == 0);
  stop_waiting_if([]() noexcept { return stops.load(); });

  // Signals wake up open(), read() and write() twice, and again once the call should stop.
  const auto disturbed = [](auto work) {
    const pthread_t self = ::pthread_self();
    std::atomic<bool> done{false};
    std::thread other([&] {
      for (int i = 0; !done; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        if (i == 2) stops = true;
        ::pthread_kill(self, SIGUSR1);
      }
    });
    bool interrupted = false;
    try {
      work();
    } catch (const interruption& e) {
      interrupted = e.what() == std::string("interrupted");
    }
    done = true;
    other.join();
    stops = false;
    return interrupted;
  };
  CHECK(disturbed([&] { file_source from(path); }));
  CHECK(disturbed([&] { atomic_file to(path); }));
  {
    const os::descriptor both = os::open(path, O_RDWR);
    CHECK(disturbed([&] {
      input in = open_input(path);
      static_cast<void>(drain(in));
    }));
    CHECK(disturbed([&] { write_atomically(path, bytes(1'000'000)); }));
  }
  CHECK(signals > 4);

  // Without a stop condition, signals stop nothing.
  stop_waiting_if(nullptr);
  CHECK_FALSE(interrupted());
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    write_atomically(path, data);
  });
  bytes got;
  CHECK_FALSE(disturbed([&] {
    file_source from(path);
    got = drain(from).data;
  }));
  writer.join();
  CHECK(got == data);
  ::sigaction(SIGUSR1, &former, nullptr);
}

TEST_CASE("reports files without permission") {
  if (::geteuid() == 0) return;  // root may read and write everything
  const temp_folder folder;
  const std::string secret = folder.path("secret"), fixed = folder.path("fixed");
  write_file(secret, lines(1, 2));
  write_file(fixed, lines(1, 3));
  ::chmod(secret.c_str(), 0);
  ::chmod(fixed.c_str(), 0444);
  CHECK(error_of([&] { file_source f(secret); }) == secret + ": Permission denied");
  CHECK(error_of([&] { atomic_file f(fixed); }) == fixed + ": Permission denied");
}

TEST_CASE("decompresses a pipe as a stream without size or rewinding") {
  const temp_folder folder;
  for (const golden& g : goldens()) {
    if (!built_in(g.kind)) continue;
    CAPTURE(g.command);
    const bytes file = from_hex(g.hex);
    const std::string fifo = folder.path("fifo");
    REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
    std::thread writer([&] { os::write_all(os::open(fifo, O_WRONLY), file, fifo); });
    input piped = open_input(fifo);
    CHECK(piped.compression() == g.kind);
    CHECK(drain(piped).data == lines(1, 100));
    CHECK(piped.consumed() == file.size());
    CHECK_FALSE(piped.size().has_value());
    CHECK(code_of([&] { piped.rewind(); }) == trace_errc::refused);
    writer.join();
    fs::remove(fifo);
  }
}

TEST_CASE("same_file follows symbolic links") {
  const temp_folder folder;
  write_file(folder.path("a"), lines(1, 2));
  fs::create_symlink("a", folder.path("soft"));
  CHECK(same_file(folder.path("soft"), folder.path("a")));
}
