#include "core/trace/string_pool.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace warpwalk::trace::test {
namespace {

TEST(StringPool, KeepsEachTextOnce) {
  StringPool pool;
  EXPECT_EQ(pool.intern(""), 0u);
  const StringId a = pool.intern("aten::mm");
  EXPECT_NE(a, 0u);
  EXPECT_EQ(pool.intern(std::string("aten::mm")), a);
  EXPECT_NE(pool.intern("aten::m"), a);
  EXPECT_NE(pool.intern(std::string("aten::mm\0", 9)), a);
  EXPECT_EQ(pool.size(), 4u);
  EXPECT_EQ(pool[a], "aten::mm");
  EXPECT_EQ(pool[0], "");
}

TEST(StringPool, ManyTextsAndLongOnesKeepTheirPlaces) {
  StringPool pool;
  const StringId first = pool.intern("first");
  const char* const place = pool[first].data();
  const std::string longest(1 << 20, 'x');
  const StringId large = pool.intern(longest);
  for (int i = 0; i < 100'000; ++i)
    ASSERT_EQ(pool.intern("name " + std::to_string(i)), static_cast<StringId>(i) + large + 1);
  for (int i = 0; i < 100'000; ++i)
    ASSERT_EQ(pool[pool.find("name " + std::to_string(i))], "name " + std::to_string(i));
  EXPECT_EQ(pool[first].data(), place);
  EXPECT_EQ(pool[large], longest);
  EXPECT_GT(pool.bytes(), longest.size() + 100'000 * 8);
  const StringPool moved = std::move(pool);
  EXPECT_EQ(moved[first].data(), place);
}

TEST(StringPool, FindsOnlyWhatIsThere) {
  StringPool pool;
  const StringId id = pool.intern("here");
  EXPECT_EQ(pool.find("here"), id);
  EXPECT_EQ(pool.find("there"), 0u);
  EXPECT_EQ(pool.size(), 2u);
}

}  // namespace
}  // namespace warpwalk::trace::test
