#include "instrumentation/simulated/device/fat_binary.h"

#include <cstring>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwalk::simulated {
namespace {

template <class T>
void append(std::string& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A container with the images that nvcc -arch=sm_90 makes, uncompressed: PTX for compute_90.
std::string container(std::string ptx) {
  ptx.resize((ptx.size() + 8) / 8 * 8);  // ends with a zero byte
  std::string image;
  append<std::uint16_t>(image, 1), append<std::uint16_t>(image, 0x101), append<std::uint32_t>(image, 64);
  append<std::uint64_t>(image, ptx.size());
  append<std::uint32_t>(image, 0), append<std::uint32_t>(image, 64);
  append<std::uint16_t>(image, 0), append<std::uint16_t>(image, 9), append<std::uint32_t>(image, 90);
  append<std::uint64_t>(image, 0), append<std::uint64_t>(image, 0x11), append<std::uint64_t>(image, 0);
  append<std::uint64_t>(image, 0);
  image += ptx;
  std::string all;
  append<std::uint32_t>(all, 0xba55ed50), append<std::uint16_t>(all, 1), append<std::uint16_t>(all, 16);
  append<std::uint64_t>(all, image.size());
  return all + image;
}

constexpr const char* ptx = ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n";

TEST(FatBinary, HasItsImages) {
  const std::string bytes = container(ptx);
  const auto images = read_code(bytes.data());
  ASSERT_TRUE(images) << images.error();
  ASSERT_EQ(images->size(), 1);
  EXPECT_TRUE((*images)[0].is_ptx);
  EXPECT_EQ((*images)[0].architecture, 80) << "of the text";
  EXPECT_EQ((*images)[0].bytes, ptx);
}

TEST(FatBinary, MayBeAWrapperOfIt) {
  const std::string bytes = container(ptx);
  struct {
    int magic = 0x466243b1, version = 1;
    const void* data = nullptr;
    void* file = nullptr;
  } wrapper;
  wrapper.data = bytes.data();
  EXPECT_TRUE(read_code(&wrapper));
}

TEST(FatBinary, PtxAsTextIsAnImage) {
  const auto images = read_code(ptx);
  ASSERT_TRUE(images);
  EXPECT_EQ((*images)[0].bytes, ptx);
}

TEST(FatBinary, WhatIsNoCodeIsRefused) {
  EXPECT_FALSE(read_code(nullptr));
  EXPECT_FALSE(read_code("a text that is nothing of the kind"));
}

TEST(FatBinary, DamagedHeadersAreRefusedOrSkipped) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = container(ptx);
    // Behind the size of the whole, which its reader has to trust: the interface gives no other.
    const std::size_t at = 16 + random() % 64;
    bytes[at] = static_cast<char>(random());
    (void)read_code(bytes.data());
  }
}

}  // namespace
}  // namespace warpwalk::simulated
