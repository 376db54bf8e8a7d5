// What failed in the programs of tests/crash/programs: the source of each says which thread does what.
#include <gtest/gtest.h>

#include "tests/crash/sample.h"

namespace warpwalk::crash {
namespace {

std::vector<std::uint32_t> blamed_threads(const Crash& crash) {
  std::vector<std::uint32_t> threads;
  for (const LaneAccess& access : crash.lanes) threads.push_back(access.lane->thread[0]);
  return threads;
}

std::uint64_t argument_value(const Sample& sample, std::size_t ordinal) {
  const auto pointers = pointer_arguments(*sample.crash->thread.grid, nullptr);
  return pointers.at(ordinal).address;
}

TEST(Diagnosis, FreedMemory) {
  const Sample sample("freed");
  ASSERT_TRUE(sample.crash);
  EXPECT_EQ(sample.crash->exception.kind, ExceptionKind::illegal_address);
  EXPECT_EQ(sample.crash->thread.block->block, (Extent3{0, 0, 0}));
  EXPECT_EQ(sample.crash->lanes.size(), 32u);
  EXPECT_EQ(sample.crash->doubt, LaneDoubt::none);
  EXPECT_FALSE(sample.crash->access->writes);
  ASSERT_TRUE(sample.crash->near);
  EXPECT_EQ(sample.crash->near->base, Near::Base::argument);
  EXPECT_EQ(sample.crash->near->argument->ordinal, 0u);
  EXPECT_EQ(sample.crash->near->offset, 0);
  EXPECT_EQ(sample.crash->near->mapped, false);
  EXPECT_EQ(sample.crash->near->base_mapped, false);
  EXPECT_EQ(sample.crash->failed_warps, 2u);
}

TEST(Diagnosis, WithoutMemoryItIsNotCertainWhichThreadsFailed) {
  const Sample sample("freed_light");
  ASSERT_TRUE(sample.crash);
  EXPECT_EQ(sample.crash->doubt, LaneDoubt::no_memory);
  EXPECT_TRUE(sample.crash->beside_argument);
  EXPECT_EQ(sample.crash->lanes.size(), 32u);
  ASSERT_TRUE(sample.crash->near);
  EXPECT_EQ(sample.crash->near->argument->ordinal, 0u);
  EXPECT_EQ(sample.crash->near->base_mapped, std::nullopt);
}

TEST(Diagnosis, NullArgument) {
  const Sample sample("null");
  ASSERT_TRUE(sample.crash);
  // The load has overwritten the addresses; they are computed again.
  ASSERT_EQ(sample.crash->accesses.size(), 32u);
  for (const LaneAccess& access : sample.crash->accesses) EXPECT_EQ(access.address, 4u * access.lane->thread[0]);
  ASSERT_TRUE(sample.crash->near);
  EXPECT_EQ(sample.crash->near->base, Near::Base::null);
  ASSERT_TRUE(sample.crash->near->argument);
  EXPECT_EQ(sample.crash->near->argument->ordinal, 1u);
}

TEST(Diagnosis, MisalignedThread) {
  const Sample sample("misaligned");
  ASSERT_TRUE(sample.crash);
  EXPECT_EQ(sample.crash->exception.kind, ExceptionKind::misaligned_address);
  EXPECT_EQ(blamed_threads(*sample.crash), std::vector<std::uint32_t>{9});
  EXPECT_EQ(sample.crash->access->bytes, 8u);
  EXPECT_EQ(sample.crash->lanes.front().address, argument_value(sample, 0) + 19 * 4);
}

TEST(Diagnosis, SharedMemory) {
  for (const char* const name : {"shared", "shared_light"}) {
    const Sample sample(name);
    ASSERT_TRUE(sample.crash);
    EXPECT_EQ(sample.crash->exception.kind, ExceptionKind::out_of_range);
    EXPECT_EQ(blamed_threads(*sample.crash), std::vector<std::uint32_t>{40});
    EXPECT_EQ(sample.crash->doubt, LaneDoubt::none);
    EXPECT_TRUE(sample.crash->access->writes);
    // The system has the first 1 KiB.
    EXPECT_EQ(sample.crash->lanes.front().address, 1024u + 4 * 20000);
    EXPECT_EQ(sample.crash->shared_bytes, 1024u + 4 * 12288);
  }
}

TEST(Diagnosis, StackOverflow) {
  const Sample sample("stack");
  ASSERT_TRUE(sample.crash);
  ASSERT_EQ(sample.crash->lanes.size(), 32u);
  EXPECT_TRUE(sample.crash->overflows_stack);
  ASSERT_TRUE(sample.crash->local_begin);
  ASSERT_TRUE(sample.crash->lanes.front().address);
  EXPECT_LT(*sample.crash->lanes.front().address, *sample.crash->local_begin);
  EXPECT_EQ(sample.crash->thread.lane->frames.size(), 5u);
  EXPECT_NE(sample.crash->place->function_name().find("descend"), std::string_view::npos);
}

TEST(Diagnosis, LocalArray) {
  const Sample sample("local");
  ASSERT_TRUE(sample.crash);
  // The load has overwritten the index, which came from memory.
  EXPECT_EQ(sample.crash->doubt, LaneDoubt::overwritten);
  EXPECT_EQ(sample.crash->lanes.size(), 32u);
  EXPECT_FALSE(sample.crash->lanes.front().address);
  EXPECT_FALSE(sample.crash->overflows_stack);
}

TEST(Diagnosis, Assertion) {
  const Sample sample("assertion");
  ASSERT_TRUE(sample.crash);
  EXPECT_EQ(sample.crash->exception.kind, ExceptionKind::assertion);
  EXPECT_EQ(sample.crash->thread.block->block, (Extent3{1, 0, 0}));
  EXPECT_EQ(blamed_threads(*sample.crash), std::vector<std::uint32_t>{70});
  EXPECT_EQ(sample.crash->doubt, LaneDoubt::none);
  ASSERT_TRUE(sample.crash->assertion);
  EXPECT_EQ(sample.crash->assertion->text, "probability[i] >= 0.0f");
  EXPECT_EQ(sample.crash->assertion->file, "assertion.cu");
  EXPECT_EQ(sample.crash->assertion->line, 8u);
  EXPECT_EQ(sample.crash->assertion->function, "void sample(const float *, float *)");
}

TEST(Diagnosis, Trap) {
  const Sample sample("trap");
  ASSERT_TRUE(sample.crash);
  EXPECT_TRUE(sample.crash->is_trap);
  EXPECT_EQ(sample.crash->thread.block->block, (Extent3{1, 0, 0}));
  EXPECT_EQ(blamed_threads(*sample.crash), std::vector<std::uint32_t>{5});
}

TEST(Diagnosis, TheLineOfATrapAndOfAnAssertionIsTheirOwn) {
  for (const auto& [name, line] : {std::pair("trap", 8U), std::pair("assertion", 8U)}) {
    const Sample sample(name);
    ASSERT_TRUE(sample.crash && sample.crash->place);
    EXPECT_TRUE(sample.crash->pc_is_exact);
    EXPECT_EQ(sample.crash->place->sources().back().line, line) << name;
  }
}

TEST(Diagnosis, CallOfWhatIsNoFunction) {
  const Sample sample("jump");
  ASSERT_TRUE(sample.crash);
  EXPECT_EQ(sample.crash->exception.kind, ExceptionKind::illegal_instruction);
  EXPECT_FALSE(sample.crash->place);
}

TEST(Diagnosis, BlockOfAClusterThatHasEnded) {
  const Sample sample("cluster");
  ASSERT_TRUE(sample.crash);
  EXPECT_EQ(sample.crash->exception.kind, ExceptionKind::cluster);
  EXPECT_EQ(sample.crash->thread.block->block, (Extent3{0, 0, 0}));
}

TEST(Diagnosis, TritonKernelWithoutMemory) {
  const Sample sample("gather_triton");
  ASSERT_TRUE(sample.crash);
  EXPECT_EQ(sample.crash->thread.block->block, (Extent3{1, 0, 0}));
  EXPECT_EQ(blamed_threads(*sample.crash), std::vector<std::uint32_t>{22});
  EXPECT_EQ(sample.crash->accesses.size(), 32u);
  EXPECT_EQ(sample.crash->doubt, LaneDoubt::no_memory);
  ASSERT_TRUE(sample.crash->near);
  EXPECT_EQ(sample.crash->near->base, Near::Base::argument);
  EXPECT_EQ(sample.crash->near->argument->ordinal, 0u);
  EXPECT_EQ(sample.crash->near->offset, 160'000'000);
  ASSERT_FALSE(sample.crash->place->sources().empty());
  EXPECT_EQ(sample.crash->place->sources().front().file, "/opt/crash/triton/kernels/src/gather_triton.py");
  EXPECT_EQ(sample.crash->place->sources().front().line, 12u);
}

}  // namespace
}  // namespace warpwalk::crash
