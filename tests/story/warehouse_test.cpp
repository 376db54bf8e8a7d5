// The warehouse's figures against arithmetic of their own, its controls, and its motion.
#include "core/story/scenes/warehouse/warehouse.h"

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/scenes.h"
#include "core/story/scenes/warehouse/picture.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/warehouse_trace.h"

namespace warpwalk::story::testing {
namespace {

Stage warehouse_beat(const Trace& trace, const Walk& walk, std::int64_t beat, double phase = 1,
                     const Controls& controls = {}) {
  return stage_at_beat(*find_scene("warehouse"), trace, walk, beat, phase, controls);
}

std::string line(const Stage& stage, std::string_view label) {
  for (const WarehouseLine& one : shared_picture<WarehousePicture>(stage).column.lines)
    if (one.label == label) return one.figure.text();
  return fmt::format("no line {}", label);
}

const WarehouseRange* followed(const Stage& stage) {
  for (const WarehouseStrip& strip : shared_picture<WarehousePicture>(stage).strips)
    for (const WarehouseRange& range : strip.ranges)
      if (range.followed) return &range;
  return nullptr;
}

// From a program run by `warpwalk record`: two pieces of 4 MiB on the GPU, as in its source (tests/.../streams.cu).
TEST(Warehouse, APieceOfTheDriversIsNoBlockOfAnAllocator) {
  const trace::ReadResult read = trace::read_trace(WARPWALK_SOURCE_DIR "/assets/walks/h200_two_streams.json.gz");
  const Stage taken = warehouse_beat(read.trace, default_walk(read.trace), 1);
  ASSERT_NE(find_fact(taken, "Taken from the driver"), nullptr);
  EXPECT_EQ(find_fact(taken, "Taken from the driver")->figure.text(), "8 MiB");
  EXPECT_EQ(find_fact(taken, "Held in")->figure.text(), "2 allocations");
  const WarehousePicture& picture = shared_picture<WarehousePicture>(taken);
  EXPECT_EQ(picture.strips.size(), 2u);
  EXPECT_EQ(picture.label_reserved, "");
  for (const std::string word : {"pool", "segment", "allocator", "cache"})
    EXPECT_THAT(transcript_of(picture), ::testing::Not(::testing::HasSubstr(word)));
  // After the last cudaFree.
  Controls later;
  later.set("warehouse.time", 125'000'000);
  EXPECT_EQ(warehouse_beat(read.trace, default_walk(read.trace), 1, 1, later).title,
            "No memory from the driver (courier) at this moment");
  const Stage full = warehouse_beat(read.trace, default_walk(read.trace), 2);
  EXPECT_EQ(line(full, "not taken"), "139.8 GiB");
  ASSERT_NE(find_fact(full, "Taken, of the device"), nullptr);
}

TEST(Warehouse, TheFollowedBlockOfTheRecordedWalk) {
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  const OpMemory subject = op_memory_of(trace, walk);
  ASSERT_TRUE(subject.block);
  // The file contains two blocks of 4 MiB. The first belongs to the product and is freed after relu.
  EXPECT_EQ(subject.block->address, 140130371239936u);
  EXPECT_EQ(subject.block->bytes, 1024 * 1024 * 4);
  EXPECT_EQ(subject.made, 1u);
  EXPECT_EQ(subject.block->allocated_after, 46137344);
  EXPECT_EQ(subject.block->reserved_freed, 54525952);
  ASSERT_TRUE(subject.block->freed);
  EXPECT_EQ(*subject.block->freed - subject.block->born, 1664644);  // 45430.459 - 43765.815 us
  EXPECT_EQ(subject.block->driver, OwnBlock::Driver::no);           // no cudaMalloc is on record before it
}

TEST(Warehouse, TheBlockAppearsWhenItIsHandedOutAndGoesWhenItIsFreed) {
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  EXPECT_EQ(followed(warehouse_beat(trace, walk, 1)), nullptr);
  EXPECT_EQ(followed(warehouse_beat(trace, walk, 2, 0)), nullptr);
  const Stage half = warehouse_beat(trace, walk, 2, 0.6), whole = warehouse_beat(trace, walk, 2);
  ASSERT_NE(followed(half), nullptr);
  EXPECT_GT(followed(half)->shown, 0);
  EXPECT_LT(followed(half)->shown, 1);
  ASSERT_NE(followed(whole), nullptr);
  EXPECT_EQ(followed(whole)->shown, 1);
  EXPECT_EQ(followed(warehouse_beat(trace, walk, 5)), nullptr);
  EXPECT_GT(shared_picture<WarehousePicture>(warehouse_beat(trace, walk, 5)).strips[0].was_bytes, 0);
  EXPECT_EQ(shared_picture<WarehousePicture>(whole).strips[0].was_bytes, 0);
}

TEST(Warehouse, TheMomentCanBeSetAndIsKeptWithinTheTrace) {
  const Trace& trace = sample("mlp_train");
  const Walk walk = default_walk(trace);
  Controls controls;
  controls.set("warehouse.time", 2e6);
  for (const double phase : {0.0, 0.5, 1.0}) {
    const Stage stage = warehouse_beat(trace, walk, 4, phase, controls);
    EXPECT_EQ(shared_picture<WarehousePicture>(stage).now, 2e6) << "what was set does not move";
    std::int64_t allocated = 0;
    for (const trace::MemoryEvent& event : trace.memory)
      if (event.device_type == 1 && event.time - trace.begin_ns <= 2000000) allocated = event.allocated;
    EXPECT_EQ(find_fact(stage, "Allocated")->figure.value(), static_cast<double>(allocated));
  }
  for (const double wild : {-1e300, -1.0, 1e12, 1e300}) {
    controls.set("warehouse.time", wild);
    const double now = shared_picture<WarehousePicture>(warehouse_beat(trace, walk, 2, 1, controls)).now;
    EXPECT_GE(now, 0);
    EXPECT_LE(now, static_cast<double>(trace.end_ns - trace.begin_ns));
  }
  // A time that was asked for is the moment too.
  auto stage =
      stage_at(*find_scene("warehouse"), {trace, walk, english(), hardware(), {Moment::Kind::time, 2500000, 1}});
  ASSERT_TRUE(stage) << stage.error();
  EXPECT_EQ(shared_picture<WarehousePicture>(*stage).now, 2.5e6);
}

TEST(Warehouse, ControlsOutOfRangeAreKeptInRange) {
  const Trace& trace = sample("mlp_train");
  const Walk walk = default_walk(trace);
  for (const double wild : {-1e300, -3.0, 0.5, 99.0, 1e300}) {
    Controls controls;
    for (const char* name : {"warehouse.tensor", "warehouse.index", "warehouse.block"}) controls.set(name, wild);
    for (std::int64_t beat = 1; beat <= 5; ++beat) {
      const Stage stage = warehouse_beat(trace, walk, beat, 1, controls);
      const WarehouseColumn& column = shared_picture<WarehousePicture>(stage).column;
      ASSERT_TRUE(column.chosen);
      EXPECT_LT(*column.chosen, column.tensors.size());
      if (column.grid) {
        EXPECT_LT(column.grid->row, column.grid->rows);
        EXPECT_LT(column.grid->column, column.grid->columns);
      }
    }
  }
}

TEST(Warehouse, ABlockThatIsPointedAtIsTold) {
  const Trace& trace = sample("mlp_train");
  Controls controls;
  controls.set("warehouse.block", 140129677128192.0);
  const Stage stage = warehouse_beat(trace, default_walk(trace), 2, 1, controls);
  EXPECT_EQ(shared_picture<WarehousePicture>(stage).column.kind, WarehouseColumn::Kind::block);
  EXPECT_EQ(line(stage, "bytes"), "131,072 B");
}

TEST(Warehouse, AnIndexBecomesAnAddress) {
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  const Stage stage = warehouse_beat(trace, walk, 3);  // the result, whose address is known
  EXPECT_EQ(line(stage, "element [1, 2]"), "1 × 1,024 + 2 × 1 = 1,026");
  EXPECT_EQ(line(stage, "address"), fmt::format("0x{:x}", 140130371239936u + 1026 * 4));
  Controls controls;
  controls.set("warehouse.index", 0);
  EXPECT_EQ(line(warehouse_beat(trace, walk, 3, 1, controls), "address"), "0x7f72a5000000");
  controls.set("warehouse.tensor", 0);  // an input, whose address is not on record
  EXPECT_EQ(line(warehouse_beat(trace, walk, 3, 1, controls), "address"), "start + 0 B");
  EXPECT_EQ(line(warehouse_beat(trace, walk, 3, 1, controls), "first element"), "not recorded");
}

TEST(Warehouse, WhereReservedGrewTheDriverWasAsked) {
  MemoryTrace made;
  made.small.op("aten::mm", 0, 100).call("cudaLaunchKernel", 40, 5, 1).kernel("gemm", 50, 70, 1);
  const Trace trace = made.memory(-5, first_address, 512, 512, 2 * mib)
                          .memory(10, first_address + 64 * mib, 4 * mib, 4 * mib + 512, 22 * mib)
                          .read();
  const OwnBlock block = *op_memory_of(trace, default_walk(trace)).block;
  EXPECT_EQ(block.driver, OwnBlock::Driver::grew);
  EXPECT_EQ(block.grown, 20 * mib);
}

TEST(Warehouse, OfSeveralBlocksTheOneThatOutlivesTheOpIsFollowed) {
  MemoryTrace made;
  made.small.op("aten::mm", 0, 100).call("cudaLaunchKernel", 40, 5, 1).kernel("gemm", 50, 70, 1);
  const Trace trace = made.memory(10, first_address, 8 * mib, 8 * mib, 40 * mib)         // a workspace
                          .memory(20, first_address + 8 * mib, mib, 9 * mib, 40 * mib)   // stays
                          .memory(30, first_address + 16 * mib, 512, 9 * mib, 40 * mib)  // stays, and is smaller
                          .memory(40, first_address + 20 * mib, 9 * mib, 18 * mib, 40 * mib, 11)  // of another thread
                          .memory(90, first_address, -8 * mib, mib, 40 * mib)
                          .read();
  const OpMemory subject = op_memory_of(trace, default_walk(trace));
  EXPECT_EQ(subject.block->address, static_cast<std::uint64_t>(first_address + 8 * mib));
  EXPECT_TRUE(subject.block->outlives);
  EXPECT_EQ(subject.made, 3u);
  EXPECT_EQ(subject.made_bytes, 9 * mib + 512);
}

TEST(Warehouse, KernelArgumentsAreAllocationAndOffset) {
  const Trace trace = recorded_walk().read();
  const Walk walk = default_walk(trace);
  const Stage stage = warehouse_beat(trace, walk, 3);
  ASSERT_NE(find_fact(stage, "Kernel argument 1"), nullptr);
  EXPECT_EQ(find_fact(stage, "Kernel argument 1")->figure.text(), "a: 0x10000000");
  EXPECT_EQ(find_fact(stage, "Kernel argument 3")->figure.text(), "c: 0x10004080");  // 0x10004000 + 128
  EXPECT_EQ(find_fact(stage, "Kernel argument 2"), nullptr) << "a scalar";
  EXPECT_EQ(line(warehouse_beat(trace, walk, 2), "requested"), "16,384 B");
}

// Tensors

analysis::Tensor tensor(std::vector<std::int64_t> sizes, std::optional<std::vector<std::int64_t>> strides) {
  analysis::Tensor made;
  made.sizes = std::move(sizes);
  made.strides = std::move(strides);
  made.type = "float";
  made.element = 4;
  return made;
}

TEST(Tensors, StridesSayTheLayout) {
  EXPECT_EQ(tensor({8, 4}, {{4, 1}}).layout(), analysis::Layout::contiguous);
  EXPECT_EQ(tensor({8, 4}, {{1, 8}}).layout(), analysis::Layout::permuted);
  EXPECT_EQ(tensor({2, 3, 4, 5}, {{60, 1, 15, 3}}).layout(), analysis::Layout::permuted);  // channels last
  EXPECT_EQ(tensor({8, 4}, {{8, 1}}).layout(), analysis::Layout::gaps);
  EXPECT_EQ(tensor({8, 4}, {{0, 1}}).layout(), analysis::Layout::repeated);
  EXPECT_EQ(tensor({8, 1}, {{1, 77}}).layout(), analysis::Layout::contiguous);  // a size of 1 is never stepped along
  EXPECT_EQ(tensor({0, 4}, {{9, 9}}).layout(), analysis::Layout::contiguous);
  EXPECT_EQ(tensor({}, std::vector<std::int64_t>()).layout(), analysis::Layout::contiguous);
  EXPECT_EQ(tensor({8, 4}, {}).layout(), analysis::Layout::unknown);
}

TEST(Tensors, BytesAndReach) {
  EXPECT_EQ(tensor({8, 4}, {{4, 1}}).bytes(), 128);
  EXPECT_EQ(tensor({8, 4}, {{4, 1}}).reach(), 128);
  EXPECT_EQ(tensor({8, 4}, {{16, 2}}).reach(), (7 * 16 + 3 * 2 + 1) * 4);
  EXPECT_EQ(tensor({8, 4}, {{0, 1}}).reach(), 16);
  EXPECT_EQ(tensor({0, 4}, {{4, 1}}).reach(), 0);
  EXPECT_EQ(analysis::element_bytes("c10::BFloat16"), 2);
  EXPECT_EQ(analysis::element_bytes("Scalar"), 0);
}

TEST(Tensors, AreReadFromWhatTheProfilerWrote) {
  const Trace trace = SmallTrace()
                          .op("aten::cat", 0, 10,
                              R"("Input Dims": [[[2, 3], [4, 3]], [], [5]],
                                 "Input Strides": [[[3, 1], [1, 4]], [], [1]],
                                 "Input type": ["TensorList", "Scalar", "c10::Half"])")
                          .op("aten::odd", 20, 10,
                              R"("Input Dims": [[1099511627776, 1099511627776], [-1], "x", [3]],
                                 "Input type": ["float", "float", "float"], "Input Strides": [[1]])")
                          .read();
  const std::vector<analysis::Tensor> cat = analysis::tensors_of(trace, slice_named(trace, "aten::cat"));
  ASSERT_EQ(cat.size(), 3u);
  EXPECT_EQ(cat[1].sizes, (std::vector<std::int64_t>{4, 3}));
  EXPECT_EQ(cat[1].layout(), analysis::Layout::permuted);
  EXPECT_EQ(cat[1].number, 1u);
  EXPECT_EQ(cat[2].number, 3u);
  EXPECT_EQ(cat[2].bytes(), 10);
  const std::vector<analysis::Tensor> odd = analysis::tensors_of(trace, slice_named(trace, "aten::odd"));
  ASSERT_EQ(odd.size(), 1u) << "sizes that no machine can hold are left out";
  EXPECT_EQ(odd[0].sizes, (std::vector<std::int64_t>{3}));
}

TEST(Tensors, TheResultFollowsTheOpsRule) {
  const analysis::Tensor a = tensor({64, 32}, {{32, 1}}), b = tensor({32, 16}, {{16, 1}}), bias = tensor({16}, {{1}});
  const auto sizes = [](const std::optional<analysis::Tensor>& made) {
    return made ? analysis::sizes_text(made->sizes) : "none";
  };
  EXPECT_EQ(sizes(analysis::output_of("aten::mm", {a, b})), "64 × 16");
  EXPECT_EQ(analysis::strides_text(*analysis::output_of("aten::mm", {a, b})->strides), "(16, 1)");
  EXPECT_EQ(sizes(analysis::output_of("aten::mm", {b, a})), "none");
  EXPECT_EQ(sizes(analysis::output_of("aten::addmm", {bias, a, b})), "64 × 16");
  EXPECT_EQ(sizes(analysis::output_of("aten::linear", {a, tensor({16, 32}, {{32, 1}}), bias})), "64 × 16");
  EXPECT_EQ(sizes(analysis::output_of("aten::add", {a, tensor({32}, {{1}})})), "64 × 32");
  EXPECT_EQ(sizes(analysis::output_of("aten::add", {a, b})), "none");
  EXPECT_EQ(sizes(analysis::output_of("aten::relu", {tensor({4, 8}, {{1, 4}})})), "4 × 8");
  EXPECT_FALSE(analysis::output_of("aten::relu", {tensor({4, 8}, {{1, 4}})})->strides)
      << "it takes over those of its input";
  EXPECT_EQ(sizes(analysis::output_of("aten::topk", {a})), "none");
}

}  // namespace
}  // namespace warpwalk::story::testing
