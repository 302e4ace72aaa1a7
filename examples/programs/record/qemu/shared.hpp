// Memory that the plugin (inside QEMU) and the recorder share. Each thread of the program has a
// ring of chunks. The plugin fills the chunks with records, and the recorder takes the chunks. The
// program can overwrite this memory, so the recorder reads each value only once (read_once) and
// checks its copy. Flags are integers, because every bit pattern of an integer is valid.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <tracecodec/tracepack/properties.hpp>

namespace record::qemu {

namespace tracepack = tracecodec::tracepack;

// Version of the protocol. The recorder refuses a plugin with a different version. Increment the
// version whenever the messages change. The size of the shared structures is checked separately
// (`layout`).
inline constexpr std::uint32_t protocol = 4;

inline constexpr std::size_t most_threads = 4096;
// Number of chunks in each ring.
inline constexpr std::size_t chunks = 8;
// Size of a chunk in bytes. It is a multiple of both record sizes (64 and 96 bytes).
inline constexpr std::size_t chunk_size = 96 * 1024;

// Capacity of the shared memory. Programs use only a small fraction of it, but process limits
// (ulimit -v, -f) apply to the whole size.
struct capacity {
  // Maximum number of threads that run at the same time.
  std::uint32_t threads = most_threads;
  // Size in bytes of the arena, which contains properties of the program's code.
  std::uint64_t arena = std::uint64_t{1} << 30U;
};
inline constexpr capacity small_capacity{256, std::uint64_t{1} << 27U};

// Place in the code at which the recording begins or ends.
struct trigger {
  std::uint64_t address = 0;
  std::uint64_t count = 1;  // number of the execution at which the place takes effect
  bool begins = false;
};

inline constexpr std::size_t most_triggers = 16;

// Places in [from, to) at which the recording begins or ends.
struct trigger_range {
  std::uint64_t from = 0, to = 0;
  std::uint32_t count = 0;
  std::array<trigger, most_triggers> triggers = {};
};

// Request from the plugin for the places in new code. The requesting thread waits until the
// recorder has served the request.
struct trigger_request {
  enum : std::uint32_t { none, pending, served };
  std::atomic<std::uint32_t> state = none;
  std::uint64_t ip = 0;
  // Address of the program's address 0 in the emulator's process.
  std::uint64_t base = 0;
  trigger_range found = {};
};

// Bell that the processes ring to wake the recorder. All processes share it.
struct bell {
  std::atomic<std::uint32_t> rung = 0;
  std::atomic<std::uint32_t> waited_for = 0;
};

// Selection of the instructions to record. The instructions of all threads of a process are counted
// together.
struct region {
  // Number of instructions to skip at the start.
  std::uint64_t skip = 0;
  std::uint64_t count = 0;  // maximum number of instructions to record
  std::uint64_t every = 0;  // length of a period in instructions
  // Number of instructions to record at the start of each period; 0 to record all of them.
  std::uint64_t length = 0;
};

// Progress of a process.
struct progress {
  // Number of instructions so far, including skipped instructions.
  std::uint64_t position = 0;
  std::uint64_t recorded = 0;
  // Nonzero while the process has not reached the place at which the recording begins.
  std::uint32_t waits = 0;
};

// Settings that each process of the program receives when it begins.
struct order {
  std::uint32_t version = protocol;
  std::uint32_t record_size = 0;  // 64 (ChampSim) or 96 (CloudSuite)
  std::int64_t recorder = 0;      // process id of the recorder
  qemu::capacity capacity = {};
  qemu::region region = {};
  // 1 if child processes are recorded, otherwise 0. All flags in this structure are 0 or 1.
  std::uint32_t follow_forks = 0;
  // 1 if the markers from tracecodec/roi.h begin and end the recording.
  std::uint32_t markers = 0;
  // 1 if each record contains the place of the code of its instruction (kept_code).
  std::uint32_t keeps_code = 0;
  // Progress when the program started. Nonzero counts if the process was already recorded with an
  // earlier program, before exec.
  progress from = {};
};

// Code of a translated instruction. It is stored in the arena if order::keeps_code is set. In that
// case, records contain the place of the code instead of the source registers. A place is an offset
// in the arena, in units of 8 bytes.
struct kept_code {
  std::array<std::uint8_t, 4> source_registers = {};
  tracepack::property known = {};
  friend bool operator==(const kept_code&, const kept_code&) = default;
};
inline constexpr std::size_t place_unit = 8;

// State of a thread of the program. The pointers are addresses in the plugin's process. The
// alignment avoids false sharing of cache lines.
struct alignas(128) lane {
  // Address of the current instruction's record.
  std::byte* at = nullptr;
  // End of the chunk, or of the part of the chunk that may be filled.
  std::byte* end = nullptr;
  // Translated form of the current instruction, or nullptr.
  const void* last = nullptr;
  // Start of the chunk.
  std::byte* begin = nullptr;
  // Number of instructions with dropped operands.
  std::uint64_t lost = 0;
  // Address of the current repeated instruction if at least one of its steps was executed,
  // otherwise 0.
  std::uint64_t repeating = 0;
  // Addresses directly after the last read and the last write. Used for an instruction with several
  // accesses.
  std::uint64_t next_read = 0, next_write = 0;
  // 1 if the recorder will take the chunk.
  std::uint8_t records = 0;
  // 1 if `now` already includes the instructions of the whole chunk.
  std::uint8_t counted = 0;
  // 1 if the current instruction has more memory accesses than a record can store.
  std::uint8_t clipped = 0;
  // Number of chunks opened so far.
  std::uint32_t opened = 0;

