// Layouts against the bases that Triton's own tests state, the fragments that PTX documents, and CuTe's examples.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/compiled/layout/cute_layout.h"
#include "core/compiled/layout/cute_table.h"
#include "core/compiled/layout/encoding.h"

namespace warpwalk::compiled {
namespace {

using ::testing::ElementsAre;
using Bases = std::vector<std::vector<std::int64_t>>;
using Shape = std::vector<std::int64_t>;

struct AllBases {
  Bases registers, lanes, warps, blocks;
  bool operator==(const AllBases&) const = default;
};

void PrintTo(const AllBases& all, std::ostream* out) {
  for (const Bases* one : {&all.registers, &all.lanes, &all.warps, &all.blocks})
    *out << ::testing::PrintToString(*one) << '\n';
}

LinearLayout layout(std::string_view text, const Shape& shape) {
  const auto encoding = parse_encoding(text);
  EXPECT_TRUE(encoding) << text << ": " << (encoding ? "" : encoding.error());
  if (!encoding) return {};
  const auto made = layout_of(*encoding, shape);
  EXPECT_TRUE(made) << text << ": " << (made ? "" : made.error());
  return made ? *made : LinearLayout{};
}

AllBases bases(std::string_view text, const Shape& shape) {
  const LinearLayout made = layout(text, shape);
  AllBases all;
  Bases* const to[] = {&all.registers, &all.lanes, &all.warps, &all.blocks};
  for (std::size_t input = 0; input < 4; ++input)
    for (const std::uint64_t basis : made.bases[input]) to[input]->push_back(made.coordinates(basis));
  return all;
}

std::string refusal(std::string_view text, const Shape& shape) {
  const auto encoding = parse_encoding(text);
  if (!encoding) return encoding.error();
  const auto made = layout_of(*encoding, shape);
  return made ? "" : made.error();
}

constexpr std::string_view mma16 =
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], "
    "instrShape = [16, 8]}>";

std::string blocked(std::string_view rest) { return "#ttg.blocked<{" + std::string(rest) + "}>"; }

TEST(Layouts, Blocked) {
  constexpr std::string_view four = "sizePerThread = [1], threadsPerWarp = [4], warpsPerCTA = [4], order = [0]";
  EXPECT_EQ(bases(blocked(four), {16}), (AllBases{{}, {{1}, {2}}, {{4}, {8}}, {}}));
  EXPECT_EQ(bases(blocked(four), {128}), (AllBases{{{16}, {32}, {64}}, {{1}, {2}}, {{4}, {8}}, {}}));
  EXPECT_EQ(bases(blocked("sizePerThread = [4], threadsPerWarp = [4], warpsPerCTA = [4], order = [0]"), {8}),
            (AllBases{{{1}, {2}}, {{4}, {0}}, {{0}, {0}}, {}}));
  EXPECT_EQ(
      bases(blocked("sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 8], order = [0, 1]"), {1, 64}),
      (AllBases{{{0, 8}, {0, 16}, {0, 32}}, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}, {{0, 1}, {0, 2}, {0, 4}}, {}}));
}

TEST(Layouts, BlockedInClusters) {
  // The same with the older and the newer way to write a cluster.
  for (const char* const cluster :
       {"CTAsPerCGA = [2, 2], CTASplitNum = [2, 2], CTAOrder = [1, 0]", "CGALayout = [[0, 1], [1, 0]]"})
    EXPECT_EQ(bases(blocked("sizePerThread = [2, 2], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [1, 0], " +
                            std::string(cluster)),
                    {1024, 128}),
              (AllBases{{{0, 1}, {1, 0}, {0, 32}, {16, 0}, {32, 0}, {64, 0}, {128, 0}, {256, 0}},
                        {{0, 2}, {0, 4}, {0, 8}, {2, 0}, {4, 0}},
                        {{0, 16}, {8, 0}},
                        {{0, 64}, {512, 0}}}));
  EXPECT_EQ(bases(blocked("sizePerThread = [1], threadsPerWarp = [4], warpsPerCTA = [4], order = [0], CTAsPerCGA = "
                          "[4], CTASplitNum = [2], CTAOrder = [0]"),
                  {32}),
            (AllBases{{}, {{1}, {2}}, {{4}, {8}}, {{16}, {0}}}));
  EXPECT_EQ(
      bases("#triton_gpu.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = "
            "[1, 0], CTAsPerCGA = [2, 2], CTASplitNum = [2, 1], CTAOrder = [1, 0]}>",
            {128, 16}),
      (AllBases{
          {{0, 1}, {0, 2}, {32, 0}}, {{0, 4}, {0, 8}, {1, 0}, {2, 0}, {4, 0}}, {{8, 0}, {16, 0}}, {{0, 0}, {64, 0}}}));
}

