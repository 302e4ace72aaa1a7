/* Interface for C11, C++17 and any language that can call C. It reads traces of any format as
 * ChampSim records, as columns of instructions, and through Arrow's C stream interface. The
 * library is libtracecodec; docs/c.md has example programs.
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
 * TRACECODEC_OK. No function throws a C++ exception. If a callback of the application throws an
 * exception, the program ends.
 *
 * Threads: there is no global state. Several threads may use different traces at once. Only one
 * thread at a time may use a trace and the data that it returned, but this may be any thread.
 * Several threads may read data that a trace returned, as long as no thread calls a function
 * with the trace.
 *
 * Lifetime: data that a function returns belong to the trace. They must not be freed or
 * modified, and are valid as long as the comment of the function states. "Until the trace
 * moves" means until tracecodec_next_records(), tracecodec_next_columns(), tracecodec_skip(),
 * tracecodec_shard(), tracecodec_rewind(), tracecodec_count(), tracecodec_arrow_stream() or
 * tracecodec_close(). Arguments are copied, unless the comment states otherwise.
 *
 * Text consists of a pointer `bytes` and the number of bytes, because file names and file
 * contents may not be UTF-8 and may contain zeros. `bytes` is never null, and a zero follows
 * the last byte.
 *
 * The ABI grows by new functions and by members at the end of structs. A struct that an
 * application creates begins with its size. Read structs of the library in place, and do not
 * copy them with sizeof. */
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
  TRACECODEC_REFUSED = 7,     /* the request is invalid, or the trace does not support it */
  TRACECODEC_NO_MEMORY = 8,
  TRACECODEC_INTERNAL = 9 /* any other error: a bug in the library */
};

/* Returns the name of a status, which is its enumerator in lower case, such as "truncated".
 * Returns "unknown" for other numbers. */
TRACECODEC_API const char* tracecodec_status_name(tracecodec_status status) TRACECODEC_NOEXCEPT;

typedef struct tracecodec_text {
  const char* bytes;
  size_t size;
} tracecodec_text;

typedef struct tracecodec_error {
  tracecodec_status code;
  uint8_t has_offset; /* 1 if `offset` is known; otherwise both are 0 */
  uint8_t has_record; /* 1 if `record` is known; otherwise both are 0 */
  /* Offset in bytes in the decompressed content. If the compressed data are damaged, this is
   * the offset in the compressed file. */
  uint64_t offset;
  uint64_t record; /* index of the record, from 0 */
  /* Name by which the application opened the file; "<stdin>" for standard input; may be
   * empty. */
  tracecodec_text file;
  tracecodec_text field;   /* name of the record's field; may be empty */
  tracecodec_text message; /* description of the error, without its position */
  tracecodec_text line; /* the complete message: "FILE: offset 128, record 2, field ip: MESSAGE" */
} tracecodec_error;

/* ---- Opening ---- */

typedef struct tracecodec_trace tracecodec_trace;

/* Flags of tracecodec_options. */
enum {
  /* x64dbg, RapidBin, UMTracer: reads only the instructions of thread options.thread.
   * CloudSuite: reads only the records of address space options.thread. */
  TRACECODEC_ONE_THREAD = 1,
  /* x64dbg: corrects the thread-id defect. RapidBin, UMTracer: reports only errors that prevent
   * further reading. tracepack: skips damaged frames, and calls `warn` for each of the first
   * few and once for the number of the others. */
  TRACECODEC_REPAIR = 2,
  /* x64dbg: adds all registers before each instruction to the column register_values. Reading
   * then takes longer. */
  TRACECODEC_REGISTERS = 4,
  /* ChampSim, CloudSuite: determines branch classes by ChampSim's rules of 2022. */
  TRACECODEC_BRANCHES_OF_2022 = 8,
  /* Reads the file instead of mapping it: see tracecodec_install_sigbus_handler(). */
  TRACECODEC_NO_MAP = 16,
  /* STD text: reports an error for lines of wait, notify, notifyAll and dummy, and for columns
   * after the location. Without this flag, they are left out and `warn` is called. */
  TRACECODEC_STRICT = 32
};

/* Options for opening a trace. `size` must be sizeof(tracecodec_options). A null pointer to the
 * options is equivalent to options with 0 in all other bytes. An option that the format of the
 * trace does not have is refused. */
