// What one object owns becomes a std::unique_ptr and is made of one; copies of a callback call one object.
#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "tracecodec/io/callback.hpp"
#include "tracecodec/io/open.hpp"
#include "tracecodec/io/owned.hpp"
#include "tracecodec/io/shared.hpp"

using namespace tracecodec;

namespace {

struct counted {
  explicit counted(int& there) : there_(&there) { ++*there_; }
  counted(const counted& other) : there_(other.there_) { ++*there_; }
  counted& operator=(const counted&) = delete;
  virtual ~counted() { --*there_; }
  int* there_;
};
struct derived final : counted {
  using counted::counted;
};
struct closes {
  void operator()(counted* c) const { delete c; }
};

using std::is_convertible_v;
static_assert(is_convertible_v<std::unique_ptr<derived>, io::owned<counted>>);
static_assert(is_convertible_v<io::owned<derived>, io::owned<counted>>);
static_assert(is_convertible_v<io::owned<derived>, std::unique_ptr<counted>>);
static_assert(!is_convertible_v<io::owned<counted>, io::owned<derived>>);
static_assert(!is_convertible_v<io::owned<counted>, std::unique_ptr<derived>>);
static_assert(!is_convertible_v<io::owned<counted>&, io::owned<counted>>);
static_assert(!is_convertible_v<io::owned<counted>&, std::unique_ptr<counted>>);
static_assert(!is_convertible_v<std::unique_ptr<counted>&, io::owned<counted>>);
// What is to be given back in another way.
static_assert(!is_convertible_v<std::unique_ptr<counted, closes>, io::owned<counted>>);
static_assert(!is_convertible_v<io::owned<counted>, std::unique_ptr<counted, closes>>);

template <class T> struct returns {
  void operator()(T* made) const { delete made; }
};
static_assert(!is_convertible_v<std::unique_ptr<counted, returns<counted>>, io::owned<counted>>);
static_assert(!is_convertible_v<io::owned<counted>, std::unique_ptr<counted, returns<counted>>>);
static_assert(!is_convertible_v<std::vector<counted>, io::owned<counted>>);

static_assert(is_convertible_v<io::owned<derived>, std::shared_ptr<counted>>);
static_assert(is_convertible_v<io::owned<derived>, io::shared<const counted>>);
static_assert(is_convertible_v<std::unique_ptr<derived>, io::shared<const counted>>);
static_assert(is_convertible_v<io::shared<derived>, std::shared_ptr<const counted>>);
static_assert(!is_convertible_v<io::shared<const counted>, io::shared<counted>>);
static_assert(!is_convertible_v<io::shared<const counted>, std::shared_ptr<counted>>);
static_assert(!is_convertible_v<io::shared<counted>, io::shared<derived>>);
static_assert(!is_convertible_v<io::shared<counted>, io::owned<counted>>);

}  // namespace

TEST_CASE("an object is owned by one, be it a std::unique_ptr") {
  int there = 0;
  {
    io::owned<counted> a = std::make_unique<derived>(there);
    CHECK(there == 1);
    std::unique_ptr<counted> b(std::move(a));
    CHECK(a == nullptr);
    CHECK(there == 1);
    a = std::move(b);
    CHECK(b == nullptr);
    a = io::make_owned<derived>(there);
    CHECK(there == 1);
    const std::shared_ptr<counted> c = std::move(a);
    CHECK(c.use_count() == 1);
    CHECK(a == nullptr);  // NOLINT(bugprone-use-after-move)
    CHECK(there == 1);
  }
  CHECK(there == 0);
}

TEST_CASE("an array is owned by one") {
  int there = 0;
  {
    io::owned<std::vector<counted>[]> a(new std::vector<counted>[3]);
    a[2].emplace_back(there);
    auto b = std::move(a);
    CHECK(!a);
    CHECK(there == 1);
    b = io::make_array<std::vector<counted>>(2);
    CHECK(there == 0);
    CHECK(b[1].empty());
  }
}

TEST_CASE("an object is shared by several, be they std::shared_ptr; the last one deletes it") {
  int there = 0;
  {
    const auto standard = std::make_shared<derived>(there);
    io::shared<const counted> a = standard;
    CHECK(a.get() == standard.get());
    CHECK(standard.use_count() == 2);
    io::shared<const counted> b = a;
    a = io::make_shared<const derived>(there);
    CHECK(there == 2);
    CHECK(standard.use_count() == 2);
    b = a;
    CHECK(standard.use_count() == 1);
    a = nullptr;
    CHECK(a == nullptr);
    CHECK(there == 2);
    a = std::move(b);
    CHECK(b == nullptr);  // NOLINT(bugprone-use-after-move)
    CHECK(a->there_ == &there);
    const auto& same = a;
    a = same;
    CHECK(*(*a).there_ == 2);
    std::shared_ptr<const counted> of_std = a;
    CHECK(of_std.get() == a.get());
    a = nullptr;
    CHECK(there == 2);
    of_std = nullptr;
    CHECK(there == 1);
    a = io::make_owned<derived>(there);
    CHECK(there == 2);
    const auto b2 = a;
    CHECK(a == b2);
    a = std::make_unique<derived>(there);
    CHECK(a != b2);
    CHECK(there == 3);
    const io::shared<const counted> none = std::shared_ptr<counted>();
    CHECK(!none);
  }
  CHECK(there == 0);
}

TEST_CASE("copies of a callback call the same object, which the last of them deletes") {
  int there = 0;
  {
    io::callback<int()> first = [n = 0, c = counted(there)]() mutable { return ++n; };
    CHECK(there == 1);
    CHECK(first() == 1);
    io::callback<int()> second = first;
    CHECK(second() == 2);
    first = nullptr;
    CHECK(!first);
    CHECK(second() == 3);
    second = io::callback<int()>(second);
    CHECK(second() == 4);
    CHECK(there == 1);
    const io::callback<int()> third = std::move(second);
    CHECK(third() == 5);
    CHECK(!second);  // NOLINT(bugprone-use-after-move)
    CHECK(there == 1);
  }
  CHECK(there == 0);
  CHECK(!io::callback<void()>(std::function<void()>()));
  CHECK(!io::callback<void()>(static_cast<void (*)()>(nullptr)));
  CHECK(!io::callback<void()>(io::callback<int()>()));
}

TEST_CASE("a callback is copied by several threads at once") {
  int there = 0;
  {
    const io::callback<int()> one = [c = counted(there)] { return *c.there_; };
    std::vector<std::thread> all;
    for (int i = 0; i < 4; ++i)
      all.emplace_back([&one] {
        for (int k = 0; k < 10000; ++k) {
          const io::callback<int()> copy = one;
          if (copy() != 1) std::abort();
        }
      });
    for (std::thread& t : all) t.join();
    CHECK(there == 1);
  }
  CHECK(there == 0);
}