  // Number of chunks that were filled, and number of chunks that were taken, since the thread
  // began. The plugin waits for a change of `taken`.
  alignas(64) std::atomic<std::uint32_t> filled = 0;
  std::atomic<std::uint32_t> taken = 0;
  std::array<std::uint32_t, chunks> records_in = {};
  // Thread id of each chunk.
  std::array<std::uint32_t, chunks> threads = {};
};

struct shared {
  qemu::order order = {};
  // Progress of the process. It already includes all instructions that fit in the current chunks of
  // the threads.
  progress now = {};
  // Number of children that were created.
  std::atomic<std::uint64_t> children = 0;
  // Address of this object in the plugin's process.
  std::byte* base = nullptr;
  // Number of lanes that have been used so far. Lanes with this number or a higher number are
  // unused.
  std::atomic<std::uint32_t> lanes_used = 0;
  // 1 if the process continues without being recorded.
  std::atomic<std::uint32_t> finished = 0;
  // Nonzero if the recorder no longer takes records of this process. Threads then need not wait for
  // the recorder.
  std::atomic<std::uint32_t> released = 0;
  // 1 if the process was ended because it had too many threads.
  std::atomic<std::uint32_t> too_many_threads = 0;
  trigger_request request = {};
  std::array<lane, most_threads> lanes = {};
};

inline constexpr std::uint32_t layout = sizeof(shared) + chunk_size;

// Offset of the rings from the start of the shared memory, in bytes.
inline constexpr std::size_t rings_offset = (sizeof(shared) + 4095) / 4096 * 4096;
// Size in bytes of a lane's ring and an additional chunk for instructions that are not recorded.
inline constexpr std::size_t lane_size = (chunks + 1) * chunk_size;
// Loads `from` exactly once, so that the caller uses the same value that it has checked.
template <class T> T read_once(const T& from) { return static_cast<const volatile T&>(from); }

constexpr std::size_t arena_offset(const capacity& r) {
  return rings_offset + r.threads * lane_size;
}
constexpr std::size_t shared_size(const capacity& r) { return arena_offset(r) + r.arena; }

constexpr std::size_t chunk_offset(std::size_t lane, std::size_t chunk) {
  return rings_offset + lane * lane_size + chunk % chunks * chunk_size;
}
constexpr std::size_t scratch_offset(std::size_t lane) {
  return rings_offset + lane * lane_size + chunks * chunk_size;
}

}  // namespace record::qemu
