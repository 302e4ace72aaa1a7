// The recorder's side of a recording under QEMU: it receives chunks of records from the program's
// processes.
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
  // Process that created this process; 0 if this process is the program itself.
  pid_t parent = 0;
  // True at the end of the process if the process became another program.
  bool becomes = false;
  // Number of child processes that the process created; set at the end of the process.
  std::uint64_t children = 0;
  // Number of instructions that were not recorded; set at the end of the process.
  std::uint64_t skipped = 0;
  // Number of instructions with dropped operands; set at the end of the process.
  std::uint64_t lost = 0;
  // Processor that QEMU emulates.
  tracepack::processor processor = tracepack::processor::unknown;
  // Arena, which contains kept_code objects.
  std::span<const std::byte> code = {};

  // Returns the code at a place in the arena. Validates the place, because the program can
  // overwrite shared memory.
  [[nodiscard]] kept_code code_at(std::uint32_t place) const;
};

// Callbacks for the events of a recording.
struct consumer {
  // Called when a process begins. Called again with the same id if the process becomes another
  // program.
  std::function<void(const process&)> begins;
  // Called with records of one thread in execution order. The callback may modify the records.
  std::function<void(const process&, std::uint32_t thread, std::span<std::byte>)> records;
  // Called when the code at `ip` is new in a process whose address 0 is at `base`. Returns the
  // places at which the recording begins or ends.
  std::function<answer(const process&, std::uint64_t ip, std::uint64_t base)> looks;
  // Called when a process has ended or is no longer recorded.
  std::function<void(const process&)> ends;
};

class session {
 public:
  // Listens for processes and sends `order` to each of them. Throws std::system_error.
  explicit session(const qemu::order& order);
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  // Kills the recorded processes, unless let_go() was called.
  ~session();

  // Returns the name on which this session listens. The plugin needs the name as an argument.
  [[nodiscard]] const std::string& name() const { return name_; }

  // Starts `command`, the emulator and its arguments. Throws std::runtime_error on failure.
  pid_t start(const std::vector<std::string>& command);
  // Returns true if a process of the program has connected.
  [[nodiscard]] bool heard() const { return !known_.empty(); }
  // Runs until nothing more is recorded. Returns the wait status of the started process if the
  // process has ended.
  std::optional<int> run(const consumer& to);
  // Completes the recording: processes that still run then outlive this object.
  void let_go() { complete_ = true; }

 private:
  struct channel;
  // Stores a descriptor of the process of `c`, which runs on without being recorded. The destructor
  // kills the process unless let_go() was called.
  void keep(channel& c);
  void answer_question(channel& c, const consumer& to);
  // Passes records to the consumer, up to the number that may still be recorded.
  void deliver(channel& c, std::uint32_t thread, const std::byte* from, std::size_t records,
               const consumer& to);
  void accept_one(const consumer& to);
  // Takes all available records of a process. Returns true if there were any.
  bool take_all(channel& c, const consumer& to);
  bool take(channel& c, std::size_t lane, const consumer& to);
  // Returns true if a child that was created has not connected yet; its parent may have ended in
  // the meantime. Returns false after two seconds.
  [[nodiscard]] bool awaits_children() const;
  // Takes the remaining records of all threads and the final progress at the end of a process.
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
  // True if the program runs on without being recorded.
  bool goes_on_ = false;
  bool complete_ = false;
  // Numbers of children to follow: those that ended processes created, and those that connected.
  std::uint64_t made_ = 0, come_ = 0;
  std::chrono::steady_clock::time_point last_end_ = {};
  std::vector<std::unique_ptr<channel>> channels_;
  // Descriptors of processes that run on without being recorded.
  std::vector<int> running_;
  // Copy of a chunk, because the program may change the chunk at any time.
  std::vector<std::byte> copy_ = {};
};

}  // namespace record::qemu
