// Compiles doctest's runner. For scripts/lib/count_tests.py, prints a line for each test case that
// is skipped or has checked nothing. The reason is that the build or the machine lacks a
// requirement of the test case.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstdio>

namespace {

class skipped_cases final : public doctest::IReporter {
 public:
  explicit skipped_cases(const doctest::ContextOptions& /*unused*/) {}
  void test_case_start(const doctest::TestCaseData& in) override { name_ = in.m_name; }
  void test_case_end(const doctest::CurrentTestCaseStats& in) override {
    if (in.numAssertsCurrentTest == 0 && in.testCaseSuccess)
      std::printf("%s ... skipped 'it has checked nothing'\n", name_);
  }
  void report_query(const doctest::QueryData& /*unused*/) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& /*unused*/) override { std::fflush(stdout); }
  void test_case_reenter(const doctest::TestCaseData& /*unused*/) override {}
  void test_case_exception(const doctest::TestCaseException& /*unused*/) override {}
  void subcase_start(const doctest::SubcaseSignature& /*unused*/) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& /*unused*/) override {}
  void log_message(const doctest::MessageData& /*unused*/) override {}
  void test_case_skipped(const doctest::TestCaseData& in) override {
    if (in.m_skip) std::printf("%s ... skipped 'it is left out here'\n", in.m_name);
  }

 private:
  const char* name_ = "";
};

}  // namespace

REGISTER_LISTENER("skipped_cases", 1, skipped_cases);
