#include "instrumentation/simulated/device/memory.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace warpwalk::simulated {
namespace {

constexpr std::uint64_t megabyte = 1 << 20;

TEST(SimulatedMemory, AllocationsAreApartAndFoundByAnyOfTheirAddresses) {
  DeviceMemory memory(megabyte, false);
  const auto a = memory.allocate(MemoryKind::device, 1000, "cudaMalloc"),
             b = memory.allocate(MemoryKind::device, 1000, "cudaMalloc");
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->address % 256, 0);
  EXPECT_EQ(memory.find(a->address + 999), a);
  EXPECT_EQ(memory.find(a->address + 1000), nullptr);
  EXPECT_EQ(memory.find(b->address), b);
  EXPECT_EQ(memory.used(), 2000);
}

TEST(SimulatedMemory, WhatWasFreedIsKnownAndItsAddressesAreNotUsedAtOnce) {
  DeviceMemory memory(megabyte, false);
  const auto a = memory.allocate(MemoryKind::device, 1000, "cudaMalloc");
  const std::uint64_t address = a->address;
  EXPECT_EQ(memory.free(address), Error::success);
  EXPECT_EQ(memory.free(address), Error::invalid_value);
  EXPECT_EQ(memory.find(address), nullptr);
  EXPECT_EQ(memory.find_freed(address + 10), a);
  EXPECT_NE(memory.allocate(MemoryKind::device, 1000, "cudaMalloc")->address, address);
  EXPECT_EQ(memory.used(), 1000);
}

TEST(SimulatedMemory, IsAsLargeAsTheGpus) {
  DeviceMemory memory(megabyte, false);
  EXPECT_EQ(memory.allocate(MemoryKind::device, megabyte + 1, "cudaMalloc"), nullptr);
  const auto most = memory.allocate(MemoryKind::device, megabyte - 1000, "cudaMalloc");
  ASSERT_NE(most, nullptr);
  EXPECT_EQ(memory.allocate(MemoryKind::device, 2000, "cudaMalloc"), nullptr);
  memory.free(most->address);
  EXPECT_NE(memory.allocate(MemoryKind::device, 2000, "cudaMalloc"), nullptr);
}

TEST(SimulatedMemory, AddressesAreUsedAgainWhenTheyRunOut) {
  DeviceMemory memory(megabyte, false);
  for (int i = 0; i < 5000; ++i) {
    const auto place = memory.allocate(MemoryKind::device, 500 * 1000, "cudaMalloc");
    ASSERT_NE(place, nullptr) << i;
    place->data[0] = place->data[place->bytes - 1] = 1;  // not all of it: that takes a minute
    ASSERT_EQ(memory.free(place->address), Error::success);
  }
}

TEST(SimulatedMemory, HostMemoryHasTheSameAddressForKernels) {
  DeviceMemory memory(megabyte, false);
  const auto pinned = memory.allocate(MemoryKind::pinned, 5000, "cudaMallocHost");
  ASSERT_NE(pinned, nullptr);
  auto* const host = reinterpret_cast<std::uint8_t*>(pinned->address);
  host[4999] = 7;
  EXPECT_EQ(pinned->data[4999], 7);
  std::vector<std::uint8_t> own(100);
  const auto registered = memory.register_host(own.data(), own.size(), 0);
  ASSERT_NE(registered, nullptr);
  EXPECT_EQ(registered->data, own.data());
  EXPECT_EQ(memory.register_host(own.data() + 50, 10, 0), nullptr) << "a part is registered already";
  EXPECT_EQ(memory.view()->outer.size(), 2);
}

}  // namespace
}  // namespace warpwalk::simulated
