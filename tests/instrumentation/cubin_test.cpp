#include "instrumentation/cubin.h"

#include <fstream>
#include <map>
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "instrumentation/cubin_log.h"

namespace warpwalk::instrumentation {
namespace {

// programs/two.cu compiled by nvcc 13.0. The expected values come from readelf.
std::string two() {
  std::ifstream file(WARPWALK_SOURCE_DIR "/tests/instrumentation/data/two.cubin", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Cubin, ItsFunctionsAndWhatIsKnownOfTheirLines) {
  const std::string bytes = two();
  ASSERT_EQ(bytes.size(), 8216u);
  const Cubin cubin = parse_cubin(bytes);
  ASSERT_EQ(cubin.functions.size(), 2u);
  EXPECT_EQ(cubin.functions[0].name, "_Z5shiftIiEvPT_S0_i");
  EXPECT_EQ(cubin.functions[0].symbol, 12u);
  EXPECT_EQ(cubin.functions[0].code.data(), bytes.data() + 0x1100);
  EXPECT_EQ(cubin.functions[0].code.size(), 512u);
  EXPECT_EQ(cubin.functions[1].name, "_Z5scalePffi");
  EXPECT_EQ(cubin.functions[1].symbol, 13u);
  EXPECT_EQ(cubin.functions[1].code.data(), bytes.data() + 0x1300);
  EXPECT_TRUE(cubin.has_source_lines);
  EXPECT_TRUE(cubin.has_ptx_lines);
  EXPECT_THAT(cubin.ptx, ::testing::HasSubstr("\n.version 9.0\n.target sm_90\n"));
  EXPECT_THAT(cubin.ptx, ::testing::HasSubstr("\n.visible .entry _Z5scalePffi(\n"));
  EXPECT_EQ(cubin.ptx.find('\0'), std::string::npos);
}

TEST(Cubin, OfDamagedBytesNothingOutsideThem) {
  const std::string bytes = two();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string cut = bytes.substr(0, size);  // a copy, so that the sanitizer detects out-of-bounds reads
    const Cubin cubin = parse_cubin(cut);
    EXPECT_LE(cubin.functions.size(), 2u);
  }
  // Sets each byte of the headers and symbols to 0xff in turn.
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (at >= 0x6a0 && at < 0x1940) continue;
    std::string wrong = bytes;
    wrong[at] = '\xff';
    for (const CubinFunction& function : parse_cubin(wrong).functions) {
      EXPECT_GE(function.name.data(), wrong.data());
      EXPECT_LE(function.code.size(), wrong.size());
    }
  }
  EXPECT_TRUE(
      parse_cubin("no ELF file at all, but long enough for the head of one: 64 bytes and more").functions.empty());
}

class Rows final : public RowSink {
 public:
  std::uint32_t name(std::string_view) override { return 0; }
  void add(const Row& row) override {
    if (const auto* const cubin = std::get_if<CubinRow>(&row)) cubins[cubin->number] = *cubin;
    if (const auto* const part = std::get_if<CubinPart>(&row)) {
      parts[part->number] += part->bytes;
      longest = std::max(longest, part->bytes.size());
    }
  }
  std::map<std::uint32_t, CubinRow> cubins;
  std::map<std::uint32_t, std::string> parts;
  std::size_t longest = 0;
};

TEST(CubinLog, EachOnceAndNoMoreThanItsBound) {
  Rows rows;
  CubinLog log(rows, 100'000);
  const std::string first(40'000, 'a'), second = first + "b", third(30'000, 'c'), fourth(10'000, 'd');
  for (const std::string& cubin : {first, second, first, third, fourth, second}) log.add(cubin);
  ASSERT_EQ(rows.cubins.size(), 4u);
  EXPECT_EQ(rows.parts, (std::map<std::uint32_t, std::string>{{1, first}, {2, second}, {4, fourth}}));
  EXPECT_EQ(rows.cubins[3].kept, 0u);
  EXPECT_EQ(rows.cubins[3].bytes, 30'000u);
  EXPECT_LE(rows.longest, std::size_t{16} << 10);  // max_text_bytes
}

}  // namespace
}  // namespace warpwalk::instrumentation
