/* Reads traces of any format from C11, C++17 and any language that can call C: as ChampSim
 * records, as columns of instructions, and through Arrow's C stream interface. The library is
 * libtracecodec; docs/c.md has example programs.
 *
 *   tracecodec_trace* trace;
 *   const tracecodec_record* records;
 *   size_t n;
 *   if (tracecodec_open("x.trace64", NULL, &trace) == TRACECODEC_OK)
 *     while (tracecodec_next_records(trace, SIZE_MAX, &records, &n) == TRACECODEC_OK && n != 0)
 *       ... records[0] to records[n - 1] ...
 *   if (tracecodec_last_error(trace) != NULL) ... tracecodec_last_error(trace)->line ...
 *   tracecodec_close(trace);
 *
 * Errors: a function that can fail returns TRACECODEC_OK or an error code;
 * tracecodec_last_error() returns the details. Output arguments are only valid after
 * TRACECODEC_OK. No C++ exception leaves a function. An exception thrown by an application's
 * own callback ends the program.
 *
 * Threads: there is no global state. Several threads may use different traces at once. One
 * trace, with everything that it returned, may be used by one thread at a time, whichever that
 * is. Several threads may read what a trace returned, as long as none of them calls a function
 * with the trace.
 *
 * Lifetime: what a function returns belongs to the trace. It must not be freed or written to,
 * and is valid as long as the function's comment states. "Until the trace moves" means until
 * tracecodec_next_records(), tracecodec_next_columns(), tracecodec_skip(), tracecodec_shard(),
 * tracecodec_rewind(), tracecodec_count(), tracecodec_arrow_stream() or tracecodec_close().
 * Arguments are copied, unless the comment states otherwise.
 *
 * Text consists of bytes and their number, because file names and file contents may not be
 * UTF-8 and may contain zeros. `bytes` is never null, and a zero follows the last byte.
 *
 * The ABI grows by new functions and by members at the end of structs. A struct that an
 * application makes begins with its size. Read structs of the library in place, and do not
 * copy them by their size. */