typedef struct tracecodec_options {
  size_t size;
  uint32_t flags;
  uint32_t thread;
  /* Format: a name that tracecodec_format_name() returns, such as "champsim". If `format` is
   * NULL, the format is recognised by content. A tracepack is always recognised, and has the
   * format of its records. */
  const char* format;
  /* Compression: "none", "xz", "gzip", "bzip2", "zstd" or "lz4". If `compression` is NULL, the
   * compression is recognised by content. */
  const char* compression;
  /* RapidBin: path of the file with the metadata of the trace. If `metadata` is NULL, the
   * metadata file next to the trace is used, if it exists. If `metadata` is "", no metadata are
   * used. */
  const char* metadata;
  /* Path of a table that describes the records of the trace, or the name of a built-in table,
   * "champsim2" or "chtrcv2" (docs/descriptors.md). If `record` is NULL, no table is used. */
  const char* record;
  /* xz, zstd: maximum size in bytes of a dictionary or window; a file that needs more is
   * refused. 0 means the default limit of the library. */
  uint64_t memory;
  /* Callback for warnings: `text` is one line, without a line end, about something that is not
   * an error but means that the data may be wrong. If `warn` is NULL, no such checks are made.
   * The callback is called on the thread that uses the trace, from any function except
   * tracecodec_last_error(). It must not use the trace. `text` is valid during the call. */
  void (*warn)(void* context, tracecodec_text text);
  void* context; /* first argument of `warn` */
  /* Number of threads that decode, including the caller's thread; at most 64. It applies to the
   * frames of a tracepack (0: only the caller's thread) and the blocks of an xz file (0: one
   * thread for each hardware thread). Each thread needs memory for a frame or a block. Ignored
   * for other files. */
  uint32_t threads;
  /* Number of bytes in the file before the first record, up to 2^30. 0 means that the table
   * specifies the number. If `record` is NULL, only 0 is allowed. */
  uint64_t record_offset;
  /* ChampSim, CloudSuite: the trace's numbers for the instruction pointer, the stack pointer
   * and the flags, such as "ip=35,sp=7,flags=34" or only some of them. The reader replaces
   * these numbers with ChampSim's numbers 26, 6 and 25. In exchange, registers 26, 6 and 25 of
   * the trace get the replaced numbers. If `map_registers` is NULL, the trace uses ChampSim's
   * numbers. */
  const char* map_registers;
  /* Options that only some formats have: an array such as {"branch-rules=2022", NULL}, which
   * ends with NULL. Each element is "NAME=VALUE", or "NAME" for an option without a value. The
   * names are those of the programs' options for reading. NULL in place of the array means no
   * such options. */
  const char* const* own;
} tracecodec_options;

/* Installs a handler for SIGBUS, the signal that ends the process if another program shortens a
 * mapped file while it is read. After this call, functions return TRACECODEC_SYSTEM instead,
 * with the message "became shorter while it was read". Call it once in a process, before files
 * are opened. A SIGBUS with another cause is passed to the previous handler. Without the
 * handler, TRACECODEC_NO_MAP avoids the signal. Returns TRACECODEC_SYSTEM if the handler cannot
 * be installed. On Windows this is a no-op, because a mapped file cannot become shorter. */
TRACECODEC_API tracecodec_status tracecodec_install_sigbus_handler(void) TRACECODEC_NOEXCEPT;

/* Returns the name of format number `index`, counted from 0, or NULL if there is no such
 * format. */
TRACECODEC_API const char* tracecodec_format_name(size_t index) TRACECODEC_NOEXCEPT;

/* Opens `path`: a file, "-" for standard input, or the folder of an UMTracer trace. `path` is
 * in the encoding of the operating system, or UTF-8 on Windows. `options` may be NULL.
 *
 * `*trace` is also set if opening fails, so that tracecodec_last_error() can return the reason;
 * any other call with the trace then fails with that error. The trace must be closed even if
 * opening fails. `*trace` is NULL only if there is no memory for the trace.
 *
 * Errors: TRACECODEC_SYSTEM if the file is missing or not readable; TRACECODEC_NOT_A_TRACE;
 * TRACECODEC_UNSUPPORTED if this build does not read the format or the compression;
 * TRACECODEC_REFUSED for invalid options; other codes for a damaged header. */
TRACECODEC_API tracecodec_status tracecodec_open(const char* path,
                                                 const tracecodec_options* options,
                                                 tracecodec_trace** trace) TRACECODEC_NOEXCEPT;
/* Opens `size` bytes in memory like tracecodec_open(), as if they were the content of a file,
 * compressed or not. The bytes are not copied, and must remain valid until the trace is closed.
 * `name` is used in errors. */
