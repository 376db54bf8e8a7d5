// The line that a walk begins with, its numbers, the tile and the closing page.
#include <algorithm>
#include <cstring>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "core/records/hardware.h"
#include "core/run/launch/generate.h"
#include "core/story/facts/launch/input_values.h"
#include "core/story/facts/launch/matrix_product.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/facts/words/opening_line.h"
#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

std::string followed_token(const OpeningLine& line) {
  std::string text;
  for (const LineToken& token : line.tokens)
    if (token.followed) text += token.text;
  return text;
}

OpeningLine line_of(const Trace& trace, std::string_view what) {
  const auto walk = follow(trace, what);
  EXPECT_TRUE(walk) << walk.error();
  const auto line = opening_line(trace, *walk);
  EXPECT_TRUE(line);
  return line.value_or(OpeningLine{});
}

constexpr std::string_view small_square = R"("Input Dims": [[8, 8], [8, 8]], "Input type": ["float", "float"])";
constexpr std::string_view one_square = R"("Input Dims": [[8, 8]], "Input type": ["float"])";

SmallTrace product_and_relu(std::string_view relu_input = one_square) {
  SmallTrace small;
  small.h200().op("aten::matmul", 0, 20, small_square).call("cudaLaunchKernel", 5, 5, 1).kernel("gemm", 12, 20, 1);
  small.op("aten::relu", 30, 10, relu_input).call("cudaLaunchKernel", 32, 5, 2).kernel("relu", 40, 5, 2);
  return small;
}

TEST(OpeningLine, JoinsAnOpAndAFunctionOfItsResult) {
  const Trace trace = product_and_relu().read();
  const OpeningLine product = line_of(trace, "op:0"), relu = line_of(trace, "op:1");
  EXPECT_EQ(product.text(), "torch.relu(a @ b)");
  EXPECT_EQ(product.from, OpeningLine::From::ops);
  EXPECT_EQ(followed_token(product), "@");
  EXPECT_EQ(relu.text(), "torch.relu(a @ b)");
  EXPECT_EQ(followed_token(relu), "torch.relu");
}

TEST(OpeningLine, DoesNotJoinAnOpOnAnotherShape) {
  const Trace trace = product_and_relu(R"("Input Dims": [[8, 9]], "Input type": ["float"])").read();
  EXPECT_EQ(line_of(trace, "op:0").text(), "a @ b");
  EXPECT_EQ(line_of(trace, "op:1").text(), "torch.relu(a)");
  EXPECT_EQ(line_of(trace, "op:1").from, OpeningLine::From::op);
}

TEST(OpeningLine, WritesOtherOpsByTheirOwnNames) {
  SmallTrace small;
  small.op("aten::addmm", 0, 20, R"("Input Dims": [[4], [2, 3], [3, 4]], "Input type": ["float", "float", "float"])");
  small.op("aten::view", 30, 5);
  const Trace trace = small.read();
  EXPECT_EQ(line_of(trace, "op:0").text(), "aten::addmm(a, b, c)");
  EXPECT_EQ(line_of(trace, "op:1").text(), "aten::view(…)");
}

TEST(OpeningLine, OfATypedExpressionMarksTheOneOpThatItNames) {
  Trace trace = product_and_relu().frame("typed", -1, 100).read();
  trace.records.expression = "relu(a @ b)";
  EXPECT_EQ(line_of(trace, "op:0").text(), "relu(a @ b)");
  EXPECT_EQ(followed_token(line_of(trace, "op:0")), " @");
  EXPECT_EQ(followed_token(line_of(trace, "op:1")), "relu");
  trace.records.expression = "relu(a @ b) @ c";
  EXPECT_EQ(followed_token(line_of(trace, "op:0")), "");
}