#ifndef TRACECODEC_H
#define TRACECODEC_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#if defined(TRACECODEC_BUILDS_LIBRARY)
#define TRACECODEC_API __declspec(dllexport)
#else
#define TRACECODEC_API __declspec(dllimport)
#endif
#elif defined(TRACECODEC_BUILDS_LIBRARY)
#define TRACECODEC_API __attribute__((visibility("default")))
#else
#define TRACECODEC_API
#endif
#if defined(__cplusplus)
#define TRACECODEC_NOEXCEPT noexcept
extern "C" {
#else
#define TRACECODEC_NOEXCEPT
#endif

/* Returns the version of the library, such as "0.1.0". */
TRACECODEC_API const char* tracecodec_version(void) TRACECODEC_NOEXCEPT;

/* ---- Errors ---- */

typedef int32_t tracecodec_status;
enum {
  TRACECODEC_OK = 0,
  TRACECODEC_SYSTEM = 1,      /* an operation of the operating system failed: open, read */
  TRACECODEC_TRUNCATED = 2,   /* the bytes end inside a record or a compressed stream */
  TRACECODEC_CORRUPT = 3,     /* a compressed stream is inconsistent */
  TRACECODEC_NOT_A_TRACE = 4, /* the content is not a trace of the expected format */
  TRACECODEC_BAD_VALUE = 5,   /* a field holds a value that its format does not allow */
  TRACECODEC_UNSUPPORTED = 6, /* recognised, but this build does not support it */
  TRACECODEC_REFUSED = 7,     /* invalid request, or invalid for this trace; a null argument */
  TRACECODEC_NO_MEMORY = 8,
  TRACECODEC_INTERNAL = 9 /* any other error: a bug in the library */
};

/* Returns the name of a status: its enumerator in lower case, such as "truncated"; "unknown"
 * for other numbers. */
TRACECODEC_API const char* tracecodec_status_name(tracecodec_status status) TRACECODEC_NOEXCEPT;

typedef struct tracecodec_text {
  const char* bytes;
  size_t size;
} tracecodec_text;

typedef struct tracecodec_error {
  tracecodec_status code;
  uint8_t has_offset; /* 1 if `offset` is known; else 0, and `offset` is 0 */
  uint8_t has_record; /* 1 if `record` is known; else 0, and `record` is 0 */
  /* Bytes from the start of the content, or of the compressed file if its compression is
   * damaged. */
  uint64_t offset;
  uint64_t record; /* index of the record, from 0 */
  /* The name by which the application opened it; "<stdin>" for standard input; may be empty. */
  tracecodec_text file;
  tracecodec_text field;   /* name of the record's field; may be empty */
  tracecodec_text message; /* description of the error, without the place */
  tracecodec_text line; /* the complete message: "FILE: offset 128, record 2, field ip: MESSAGE" */
} tracecodec_error;

/* ---- Opening ---- */

typedef struct tracecodec_trace tracecodec_trace;

/* Flags of tracecodec_options. */
enum {
  /* x64dbg, RapidBin, UMTracer: only instructions of options.thread. CloudSuite: only records
   * of this address space. */
  TRACECODEC_ONE_THREAD = 1,
  /* x64dbg: corrects the thread-id defect. RapidBin, UMTracer: only errors that prevent
   * further reading are reported. tracepack: damaged frames are left out, with a call of
   * `warn` for each. */
  TRACECODEC_REPAIR = 2,
  /* x64dbg: the column register_values contains all registers before each instruction. Takes
   * longer. */
  TRACECODEC_REGISTERS = 4,
  /* ChampSim, CloudSuite: branch classes by ChampSim's rules of 2022. */
  TRACECODEC_BRANCHES_OF_2022 = 8,
  /* Reads the file instead of mapping it: see tracecodec_install_sigbus_handler(). */
  TRACECODEC_NO_MAP = 16,
  /* STD text: lines of wait, notify, notifyAll and dummy, and columns after the location, are
   * errors. Otherwise they are left out, with a call of `warn`. */
  TRACECODEC_STRICT = 32
};

/* Options for opening a trace. NULL in place of the options means that all bytes are 0 except
 * `size`, which must be sizeof(tracecodec_options). An option that the trace's format does not
 * have is refused. */
typedef struct tracecodec_options {
  size_t size;
  uint32_t flags;
  uint32_t thread;
  /* A name of tracecodec_format_name(), such as "champsim". NULL: the format is recognised by
   * content. A tracepack is always recognised, and has the format of its records. */
  const char* format;
  /* "none", "xz", "gzip", "bzip2", "zstd" or "lz4". NULL: the compression is recognised by
   * content. */
  const char* compression;
  /* RapidBin: the file of the trace's metadata. NULL: the one next to the trace, if it exists.
   * "": none. */
  const char* metadata;
  /* File of a table that describes the trace's records, or the name of a built-in table,
   * "champsim2" or "chtrcv2" (docs/descriptors.md). */
  const char* record;
  /* xz, zstd: maximum size in bytes of a dictionary or window; a file with a larger one is
   * refused. 0: the library's own limit. */
  uint64_t memory;
  /* Called with a warning: one line, without a line end, about something that is not an error,
   * but makes the data doubtful. NULL: no such checks are made. It is called on the thread
   * that uses the trace, from any function except tracecodec_last_error(), and must not use
   * the trace. `text` is valid during the call. */
  void (*warn)(void* context, tracecodec_text text);
  void* context; /* first argument of `warn` */
  /* Number of threads that decode, including the caller's, at most 64. Used for the frames of
   * a tracepack (0: only the caller's thread) and the blocks of xz (0: one for each hardware
   * thread). Each needs memory for a frame or a block. Ignored for other files. */
  uint32_t threads;
  /* With `record`: bytes of the file before its first record, up to 2^30. 0: as the table
   * specifies. */
  uint64_t record_offset;
  /* ChampSim, CloudSuite: the trace's numbers for the instruction pointer, the stack pointer
   * and the flags, "ip=35,sp=7,flags=34" or some of them. They are read as ChampSim's 26, 6
   * and 25; in exchange, registers with these numbers get the other ones. NULL: the trace uses
   * ChampSim's numbers. */
  const char* map_registers;
  /* Options that only some formats have: each "NAME=VALUE", or "NAME" for one without a value,
   * and NULL after the last, as in {"branch-rules=2022", NULL}. The names are those of the
   * programs' options for reading. NULL: none. */
  const char* const* own;
} tracecodec_options;

/* Installs a handler for SIGBUS, the signal that ends the process if another program shortens
 * a mapped file while it is read. After this call, functions return TRACECODEC_SYSTEM instead:
 * "became shorter while it was read". Call it once in a process, before files are opened. A
 * SIGBUS with another cause is passed to the previous handler. Without the handler,
 * TRACECODEC_NO_MAP avoids the signal. Returns TRACECODEC_SYSTEM if the handler cannot be
 * installed. No-op on Windows, where a mapped file cannot become shorter. */
TRACECODEC_API tracecodec_status tracecodec_install_sigbus_handler(void) TRACECODEC_NOEXCEPT;

/* Returns the name of format `index`, from 0; NULL if there is no such format. */
TRACECODEC_API const char* tracecodec_format_name(size_t index) TRACECODEC_NOEXCEPT;

/* Opens `path`: a file, "-" for standard input, or the folder of an UMTracer trace. The name
 * consists of bytes in the operating system's encoding; UTF-8 on Windows. `options` may be
 * NULL.
 *
 * `*trace` is also set if opening fails, so that tracecodec_last_error() can return the
 * reason; any other call with the trace then fails with that error. The trace must be closed
 * in any case. `*trace` is only NULL if there is no memory for the trace.
 *
 * Errors: TRACECODEC_SYSTEM if the file is missing or not readable; TRACECODEC_NOT_A_TRACE;
 * TRACECODEC_UNSUPPORTED if this build does not read the format or the compression;
 * TRACECODEC_REFUSED for invalid options; other codes for a damaged header. */
TRACECODEC_API tracecodec_status tracecodec_open(const char* path,
                                                 const tracecodec_options* options,
                                                 tracecodec_trace** trace) TRACECODEC_NOEXCEPT;
/* Opens `size` bytes in memory like tracecodec_open(). They are the content of a file,
 * compressed or not. They are not copied, and must remain valid until the trace is closed.
 * `name` is used in errors. */
TRACECODEC_API tracecodec_status tracecodec_open_memory(
    const void* bytes, size_t size, const char* name, const tracecodec_options* options,
    tracecodec_trace** trace) TRACECODEC_NOEXCEPT;
/* Closes the trace. Everything that it returned becomes invalid. `trace` may be NULL. */
TRACECODEC_API void tracecodec_close(tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

/* Returns the error of the last function that can fail, or NULL if it succeeded. Valid until
 * the next call with the trace. Returns NULL if `trace` is NULL. */
TRACECODEC_API const tracecodec_error* tracecodec_last_error(const tracecodec_trace* trace)
    TRACECODEC_NOEXCEPT;

/* Returns the path, "<stdin>", or the name of bytes in memory; valid until the trace is
 * closed. */
TRACECODEC_API tracecodec_text tracecodec_name(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Returns the format, a name as in tracecodec_options.format; "" if the trace could not be
 * opened. */
TRACECODEC_API const char* tracecodec_format(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

/* ---- Records ---- */

/* ChampSim record: 64 bytes, with numbers in the byte order of the processor. */
typedef struct tracecodec_record {
  uint64_t ip;
  uint8_t is_branch;    /* 0 or 1 */
  uint8_t branch_taken; /* 0 or 1 */
  /* Registers written, 0 = unused. 6 is the stack pointer, 25 the flags, 26 the instruction
   * pointer. */
  uint8_t destination_registers[2];
  uint8_t source_registers[4];    /* registers read */
  uint64_t destination_memory[2]; /* virtual addresses written, 0 = none */
  uint64_t source_memory[4];      /* virtual addresses read, 0 = none */
} tracecodec_record;

/* Returns the next records in `*records`, at most `most` (0 counts as 1) and at most 4,096. A
 * call returns as many as it can deliver efficiently. `*size` is 0 at the end. The records of
 * a ChampSim trace are those of the file, in-place if it is mapped; for other formats each
 * instruction is converted. Valid until the trace moves.
 *
 * Records before an error are delivered before the error is returned. An error is returned
 * again until tracecodec_rewind(), or, if an instruction is damaged, until that instruction is
 * skipped. */
TRACECODEC_API tracecodec_status tracecodec_next_records(tracecodec_trace* trace, size_t most,
                                                         const tracecodec_record** records,
                                                         size_t* size) TRACECODEC_NOEXCEPT;
/* Returns how many operands do not fit into the records that tracecodec_next_records() has
 * delivered since the beginning, or since the last tracecodec_rewind(). */
TRACECODEC_API uint64_t tracecodec_dropped_operands(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

/* ---- Columns ---- */

/* Columns: the properties of an instruction. Each row is an instruction. */
enum {
  TRACECODEC_COLUMN_INDEX = 0, /* number of the instruction in the trace */
  TRACECODEC_COLUMN_IP = 1,
  /* Branch class: 0 direct jump, 1 indirect jump, 2 conditional, 3 direct call, 4 indirect
   * call, 5 return, 6 other, 7 not a branch. */
  TRACECODEC_COLUMN_BRANCH = 2,
  TRACECODEC_COLUMN_IS_BRANCH = 3,
  TRACECODEC_COLUMN_TAKEN = 4,
  TRACECODEC_COLUMN_TARGET = 5, /* 0 if not taken or unknown */
  TRACECODEC_COLUMN_THREAD = 6, /* thread or address space */
  TRACECODEC_COLUMN_THREAD_KNOWN = 7,
  TRACECODEC_COLUMN_SIZE = 8, /* size of the code in bytes */
  TRACECODEC_COLUMN_CODE = 9,
  TRACECODEC_COLUMN_TEXT = 10,      /* assembly text, for formats whose traces contain it */
  TRACECODEC_COLUMN_MNEMONIC_MATCHES = 11,    /* 1 if the mnemonic is that of tracecodec_match_mnemonic() */
  TRACECODEC_COLUMN_OPERATION = 12, /* operation of an event: tracecodec_operation_name() */
  TRACECODEC_COLUMN_DECOR = 13,
  TRACECODEC_COLUMN_LOCATION = 14,
  TRACECODEC_COLUMN_EVENT_OPERAND = 15, /* operand of an event that neither reads nor writes */
  TRACECODEC_COLUMN_DESTINATION_REGISTERS = 16,
  TRACECODEC_COLUMN_SOURCE_REGISTERS = 17,
  TRACECODEC_COLUMN_DROPPED_OPERANDS = 18, /* number of operands that are missing in the lists */
  TRACECODEC_COLUMN_MEMORY = 19,        /* memory reads, then memory writes */
  TRACECODEC_COLUMN_MEMORY_VALUES = 20,
  TRACECODEC_COLUMN_REGISTER_VALUES = 21,
  TRACECODEC_COLUMN_REGISTER_VALUE = 22, /* values of the register of tracecodec_select_register() */
  TRACECODEC_COLUMN_RECORDED_BRANCH = 23, /* the record's branch flag, as written */
  TRACECODEC_COLUMN_RECORDED_TAKEN = 24,  /* the record's taken flag, as written */
  /* Uncertainty, as bits: 1 the address of an operand is unknown, 2 the code is not a known
   * instruction, 4 the outcome of a branch is estimated. */
  TRACECODEC_COLUMN_UNCERTAINTY = 25,
  TRACECODEC_COLUMN_READS = 26, /* 1 if the instruction reads memory */
  TRACECODEC_COLUMN_WRITES = 27 /* 1 if the instruction writes memory */
};
/* Sets of columns are combined like TRACECODEC_BIT(TRACECODEC_COLUMN_IP) | ... */
#define TRACECODEC_BIT(column) ((uint64_t)1 << (column))

/* Types of elements. */
enum {
  TRACECODEC_FLAG = 0, /* a byte, 0 or 1 */
  TRACECODEC_BYTE = 1,
  TRACECODEC_U8 = 2,
  TRACECODEC_U16 = 3,
  TRACECODEC_U32 = 4,
  TRACECODEC_U64 = 5
};
/* Part of a column. A column has one part, unless its entries have several members: then it
 * has a part for each. For example, the column memory has the parts address, size and write. */
typedef struct tracecodec_part_info {
  const char* name;
  /* "address", "bytes", "number", "flag", "register", "class", "operation", "byte" or "bits". */
  const char* unit;
  int32_t type;    /* type of an element */
  uint8_t is_list; /* 1 if an entry is a list of elements, 0 if it is one element */
} tracecodec_part_info;
typedef struct tracecodec_column_info {
  const char* name;    /* "ip", "memory" ... */
  uint8_t is_list;     /* 1 if a row is a list of entries, 0 if it is one entry */
  uint8_t is_nullable; /* 1 if a row may have no value; currently 0 for every column */
  size_t parts;
} tracecodec_column_info;

/* Returns the number of columns, which is independent of the format. They are numbered from 0. */
TRACECODEC_API size_t tracecodec_columns(void) TRACECODEC_NOEXCEPT;
/* Return the description of a column or a part, or NULL if there is none of that number.
 * Always valid. */
TRACECODEC_API const tracecodec_column_info* tracecodec_column(size_t column) TRACECODEC_NOEXCEPT;
TRACECODEC_API const tracecodec_part_info* tracecodec_part(size_t column,
                                                           size_t part) TRACECODEC_NOEXCEPT;

/* Returns the set of columns that the trace's format provides; empty if the trace could not be
 * opened. */
TRACECODEC_API uint64_t tracecodec_has(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Selects the columns that tracecodec_next_columns() fills from now on; initially none. If a
 * damaged instruction has no value for one of the columns `lenient`, the value is left empty,
 * and that is not an error. Refused if the format does not provide a column, except for the
 * columns that are available for every format: index, ip, branch, is_branch, taken, target,
 * thread, destination_registers, source_registers, dropped_operands, memory. */
TRACECODEC_API tracecodec_status tracecodec_want(tracecodec_trace* trace, uint64_t columns,
                                                 uint64_t lenient) TRACECODEC_NOEXCEPT;
/* Selects the register of the column `register_value`, from the next batch on. The case of `name` is
 * ignored. `*bytes`, unless NULL, is set to the register's size, 0 if that is unknown. Refused
 * if there is no such register. */
TRACECODEC_API tracecodec_status tracecodec_select_register(tracecodec_trace* trace,
                                                           const char* name,
                                                           size_t* bytes) TRACECODEC_NOEXCEPT;
/* Selects the mnemonic or prefix of the column `mnemonic_matches`, from the next batch on. */
TRACECODEC_API tracecodec_status tracecodec_match_mnemonic(tracecodec_trace* trace,
                                                           const char* name) TRACECODEC_NOEXCEPT;
/* Returns the name of a number in the column `operation`; empty if it has none. Valid until
 * the function is called again. */
TRACECODEC_API tracecodec_status tracecodec_operation_name(
    tracecodec_trace* trace, uint8_t operation, tracecodec_text* name) TRACECODEC_NOEXCEPT;

/* Fills a batch with the next instructions, at most `most` (0 counts as 1) and at most 4,096.
 * `*rows` is 0 at the end. tracecodec_values() returns the values, until the trace moves.
 * Errors are those of tracecodec_next_records(). Records and columns may be read alternately:
 * each call continues where the last one ended. */
TRACECODEC_API tracecodec_status tracecodec_next_columns(tracecodec_trace* trace, size_t most,
                                                         size_t* rows) TRACECODEC_NOEXCEPT;
/* Returns the number of the batch's first row among the instructions that the trace delivers,
 * from 0. */
TRACECODEC_API uint64_t tracecodec_first_row(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Returns how many list entries and bytes of the batch did not fit: a column holds at most 64
 * KiB for each instruction. */
TRACECODEC_API uint64_t tracecodec_left_out(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

typedef struct tracecodec_array {
  const void* values; /* `size` elements of the part's type; the first is aligned to 64 bytes */
  size_t size;        /* number of rows, unless the column is a list */
  /* NULL unless there are lists. For a list column, row r has the entries from offsets[r] up
   * to, but not including, offsets[r + 1]. For a part that is a list, entry e has its elements
   * likewise. There is one offset more than rows or entries. */
  const int32_t* offsets;
} tracecodec_array;
/* Returns part `part` of column `column` of the batch, in-place. If a part is a list, its
 * `offsets` are those of its entries; the offsets of the column are those of its other parts.
 * Refused if the column was not selected, or there is no such part. The size is 0 if there is
 * no batch. */
TRACECODEC_API tracecodec_status tracecodec_values(tracecodec_trace* trace, size_t column,
                                                   size_t part,
                                                   tracecodec_array* values) TRACECODEC_NOEXCEPT;

/* ---- Parts of a trace ---- */

/* Moves forward by `n` instructions, or to the end. `*done`, unless NULL, is set to the number
 * skipped. */
TRACECODEC_API tracecodec_status tracecodec_skip(tracecodec_trace* trace, uint64_t n,
                                                 uint64_t* done) TRACECODEC_NOEXCEPT;
/* Limits the trace to `n` instructions from here. */
TRACECODEC_API tracecodec_status tracecodec_limit(tracecodec_trace* trace,
                                                  uint64_t n) TRACECODEC_NOEXCEPT;
/* Restricts the trace to part `index` of `of` equal parts. After an earlier call, these are
 * parts of that part. Instructions that were read or skipped before are included. Refused if
 * `index` is not below `of`, or if the trace cannot be counted (a pipe). */
TRACECODEC_API tracecodec_status tracecodec_shard(tracecodec_trace* trace, uint64_t index,
                                                  uint64_t of) TRACECODEC_NOEXCEPT;
/* Moves back to the first instruction, or to the first one of the shard. A limit set from
 * there is kept. Refused for pipes. */
TRACECODEC_API tracecodec_status tracecodec_rewind(tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Sets `*count` to the total number of instructions in the trace or the shard, within the
 * limit. May read the whole file. Refused for pipes. */
TRACECODEC_API tracecodec_status tracecodec_count(tracecodec_trace* trace,
                                                  uint64_t* count) TRACECODEC_NOEXCEPT;
/* Returns the fraction of the trace, or of the part up to the limit, that was read: 0 to 1;
 * negative if it is unknown. */
TRACECODEC_API double tracecodec_progress(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Returns the number of the next instruction, from 0. */
TRACECODEC_API uint64_t tracecodec_position(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

/* ---- Arrow ---- */

/* Arrow's C data interface and C stream interface, copied from their specification. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/* Makes `*stream` deliver the trace from its current position: batches of at most `most` rows
 * (0: 4,096) with the columns of tracecodec_want(). If none are selected, it delivers all
 * columns of the trace except `mnemonic_matches` and `register_value`.
 *
 * The stream takes ownership of the trace, and its release() closes the trace. Until then
 * functions with the trace are refused, including a second stream, and tracecodec_close() is a
 * no-op. After the release() the trace must not be used. If this function fails, the
 * application keeps the trace.
 *
 * A batch is a struct with a child for each column, without nulls. Numbers are unsigned
 * integers, flags are booleans, and `code` and `text` are binary, because text from a file may
 * not be UTF-8. Lists have 32-bit offsets; if their entries have several parts, these are
 * structs. The metadata of a field contain its unit, with the key "tracecodec.unit".
 *
 * Batches, children that were moved out of them, and schemas stay valid until they are
 * released, even after the stream's release(). Any thread may release them; the stream itself
 * may be used by one thread at a time. get_next() returns EIO, EINVAL or ENOMEM on errors.
 * release() sets the stream's members to NULL. A saved address of one of its functions then
 * returns EINVAL. */
TRACECODEC_API tracecodec_status tracecodec_arrow_stream(
    tracecodec_trace* trace, size_t most, struct ArrowArrayStream* stream) TRACECODEC_NOEXCEPT;

#if defined(__cplusplus)
} /* extern "C" */
#endif

#endif /* TRACECODEC_H */