TRACECODEC_API tracecodec_status tracecodec_open_memory(
    const void* bytes, size_t size, const char* name, const tracecodec_options* options,
    tracecodec_trace** trace) TRACECODEC_NOEXCEPT;
/* Closes the trace. All data that it returned become invalid. `trace` may be NULL. */
TRACECODEC_API void tracecodec_close(tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

/* Returns the error of the last call to a function that can fail, or NULL if that call
 * succeeded. The error is valid until the next call with the trace. Returns NULL if `trace` is
 * NULL. */
TRACECODEC_API const tracecodec_error* tracecodec_last_error(const tracecodec_trace* trace)
    TRACECODEC_NOEXCEPT;

/* Returns the path of the trace, "<stdin>", or the name of bytes in memory. The text is valid
 * until the trace is closed. */
TRACECODEC_API tracecodec_text tracecodec_name(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Returns the name of the format, as in tracecodec_options.format, or "" if the trace could not
 * be opened. */
TRACECODEC_API const char* tracecodec_format(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

/* ---- Records ---- */

/* ChampSim record: 64 bytes, with numbers in the byte order of the processor. */
typedef struct tracecodec_record {
  uint64_t ip;
  uint8_t is_branch;    /* 0 or 1 */
  uint8_t branch_taken; /* 0 or 1 */
  /* Registers written; 0 means an unused element. 6 is the stack pointer, 25 the flags and 26
   * the instruction pointer. */
  uint8_t destination_registers[2];
  uint8_t source_registers[4];    /* registers read */
  uint64_t destination_memory[2]; /* virtual addresses written; 0 means none */
  uint64_t source_memory[4];      /* virtual addresses read; 0 means none */
} tracecodec_record;

/* Sets `*records` to the next records, and `*size` to their number: at most `most` (0 is
 * treated as 1) and at most 4,096. A call returns as many records as it can deliver
 * efficiently. `*size` is 0 at the end. For a ChampSim trace, the records are those of the
 * file, in place if the file is mapped. For other formats, each instruction is converted. The
 * records are valid until the trace moves.
 *
 * All records before an error are delivered before the error is returned. Each call returns the
 * error again until tracecodec_rewind() is called. An error of a damaged instruction is
 * returned until that instruction is skipped. */
TRACECODEC_API tracecodec_status tracecodec_next_records(tracecodec_trace* trace, size_t most,
                                                         const tracecodec_record** records,
                                                         size_t* size) TRACECODEC_NOEXCEPT;
/* Returns the number of operands that did not fit into the records that
 * tracecodec_next_records() has delivered since the beginning or the last
 * tracecodec_rewind(). */
TRACECODEC_API uint64_t tracecodec_dropped_operands(const tracecodec_trace* trace)
    TRACECODEC_NOEXCEPT;

/* ---- Columns ---- */

/* Columns, which are the properties of instructions. Each row is an instruction. */
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
  TRACECODEC_COLUMN_TEXT = 10, /* assembly text, for formats whose traces contain it */
  /* 1 if the mnemonic or prefix is that of tracecodec_match_mnemonic(), otherwise 0. */
  TRACECODEC_COLUMN_MNEMONIC_MATCHES = 11,
  TRACECODEC_COLUMN_OPERATION = 12, /* operation of an event; see tracecodec_operation_name() */
  TRACECODEC_COLUMN_DECOR = 13,
  TRACECODEC_COLUMN_LOCATION = 14,
  TRACECODEC_COLUMN_EVENT_OPERAND = 15, /* operand of an event that neither reads nor writes */
  TRACECODEC_COLUMN_DESTINATION_REGISTERS = 16,
  TRACECODEC_COLUMN_SOURCE_REGISTERS = 17,
  TRACECODEC_COLUMN_DROPPED_OPERANDS = 18, /* number of operands missing in the lists */
  TRACECODEC_COLUMN_MEMORY = 19,           /* memory reads, then memory writes */
  TRACECODEC_COLUMN_MEMORY_VALUES = 20,
  TRACECODEC_COLUMN_REGISTER_VALUES = 21,
  /* Values of the register that tracecodec_select_register() selects. */
  TRACECODEC_COLUMN_REGISTER_VALUE = 22,
  TRACECODEC_COLUMN_RECORDED_BRANCH = 23, /* branch flag of the record, as written */
  TRACECODEC_COLUMN_RECORDED_TAKEN = 24,  /* taken flag of the record, as written */
  /* Uncertainty as bits: 1 if the address of an operand is unknown, 2 if the code is not a
   * known instruction, 4 if the outcome of a branch is estimated. */
  TRACECODEC_COLUMN_UNCERTAINTY = 25,
  TRACECODEC_COLUMN_READS = 26, /* 1 if the instruction reads memory */
  TRACECODEC_COLUMN_WRITES = 27 /* 1 if the instruction writes memory */
};
/* Bit of a column. A set of columns is a combination such as
 * TRACECODEC_BIT(TRACECODEC_COLUMN_IP) | TRACECODEC_BIT(TRACECODEC_COLUMN_TAKEN). */
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
/* Part of a column. A column has one part, unless its entries have several members: then it has
 * one part for each member. For example, the column `memory` has the parts `address`, `size`
 * and `write`. */
typedef struct tracecodec_part_info {
  const char* name;
  /* "address", "bytes", "number", "flag", "register", "class", "operation", "byte" or "bits". */
  const char* unit;
  int32_t type;    /* type of an element */
  uint8_t is_list; /* 1 if an entry is a list of elements, 0 if it is one element */
} tracecodec_part_info;
typedef struct tracecodec_column_info {
  const char* name;    /* name, such as "ip" or "memory" */
  uint8_t is_list;     /* 1 if a row is a list of entries, 0 if it is one entry */
  uint8_t is_nullable; /* 1 if a row may have no value; currently 0 for every column */
  size_t parts;
} tracecodec_column_info;

/* Returns the number of columns, which is independent of the format. Columns are numbered from
 * 0. */
TRACECODEC_API size_t tracecodec_columns(void) TRACECODEC_NOEXCEPT;
/* Return the description of a column or a part, or NULL if no column or part has that number.
 * The description is valid until the program ends. */
TRACECODEC_API const tracecodec_column_info* tracecodec_column(size_t column) TRACECODEC_NOEXCEPT;
TRACECODEC_API const tracecodec_part_info* tracecodec_part(size_t column,
                                                           size_t part) TRACECODEC_NOEXCEPT;

/* Returns the set of columns that the format of the trace provides, or 0 if the trace could not
 * be opened. */
TRACECODEC_API uint64_t tracecodec_has(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Selects the columns that tracecodec_next_columns() fills from now on. Initially, no column is
 * selected. If a damaged instruction has no value for a column in `lenient`, the value is left
 * empty, which is not an error. Refused if the format does not provide a column, except for the
 * columns that are available for every format: index, ip, branch, is_branch, taken, target,
 * thread, destination_registers, source_registers, dropped_operands, memory. */
TRACECODEC_API tracecodec_status tracecodec_want(tracecodec_trace* trace, uint64_t columns,
                                                 uint64_t lenient) TRACECODEC_NOEXCEPT;
/* Selects the register for the column `register_value`, from the next batch on. The case of
 * `name` is ignored. Sets `*bytes`, unless `bytes` is NULL, to the size of the register, or to
 * 0 if the size is unknown. Refused if there is no such register. */
TRACECODEC_API tracecodec_status tracecodec_select_register(tracecodec_trace* trace,
                                                            const char* name,
                                                            size_t* bytes) TRACECODEC_NOEXCEPT;
/* Selects the mnemonic or prefix for the column `mnemonic_matches`, from the next batch on. */
TRACECODEC_API tracecodec_status tracecodec_match_mnemonic(tracecodec_trace* trace,
                                                           const char* name) TRACECODEC_NOEXCEPT;
/* Sets `*name` to the name of a number in the column `operation`, or to an empty text if the
 * number has no name. The text is valid until the function is called again. */
TRACECODEC_API tracecodec_status tracecodec_operation_name(
    tracecodec_trace* trace, uint8_t operation, tracecodec_text* name) TRACECODEC_NOEXCEPT;

/* Fills a batch with the next instructions, and sets `*rows` to their number: at most `most` (0
 * is treated as 1) and at most 4,096. `*rows` is 0 at the end. tracecodec_values() returns the
 * values of the batch until the trace moves. Errors are returned as in
 * tracecodec_next_records(). Records and columns may be read alternately: each call continues
 * where the previous call ended. */
TRACECODEC_API tracecodec_status tracecodec_next_columns(tracecodec_trace* trace, size_t most,
                                                         size_t* rows) TRACECODEC_NOEXCEPT;
/* Returns the number of the first row of the batch, counted from 0 among the instructions that
 * the trace delivers. */
TRACECODEC_API uint64_t tracecodec_first_row(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Returns the number of list entries and bytes that did not fit into the batch. A column holds
 * at most 64 KiB for each instruction. */
TRACECODEC_API uint64_t tracecodec_left_out(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

typedef struct tracecodec_array {
  const void* values; /* `size` elements of the part's type; the first is aligned to 64 bytes */
  size_t size;        /* number of elements: one for each row, unless the column is a list */
  /* Offsets of lists in `values`; NULL if neither the column nor the part is a list. For a list
   * column, row r has the entries from offsets[r] up to, but not including, offsets[r + 1]. For
   * a part that is a list, entry e has the elements from offsets[e] up to, but not including,
   * offsets[e + 1]. The number of offsets is the number of rows or entries plus 1. */
  const int32_t* offsets;
} tracecodec_array;
/* Sets `*values` to part `part` of column `column` in the batch, without a copy. If the part is
 * a list, values->offsets belong to the entries of the column; get the offsets of the rows from
 * another part of the column. Refused if the column was not selected, or if there is no such
 * part. values->size is 0 if there is no batch. */
TRACECODEC_API tracecodec_status tracecodec_values(tracecodec_trace* trace, size_t column,
                                                   size_t part,
                                                   tracecodec_array* values) TRACECODEC_NOEXCEPT;

/* ---- Parts of a trace ---- */

/* Moves forward by `n` instructions, or to the end. Sets `*done`, unless `done` is NULL, to the
 * number of skipped instructions. */
TRACECODEC_API tracecodec_status tracecodec_skip(tracecodec_trace* trace, uint64_t n,
                                                 uint64_t* done) TRACECODEC_NOEXCEPT;
/* Limits the trace to `n` instructions from the current position. */
TRACECODEC_API tracecodec_status tracecodec_limit(tracecodec_trace* trace,
                                                  uint64_t n) TRACECODEC_NOEXCEPT;
/* Restricts the trace to part `index` of `of` equal parts. If it was restricted before, the
 * parts are parts of the earlier part. They include instructions that were already read or
 * skipped. Refused if `index` is not below `of`, or if the trace cannot be counted (a pipe). */
TRACECODEC_API tracecodec_status tracecodec_shard(tracecodec_trace* trace, uint64_t index,
                                                  uint64_t of) TRACECODEC_NOEXCEPT;
/* Moves back to the first instruction of the trace, or of the part that tracecodec_shard()
 * selected. The limit is kept and still ends at the same instruction. Refused for pipes. */
TRACECODEC_API tracecodec_status tracecodec_rewind(tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Sets `*count` to the total number of instructions in the trace, or in the part that
 * tracecodec_shard() selected, up to the limit. May read the whole file. Refused for pipes. */
TRACECODEC_API tracecodec_status tracecodec_count(tracecodec_trace* trace,
                                                  uint64_t* count) TRACECODEC_NOEXCEPT;
/* Returns the fraction that was read of the trace, or of the part up to the limit: 0 to 1, or a
 * negative number if it is unknown. */
TRACECODEC_API double tracecodec_progress(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Returns the number of the next instruction, counted from 0. */
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

/* Initialises `*stream` as a stream of the trace from its current position. The stream delivers
 * batches of at most `most` rows (0 means 4,096) with the columns selected by
 * tracecodec_want(). If no column is selected, it delivers all columns of the trace except
 * `mnemonic_matches` and `register_value`.
 *
 * The stream takes ownership of the trace, and release() of the stream closes the trace. Before
 * release(), all functions with the trace are refused, including a second call to this
 * function, and tracecodec_close() is a no-op. After release(), the trace must not be used. If
 * this function fails, the application keeps the trace.
 *
 * A batch is a struct with a child for each column, without nulls. Numbers are unsigned
 * integers, flags are booleans, and `code` and `text` are binary, because text from a file may
 * not be UTF-8. Lists have 32-bit offsets. If the entries of a list have several parts, each
 * entry is a struct. The metadata of a field contain its unit under the key "tracecodec.unit".
 *
 * Batches, children that were moved out of them, and schemas stay valid until they are
 * released, even after the stream's release(). Any thread may release them; the stream itself
 * may be used by one thread at a time. get_next() returns EIO, EINVAL or ENOMEM on errors.
 * release() sets the stream's members to NULL. A function of the stream whose address was saved
 * then returns EINVAL. */
TRACECODEC_API tracecodec_status tracecodec_arrow_stream(
    tracecodec_trace* trace, size_t most, struct ArrowArrayStream* stream) TRACECODEC_NOEXCEPT;

#if defined(__cplusplus)
} /* extern "C" */
#endif

#endif /* TRACECODEC_H */
