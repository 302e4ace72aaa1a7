/* Interface of the library libtracecodec for C11, C++17 and any language that can call C. The
 * library reads traces of any format as ChampSim records, as columns of instructions, or through
 * Arrow's C stream interface. For example programs, see docs/c.md.
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
 * Errors: a function that can fail returns TRACECODEC_OK or an error code; tracecodec_last_error()
 * returns the details. Output arguments are valid only after TRACECODEC_OK. No function throws a
 * C++ exception. If a callback of the application throws an exception, the program ends.
 *
 * Threads: the library has no global state, so several threads may use different traces at once.
 * Any thread may use a trace and the data that the trace returned, but only one thread at a time.
 * While no thread calls a function with a trace, several threads may read the data that the trace
 * returned.
 *
 * Lifetime: data that a function returns belong to the trace. Do not free or modify the data. The
 * comment of each function states how long the data are valid. "Until the trace moves" means until
 * a call to tracecodec_next_records(), tracecodec_next_columns(), tracecodec_skip(),
 * tracecodec_shard(), tracecodec_rewind(), tracecodec_count(), tracecodec_arrow_stream() or
 * tracecodec_close(). Arguments are copied, unless the comment states otherwise.
 *
 * Text has a pointer `bytes` and a size, because file names and file contents may not be UTF-8 and
 * may contain zeros. `bytes` is never null, and a zero follows the last byte.
 *
 * Later versions may add functions, and members at the end of structs, without breaking the ABI.
 * A struct that an application creates therefore begins with its size. Read the structs that the
 * library returns in place. Do not copy them with sizeof, because their size may change. */
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

/* Result of a call: TRACECODEC_OK, or the kind of error. */
typedef int32_t tracecodec_status;
/* Status codes. */
enum {
  TRACECODEC_OK = 0,
  TRACECODEC_SYSTEM = 1,      /* a system operation failed, such as open or read */
  TRACECODEC_TRUNCATED = 2,   /* the bytes end inside a record or a compressed stream */
  TRACECODEC_CORRUPT = 3,     /* a compressed stream is inconsistent */
  TRACECODEC_NOT_A_TRACE = 4, /* the content is not a trace of the expected format */
  TRACECODEC_BAD_VALUE = 5,   /* a field contains a value that its format does not allow */
  TRACECODEC_UNSUPPORTED = 6, /* the content is recognised, but this build does not support it */
  TRACECODEC_REFUSED = 7,     /* the request is invalid, or the trace does not support it */
  TRACECODEC_NO_MEMORY = 8,   /* there is not enough memory */
  TRACECODEC_INTERNAL = 9     /* any other error, which is a bug in the library */
};

/* Returns the name of a status, such as "truncated" for TRACECODEC_TRUNCATED. Returns "unknown" for
 * a number that is not a status. */
TRACECODEC_API const char* tracecodec_status_name(tracecodec_status status) TRACECODEC_NOEXCEPT;

/* Text, which may contain zeros and need not be UTF-8. */
typedef struct tracecodec_text {
  const char* bytes; /* the bytes, followed by a zero; never null */
  size_t size;       /* number of bytes, not including the zero that follows */
} tracecodec_text;

/* Details of an error, as returned by tracecodec_last_error(). */
typedef struct tracecodec_error {
  tracecodec_status code; /* kind of the error */
  uint8_t has_offset;     /* 1 if `offset` is known, otherwise 0 */
  uint8_t has_record;     /* 1 if `record` is known, otherwise 0 */
  /* Offset in bytes in the decompressed content, or 0 if it is unknown. If the compressed data are
   * damaged, `offset` is an offset in the compressed file. */
  uint64_t offset;
  uint64_t record; /* index of the record, counted from 0; 0 if it is unknown */
  /* Name under which the application opened the file, or "<stdin>" for standard input. May be
   * empty. */
  tracecodec_text file;
  tracecodec_text field;   /* name of the record's field; may be empty */
  tracecodec_text message; /* description of the error, without its position */
  tracecodec_text line;    /* complete message: "FILE: offset 128, record 2, field ip: MESSAGE" */
} tracecodec_error;

