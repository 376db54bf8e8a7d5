#include "core/base/enum_names.h"

#include <gtest/gtest.h>

namespace warpwalk::base {
namespace {

enum class Colour : unsigned char { none, red, not_, f16 };
enum class OneOnly { only };

TEST(EnumNames, AreThoseOfTheEnumerators) {
  static_assert(enum_names<Colour>.size() == 4);
  static_assert(enum_names<OneOnly>.size() == 1);
  EXPECT_EQ(enum_name(Colour::none), "none");
  EXPECT_EQ(enum_name(Colour::not_), "not") << "without the underscore at its end";
  EXPECT_EQ(enum_name(Colour::f16), "f16") << "the last one";
  EXPECT_EQ(enum_name(static_cast<Colour>(4)), "") << "no enumerator has this value";
}

TEST(EnumNames, AreFound) {
  EXPECT_EQ(enum_named<Colour>("red"), Colour::red);
  EXPECT_EQ(enum_named<Colour>("not"), Colour::not_);
  EXPECT_EQ(enum_named<Colour>("not_"), std::nullopt);
  EXPECT_EQ(enum_named<Colour>(""), std::nullopt);
}

}  // namespace
}  // namespace warpwalk::base