TEST(OpeningLine, WithoutAnOpIsTheLaunch) {
  SmallTrace small;
  small.h200().call("cudaLaunchKernel", 0, 5, 1).kernel("saxpy(float*)", 8, 10, 1);
  const Trace trace = small.read();
  const OpeningLine line = line_of(trace, "kernel:0");
  EXPECT_EQ(line.from, OpeningLine::From::launch);
  EXPECT_TRUE(line.text().starts_with("saxpy<<<")) << line.text();
  EXPECT_FALSE(opening_line(SmallTrace().read(), {}));
}

TEST(RandomElement, IsThatOfTheWholeBuffer) {
  for (const ops::DType dtype : {ops::DType::f16, ops::DType::bf16, ops::DType::f32, ops::DType::f64}) {
    std::vector<std::uint8_t> bytes(100 * ops::bytes_of(dtype));
    run::generate(dtype, run::FillRandom{7}, bytes);
    for (std::uint64_t i = 0; i < 100; ++i)
      EXPECT_EQ(run::random_element(dtype, 7, i),
                ops::float_value(dtype, ops::load_bits(dtype, bytes.data() + i * ops::bytes_of(dtype))));
  }
}

// A real H200 computed this product; the trace has the digest of its result.
TEST(MatrixProduct, AddsUpToTheBitsOfARealGpu) {
  const Trace& trace = sample("h200_relu_matmul");
  const Walk walk = default_walk(trace);
  const auto product = matrix_product(trace, walk);
  ASSERT_TRUE(product);
  EXPECT_EQ(product->rule, MatrixProduct::Rule::code);
  EXPECT_TRUE(product->inputs.at(0).recorded);
  std::vector<float> result;
  for (std::int64_t row = 0; row < product->m; ++row)
    for (std::int64_t column = 0; column < product->n; ++column) result.push_back(product->sums(row, column).back());
  const trace::KernelRecord& record = *kernel_record(trace, walk);
  const std::string digest = base::sha256({reinterpret_cast<const std::uint8_t*>(result.data()), result.size() * 4});
  EXPECT_EQ(digest, record.digests.at(2).sha256);
}

TEST(MatrixProduct, TakesTheTileFromTheNameOnlyIfTheGridFits) {
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  const auto product = matrix_product(trace, walk);
  ASSERT_TRUE(product);
  EXPECT_EQ(product->rule, MatrixProduct::Rule::columns_first);
  EXPECT_FALSE(product->inputs.at(0).recorded);
  EXPECT_EQ(product->tile_rows, 64);
  EXPECT_EQ(product->tile_columns, 128);
  EXPECT_EQ(product->depth, 8);
  // The grid of a small trace's kernels is 66 × 2.
  const auto product_of = [](std::string_view kernel) {
    SmallTrace small;
    small.h200().op("aten::mm", 0, 20, R"("Input Dims": [[32, 64], [64, 1056]], "Input type": ["float", "float"])");
    small.call("cudaLaunchKernel", 5, 5, 1).kernel(kernel, 12, 20, 1);
    const Trace made = small.read();
    return matrix_product(made, default_walk(made));
  };
  ASSERT_TRUE(product_of("cutlass_80_simt_sgemm_16x16_8x5_nn_align1"));
  EXPECT_EQ(product_of("cutlass_80_simt_sgemm_16x16_8x5_nn_align1")->across, 66);
  EXPECT_TRUE(product_of("cutlass_80_simt_sgemm_16x16_8x5_nn_align1")->inputs.empty());  // no strides
  EXPECT_FALSE(product_of("cutlass_80_simt_sgemm_32x16_8x5_nn_align1"));
  EXPECT_FALSE(product_of("gemm"));
}

Stage stage_of_key(const Trace& trace, const Walk& walk, std::string_view scene, std::string_view key, double phase = 1,
                   const Controls& controls = {}) {
  const Scene& found = *find_scene(scene);
  return stage_at_beat(found, trace, walk, beat_named(found, trace, walk, key), phase, controls);
}

// Whether a fact of the stage has this value.
bool has_fact(const Stage& stage, std::string_view value) {
  return std::ranges::any_of(stage.facts, [&](const Fact& fact) { return fact.figure.text() == value; });
}

