#include "core/base/text.h"

#include <gtest/gtest.h>

namespace warpwalk::base {
namespace {

std::string utf8(char32_t character) {
  std::string text = "<";
  append_utf8(text, character);
  return text + ">";
}

TEST(Text, CharactersInUtf8) {
  EXPECT_EQ(utf8(U'\0'), std::string("<\0>", 3));
  EXPECT_EQ(utf8(U'a'), "<a>");
  EXPECT_EQ(utf8(0x7f), "<\x7f>");
  EXPECT_EQ(utf8(0x80), "<\xc2\x80>");
  EXPECT_EQ(utf8(U'é'), "<é>");
  EXPECT_EQ(utf8(0x7ff), "<\xdf\xbf>");
  EXPECT_EQ(utf8(0x800), "<\xe0\xa0\x80>");
  EXPECT_EQ(utf8(U'€'), "<€>");
  EXPECT_EQ(utf8(0xffff), "<\xef\xbf\xbf>");
  EXPECT_EQ(utf8(0x10000), "<\xf0\x90\x80\x80>");
  EXPECT_EQ(utf8(U'🙂'), "<🙂>");
  EXPECT_EQ(utf8(0x10ffff), "<\xf4\x8f\xbf\xbf>");
  EXPECT_EQ(utf8(0x110000), "<>");
}

TEST(Text, ControlCharactersBecomeSpaces) {
  EXPECT_EQ(one_line("a\nb\tc\x7fz\x1f"), "a b c z ");
  EXPECT_EQ(one_line("größe"), "größe");
  EXPECT_EQ(one_line(""), "");
}

}  // namespace
}  // namespace warpwalk::base