TEST(Layouts, Slices) {
  const std::string parent = blocked(
      "sizePerThread = [2, 4], threadsPerWarp = [4, 2], warpsPerCTA = [2, 2], order = [1, 0], CTAsPerCGA = [2, 2], "
      "CTASplitNum = [2, 2], CTAOrder = [1, 0]");
  EXPECT_EQ(bases("#ttg.slice<{dim = 0, parent = " + parent + "}>", {128}),
            (AllBases{{{1}, {2}, {16}, {32}}, {{4}, {0}, {0}}, {{8}, {0}}, {{64}, {0}}}));
  EXPECT_EQ(bases("#ttg.slice<{dim = 1, parent = " + parent + "}>", {128}),
            (AllBases{{{1}, {16}, {32}}, {{0}, {2}, {4}}, {{0}, {8}}, {{0}, {64}}}));
  const std::string mma =
      "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>";
  EXPECT_EQ(bases("#ttg.slice<{dim = 1, parent = " + mma + "}>", {128}),
            (AllBases{{{8}, {32}, {64}}, {{0}, {0}, {1}, {2}, {4}}, {{0}, {16}}, {}}));
  EXPECT_EQ(bases("#ttg.slice<{dim = 1, parent = " + mma + "}>", {8}),
            (AllBases{{{0}}, {{0}, {0}, {1}, {2}, {4}}, {{0}, {0}}, {}}));
  EXPECT_EQ(
      bases("#ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = " + std::string(mma16) + ", kWidth = 8}>}>",
            {16}),
      (AllBases{{{8}}, {{0}, {0}, {1}, {2}, {4}}, {}, {}}));
  EXPECT_EQ(bases("#ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = " +
                      blocked("sizePerThread = [1, 2, 4], threadsPerWarp = [4, 8, 1], warpsPerCTA = [2, 1, 2], order = "
                              "[2, 1, 0]") +
                      "}>}>",
                  {32}),
            (AllBases{{{1}, {16}}, {{2}, {4}, {8}, {0}, {0}}, {{0}, {0}}, {}}));
}

TEST(Layouts, MatrixProducts) {
  EXPECT_EQ(bases(mma16, {32, 32}),
            (AllBases{{{0, 1}, {8, 0}, {0, 8}, {0, 16}, {16, 0}}, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}, {}, {}}));
  EXPECT_EQ(bases("#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [16, 1, 1], CTAsPerCGA = [4, 2, "
                  "2], CTASplitNum = [4, 2, 1], CTAOrder = [2, 1, 0], instrShape = [1, 16, 8]}>",
                  {64, 128, 128}),
            (AllBases{{{0, 0, 1}, {0, 8, 0}, {0, 0, 8}, {0, 0, 16}, {0, 0, 32}, {0, 0, 64}, {0, 16, 0}, {0, 32, 0}},
                      {{0, 0, 2}, {0, 0, 4}, {0, 1, 0}, {0, 2, 0}, {0, 4, 0}},
                      {{1, 0, 0}, {2, 0, 0}, {4, 0, 0}, {8, 0, 0}},
                      {{0, 0, 0}, {0, 64, 0}, {16, 0, 0}, {32, 0, 0}}}));
  const AllBases wide{{{0, 1}, {8, 0}, {0, 8}, {0, 16}, {64, 0}},
                      {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}},
                      {{16, 0}, {32, 0}, {0, 32}},
                      {}};
  EXPECT_EQ(bases("#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 32, "
                  "16]}>",
                  {128, 64}),
            wide);
}

