// Cut and damaged core dumps: every input gives a result or one line, and nothing is read outside.
#include <random>

#include <gtest/gtest.h>

#include "tests/crash/sample.h"

namespace warpwalk::crash {
namespace {

/// Uses everything that a dump says. Returns true if the bytes are still a dump.
bool read_all_of(std::string_view bytes) {
  const auto dump = read_core_dump(bytes);
  if (!dump) {
    EXPECT_FALSE(dump.error().empty());
    EXPECT_EQ(dump.error().find('\n'), std::string::npos) << dump.error();
    return false;
  }
  std::vector<Code> codes;
  codes.reserve(dump->devices.size());
  for (const DumpDevice& device : dump->devices) codes.emplace_back(device);
  find_crash(*dump, codes);
  find_waits(*dump, codes);
  return true;
}

TEST(DamagedDump, Cut) {
  const std::string bytes = sample_bytes("lock_light.core.gz");
  ASSERT_GT(bytes.size(), 4096u);
  EXPECT_TRUE(read_all_of(bytes));
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 8)
    EXPECT_FALSE(read_all_of(std::string_view(bytes).substr(0, size))) << size;
}

TEST(DamagedDump, ThatTheDriverDidNotFinish) {
  // As a program leaves it that ends while the driver writes: the header names a table of sections that is not there.
  std::string bytes = sample_bytes("lock_light.core.gz").substr(0, 64);
  bytes.resize(60000, '\0');
  const auto dump = read_core_dump(bytes);
  ASSERT_FALSE(dump);
  EXPECT_NE(dump.error().find("cut off"), std::string::npos) << dump.error();
}

TEST(DamagedDump, Mutated) {
  std::mt19937_64 random(20250);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  int still_dumps = 0;
  for (const char* const name : {"lock_light", "freed_light"}) {
    const std::string original = sample_bytes(std::string(name) + ".core.gz");
    ASSERT_GT(original.size(), 4096u);
    const std::size_t tables = original.size() - original.size() / 3;  // where section headers are
    for (int round = 0; round < 150; ++round) {
      std::string bytes = original;
      for (std::size_t changes = 1 + below(8); changes > 0; --changes) {
        const std::size_t at = below(2) == 0 ? 16 + below(bytes.size() - 16) : tables + below(bytes.size() - tables);
        bytes[at] = static_cast<char>(below(3) == 0 ? 0xff : random());
      }
      if (read_all_of(bytes)) ++still_dumps;
    }
  }
  EXPECT_GT(still_dumps, 30);
}

TEST(DamagedDump, OneTableManyTimes) {
  // Many headers of the same table would make a model larger than any memory.
  std::string bytes = sample_bytes("shared_light.core.gz");
  const auto number = [&](std::size_t at, int count) {
    std::uint64_t value = 0;
    for (int i = 0; i < count; ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    return value;
  };
  const std::size_t table = number(40, 8), count = number(60, 2);
  std::size_t lanes = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (number(table + 64 * i + 4, 4) == 0x8000000f && number(table + 64 * i + 32, 8) > 0) lanes = table + 64 * i;
  ASSERT_NE(lanes, 0u);
  const std::string header = bytes.substr(lanes, 64);
  for (std::size_t i = 1; i < count; ++i)
    if (number(table + 64 * i + 4, 4) == 0x80000005) bytes.replace(table + 64 * i, 64, header);
  EXPECT_FALSE(read_all_of(bytes));
}

TEST(DamagedDump, MoreSectionsThanTheHeaderCanCount) {
  // A GPU full of threads has a million sections. Their number is then in the first section header (System V ABI).
  std::string bytes = sample_bytes("lock_light.core.gz");
  const auto put = [&](std::size_t at, std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
  };
  const auto get = [&](std::size_t at) {
    return static_cast<unsigned char>(bytes[at]) | static_cast<unsigned char>(bytes[at + 1]) << 8;
  };
  std::uint64_t table = 0;
  for (int i = 7; i >= 0; --i) table = table << 8 | static_cast<unsigned char>(bytes[40 + i]);
  put(table + 32, get(60), 8);
  put(table + 40, get(62), 4);
  put(60, 0, 2);
  put(62, 0xffff, 2);
  const auto dump = read_core_dump(bytes);
  ASSERT_TRUE(dump) << dump.error();
  EXPECT_EQ(dump->devices.front().name, "NVIDIA H200");
  EXPECT_TRUE(read_all_of(bytes));
  put(table + 32, ~std::uint64_t{0}, 8);
  EXPECT_FALSE(read_all_of(bytes));
}

TEST(DamagedDump, OtherElfFiles) {
  const auto other = read_core_dump(std::string_view("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\276\0", 20));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().find('\n'), std::string::npos);
  EXPECT_FALSE(is_core_dump("\177ELF"));
  EXPECT_TRUE(is_core_dump(sample_bytes("spin.core.gz").substr(0, 20)));
}

}  // namespace
}  // namespace warpwalk::crash
