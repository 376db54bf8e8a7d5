#include "core/platform/deflate.h"

#include <random>

#include <gtest/gtest.h>

namespace warpwalk::platform {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(Deflate, GivesBackWhatItTook) {
  std::mt19937 random(1);
  for (const std::size_t size : {0, 1, 100, 70'000}) {
    Bytes noise(size);
    for (std::uint8_t& byte : noise) byte = static_cast<std::uint8_t>(random());
    EXPECT_EQ(inflated(deflated(noise), size), noise);
  }
  const Bytes zeros(1'000'000);
  EXPECT_LT(deflated(zeros).size(), 2'000u);
  EXPECT_EQ(inflated(deflated(zeros), zeros.size()), zeros);
}

TEST(Deflate, RefusesAnotherSizeAndDamage) {
  const Bytes bytes(1000, 7);
  Bytes data = deflated(bytes);
  EXPECT_FALSE(inflated(data, 999));
  EXPECT_FALSE(inflated(data, 1001));
  EXPECT_FALSE(inflated(data, std::size_t{1} << 60)) << "before memory is taken";
  EXPECT_FALSE(inflated({}, 1));
  data.push_back(0);
  EXPECT_FALSE(inflated(data, 1000)) << "something follows";
  data.pop_back();
  data[data.size() / 2] ^= 0x10;
  EXPECT_FALSE(inflated(data, 1000));
}

}  // namespace
}  // namespace warpwalk::platform