TEST(Layouts, OperandsOfMatrixProducts) {
  const auto operand = [](int index, int width, std::string_view parent) {
    return "#ttg.dot_op<{opIdx = " + std::to_string(index) + ", parent = " + std::string(parent) +
           ", kWidth = " + std::to_string(width) + "}>";
  };
  EXPECT_EQ(bases(operand(0, 8, mma16), {16, 64}),
            (AllBases{{{0, 1}, {0, 2}, {0, 4}, {8, 0}, {0, 32}}, {{0, 8}, {0, 16}, {1, 0}, {2, 0}, {4, 0}}, {}, {}}));
  EXPECT_EQ(bases(operand(1, 8, mma16), {64, 8}),
            (AllBases{{{1, 0}, {2, 0}, {4, 0}, {32, 0}}, {{8, 0}, {16, 0}, {0, 1}, {0, 2}, {0, 4}}, {}, {}}));
  constexpr std::string_view split =
      "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>";
  EXPECT_EQ(bases(operand(0, 8, split), {64, 128}),
            (AllBases{{{0, 1}, {0, 2}, {0, 4}, {8, 0}, {0, 32}, {0, 64}, {32, 0}},
                      {{0, 8}, {0, 16}, {1, 0}, {2, 0}, {4, 0}},
                      {{0, 0}, {16, 0}},
                      {}}));
  EXPECT_EQ(bases(operand(1, 8, split), {128, 32}), (AllBases{{{1, 0}, {2, 0}, {4, 0}, {32, 0}, {64, 0}, {0, 16}},
                                                              {{8, 0}, {16, 0}, {0, 1}, {0, 2}, {0, 4}},
                                                              {{0, 8}, {0, 0}},
                                                              {}}));
  constexpr std::string_view group =
      "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 16, 8]}>";
  EXPECT_EQ(bases(operand(0, 4, group), {128, 64}), (AllBases{{{0, 1}, {0, 2}, {8, 0}, {0, 16}, {0, 32}, {64, 0}},
                                                              {{0, 4}, {0, 8}, {1, 0}, {2, 0}, {4, 0}},
                                                              {{16, 0}, {32, 0}, {0, 0}},
                                                              {}}));
  const std::string plain =
      blocked("sizePerThread = [2, 4], threadsPerWarp = [8, 4], warpsPerCTA = [2, 4], order = [1, 0]");
  EXPECT_EQ(bases(operand(0, 0, plain), {32, 16}), (AllBases{{{0, 1}, {0, 2}, {0, 4}, {0, 8}, {1, 0}},
                                                             {{0, 0}, {0, 0}, {2, 0}, {4, 0}, {8, 0}},
                                                             {{0, 0}, {0, 0}, {16, 0}},
                                                             {}}));
}

// PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type": groupID = %laneid >> 2 and
// threadID_in_group = %laneid % 4.
TEST(Layouts, FragmentsOfMma) {
  const LinearLayout d = layout(mma16, {16, 8});
  const LinearLayout a = layout("#ttg.dot_op<{opIdx = 0, parent = " + std::string(mma16) + ", kWidth = 2}>", {16, 16});
  const LinearLayout b = layout("#ttg.dot_op<{opIdx = 1, parent = " + std::string(mma16) + ", kWidth = 2}>", {16, 8});
  for (std::int64_t lane = 0; lane < 32; ++lane) {
    const std::int64_t group = lane >> 2, in_group = lane % 4;
    const auto at = [&](const LinearLayout& of, std::int64_t i) {
      return of.coordinates(of.element({static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(lane), 0, 0}));
    };
    for (std::int64_t i = 0; i < 4; ++i)
      EXPECT_THAT(at(d, i), ElementsAre(i < 2 ? group : group + 8, in_group * 2 + (i & 1)));
    for (std::int64_t i = 0; i < 8; ++i)
      EXPECT_THAT(at(a, i), ElementsAre((i >= 0 && i < 2) || (i >= 4 && i < 6) ? group : group + 8,
                                        i < 4 ? in_group * 2 + (i & 1) : in_group * 2 + (i & 1) + 8));
    for (std::int64_t i = 0; i < 4; ++i)
      EXPECT_THAT(at(b, i), ElementsAre(i < 2 ? in_group * 2 + (i & 1) : in_group * 2 + (i & 1) + 8, group));
  }
}

// PTX ISA, "WGMMA .m64nNk16 register fragment layout for accumulator matrix D".
TEST(Layouts, FragmentsOfWgmma) {
  const LinearLayout d =
      layout("#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>",
             {64, 64});
  for (std::int64_t warp = 0; warp < 4; ++warp)
    for (std::int64_t lane = 0; lane < 32; ++lane)
      for (std::int64_t i = 0; i < 32; ++i) {
        const auto at = d.coordinates(d.element(
            {static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(lane), static_cast<std::uint64_t>(warp), 0}));
        EXPECT_THAT(at, ElementsAre(16 * warp + lane / 4 + (i / 2 % 2 == 0 ? 0 : 8), i / 4 * 8 + lane % 4 * 2 + i % 2));
      }
}

