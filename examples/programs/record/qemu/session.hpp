// The recorder's side of a recording under QEMU: it receives chunks of records from the
// program's processes.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "shared.hpp"

namespace record::qemu {

// Process of the recorded program.
struct process {
  pid_t id = 0;
  pid_t parent = 0;            // process that created it; 0: it is the program itself
  bool becomes = false;        // true at its end if it became another program
  std::uint64_t children = 0;  // child processes it created; set at its end
  std::uint64_t skipped = 0;   // instructions not recorded; set at its end
  std::uint64_t lost = 0;      // instructions with dropped operands; set at its end
  tracepack::processor processor = tracepack::processor::unknown;  // emulated processor
  std::span<const std::byte> code = {};  // arena, which contains kept_code objects

  // Returns the code at a place of the arena. The place is validated, because the program can
  // overwrite shared memory.
  [[nodiscard]] kept_code code_at(std::uint32_t place) const;
};

// Callbacks for the events of a recording.
struct consumer {
  // Called when a process begins, and again with the same id if it becomes another program.
  std::function<void(const process&)> begins;
  // Called with records of one thread in execution order. The callback may modify them.
  std::function<void(const process&, std::uint32_t thread, std::span<std::byte>)> records;
  // Called when the code at `ip` is new in a process whose address 0 is at `base`. Returns the
  // places at which the recording begins or ends.
  std::function<answer(const process&, std::uint64_t ip, std::uint64_t base)> looks;
  // Called when a process has ended or is no longer recorded.
  std::function<void(const process&)> ends;
};

class session {
 public:
  // Listens for processes, each of which receives `order`. Throws std::system_error.
  explicit session(const qemu::order& order);
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  // Kills the recorded processes, unless let_go() was called.
  ~session();

  // Returns the name at which this session listens; the plugin needs it as an argument.
  [[nodiscard]] const std::string& name() const { return name_; }

  // Starts `command`, the emulator and its arguments. Throws std::runtime_error on failure.
  pid_t start(const std::vector<std::string>& command);
  // Returns true if a process of the program has connected.
  [[nodiscard]] bool heard() const { return !known_.empty(); }
  // Runs until nothing more is recorded. Returns the wait status of the started process, if it
  // has ended.
  std::optional<int> run(const consumer& to);
  // Completes the recording: processes that still run outlive this object.
  void let_go() { complete_ = true; }

 private:
  struct channel;
  // Keeps track of the process of `c`, which runs on unrecorded. The destructor kills it
  // unless let_go() was called.
  void keep(channel& c);
  void answer_question(channel& c, const consumer& to);
  // Passes records to the consumer, at most as many as may still be recorded.
  void deliver(channel& c, std::uint32_t thread, const std::byte* from, std::size_t records,
               const consumer& to);
  void accept_one(const consumer& to);
  // Takes what is available; returns true if there was anything.
  bool take_all(channel& c, const consumer& to);
  bool take(channel& c, std::size_t lane, const consumer& to);
  // Returns true if a created child has not connected yet; its parent may have ended in the
  // meantime. Gives up after two seconds.
  [[nodiscard]] bool awaits_children() const;
  // Takes the remaining records of all threads, and the final progress, at the end of a
  // process.
  void end(channel& c, const consumer& to);
  void end_lane(channel& c, std::size_t lane, const consumer& to);
  static progress reached(const channel& c);

  qemu::order order_;
  std::string name_ = {};
  int listening_ = -1, bell_file_ = -1;
  bell* bell_ = nullptr;
  pid_t program_ = 0;
  std::optional<int> status_ = {};
  std::set<pid_t> known_ = {};  // all processes of the program so far
  bool goes_on_ = false;        // true: the program runs on, unrecorded
  bool complete_ = false;
  std::uint64_t made_ = 0, come_ = 0;  // children to follow: created by ended processes, connected
  std::chrono::steady_clock::time_point last_end_ = {};
  std::vector<std::unique_ptr<channel>> channels_;
  std::vector<int> running_;          // descriptors of processes that run on unrecorded
  std::vector<std::byte> copy_ = {};  // copy of a chunk, which the program may change at any time
};

}  // namespace record::qemu
