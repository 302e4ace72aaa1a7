// Tables that identify files by their first bytes.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

#include "../known_file.hpp"

namespace tracecodec::file::detail::known {

using namespace std::string_view_literals;

// Row of a table. A file is of kind `what` if it contains the pattern `mark` (marks.hpp) at offset
// `at`, and if its first bytes contain `has` and `also`.
struct known_mark {
  std::string_view mark;
  known_file what;
  std::string_view has = {}, also = {};
  std::size_t at = 0;  // offset of the pattern in the file
};

inline constexpr auto weak = known_file::evidence::weak;
inline constexpr auto certain = known_file::evidence::certain;
inline constexpr auto sure = known_file::evidence::sure;
inline constexpr std::string_view unpack = "unpack it first";
inline constexpr std::string_view decompress = "decompress it first";
inline constexpr std::string_view convert = "convert it to ChampSim's records first";
inline constexpr std::string_view read_cvp1 =
    "--format cvp1 reads it, and trace_convert converts it to ChampSim's records";
inline constexpr std::string_view read_cbp2025 =
    "--format cbp2025 reads it, and trace_convert converts it to ChampSim's records";
inline constexpr std::string_view read_bt9 =
    "--format bt9 reads it, and trace_convert converts it to ChampSim's records";
inline constexpr std::string_view read_tarmac =
    "--format tarmac reads it, and trace_convert converts it to ChampSim's records";
inline constexpr std::string_view read_lackey =
    "--format lackey reads it, and trace_convert converts it to ChampSim's records";
inline constexpr std::string_view read_dinero =
    "--format dinero reads it, and trace_convert converts it to ChampSim's records";
inline constexpr std::string_view open_trace = "open the trace itself";
inline constexpr std::string_view read_any =
    "trace::reader (tracecodec/trace/reader.hpp) and the programs read it";
inline constexpr std::string_view compressed =
    "open it without naming its compression, or decompress it first";

// Prefix of the names of system calls in UMTracer traces.
inline constexpr std::string_view syscall_prefix = "SYSCALL_";
// Signature at the beginning of a tracepack file.
inline constexpr std::string_view tracepack_magic = "\x89TPACK\r\n";

// Table of binary files. The first matching row applies.
inline constexpr std::array known_bytes{
    // Traces of formats that this library reads. Code that opens traces of any format recognises
    // these traces before it uses this table.
    known_mark{
        tracepack_magic,
        {"tracepack",
         "tracepack::trace_feed (tracecodec/tracepack.hpp) reads its records, and trace::reader "
         "(tracecodec/trace/reader.hpp) any trace"}},
    known_mark{"TRAC%?%?%?%?{"sv, {"an x64dbg trace", read_any}},
    known_mark{"CHTRCV2\0"sv,
               {"ChampSim records of a fork, after a header (chtrcv2)",
                "champsim::table_feed (tracecodec/champsim/table_feed.hpp) reads them by the table "
                "champsim::read_table(\"chtrcv2\")"}},
    // Files that belong to a trace.
    known_mark{"TCXI"sv,
               {"an index of an x64dbg trace", "open the trace itself: the name without .idx"}},
    known_mark{"\x89TPACK\n"sv,
               {"tracepack that was transferred as text, which changed its line ends",
                "transfer it in binary mode"}},
    known_mark{"\x89TPACK\r\r"sv,
               {"tracepack that was transferred as text, which changed its line ends",
                "transfer it in binary mode"}},
    // Traces of other formats.
    known_mark{"PK\3\4"sv,
               {"a drmemtrace trace of DynamoRIO (a ZIP archive of chunks)", compressed},
               "chunk.0000"},
    known_mark{"DRCOV VERSION:"sv, {"drcov code coverage, which has no order"}},
    known_mark{"PERFILE2"sv, {"a profile of perf (perf.data)"}},
    known_mark{"PERFFILE"sv, {"a profile of perf (perf.data)"}},
    known_mark{"2ELIFREP"sv, {"a profile of perf (perf.data)"}},
    known_mark{"\2\x82\2\x82\2\x82\2\x82"sv, {"raw data of Intel PT"}},
    known_mark{"ITRC"sv, {"a trace of Frida's itrace", convert}},
    known_mark{"\0\0\0\0\0\0\0\0\2\0\0\0%?%?\0\0"sv, {"a stream of Frida's itrace", convert, weak}},
    known_mark{"%%\x60\xAF\x8A\x82\x28\x7C\x67"sv, {"a trace of BAP frames", convert}},
    known_mark{"\x54\x45%?%?\x0C\0\0\0"sv, {"a trace of qemu-etrace", convert}},
    known_mark{"\x17\x08"
               "Dtracing"sv,
               {"a trace of the Linux kernel (trace-cmd)"}},
    known_mark{"\xC1\x1F\xFC\xC1"sv, {"a Common Trace Format stream (CTF)"}},
    // Files in a supported compression format that were opened as uncompressed files.
    known_mark{"\xFD"
               "7zXZ\0"sv,
               {"compressed by xz", compressed}},
    known_mark{"\x1F\x8B\x08"sv, {"compressed by gzip", compressed}},
    known_mark{"BZh%?1AY&SY"sv, {"compressed by bzip2", compressed}},
    known_mark{"\x28\xB5\x2F\xFD"sv, {"compressed by zstd", compressed}},
    known_mark{"\4\x22\x4D\x18"sv, {"compressed in LZ4's frames", compressed}},
    // Files in an unsupported compression format, and archives.
    known_mark{"PK\3\4"sv, {"a ZIP archive", unpack}},
    known_mark{"PK\5\6"sv, {"a ZIP archive without files"}},
    known_mark{"]\0\0%?%?\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"sv,
               {"compressed as .lzma (LZMA alone)", "decompress it first (xz -dc FILE.lzma)"}},
    known_mark{
        "]\0\0%?%?%?%?%?%?%?\0\0\0\0"sv,
        {"compressed as .lzma (LZMA alone)", "decompress it first (xz -dc FILE.lzma)", weak}},
    known_mark{"\2!L\x18"sv,
               {"compressed in LZ4's legacy frame", "decompress it first (lz4 -dc FILE)"}},
    known_mark{"\xFF\6\0\0sNaPpY"sv, {"compressed by Snappy (framing format)", compressed}},
    known_mark{"LZIP\1"sv, {"compressed by lzip", "decompress it first (lzip -dc FILE)"}},
    known_mark{"\x89LZO\0\r\n\x1A\n"sv,
               {"compressed by lzop", "decompress it first (lzop -dc FILE)"}},
    known_mark{"\x1F\x9D\x90"sv,
               {"compressed by compress (.Z)", "decompress it first (gzip -dc FILE)", weak}},
    known_mark{"7z\xBC\xAF\x27\x1C"sv, {"a 7z archive", unpack}},
    known_mark{"Rar!\x1A\7"sv, {"a RAR archive", unpack}},
    known_mark{"ustar"sv, {"a tar archive", unpack}, {}, {}, 257},
    known_mark{"MSCF\0\0\0\0"sv, {"a Windows cabinet", unpack}},
    known_mark{"070701"sv, {"a cpio archive", unpack}},
    known_mark{"!<arch>\n"sv, {"an archive of ar: a static library or a Debian package"}},
    known_mark{"\xED\xAB\xEE\xDB"sv, {"an RPM package"}},
    known_mark{"hsqs"sv, {"a squashfs image"}},
    // Programs.
    known_mark{"\x7F"
               "ELF"sv,
               {"an ELF file (a program, a library or a core dump)",
                "trace_record records a trace of a program"}},
    known_mark{"MZ%?%?%?\0%?\0"sv, {"a program of Windows (PE) or DOS", {}, weak}},
    known_mark{"\xCF\xFA\xED\xFE"sv, {"a Mach-O file (a program or a library)"}},
    known_mark{"\xCE\xFA\xED\xFE"sv, {"a Mach-O file (a program or a library)"}},
    known_mark{"\xCA\xFE\xBA\xBE"sv, {"a Java class or a universal Mach-O file"}},
    known_mark{"\0asm"sv, {"a WebAssembly module"}},
    known_mark{"BC\xC0\xDE"sv, {"LLVM bitcode"}},
    known_mark{"%?%?\r\n%?\0\0\0"sv, {"compiled Python (.pyc)", {}, weak}},
    // Data and documents.
    known_mark{"\x89PNG\r\n\x1A\n"sv, {"a PNG image"}},
    known_mark{"\xFF\xD8\xFF"sv, {"a JPEG image", {}, weak}},
    known_mark{"GIF8"sv, {"a GIF image"}},
    known_mark{"BM%?%?%?%?\0\0\0\0"sv, {"a BMP image"}},
    known_mark{"II*\0"sv, {"a TIFF image"}},
    known_mark{"MM\0*"sv, {"a TIFF image"}},
    known_mark{"RIFF"sv, {"a RIFF file (audio, video or image)"}},
    known_mark{"%%PDF-"sv, {"a PDF document"}},
    known_mark{"{\\rtf"sv, {"an RTF document"}},
    known_mark{"SQLite format 3\0"sv, {"an SQLite database"}},
    known_mark{"\x89HDF\r\n\x1A\n"sv, {"an HDF5 file"}},
    known_mark{"PAR1"sv, {"a Parquet file"}},
    known_mark{"ARROW1\0\0"sv, {"an Arrow file"}},
    known_mark{"\x93NUMPY"sv, {"an array of NumPy"}},
    known_mark{"\xD4\xC3\xB2\xA1"sv, {"network packets (pcap)"}},
    known_mark{"\n\r\r\n"sv, {"network packets (pcapng)"}},
    known_mark{"\xDE\x12\4\x95"sv, {"a message catalogue (.mo)"}},
    known_mark{"\xFF\xFE%?\0"sv, {"text in UTF-16", {}, weak}},
    known_mark{"\xFE\xFF\0%?"sv, {"text in UTF-16", {}, weak}},
    // Only four zlib headers begin with "x": the header, as a 16-bit number, is a multiple of 31
    // and contains one of four compression levels.
    known_mark{"x\1"sv, {"a zlib stream", decompress, weak}},
    known_mark{"x\x5E"sv, {"a zlib stream", decompress, weak}},
    known_mark{"x\x9C"sv, {"a zlib stream", decompress, weak}},
    known_mark{"x\xDA"sv, {"a zlib stream", decompress, weak}},
};

inline constexpr known_file rapidbin_metadata{"the metadata of a RapidBin trace",
                                              "open the trace (x.data of x.json) and name its "
                                              "metadata (option metadata) if the names differ"};
inline constexpr known_file rows_of_text{"text rows made from a trace, which cannot be read back",
                                         open_trace};
inline constexpr known_file tarmac{"a Tarmac trace of Arm (text)", read_tarmac};
inline constexpr known_file other_tenet{
    "a trace like Tenet's (text)",
    "each line needs rip, eip or pc, and no names that Tenet does not know"};
inline constexpr known_file html{"an HTML page"};
inline constexpr known_file json{"JSON"};

// Table of text files, identified by the first line that is neither empty nor a comment.
inline constexpr std::array known_texts{
    known_mark{"{"sv, rapidbin_metadata, "\"thread_records\""},
    known_mark{"{"sv, rapidbin_metadata, "\"memory_records\""},
    known_mark{"{"sv, rapidbin_metadata, "\"lock_records\""},
    known_mark{"{"sv, rapidbin_metadata, "\"location_records\""},
    known_mark{"{"sv,
               {"the map of a program, which trace_record writes next to a trace",
                "open the trace and name its map (option maps) if the names differ"},
               "\"modules\"",
               "\"base\""},
    known_mark{"{\"index\":"sv, rows_of_text},
    known_mark{"{\"id\":"sv, rows_of_text},
    known_mark{"{\"ID\":"sv, rows_of_text},
    known_mark{"index,"sv, rows_of_text},
    known_mark{"id,"sv, rows_of_text},
    known_mark{
        "<!DOCTYPE html"sv,
        {"a report made from a trace", "open the trace itself; view the report in a browser"},
        "<title>Trace report: "},
    known_mark{"<!DOCTYPE"sv, html},
    known_mark{"<!doctype"sv, html},
    known_mark{"<html"sv, html},
    known_mark{"<HTML"sv, html},
    known_mark{"<head"sv, html},
    known_mark{"<svg"sv, {"an SVG image"}},
    known_mark{"version https://git-lfs.github.com/"sv,
               {"a Git LFS pointer instead of the file", "git lfs pull fetches the file itself"}},
    // Traces of other formats.
    known_mark{"BT9_SPA_TRACE_FORMAT"sv, {"a BT9 trace of branches (CBP-2016)", read_bt9}},
    known_mark{"Tarmac Text Rev"sv, tarmac},
    known_mark{"%d%sclk%s"sv, tarmac},
    known_mark{"%d%sps%s"sv, tarmac},
    known_mark{"%d%sns%s"sv, tarmac},
    known_mark{"%d%scs%s"sv, tarmac},
    known_mark{"%d%stic%s"sv, tarmac},
    known_mark{"%w=0x%x,%w=0x"sv, other_tenet},
    known_mark{"rip=0x%x"sv, other_tenet},
    known_mark{"eip=0x%x"sv, other_tenet},
    known_mark{"pc=0x%x"sv, other_tenet},
    known_mark{"T:%d:%d%s"sv, {"SimPoint's frequency vectors (.bb)"}},
    known_mark{"I%s%x,%d%n"sv,
               {"memory accesses as Valgrind's lackey prints them (text)", read_lackey}},
    known_mark{"%w%s%x,%d%n"sv,
               {"memory accesses as Valgrind's lackey prints them (text)", read_lackey},
               "\nI "},
    known_mark{"==%d==%s"sv, {"the output of Valgrind (text)"}},
    known_mark{
        "%d,%s%d,%s%x,%s%x,%s%d%n"sv,
        {"text: the loads of a prefetching championship (ML-DPC) without the other instructions"}},
    known_mark{"%d,%s0x%x,%s0x%x,%s\""sv, {"a trace of QEMU's execlog (text)", convert}},
    known_mark{"[%d:%d:%d %d]["sv, {"a trace of unidbg (text)", convert}},
    known_mark{"[%w] 0x%x!0x%x"sv, {"a trace of GumTrace (text)", convert}},
    known_mark{"0x%x %w+0x%x:"sv, {"a trace of QBDI (text)", convert}},
    known_mark{"core%s%d:%s"sv, {"a trace of Spike (text)", convert}},
    known_mark{"TN:"sv, {"code coverage (LCOV), which has no order"}},
    known_mark{"SF:"sv, {"code coverage (LCOV), which has no order"}},
    known_mark{"%w+%x%n"sv, {"code coverage by module and offset (text)"}},
    known_mark{"0x%x%n"sv, {"a list of addresses (text)", convert}},
    known_mark{"0 %x%n"sv, {"memory accesses in Dinero format (text)", read_dinero}},
    known_mark{"1 %x%n"sv, {"memory accesses in Dinero format (text)", read_dinero}},
    known_mark{"2 %x%n"sv, {"memory accesses in Dinero format (text)", read_dinero}},
    known_mark{"0%s%d%s%w%su%d"sv,
               {"text: the description of a record",
                "open the trace and name this table (option record)"}},
    known_mark{"0%s%d%s%w%si%d"sv,
               {"text: the description of a record",
                "open the trace and name this table (option record)"}},
    known_mark{"offset%ssize%s"sv,
               {"text: the description of a record",
                "open the trace and name this table (option record)"}},
    known_mark{"{"sv, {"a profile for speedscope"}, "speedscope.app/file-format-schema"},
    known_mark{"{"sv, json},
    known_mark{"["sv, json},
};

}  // namespace tracecodec::file::detail::known
