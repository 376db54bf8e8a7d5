// Tensors and their storages: sharing, lifetime, bounds and CPU memory.
#include "core/ops/tensor/tensor.h"

#include <bit>
#include <numeric>

#include <gtest/gtest.h>

#include "core/ops/cpu/memory.h"
#include "core/ops/tensor/error.h"

namespace warpwalk::ops {
namespace {

std::vector<std::uint8_t> counted_bytes(std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  return bytes;
}

struct Changes : Observer {
  std::vector<MemoryChange> all;
  void memory(const MemoryChange& change) override { all.push_back(change); }
};

TEST(Tensor, ViewsShareTheStorageAndItsVersion) {
  CpuMemory memory;
  const Tensor a = tensor_from(memory, DType::f32, {2, 3}, counted_bytes(24));
  const Tensor column = a.with(selected(a.geometry(), 1, 2));
  EXPECT_EQ(column.storage(), a.storage());
  EXPECT_EQ(column.address(), a.address() + 8);
  a.storage()->changed_in_place();
  EXPECT_EQ(column.version(), 1u);
  EXPECT_FALSE(column.same_as(a));
  const Tensor again = a;
  EXPECT_TRUE(again.same_as(a));
  EXPECT_FALSE(Tensor().defined());
}

TEST(Tensor, BytesComeInRowMajorOrderWhateverTheStrides) {
  CpuMemory memory;
  const Tensor a = tensor_from(memory, DType::f16, {2, 2}, counted_bytes(8));
  EXPECT_EQ(bytes_of(a), counted_bytes(8));
  EXPECT_EQ(bytes_of(a.with(transposed(a.geometry(), 0, 1))), (std::vector<std::uint8_t>{1, 2, 5, 6, 3, 4, 7, 8}));
  EXPECT_EQ(bytes_of(a.with(sliced(a.geometry(), 0, 1, 1, 1))), std::vector<std::uint8_t>{});
}

TEST(Tensor, ValuesOfEveryType) {
  CpuMemory memory;
  const auto one = [&](DType dtype, std::uint64_t bits) {
    const auto bytes = std::bit_cast<std::array<std::uint8_t, 8>>(bits);
    return values_of(tensor_from(memory, dtype, {}, std::span(bytes).first(bytes_of(dtype))));
  };
  EXPECT_EQ(one(DType::f16, 0xc100), std::vector<double>{-2.5});
  EXPECT_EQ(one(DType::bf16, 0x4049), std::vector<double>{3.140625});
  EXPECT_EQ(one(DType::f32, 0x3fc00000), std::vector<double>{1.5});
  EXPECT_EQ(one(DType::f64, 0x3ff8000000000000), std::vector<double>{1.5});
  EXPECT_EQ(one(DType::i32, 0xffffffff), std::vector<double>{-1});
  EXPECT_EQ(one(DType::i64, ~std::uint64_t{1}), std::vector<double>{-2});
  EXPECT_EQ(one(DType::u8, 0xff), std::vector<double>{255});
}

TEST(Tensor, NoViewReachesBeyondItsStorage) {
  CpuMemory memory;
  const Tensor a = tensor_from(memory, DType::f32, {2, 3}, counted_bytes(24));
  EXPECT_NO_THROW(a.with({{2, 2}, {3, 2}, 0}));
  EXPECT_THROW(a.with({{2, 2}, {3, 2}, 1}), OpError);
  EXPECT_THROW(a.with({{3}, {-1}, 2}), OpError);
  EXPECT_THROW(a.with({{3}, {1, 1}, 0}), OpError);
  EXPECT_THROW(a.with({{-1}, {1}, 0}), OpError);
  EXPECT_THROW(a.with({Sizes(9, 1), Sizes(9, 1), 0}), OpError);
  EXPECT_THROW(tensor_from(memory, DType::f32, {2, 2}, counted_bytes(15)), OpError);
}

TEST(CpuMemory, AddressesAreTheSameInEveryRunAndNeverUsedTwice) {
  Changes changes;
  CpuMemory memory(&changes);
  {
    const Tensor a = tensor_from(memory, DType::f32, {3}, counted_bytes(12));
    const Tensor b = tensor_from(memory, DType::f64, {9}, counted_bytes(72));
    EXPECT_EQ(a.storage()->address(), CpuMemory::base);
    EXPECT_EQ(b.storage()->address(), CpuMemory::base + 64);
    EXPECT_EQ(memory.allocated(), 64u + 128u);
  }
  EXPECT_EQ(memory.allocated(), 0u);
  EXPECT_EQ(memory.allocate(1), CpuMemory::base + 64 + 128);
  EXPECT_EQ(memory.allocate(0), 0u);

  ASSERT_EQ(changes.all.size(), 5u);
  EXPECT_EQ(changes.all[1].kind, MemoryChange::Kind::allocate);
  EXPECT_EQ(changes.all[1].bytes, 72u);
  EXPECT_EQ(changes.all[1].rounded_bytes, 128u);
  EXPECT_EQ(changes.all[1].allocated, 192u);
  EXPECT_EQ(changes.all[1].segment, 0u);
  EXPECT_EQ(changes.all[3].kind, MemoryChange::Kind::free);
  EXPECT_EQ(changes.all[3].allocated, 0u);
}

TEST(CpuMemory, RefusesWhatDoesNotFit) {
  CpuMemory memory(nullptr, 256);
  const std::uint64_t held = memory.allocate(100);
  EXPECT_THROW(memory.allocate(200), OpError);
  EXPECT_THROW(memory.allocate(~std::uint64_t{0}), OpError);
  memory.free(held);
  const std::uint64_t address = memory.allocate(256);
  EXPECT_EQ(memory.host(address + 255), memory.host(address) + 255);
  EXPECT_EQ(memory.host(address + 256), nullptr);
  EXPECT_EQ(memory.host(held), nullptr);
  std::vector<std::uint8_t> bytes(16, 7);
  EXPECT_THROW(memory.read(address + 250, bytes), OpError);
  EXPECT_THROW(memory.write(held, bytes), OpError);
  memory.write(address + 240, bytes);
  std::vector<std::uint8_t> back(17);
  memory.read(address + 239, back);
  EXPECT_EQ(back.front(), 0);
  EXPECT_EQ(back.back(), 7);
}

}  // namespace
}  // namespace warpwalk::ops
