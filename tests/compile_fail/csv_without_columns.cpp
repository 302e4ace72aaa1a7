// Row without columns, which cannot become a line of CSV.
// expect: a row needs a column
#include <tracecodec/rows/csv.hpp>

#include <string>

namespace rows = tracecodec::rows;

struct row {
#ifdef FIXED
  int n = 0;
#else
  rows::absent n = {};
#endif
};
void add(std::string& s) { rows::csv_form().add(s, row{}); }
