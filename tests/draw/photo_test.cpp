// A person's own picture: drawn by the rasteriser to the pixel, in SVG, decoded from PNG and JPEG, and halved.
#include <algorithm>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/draw/canvas.h"
#include "app/draw/offscreen.h"
#include "app/draw/svg.h"
#include "tests/draw/colors.h"

namespace warpwalk::draw {
namespace {

story::Photo photo_of(const Image& image) { return {"own.png", {{image.width, image.height, image.pixels, 1}}}; }

// Draws a photo into a box of a picture of 40 x 30 black pixels, and returns where it went.
Image drawn(const story::Photo& photo, const Box& box, Box* place = nullptr, int threads = 2, SvgPage* page = nullptr) {
  Offscreen::Options options;
  options.threads = threads;
  options.fonts.only_text = "";
  const auto screen = Offscreen::open(options);
  EXPECT_TRUE(screen) << screen.error();
  return (*screen)->draw(40, 30, kBlack, [&](ImDrawList& list) {
    Canvas canvas(list, (*screen)->fonts(), theme_named("dark").value_or(Theme{}), 40, 30);
    canvas.record(page);
    const Box there = canvas.photo(box, photo);
    if (place != nullptr) *place = there;
  });
}

TEST(Photo, KeepsItsShapeInTheMiddleOfTheBox) {
  Box place{};
  const Image image = drawn(photo_of(filled(20, 10, kWhite)), {0, 0, 40, 30}, &place);
  EXPECT_EQ(place.y, 5);
  EXPECT_EQ(place.height, 20);
  EXPECT_EQ(std::ranges::count(image.pixels, kWhite), 40 * 20);
  EXPECT_EQ(image.at(0, 5), kWhite);
  EXPECT_EQ(image.at(39, 24), kWhite);
  EXPECT_EQ(image.at(0, 4), kBlack);
  EXPECT_EQ(image.at(0, 25), kBlack);
}

TEST(Photo, IsCopiedAtItsOwnSize) {
  Image own = filled(8, 6, 0);
  for (std::size_t i = 0; i < own.pixels.size(); ++i)
    own.pixels[i] = 0xff000000u | static_cast<std::uint32_t>(i * 4099);
  const Image image = drawn(photo_of(own), {10, 10, 8, 6});
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 8; ++x) EXPECT_EQ(image.at(10 + x, 10 + y), own.at(x, y)) << x << " " << y;
  EXPECT_EQ(std::ranges::count(image.pixels, kBlack), 40 * 30 - 48 + 1);  // its first pixel is black too
  EXPECT_EQ(drawn(photo_of(own), {3, 2, 30, 25}, nullptr, 1), drawn(photo_of(own), {3, 2, 30, 25}, nullptr, 7));
}

TEST(Photo, WhatIsTransparentShowsWhatIsBelow) {
  Image own = filled(2, 1, 0x80ffffff);
  own.pixels[1] = 0x00ffffff;
  const Image image = drawn(photo_of(own), {0, 0, 2, 1});
  EXPECT_EQ(image.at(0, 0), IM_COL32(128, 128, 128, 255));
  EXPECT_EQ(image.at(1, 0), kBlack);
}

TEST(Photo, OfNoSizeDrawsNothing) {
  EXPECT_EQ(drawn(photo_of(filled(4, 4, kWhite)), {5, 5, 0, 10}), filled(40, 30, kBlack));
  EXPECT_EQ(drawn(photo_of(filled(4, 4, kWhite)), {5, 5, -3, 10}), filled(40, 30, kBlack));
}

TEST(Photo, IsAnImageInSvg) {
  SvgPage page(40, 30, kBlack, "t", "d");
  drawn(photo_of(filled(20, 10, kWhite)), {0, 0, 40, 30}, nullptr, 1, &page);
  const std::string svg = page.finish();
  EXPECT_THAT(svg, testing::HasSubstr("<image xmlns:xlink="));
  EXPECT_THAT(svg, testing::HasSubstr(R"(x="0" y="5" width="40" height="20")"));
  EXPECT_THAT(svg, testing::HasSubstr("data:image/png;base64,iVBOR"));
}

TEST(Photo, HalvedIsTheMeanOfFourPixels) {
  Image image = filled(3, 2, kBlack);
  image.pixels = {0xff000000, 0xff0000ff, 0xff00ff00, 0xff000000, 0xff0000ff, 0x00ffffff};
  const Image half = halved(image);
  EXPECT_EQ(half.width, 2);
  EXPECT_EQ(half.height, 1);
  EXPECT_EQ(half.at(0, 0), 0xff000080u);
  EXPECT_EQ(half.at(1, 0), 0x8000ff00u);  // the transparent one has no colour
}

TEST(Photo, IsDecodedFromPngAndJpegAlone) {
  const auto png = png_of(filled(5, 4, 0xff102030));
  ASSERT_TRUE(png);
  const auto image = decoded_picture(*png);
  ASSERT_TRUE(image) << image.error();
  EXPECT_EQ(*image, filled(5, 4, 0xff102030));
  // Every prefix is refused or a picture, and never anything else.
  for (std::size_t size = 0; size < png->size(); ++size)
    if (const auto part = decoded_picture(std::string_view(*png).substr(0, size)); part)
      EXPECT_EQ(part->pixels.size(), 20u);
    else
      EXPECT_THAT(part.error(), testing::AnyOf(testing::HasSubstr("is damaged"), testing::HasSubstr("is not a PNG")));
  for (const char* const text : {"", "GIF89a", "BM", "P6 1 1 255 abc", "\xff\xd8"})
    EXPECT_FALSE(decoded_picture(text)) << text;
}

}  // namespace
}  // namespace warpwalk::draw