/* ---- Opening ---- */

/* An open trace. Its members are private to the library. */
typedef struct tracecodec_trace tracecodec_trace;

/* Flags of tracecodec_options. */
enum {
  /* Reads only the instructions of one thread (x64dbg, RapidBin, UMTracer) or the records of one
   * address space (CloudSuite). options.thread selects the thread or address space. */
  TRACECODEC_ONE_THREAD = 1,
  /* Reads damaged traces. For x64dbg, the reader skips damage, and recognises thread ids even if
   * their flag is missing. For RapidBin and UMTracer, the reader returns all complete records,
   * even if a header states another number. For tracepack, the reader skips damaged frames. It
   * calls `warn` for each of the first few damaged frames, and once for all further damaged
   * frames. */
  TRACECODEC_REPAIR = 2,
  /* Fills the column register_values of x64dbg traces. Without this flag, the column is empty.
   * The first row of a batch contains all registers before the instruction. Each further row
   * contains the registers that have changed since the previous row. Reading then takes longer. */
  TRACECODEC_REGISTERS = 4,
  /* Determines the branch classes of ChampSim and CloudSuite traces by ChampSim's rules of 2022. */
  TRACECODEC_BRANCHES_OF_2022 = 8,
  /* Reads the file instead of mapping it (see tracecodec_install_sigbus_handler()). */
  TRACECODEC_NO_MAP = 16,
  /* Reports an error if STD text has lines with the operation wait, notify, notifyAll or dummy, or
   * columns after the location. Without this flag, the reader omits such lines and columns, and
   * calls `warn`. */
  TRACECODEC_STRICT = 32
};

/* Options for opening a trace. `size` must be sizeof(tracecodec_options). A null pointer to the
 * options is equivalent to options whose other members are all 0. Opening fails with
 * TRACECODEC_REFUSED if an option is set that the format of the trace does not support. */
typedef struct tracecodec_options {
  size_t size;     /* sizeof(tracecodec_options) */
  uint32_t flags;  /* a combination of flags such as TRACECODEC_STRICT; 0 means none */
  uint32_t thread; /* the thread or address space that TRACECODEC_ONE_THREAD selects */
  /* Name of the format, such as "champsim". tracecodec_format_name() returns all such names. If
   * `format` is NULL, the format is recognised from the content. A tracepack is always recognised
   * from the content, and its format is the format of its records. */
  const char* format;
  /* Name of the compression, which is "none", "xz", "gzip", "bzip2", "zstd", "lz4", "snappy" or "zip". If
   * `compression` is NULL, the compression is recognised from the content. */
  const char* compression;
  /* Path of the metadata file of a RapidBin trace. If `metadata` is NULL, the metadata file next to
   * the trace is used if it exists. If `metadata` is "", no metadata are used. */
  const char* metadata;
  /* Path of a table that describes the records of the trace, or the name of a built-in table
   * ("champsim2" or "chtrcv2"). docs/record-tables.md describes tables. If `record` is NULL, no
   * table is used. */
  const char* record;
  /* Maximum size in bytes of the dictionary of an xz file or the window of a zstd file. A file that
   * needs more is refused. 0 means the default limit of 256 MiB. */
  uint64_t memory;
  /* Callback for warnings. `text` is one line without a line break. It describes a condition
   * that is not an error but may mean that the data are wrong. If `warn` is NULL, such
   * conditions are not checked. Any function except tracecodec_last_error() may call the
   * callback, in the thread that uses the trace. The callback must not use the trace. `text` is
   * valid only until the callback returns. */
  void (*warn)(void* context, tracecodec_text text);
  void* context; /* first argument of `warn` */
  /* Number of threads that decode the frames of a tracepack or the blocks of an xz file, including
   * the caller's thread. The maximum is 64. 0 means only the caller's thread for a tracepack, and
   * one thread for each hardware thread for an xz file. Each thread needs memory for a frame or a
   * block. Ignored for other files. */
  uint32_t threads;
  /* Number of bytes in the file before the first record, up to 2^30. 0 means that the table
   * specifies the number. If `record` is NULL, only 0 is allowed. */
  uint64_t record_offset;
  /* Numbers of the instruction pointer, the stack pointer and the flags in a ChampSim or
   * CloudSuite trace, such as "ip=35,sp=7,flags=34". Any of the three entries may be omitted.
   * The reader exchanges these numbers with ChampSim's numbers 26, 6 and 25. If `map_registers`
   * is NULL, the trace uses ChampSim's numbers. */
  const char* map_registers;
  /* Array of options that only some formats have, such as {"branch-rules=2022", NULL}. The array
   * ends with NULL. Each element is "NAME=VALUE", or "NAME" for an option without a value. NAME
   * is the name of an option for reading that the programs accept. If `own` is NULL, no such
   * options are set. */
  const char* const* own;
} tracecodec_options;

