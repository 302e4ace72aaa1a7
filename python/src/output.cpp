// Writes records in plain, compressed or packed form. The output file appears only when it is
// complete.
#include <memory>
#include <string>
#include <utility>

#include <tracecodec/file/record_table.hpp>
#include <tracecodec/io/compression/codec.hpp>
#include <tracecodec/io/open.hpp>
#include <tracecodec/io/os/path.hpp>
#include <tracecodec/tracepack/about.hpp>
#include <tracecodec/tracepack/writer.hpp>
#include <tracecodec/version.hpp>

#include "common.hpp"

namespace tracecodec::python {

namespace {

class output {
 public:
  // Opens the output. For a tracepack, `table` describes the records. If `table` is empty, `format`
  // must be "champsim" or "cloudsuite".
  output(const py::bytes& as_bytes, const std::string& format, const std::string& table, bool pack,
         bool high, const py::dict& texts) {
    const std::string path = as_bytes;
    if (!pack) {
      const io::codec kind =
          io::codec_suffix_of(std::string_view(path).substr(io::file_name_at(path))).kind;
      to_ = unlocked([&] { return io::open_output(path, kind); });
      return;
    }
#if defined(TRACECODEC_WITH_ZSTD)
    tracepack::pack_options o;
    if (!table.empty())
      o.about = tracepack::about_described(file::parse_record_table(table, "record"));
    else
      o.about =
          format == "cloudsuite" ? tracepack::about_cloudsuite() : tracepack::about_champsim();
    o.about.recorder = "tracecodec " TRACECODEC_VERSION " for Python";
    const auto take = [&texts](const char* name, std::string& text) {
      if (texts.contains(name)) text = py::cast<std::string>(texts[name]);
    };
    take("program", o.about.program);
    take("arguments", o.about.arguments);
    take("recorder", o.about.recorder);
    take("machine", o.about.machine);
    take("date", o.about.date);
    take("region", o.about.region);
    take("comment", o.about.comment);
    if (high) o.level = tracepack::level::high;
    to_ = unlocked([&]() -> std::unique_ptr<io::sink> {
      return std::make_unique<tracepack::writer>(io::open_output(path), o);
    });
#else
    throw trace_error(
        trace_errc::unsupported, {.file = path},
        "tracepack: this build cannot write it: it lacks zstd (TRACECODEC_WITH_ZSTD)");
#endif
  }

  void write(const py::buffer& bytes) {
    const py::buffer_info all = bytes.request();
    if (PyBuffer_IsContiguous(all.view(), 'C') == 0)
      throw py::type_error("the records are not contiguous");
    unlocked([&] {
      to_->write(
          {static_cast<const std::byte*>(all.ptr), static_cast<std::size_t>(all.view()->len)});
    });
  }
  void finish() {
    unlocked([this] { to_->finish(); });
  }

 private:
  std::unique_ptr<io::sink> to_ = {};
};

}  // namespace

void define_output(py::module_& m) {
  py::class_<output>(m, "Output")
      .def(py::init<const py::bytes&, const std::string&, const std::string&, bool, bool,
                    const py::dict&>())
      .def("write", &output::write)
      .def("finish", &output::finish);
}

}  // namespace tracecodec::python