TEST(Layouts, SharedMemory) {
  const auto swizzled = [](std::string_view rest) { return "#ttg.swizzled_shared<{" + std::string(rest) + "}>"; };
  EXPECT_EQ(bases(swizzled("vec = 2, perPhase = 2, maxPhase = 4, order = [1, 0]"), {32, 32}).registers,
            (Bases{{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {1, 0}, {2, 2}, {4, 4}, {8, 0}, {16, 0}}));
  EXPECT_EQ(bases(swizzled("vec = 1, perPhase = 1, maxPhase = 4, order = [0, 1]"), {4, 8}).registers,
            (Bases{{1, 0}, {2, 0}, {1, 1}, {2, 2}, {0, 4}}));
  EXPECT_EQ(bases(swizzled("vec = 2, perPhase = 2, maxPhase = 4, order = [1, 0]"), {64, 1}).registers,
            (Bases{{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}, {32, 0}}));
  const auto matrix = [](std::string_view width, std::string_view bits) {
    return "#ttg.nvmma_shared<{swizzlingByteWidth = " + std::string(width) +
           ", transposed = false, elementBitWidth = " + std::string(bits) + "}>";
  };
  EXPECT_EQ(bases(matrix("32", "16"), {128, 16}).registers,
            (Bases{{0, 1}, {0, 2}, {0, 4}, {0, 8}, {1, 0}, {2, 0}, {4, 8}, {8, 0}, {16, 0}, {32, 0}, {64, 0}}));
  EXPECT_EQ(bases(matrix("64", "16"), {8, 32}).registers,
            (Bases{{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {1, 0}, {2, 8}, {4, 16}}));
  EXPECT_EQ(bases(matrix("128", "32"), {8, 64}).registers,
            (Bases{{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {1, 4}, {2, 8}, {4, 16}, {0, 32}}));
  // The older name of both.
  EXPECT_EQ(bases("#triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], hasLeadingOffset = true}>",
                  {8, 64}),
            bases(matrix("128", "16"), {8, 64}));
  EXPECT_EQ(bases("#triton_gpu.shared<{vec = 2, perPhase = 2, maxPhase = 4, order = [1, 0], hasLeadingOffset = false}>",
                  {32, 32}),
            bases(swizzled("vec = 2, perPhase = 2, maxPhase = 4, order = [1, 0]"), {32, 32}));
  // The first dimension of three numbers buffers.
  EXPECT_EQ(bases(matrix("64", "16"), {3, 8, 32}), bases(matrix("64", "16"), {8, 32}));
  EXPECT_EQ(bases("#ttg.shared_linear<{offset = [[0, 1], [1, 0], [2, 1]], block = []}, alignment = 16>", {4, 2}),
            (AllBases{{{0, 1}, {1, 0}, {2, 1}}, {}, {}, {}}));
}

// PTX ISA, "Swizzling modes" of TMA with 128 bytes: in each group of 8 rows, the number of a chunk of 16 bytes is XORed
// with that of its row; with 64 bytes, with that of its pair of rows, with 32 bytes, of its four rows.
TEST(Layouts, SwizzlesOfTma) {
  for (const std::uint64_t width : {32U, 64U, 128U}) {
    const auto columns = static_cast<std::int64_t>(width / 2);
    const LinearLayout made = layout("#ttg.nvmma_shared<{swizzlingByteWidth = " + std::to_string(width) +
                                         ", transposed = false, elementBitWidth = 16}>",
                                     {16, columns});
    for (std::int64_t row = 0; row < 16; ++row)
      for (std::int64_t column = 0; column < columns; ++column) {
        const auto places = made.places_of(made.element_at({row, column}));
        ASSERT_EQ(places.size(), 1U);
        const std::uint64_t line = static_cast<std::uint64_t>(row) * width + static_cast<std::uint64_t>(column) * 2;
        EXPECT_EQ(shared_place(places[0].reg, 16).byte, line ^ ((line >> 7 & (width / 16 - 1)) << 4));
      }
  }
}

TEST(Layouts, PlacesOfAnElement) {
  const LinearLayout rows = layout(
      "#ttg.slice<{dim = 1, parent = " +
          blocked("sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]") + "}>",
      {32});
  EXPECT_THAT(rows.places_of(9), ElementsAre(LayoutPlace{0, 4, 1, 0}, LayoutPlace{0, 5, 1, 0}, LayoutPlace{0, 6, 1, 0},
                                             LayoutPlace{0, 7, 1, 0}));
  EXPECT_EQ(rows.copy_bits(), (LayoutPlace{0, 3, 0, 0}));
  EXPECT_TRUE(rows.is_copy({0, 5, 1, 0}));
  const LinearLayout made = layout(mma16, {64, 32});
  for (std::uint64_t element = 0; element < made.elements(); ++element) {
    const auto places = made.places_of(element);
    ASSERT_EQ(places.size(), 1U);
    EXPECT_EQ(made.element(places[0]), element);
  }
}

TEST(Layouts, BadTextIsRefusedInOneLine) {
  EXPECT_EQ(refusal("#blocked", {8}), "the layout #blocked is not defined");
  EXPECT_EQ(refusal("#ttg.padded_shared<{order = [0]}>", {8}), "the layout padded_shared is not known");
  EXPECT_EQ(refusal("#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [1]}>", {8}),
            "blocked: order is not an order of 1 dimensions");
  EXPECT_EQ(refusal(mma16, {24, 8}), "the shape 24x8 has a size that is not a power of two");
  EXPECT_EQ(refusal("#ttg.slice<{dim = 3, parent = " + std::string(mma16) + "}>", {8}),
            "slice: it needs a parent and a dimension of it");
  std::string deep;
  for (int i = 0; i < 10000; ++i) deep += "#ttg.slice<{dim = 0, parent = ";
  EXPECT_EQ(refusal(deep, {8}), "the layout has too many parents");
  const EncodingAliases circle = [](std::string_view) { return std::string("#a"); };
  EXPECT_EQ(parse_encoding("#a", circle).error(), "the layout has too many parents");
}

// Examples of CUTLASS's documentation of CuTe layouts, and of its swizzles.
TEST(CuteLayouts, OffsetsAndSwizzles) {
  const auto nested = parse_cute_layout("(4,(2,3)):(1,(8,2))");
  ASSERT_TRUE(nested);
  EXPECT_THAT(nested->shape(), ElementsAre(4, 6));
  EXPECT_EQ(nested->offset({1, 3}), 1 + 8 + 2);
  EXPECT_EQ(nested->cosize(), 3 + 8 + 4 + 1);
  const auto swizzled = parse_cute_layout("Sw<3,3,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)");
  ASSERT_TRUE(swizzled) << swizzled.error();
  const LinearLayout tma =
      layout("#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>", {8, 64});
  for (std::int64_t row = 0; row < 8; ++row)
    for (std::int64_t column = 0; column < 64; ++column)
      EXPECT_EQ(static_cast<std::uint64_t>(swizzled->offset({row, column})),
                tma.places_of(tma.element_at({row, column})).at(0).reg);
  EXPECT_TRUE(parse_cute_layout("8:1"));
  EXPECT_EQ(parse_cute_layout("(4,2):1").error(), "shape and stride of the layout are not built alike");
  EXPECT_EQ(parse_cute_layout("(4,").error(), "the layout is not SHAPE:STRIDE, as (4,(2,3)):(1,(8,2))");
  EXPECT_EQ(parse_cute_layout("Swizzle<40,1,2> o 4:1").error(), "the swizzle is not one of Swizzle<BITS,BASE,SHIFT>");
}

// The layout of C of an mma of 16 x 8: thread and value to offset, as CUTLASS prints it.
TEST(CuteLayouts, ATableHasEveryOffset) {
  const auto layout = parse_cute_layout("((4,8),(2,2)):((32,1),(16,8))");
  ASSERT_TRUE(layout);
  const auto table = cute_table(*layout);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->offsets.size(), 32U);
  EXPECT_THAT(table->offsets[0], ElementsAre(0, 16, 8, 24));
  EXPECT_THAT(table->offsets[5], ElementsAre(33, 49, 41, 57));
  EXPECT_EQ(table->repeated, 0);
  EXPECT_EQ(table->unused, 0);
  EXPECT_EQ(table->cosize, 128);
  const auto row = cute_table(*parse_cute_layout("(3):(2)"));
  ASSERT_TRUE(row);
  EXPECT_EQ(text_of(*row), "  | 0 1 2\n--+------\n0 | 0 2 4\n");
  EXPECT_EQ(row->unused, 2);
  EXPECT_EQ(cute_table(*parse_cute_layout("(4,2):(0,1)"))->repeated, 6);
  EXPECT_EQ(cute_table(*parse_cute_layout("(1024,1024):(1024,1)")).error(),
            "the layout has 1048576 elements; a table has at most 65536");
}

}  // namespace
}  // namespace warpwalk::compiled