TEST(Tile, AddsOneProductAfterTheOther) {
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  std::int64_t before = 0;
  for (const double phase : {0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0}) {
    const Stage stage = stage_of_key(trace, walk, "launch", "tile", phase);
    const auto& tile = panel_picture<TilePicture>(stage);
    EXPECT_GE(tile.done, before);
    before = tile.done;
  }
  EXPECT_EQ(before, 1024);
  const Stage stage = stage_of_key(trace, walk, "launch", "tile", 1, [] {
    Controls controls;
    controls.set("launch.products", 2);
    controls.set("launch.follow", 0);
    return controls;
  }());
  const auto& tile = panel_picture<TilePicture>(stage);
  EXPECT_EQ(tile.done, 2);
  EXPECT_EQ(tile.followed, 0);
  const std::vector<InputValues> inputs = input_values(trace, walk);
  // The followed number is in tile 0.
  const ElementIndex at = followed_number(trace, walk, {})->at;
  const double sum = inputs.at(0).at(at.row, 0) * inputs.at(1).at(0, at.column) +
                     inputs.at(0).at(at.row, 1) * inputs.at(1).at(1, at.column);
  EXPECT_EQ(tile.total, fmt::format("{:.4f}", sum));
  EXPECT_GT(stage.motion_seconds, usual_motion_seconds);
}

// Says where tiles, numbers and SMs come from, and what is missing.
TEST(Tile, NamesItsOrigins) {
  const auto tile_of = [](const Trace& trace) {
    return panel_picture<TilePicture>(stage_of_key(trace, default_walk(trace), "launch", "tile"));
  };
  const auto word = [](std::string_view key) {
    return english().text("launch.mosaic", key, {{"seeds", "1, 2"}, {"columns_first_size", "128 × 64"}});
  };
  const TilePicture library = tile_of(sample("relu_matmul")), own = tile_of(sample("h200_relu_matmul"));
  EXPECT_EQ(library.note, word("columns_first") + " " + word("numbers_simulated"));
  EXPECT_EQ(library.word_mapping, word("sm_model"));
  EXPECT_EQ(own.note, word("code") + " " + word("numbers_recorded"));
  EXPECT_EQ(own.word_mapping, word("sm_recorded"));
  const auto small = [&](std::string_view inputs) {
    SmallTrace made;
    made.h200().op("aten::mm", 0, 20, inputs).call("cudaLaunchKernel", 5, 5, 1);
    made.kernel("cutlass_80_simt_sgemm_16x16_8x5_nn_align1", 12, 20, 1);
    return tile_of(made.read());
  };
  EXPECT_EQ(small(R"("Input Dims": [[32, 64], [64, 1056]], "Input type": ["float", "float"])").missing,
            word("no_elements"));
  EXPECT_EQ(small(R"("Input Dims": [[32, 64], [64, 1056]], "Input Strides": [[64, 1], [1056, 1]],
                     "Input type": ["c10::Half", "c10::Half"])")
                .missing,
            word("no_rule"));
}

// relu follows: it keeps a positive sum and turns a negative one into 0.
TEST(Tile, SaysWhatTheNextOpMakesOfTheSum) {
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  std::size_t kept = 0, zero = 0;
  for (int block = 0; block < 16; ++block) {
    Controls controls;
    controls.set("launch.follow", block);
    const Stage stage = stage_of_key(trace, walk, "launch", "tile", 1, controls);
    const auto& tile = panel_picture<TilePicture>(stage);
    const bool positive = tile.sums.back() > 0;
    ++(positive ? kept : zero);
    EXPECT_EQ(tile.afterwards,
              english().text("launch.mosaic", positive ? "relu_keeps" : "relu_zero", {{"sum", tile.total}}));
  }
  EXPECT_GT(kept, 0u);
  EXPECT_GT(zero, 0u);
}

