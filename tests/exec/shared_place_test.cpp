#include "core/gpu/exec/memory/shared_place.h"

#include <gtest/gtest.h>

namespace warpwalk::gpu {
namespace {

TEST(SharedPlace, NamesAreThoseOfTheSource) {
  EXPECT_EQ(name_in_source("_ZZ3sumE5total"), "total");
  EXPECT_EQ(name_in_source("_ZZ6kernelPKiPiE4tile"), "tile");
  EXPECT_EQ(name_in_source("_ZZ1kE1s"), "s");
  EXPECT_EQ(name_in_source("_ZZ4longE12twelve_bytes"), "twelve_bytes");
  EXPECT_EQ(name_in_source("squares"), "squares");
  EXPECT_EQ(name_in_source("_Z"), "_Z");
  EXPECT_EQ(name_in_source(""), "");
}

}  // namespace
}  // namespace warpwalk::gpu