/* Installs a handler for SIGBUS. The system sends this signal, which normally ends the process, if
 * another program shortens a mapped file while the file is being read. With the handler, functions
 * return TRACECODEC_SYSTEM with the message "became shorter while it was read". Any other SIGBUS is
 * passed to the previous handler. Call this function once per process, before opening files.
 *
 * Returns TRACECODEC_SYSTEM if the handler cannot be installed. Has no effect on Windows, where
 * a mapped file cannot become shorter. An alternative to the handler is TRACECODEC_NO_MAP. */
TRACECODEC_API tracecodec_status tracecodec_install_sigbus_handler(void) TRACECODEC_NOEXCEPT;

/* Returns the name of the format with number `index`, counted from 0. Returns NULL if no format has
 * that number. */
TRACECODEC_API const char* tracecodec_format_name(size_t index) TRACECODEC_NOEXCEPT;

/* Opens a trace. `path` is the path of a file, the folder of a UMTracer trace, or "-" for standard
 * input. `path` is in the encoding of the operating system, or in UTF-8 on Windows. `options` may
 * be NULL.
 *
 * `*trace` is set even if opening fails. tracecodec_last_error() then returns the reason, and any
 * other call with the trace fails with the same error. The trace must be closed even if opening
 * fails. `*trace` is NULL only if there is no memory for the trace.
 *
 * Returns TRACECODEC_SYSTEM if the file is missing or unreadable, TRACECODEC_NOT_A_TRACE if the
 * content is not a trace, TRACECODEC_UNSUPPORTED if this build cannot read the format or the
 * compression, and TRACECODEC_REFUSED if an option is invalid. If a header or the compressed
 * data are damaged, returns TRACECODEC_TRUNCATED, TRACECODEC_CORRUPT or TRACECODEC_BAD_VALUE. */
TRACECODEC_API tracecodec_status tracecodec_open(const char* path,
                                                 const tracecodec_options* options,
                                                 tracecodec_trace** trace) TRACECODEC_NOEXCEPT;
/* Opens a trace in memory. The `size` bytes at `bytes` are the content of a file, which may be
 * compressed. The bytes are not copied, and must remain valid until the trace is closed. `name`
 * is the name of the trace in error messages. In all other respects, the function behaves like
 * tracecodec_open(). */
TRACECODEC_API tracecodec_status tracecodec_open_memory(
    const void* bytes, size_t size, const char* name, const tracecodec_options* options,
    tracecodec_trace** trace) TRACECODEC_NOEXCEPT;