// The lanes of relu's kernel take neighbouring elements of the product, or vectors of the width in the kernel's name.
TEST(NextOp, LanesKeepTheirElementOrWriteZero) {
  constexpr std::int64_t warp = 3;
  const std::pair<std::string_view, std::int64_t> walks[] = {{"relu_matmul", 4}, {"h200_relu_matmul", 1}};
  for (const auto& [name, width] : walks) {
    const Trace& trace = sample(std::string(name));
    const Walk walk = default_walk(trace);
    const auto product = matrix_product(trace, walk);
    ASSERT_TRUE(product) << name;
    // A lane reads several elements at once. The picture shows the one at the followed number's position among them.
    const ElementIndex followed = followed_number(trace, walk, {})->at;
    const std::int64_t which = (followed.row * product->n + followed.column) % width;
    Controls controls;
    controls.set("lanes.next_warp", static_cast<double>(warp));
    const Stage stage = stage_of_key(trace, walk, "lanes", "next", 1, controls);
    EXPECT_THAT(stage.sentence, ::testing::Not(::testing::HasSubstr("(no narration")));
    EXPECT_EQ(stage.title.find("elements") != std::string::npos, width > 1) << stage.title;
    const auto& picture = panel_picture<WarpPicture>(stage);
    std::int64_t kept = 0;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::int64_t index = (warp * 32 + static_cast<std::int64_t>(lane)) * width + which,
                         row = index / product->n, column = index % product->n;
      const float sum = product->sums(row, column).back();
      kept += sum > 0 ? 1 : 0;
      EXPECT_EQ(picture.values.at(0).lanes[lane], fmt::format("[{}, {}]", row, column)) << name;
      EXPECT_EQ(picture.values.at(1).lanes[lane], fmt::format("{:.2f}", sum)) << name;
      EXPECT_EQ(picture.values.at(2).lanes[lane], sum > 0 ? fmt::format("{:.2f}", sum) : "0") << name;
      EXPECT_EQ(picture.lanes[lane].tone, sum > 0 ? Tone::work : Tone::refused);
    }
    EXPECT_TRUE(has_fact(stage, fmt::format("{} lanes", kept))) << stage.sentence;
    // Before the motion, no lane has written.
    const Stage early = stage_of_key(trace, walk, "lanes", "next", 0, controls);
    EXPECT_TRUE(panel_picture<WarpPicture>(early).values.at(2).result);
    EXPECT_EQ(panel_picture<WarpPicture>(early).back, 0);
    EXPECT_THAT(transcript(early), ::testing::Not(::testing::HasSubstr("max(x, 0) ")));
  }
}

TEST(NextOp, IsShownOnlyAfterAProductWithKnownElements) {
  const auto has_it = [](const Trace& trace, const Walk& walk) {
    const std::vector<Beat> beats = find_scene("lanes")->beats(trace, walk);
    return std::ranges::any_of(beats, [](const Beat& beat) { return beat.key == "next"; });
  };
  const Trace& trace = sample("relu_matmul");
  EXPECT_TRUE(has_it(trace, default_walk(trace)));
  EXPECT_FALSE(has_it(trace, *follow(trace, "kernel:1")));  // relu itself
  for (const char* const other : {"h200_matmul", "h200_vecadd", "mlp_train"})
    EXPECT_FALSE(has_it(sample(other), default_walk(sample(other)))) << other;
}

TEST(Company, MembersAppearOneAfterTheOther) {
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  std::size_t before = 0;
  for (const double phase : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    std::size_t shown = 0;
    const Stage stage = stage_of_key(trace, walk, "boardroom", "company", phase);
    for (const CastHouse& house : panel_picture<CastPicture>(stage).houses)
      for (const CastMember& member : house.members) shown += member.shown > 0.5;
    EXPECT_TRUE(phase == 0 ? shown == 0 : shown > before) << phase;
    before = shown;
  }
  EXPECT_EQ(before, 9u);
}

}  // namespace
}  // namespace warpwalk::story::testing
