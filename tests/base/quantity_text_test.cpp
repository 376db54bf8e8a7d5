#include "core/base/quantity_text.h"

#include <gtest/gtest.h>

namespace warpwalk::base {
namespace {

TEST(QuantityText, BytesAreInPowersOf1024) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1), "1 B");
  EXPECT_EQ(bytes_text(1000), "1,000 B");
  EXPECT_EQ(bytes_text(1023), "1,023 B");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(682291), "666.3 KiB");
  EXPECT_EQ(bytes_text(4.5 * 1024 * 1024), "4.5 MiB");
  EXPECT_EQ(bytes_text(150109880320.0), "139.8 GiB");
  EXPECT_EQ(bytes_text(1.5 * 1024 * 1024 * 1024 * 1024), "1.5 TiB");
  EXPECT_EQ(bytes_text(2048.0 * 1024 * 1024 * 1024 * 1024), "2,048 TiB");
}

TEST(QuantityText, AWholeNumberOfItsUnitHasNoDecimalAndARoundedOneHas) {
  EXPECT_EQ(bytes_text(1024), "1 KiB");
  EXPECT_EQ(bytes_text(48 * 1024), "48 KiB");
  EXPECT_EQ(bytes_text(48 * 1024 + 1), "48.0 KiB");
  EXPECT_EQ(bytes_text(1000 * 1024), "1,000 KiB");
  EXPECT_EQ(bytes_text(4194304), "4 MiB");
  EXPECT_EQ(bytes_text(4398046511104.0), "4 TiB");
}

TEST(QuantityText, BytesNeverShowAThousandAndTwentyFourOfASmallerUnit) {
  EXPECT_EQ(bytes_text(1023.4), "1,023 B");
  EXPECT_EQ(bytes_text(1023.5), "1.0 KiB");
  EXPECT_EQ(bytes_text(1023.94 * 1024), "1,023.9 KiB");
  EXPECT_EQ(bytes_text(1024 * 1024 - 1), "1.0 MiB");
  EXPECT_EQ(bytes_text(1023.94 * 1024 * 1024), "1,023.9 MiB");
  EXPECT_EQ(bytes_text(1024.0 * 1024 * 1024 - 1), "1.0 GiB");
  EXPECT_EQ(bytes_text(1024.0 * 1024 * 1024 * 1024 - 1), "1.0 TiB");
}

TEST(QuantityText, FreedBytesHaveAMinusAndNoHyphen) {
  EXPECT_EQ(bytes_text(-100), "\u2212100 B");
  EXPECT_EQ(bytes_text(-4096), "\u22124 KiB");
  EXPECT_EQ(bytes_text(-0.2), "0 B");
}

TEST(QuantityText, SharedMemoryIsExact) {
  EXPECT_EQ(shared_bytes_text(0), "0 B");
  EXPECT_EQ(shared_bytes_text(1000), "1,000 B");
  EXPECT_EQ(shared_bytes_text(1234), "1,234 B");
  EXPECT_EQ(shared_bytes_text(19840), "19,840 B");
  EXPECT_EQ(shared_bytes_text(48 * 1024), "48 KiB");
  EXPECT_EQ(shared_bytes_text(228 * 1024), "228 KiB");
}

}  // namespace
}  // namespace warpwalk::base