/* Closes the trace. All data that the trace returned become invalid. `trace` may be NULL. */
TRACECODEC_API void tracecodec_close(tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

/* Returns the error of the last call of a function that can fail. Returns NULL if that call
 * succeeded, or if `trace` is NULL. The error is valid until the next call with the trace. */
TRACECODEC_API const tracecodec_error* tracecodec_last_error(const tracecodec_trace* trace)
    TRACECODEC_NOEXCEPT;

/* Returns the path of the trace, "<stdin>" for standard input, or the name that was passed to
 * tracecodec_open_memory(). The text is valid until the trace is closed. */
TRACECODEC_API tracecodec_text tracecodec_name(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Returns the name of the format, as in tracecodec_options.format, or "" if the trace could not
 * be opened. */
TRACECODEC_API const char* tracecodec_format(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

/* ---- Records ---- */

/* ChampSim record, which has 64 bytes. Numbers are in the byte order of the processor. */
typedef struct tracecodec_record {
  uint64_t ip;          /* address of the instruction */
  uint8_t is_branch;    /* 0 or 1 */
  uint8_t branch_taken; /* 0 or 1 */
  /* Numbers of the registers written; 0 means none. Register 6 is the stack pointer, 25 is the
   * flags register, and 26 is the instruction pointer. */
  uint8_t destination_registers[2];
  uint8_t source_registers[4];    /* numbers of the registers read; 0 means none */
  uint64_t destination_memory[2]; /* virtual addresses written; 0 means none */
  uint64_t source_memory[4];      /* virtual addresses read; 0 means none */
} tracecodec_record;

/* Sets `*records` to the next records, and `*size` to the number of records, which is at most
 * `most` and at most 4,096. If `most` is 0, it is treated as 1. A call can return fewer records
 * than requested, but `*size` is 0 only at the end of the trace. For a ChampSim trace, the function
 * returns the records of the file, without a copy if the file is mapped. For other formats, each
 * instruction is converted to a record. The records are valid until the trace moves.
 *
 * All records before an error are delivered before the error is returned. Each later call
 * returns the same error until tracecodec_rewind() is called. An error about a damaged
 * instruction is returned until the instruction is skipped. */
TRACECODEC_API tracecodec_status tracecodec_next_records(tracecodec_trace* trace, size_t most,
                                                         const tracecodec_record** records,
                                                         size_t* size) TRACECODEC_NOEXCEPT;
/* Returns the number of operands that did not fit into the records. Counts the records that
 * tracecodec_next_records() has delivered since the trace was opened or last rewound. */
TRACECODEC_API uint64_t tracecodec_dropped_operands(const tracecodec_trace* trace)
    TRACECODEC_NOEXCEPT;

/* ---- Columns ---- */

/* Column numbers, which identify columns in calls. Each column contains one property of the
 * instructions, and each row is one instruction. */
enum {
  TRACECODEC_COLUMN_INDEX = 0, /* number of the instruction in the trace */
  TRACECODEC_COLUMN_IP = 1,    /* address of the instruction */
  /* Branch class. Jumps are 0 (direct), 1 (indirect) and 2 (conditional). Calls are 3 (direct)
   * and 4 (indirect). A return is 5, and any other branch is 6. An instruction that is not a
   * branch is 7. */
  TRACECODEC_COLUMN_BRANCH = 2,
  TRACECODEC_COLUMN_IS_BRANCH = 3,    /* 1 if ChampSim counts the instruction as a branch */
  TRACECODEC_COLUMN_TAKEN = 4,        /* 1 if the branch is taken */
  TRACECODEC_COLUMN_TARGET = 5,       /* address of the branch target; 0 if not taken or unknown */
  TRACECODEC_COLUMN_THREAD = 6,       /* number of the thread or address space */
  TRACECODEC_COLUMN_THREAD_KNOWN = 7, /* 1 if the trace states the thread */
  TRACECODEC_COLUMN_SIZE = 8,         /* size of the code in bytes */
  TRACECODEC_COLUMN_CODE = 9,         /* bytes of the code */
  TRACECODEC_COLUMN_TEXT = 10,        /* assembly text, if the trace contains it */
  /* 1 if the instruction has the mnemonic or prefix that tracecodec_match_mnemonic() selects,
   * otherwise 0. */
  TRACECODEC_COLUMN_MNEMONIC_MATCHES = 11,
  TRACECODEC_COLUMN_OPERATION = 12, /* operation of an event; see tracecodec_operation_name() */
  /* Decor of an event, which is the number of a lock, variable or thread. */
  TRACECODEC_COLUMN_DECOR = 13,
  TRACECODEC_COLUMN_LOCATION = 14,      /* number of the location of an event */
  TRACECODEC_COLUMN_EVENT_OPERAND = 15, /* operand of an event that neither reads nor writes */
  TRACECODEC_COLUMN_DESTINATION_REGISTERS = 16, /* numbers of the registers written */
  TRACECODEC_COLUMN_SOURCE_REGISTERS = 17,      /* numbers of the registers read */
  TRACECODEC_COLUMN_DROPPED_OPERANDS = 18,      /* number of operands missing from the lists */
  TRACECODEC_COLUMN_MEMORY = 19,                /* memory accesses, with reads before writes */
  /* Contents of memory before and after the instruction. */
  TRACECODEC_COLUMN_MEMORY_VALUES = 20,
  /* Contents of registers before and after the instruction. */
  TRACECODEC_COLUMN_REGISTER_VALUES = 21,
  /* Values of the register that tracecodec_select_register() selects. */
  TRACECODEC_COLUMN_REGISTER_VALUE = 22,
  TRACECODEC_COLUMN_RECORDED_BRANCH = 23, /* branch flag of the record, as written */
  TRACECODEC_COLUMN_RECORDED_TAKEN = 24,  /* taken flag of the record, as written */
  /* Combination of bits: 1 means that the address of an operand is unknown, 2 that the code
   * cannot be decoded, and 4 that the branch outcome is estimated. */
  TRACECODEC_COLUMN_UNCERTAINTY = 25,
  TRACECODEC_COLUMN_READS = 26,  /* 1 if the instruction reads memory */
  TRACECODEC_COLUMN_WRITES = 27, /* 1 if the instruction writes memory */
  /* Last time that the trace stores, in the format's unit; 0 if it is unknown. */
  TRACECODEC_COLUMN_TIME = 28,
  TRACECODEC_COLUMN_CPU = 29, /* processor that executed the instruction; all bits set if unknown */
  /* Combination of bits for events before the instruction: 1 system call, 2 system call that may
   * block, 4 signal, 8 another address set by the kernel, 16 context switch, 32 begin and 64 end of
   * instructions of the kernel, 128 wait of the processor, and 256 instructions left out. */
  TRACECODEC_COLUMN_SYSTEM_EVENTS = 30
};
/* Bit of a column in a set of columns. Combine the bits of several columns, as in
 * TRACECODEC_BIT(TRACECODEC_COLUMN_IP) | TRACECODEC_BIT(TRACECODEC_COLUMN_TAKEN). */
#define TRACECODEC_BIT(column) ((uint64_t)1 << (column))

/* Types of elements. */
enum {
  TRACECODEC_FLAG = 0, /* a byte, 0 or 1 */
  TRACECODEC_BYTE = 1, /* a byte of code, text or memory */
  TRACECODEC_U8 = 2,
  TRACECODEC_U16 = 3,
  TRACECODEC_U32 = 4,
  TRACECODEC_U64 = 5
};
/* Description of a part of a column. A column has one part if its entries are single values.
 * Otherwise, it has a part for each member of an entry. For example, the column `memory` has the
 * parts `address`, `size` and `write`. */
typedef struct tracecodec_part_info {
  /* Name of the part, such as "address". If a column has only one part, the part has the column's
   * name. */
  const char* name;
  /* Unit of an element, which is "address", "bytes", "number", "flag", "register", "class",
   * "operation", "byte" or "bits". */
  const char* unit;
  int32_t type;    /* type of an element, such as TRACECODEC_U64 */
  uint8_t is_list; /* 1 if an entry is a list of elements, 0 if an entry is one element */
} tracecodec_part_info;
/* Description of a column. */
typedef struct tracecodec_column_info {
  const char* name;    /* name of the column, such as "ip" or "memory" */
  uint8_t is_list;     /* 1 if a row is a list of entries, 0 if a row is one entry */
  uint8_t is_nullable; /* 1 if a row may have no value; currently 0 for every column */
  size_t parts;        /* number of parts, at least 1 */
} tracecodec_column_info;

/* Returns the number of columns, which is the same for all formats. Columns are numbered from
 * 0. */
TRACECODEC_API size_t tracecodec_columns(void) TRACECODEC_NOEXCEPT;
/* Returns the description of a column or a part, or NULL if no column or part has that number.
 * The description is valid until the program ends. */
TRACECODEC_API const tracecodec_column_info* tracecodec_column(size_t column) TRACECODEC_NOEXCEPT;
TRACECODEC_API const tracecodec_part_info* tracecodec_part(size_t column,
                                                           size_t part) TRACECODEC_NOEXCEPT;

/* Returns the set of columns that the format of the trace provides, or 0 if the trace could not
 * be opened. */
TRACECODEC_API uint64_t tracecodec_has(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Selects the columns that the next calls of tracecodec_next_columns() fill. Initially, no column
 * is selected. `lenient` is also a set of columns. If the data of an instruction are damaged, its
 * values in these columns are empty, and no error is returned.
 *
 * Returns TRACECODEC_REFUSED for a column that the format does not provide. These columns are
 * available for every format: index, ip, branch, is_branch, taken, target, thread,
 * destination_registers, source_registers, dropped_operands, memory, reads and writes. */
TRACECODEC_API tracecodec_status tracecodec_want(tracecodec_trace* trace, uint64_t columns,
                                                 uint64_t lenient) TRACECODEC_NOEXCEPT;
/* Selects the register for the column `register_value`, from the next batch on. The case of
 * `name` is ignored. If `bytes` is not NULL, sets `*bytes` to the size of the register in bytes,
 * or to 0 if the size is unknown. Returns TRACECODEC_REFUSED if the trace has no such register. */
TRACECODEC_API tracecodec_status tracecodec_select_register(tracecodec_trace* trace,
                                                            const char* name,
                                                            size_t* bytes) TRACECODEC_NOEXCEPT;
/* Selects the mnemonic or prefix for the column `mnemonic_matches`, from the next batch on.
 * Returns TRACECODEC_REFUSED if traces of the format cannot contain this mnemonic. */
TRACECODEC_API tracecodec_status tracecodec_match_mnemonic(tracecodec_trace* trace,
                                                           const char* name) TRACECODEC_NOEXCEPT;
/* Sets `*name` to the name of `operation`, a number in the column `operation`. The text is empty if
 * the number has no name. The text is valid until the next call of this function with the trace, or
 * until the trace is closed. */
TRACECODEC_API tracecodec_status tracecodec_operation_name(
    tracecodec_trace* trace, uint8_t operation, tracecodec_text* name) TRACECODEC_NOEXCEPT;

/* Fills a batch with the next instructions, and sets `*rows` to the number of rows, which is at
 * most `most` and at most 4,096. If `most` is 0, it is treated as 1. `*rows` is 0 at the end of
 * the trace. tracecodec_values() returns the values of the batch until the trace moves. Errors
 * are returned as in tracecodec_next_records(). A program can alternate between reading records
 * and reading columns, because each call continues where the previous call ended. */
TRACECODEC_API tracecodec_status tracecodec_next_columns(tracecodec_trace* trace, size_t most,
                                                         size_t* rows) TRACECODEC_NOEXCEPT;
/* Returns the number of the first row of the batch, counted from 0 among the instructions that
 * the trace delivers. */
TRACECODEC_API uint64_t tracecodec_first_row(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Returns the number of list entries and bytes that did not fit into the batch. A list column
 * stores at most 64 KiB for each instruction. */
TRACECODEC_API uint64_t tracecodec_left_out(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

/* Values of a part of a column in a batch. */
typedef struct tracecodec_array {
  const void* values; /* `size` elements of the part's type; the first is aligned to 64 bytes */
  size_t size;        /* number of elements, which is the number of rows unless there are lists */
  /* Offsets of lists in `values`; NULL if neither the column nor the part is a list. For a list
   * column, row r has the entries from offsets[r] up to, but not including, offsets[r + 1]. For
   * a part that is a list, entry e has the elements from offsets[e] up to, but not including,
   * offsets[e + 1]. The number of offsets is the number of rows or entries plus 1. */
  const int32_t* offsets;
} tracecodec_array;
/* Sets `*values` to the values of part `part` of column `column` in the batch, without a copy.
 * If the part is a list, values->offsets contains the offsets for the entries of the column. The
 * offsets for the rows are in a part of the column that is not a list. If there is no batch,
 * values->size is 0. Returns TRACECODEC_REFUSED if the column was not selected or has no such
 * part. */
TRACECODEC_API tracecodec_status tracecodec_values(tracecodec_trace* trace, size_t column,
                                                   size_t part,
                                                   tracecodec_array* values) TRACECODEC_NOEXCEPT;

/* ---- Parts of a trace ---- */

/* Moves forward by `n` instructions, or to the end. If `done` is not NULL, sets `*done` to the
 * number of skipped instructions. */
TRACECODEC_API tracecodec_status tracecodec_skip(tracecodec_trace* trace, uint64_t n,
                                                 uint64_t* done) TRACECODEC_NOEXCEPT;
/* Limits the trace to `n` instructions from the current position. */
TRACECODEC_API tracecodec_status tracecodec_limit(tracecodec_trace* trace,
                                                  uint64_t n) TRACECODEC_NOEXCEPT;
/* Restricts the trace to part `index` of `of` equal parts. If the trace is already restricted to
 * a part, that part is divided. The new parts include instructions that were already read or
 * skipped. Returns TRACECODEC_REFUSED if `index` is not below `of`, or if the trace cannot be
 * counted because it is a pipe. */
TRACECODEC_API tracecodec_status tracecodec_shard(tracecodec_trace* trace, uint64_t index,
                                                  uint64_t of) TRACECODEC_NOEXCEPT;
/* Moves back to the first instruction of the trace, or of the part that tracecodec_shard()
 * selected. A limit remains at the same instruction. Returns TRACECODEC_REFUSED for a pipe. */
TRACECODEC_API tracecodec_status tracecodec_rewind(tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Sets `*count` to the total number of instructions in the trace, or in the part that
 * tracecodec_shard() selected, up to the limit. May read the whole file. Returns
 * TRACECODEC_REFUSED for a pipe. */
TRACECODEC_API tracecodec_status tracecodec_count(tracecodec_trace* trace,
                                                  uint64_t* count) TRACECODEC_NOEXCEPT;
/* Returns the fraction of the trace that has been read, from 0 to 1. If the trace is limited or
 * divided, the fraction refers to the selected part. Returns a negative number if the fraction is
 * unknown. */
TRACECODEC_API double tracecodec_progress(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* Returns the number of the next instruction, counted from 0. */
TRACECODEC_API uint64_t tracecodec_position(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

/* ---- Questions about memory ---- */

/* Accesses that a question is about. TRACECODEC_READS and TRACECODEC_WRITES may be combined. */
enum {
  TRACECODEC_READS = 1,
  TRACECODEC_WRITES = 2,
  /* Only writes that change the value. If the format does not store values, all writes. */
  TRACECODEC_CHANGES = 4
};

/* The functions below answer questions about the whole trace, whatever part was selected. Each
 * reads the trace to the answer, unless the trace has an index. Each selects columns of its own, and
 * moves back to the first instruction afterwards, even if it fails: select columns and parts again
 * before you read on. If a format does not store the sizes of accesses, an access has one byte.
 * Returns TRACECODEC_REFUSED for a pipe, if `accesses` is not a combination of the bits above, or if
 * `size` is 0 or the bytes exceed the address space. */

/* Writes an index of the trace to the file `index`. If `index` is NULL, the file is the path of the
 * trace, followed by ".tcidx". Reads the whole trace. Returns TRACECODEC_REFUSED if the trace is in
 * memory or a pipe, or was opened with an option that decides which instructions it has. */
TRACECODEC_API tracecodec_status tracecodec_write_index(tracecodec_trace* trace,
                                                        const char* index) TRACECODEC_NOEXCEPT;
/* Answers later questions with the index in the file `index`, which tracecodec_write_index() or
 * trace_index has written. NULL means the same file as above. Returns TRACECODEC_REFUSED as above,
 * and if the index belongs to another trace or the trace has changed. */
TRACECODEC_API tracecodec_status tracecodec_use_index(tracecodec_trace* trace,
                                                      const char* index) TRACECODEC_NOEXCEPT;
/* Sets `*index` to the number of the last instruction before instruction `before` that accesses any
 * of the `size` bytes at `address`, or to UINT64_MAX if there is none. `before` may be UINT64_MAX,
 * which means the end of the trace. */
TRACECODEC_API tracecodec_status tracecodec_last_access(tracecodec_trace* trace, uint64_t address,
                                                        uint64_t size, uint32_t accesses,
                                                        uint64_t before,
                                                        uint64_t* index) TRACECODEC_NOEXCEPT;
/* Sets `*index` to the number of the first instruction from instruction `from` on that accesses any
 * of the `size` bytes at `address`, or to UINT64_MAX if there is none. To find all accesses, call
 * the function again with `*index` + 1. */
TRACECODEC_API tracecodec_status tracecodec_next_access(tracecodec_trace* trace, uint64_t address,
                                                        uint64_t size, uint32_t accesses,
                                                        uint64_t from,
                                                        uint64_t* index) TRACECODEC_NOEXCEPT;

/* How the value of a byte of memory is known. */
enum {
  TRACECODEC_UNKNOWN = 0, /* no access shows the value */
  TRACECODEC_EARLIER = 1, /* the last earlier access shows the value */
  TRACECODEC_LATER = 2    /* the first later access shows the value that it found */
};
/* Value of a byte of memory. */
typedef struct tracecodec_memory_byte {
  uint8_t value;  /* 0 if the value is unknown */
  uint8_t known;  /* TRACECODEC_UNKNOWN, TRACECODEC_EARLIER or TRACECODEC_LATER */
  uint64_t index; /* number of the instruction with the access; 0 if the value is unknown */
} tracecodec_memory_byte;
/* Stores in bytes[0] to bytes[size - 1] the memory from `address` on, before instruction `at`. Also
 * returns TRACECODEC_REFUSED if the format does not store values of memory. */
TRACECODEC_API tracecodec_status
tracecodec_memory_at(tracecodec_trace* trace, uint64_t address, size_t size, uint64_t at,
                     tracecodec_memory_byte* bytes) TRACECODEC_NOEXCEPT;

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
 * batches of at most `most` rows (0 means 4,096) with the columns selected by tracecodec_want(). If
 * no column is selected, the stream delivers all columns of the trace except `mnemonic_matches` and
 * `register_value`.
 *
 * The stream takes ownership of the trace, and the stream's release() closes the trace. Until then,
 * all functions that can fail return TRACECODEC_REFUSED for the trace, and tracecodec_close() has
 * no effect. After release(), the trace must not be used. If this function fails, the application
 * still owns the trace.
 *
 * A batch is a struct without nulls that has a child for each column. Numbers are unsigned
 * integers, and flags are booleans. `code` and `text` are binary, because text from a file may not
 * be UTF-8. Lists have 32-bit offsets. If the entries of a list have several parts, each entry is a
 * struct. The metadata of a field contain the unit of the field, under the key "tracecodec.unit".
 *
 * Batches, children that were moved out of batches, and schemas remain valid until they are
 * released, even after the stream's release(). Any thread may release these objects. Only one
 * thread at a time may use the stream itself. get_next() returns EIO, EINVAL or ENOMEM on
 * errors. release() sets the stream's members to NULL. If the application has saved the address
 * of one of the stream's functions, that function returns EINVAL after release(). */
TRACECODEC_API tracecodec_status tracecodec_arrow_stream(
    tracecodec_trace* trace, size_t most, struct ArrowArrayStream* stream) TRACECODEC_NOEXCEPT;

#if defined(__cplusplus)
} /* extern "C" */
#endif

#endif /* TRACECODEC_H */
