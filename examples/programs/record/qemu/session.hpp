// Recorder's side of a recording under QEMU. It receives chunks of records from the processes of
// the program.
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
  // Id of the process that created this process; 0 if this process is the program itself.
  pid_t parent = 0;
  // True if the process replaced its program by calling exec. Set when the old program ends.
  bool becomes = false;
  // Number of child processes that the process created. Set when the process ends.
  std::uint64_t children = 0;
  // Number of instructions that were not recorded. Set when the process ends.
  std::uint64_t skipped = 0;
  // Number of instructions with dropped operands. Set when the process ends.
  std::uint64_t lost = 0;
  // Processor that QEMU emulates for the process.
  tracepack::processor processor = tracepack::processor::unknown;
  // Arena of the shared memory, which contains kept_code objects.
  std::span<const std::byte> code = {};

  // Returns the code at `place` in the arena. Validates `place`, because the program can overwrite
  // the shared memory.
  [[nodiscard]] kept_code code_at(std::uint32_t place) const;
};

// Callbacks for the events during a recording.
struct consumer {
  // Called when a process begins. Called again with the same id if the process calls exec.
  std::function<void(const process&)> begins;
  // Called with records of a thread, in execution order. The callback may modify the records.
  std::function<void(const process&, std::uint32_t thread, std::span<std::byte>)> records;
  // Called when a process translates new code at `ip`. `base` is the address of the program's
  // address 0 in the process. Returns the places near `ip` at which the recording begins or ends.
  std::function<trigger_range(const process&, std::uint64_t ip, std::uint64_t base)> find_triggers;
  // Called when a process has ended or is no longer recorded.
  std::function<void(const process&)> ends;
};

class session {
 public:
  // Listens for processes, and sends `order` to each of them. Throws std::system_error.
  explicit session(const qemu::order& order);
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  // Kills the recorded processes unless complete() was called.
  ~session();

  // Returns the name of this session's socket, which must be passed to the plugin as an argument.
  [[nodiscard]] const std::string& name() const { return name_; }

  // Starts the emulator. `command` contains the emulator and its arguments. Throws
  // std::runtime_error on failure.
  pid_t start(const std::vector<std::string>& command);
  // Returns true if a process of the program has connected.
  [[nodiscard]] bool heard() const { return !known_.empty(); }
  // Runs until the recording is over. Returns the wait status of the started process, or nullopt if
  // the process has not ended.
  std::optional<int> run(const consumer& to);
  // Marks the recording as complete. Processes that are still running then outlive this object.
  void complete() { complete_ = true; }

 private:
  struct channel;
  // Stores the descriptor of the process of `c`, which continues without being recorded. The
  // destructor kills the process unless complete() was called.
  void keep(channel& c);
  void serve_request(channel& c, const consumer& to);
  // Passes records to the consumer, but no more than the limit still allows.
  void deliver(channel& c, std::uint32_t thread, const std::byte* from, std::size_t records,
               const consumer& to);
  void accept_one(const consumer& to);
  // Takes all available records of a process. Returns true if any records were available.
  bool take_all(channel& c, const consumer& to);
  bool take(channel& c, std::size_t lane, const consumer& to);
  // Returns true if a child process was created but has not connected. The parent of the child may
  // have ended in the meantime. Returns false after two seconds.
  [[nodiscard]] bool awaits_children() const;
  // Takes the remaining records of all threads and the final progress. Called when a process has
  // ended.
  void end(channel& c, const consumer& to);
  void end_lane(channel& c, std::size_t lane, const consumer& to);
  static progress reached(const channel& c);

  qemu::order order_;
  std::string name_ = {};
  int listening_ = -1, bell_file_ = -1;
  bell* bell_ = nullptr;
  pid_t program_ = 0;
  std::optional<int> status_ = {};
  std::set<pid_t> known_ = {};  // all processes of the program that have connected
  // True if the program continues without being recorded.
  bool goes_on_ = false;
  bool complete_ = false;
  // Number of children that were created by ended processes, and number of children that have
  // connected. Only followed children are counted.
  std::uint64_t made_ = 0, come_ = 0;
  std::chrono::steady_clock::time_point last_end_ = {};
  std::vector<std::unique_ptr<channel>> channels_;
  // Descriptors of processes that continue without being recorded.
  std::vector<int> running_;
  // Copy of a chunk. It is needed because the program can overwrite the chunk at any time.
  std::vector<std::byte> copy_ = {};
};

}  // namespace record::qemu
