#include "tests/app/golden_picture.h"

#include <cstdlib>
#include <fstream>
#include <optional>

#include <gtest/gtest.h>

#include "app/draw/theme.h"

namespace warpwalk::testing {
namespace {

bool renewing() {
  const char* renew = std::getenv("WARPWALK_RENEW");
  return renew != nullptr && *renew != '\0';
}

std::string first_line_of_file(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string text;
  std::getline(in, text);
  return text;
}

}  // namespace

draw::Image difference(const draw::Image& was, const draw::Image& now) {
  draw::Image out = now;
  for (std::size_t i = 0; i < now.pixels.size(); ++i)
    if (was.pixels.size() == now.pixels.size() && was.pixels[i] == now.pixels[i])
      out.pixels[i] = draw::mixed(now.pixels[i], IM_COL32_BLACK, 0.15f);
    else
      out.pixels[i] = IM_COL32(255, 0, 255, 255);
  return out;
}

void expect_golden(const draw::Image& now, const GoldenPicture& golden, const std::string& identity) {
  const std::filesystem::path file = golden.file();
  if (renewing()) {
    std::ofstream(golden.folder / "identity.txt") << identity << "\n";
    const auto done = draw::write_png(now, file);
    ASSERT_TRUE(done) << done.error();
    GTEST_SKIP() << "wrote " << file;
  }
  const std::string stored = first_line_of_file(golden.folder / "identity.txt");
  if (identity != stored)
    GTEST_SKIP() << "the stored pictures were drawn with other type: " << stored << "; here it is " << identity;
  const std::optional<draw::Image> was = draw::read_png(file);
  ASSERT_TRUE(was) << file << " cannot be read; WARPWALK_RENEW=1 makes it";
  if (*was == now) return;
  const std::filesystem::path picture = golden.output / (golden.name + ".png"),
                              marked = golden.output / (golden.name + "-difference.png");
  EXPECT_TRUE(draw::write_png(now, picture));
  EXPECT_TRUE(draw::write_png(difference(*was, now), marked));
  long changed = 0;
  if (was->pixels.size() == now.pixels.size())
    for (std::size_t i = 0; i < now.pixels.size(); ++i) changed += was->pixels[i] != now.pixels[i];
  FAIL() << changed << " pixels differ from " << file << "\n  now: " << picture << "\n  what differs: " << marked
         << "\n  to renew: WARPWALK_RENEW=1 and this test's program with --gtest_filter='*Golden*'";
}

}  // namespace warpwalk::testing
