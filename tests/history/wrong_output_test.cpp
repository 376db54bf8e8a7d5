// Ten kernels with a planted bug each: from the first wrong element, the line with the bug is reached in at most three
// steps back. A step asks who wrote something (LaunchWriters::ask), or goes to one of the instructions that an answer
// names.
#include "tests/history/wrong_output.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "core/gpu/history/writer/nan_source.h"

namespace warpwalk::gpu {
namespace {

using testing::WrongOutput;

/// Goes back from a wrong element and counts the steps.
class Back {
 public:
  Back(WrongOutput& kernel, std::size_t buffer, std::size_t index, std::uint32_t bytes = 4) : kernel_(kernel) {
    ask(kernel.about(buffer, index, bytes));
    EXPECT_TRUE(answer_.written());
    if (answer_.written()) line_ = kernel.line_of(answer_.writer());
  }
  int steps() const { return steps_; }
  std::uint32_t line() const { return line_; }
  const Writer& answer() const { return answer_; }

  /// To the instruction that read some memory.
  const ReadBytes& to_read(const std::function<bool(const ReadBytes&)>& wanted) {
    const auto found = std::ranges::find_if(answer_.reads, wanted);
    if (found == answer_.reads.end()) throw std::runtime_error("nothing like it was read");
    to(found->step);
    return *found;
  }
  /// To another instruction of the answer, the first one that is like that.
  void to_step(const std::function<bool(const WriterStep&)>& wanted) {
    for (std::size_t i = 0; i < answer_.steps.size(); ++i)
      if (wanted(answer_.steps[i])) return to(static_cast<std::uint32_t>(i));
    throw std::runtime_error("no step is like it");
  }
  /// To who wrote what was read.
  void to_writer_of(const ReadBytes& read) {
    ask(question_about(answer_, ReadBytes(read)));
    if (answer_.written()) line_ = kernel_.line_of(answer_.writer());
  }
  /// To what the address of the answer's writer was computed from.
  void to_address() { ask(address_question(answer_.writer())); }

 private:
  void to(std::uint32_t step) {
    ++steps_;
    line_ = kernel_.line_of(answer_.steps[step]);
  }
  void ask(const WriterQuestion& question) {
    answer_ = kernel_.ask(question);
    ++steps_;
  }
  WrongOutput& kernel_;
  Writer answer_;
  int steps_ = 0;
  std::uint32_t line_ = 0;
};

float as_float(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

class WrongOutputs : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(FromPtxAndMachineCode, WrongOutputs, ::testing::Values(false, true),
                         [](const auto& made) { return made.param ? "MachineCode" : "Ptx"; });

TEST_P(WrongOutputs, WrongIndex) {
  WrongOutput kernel("wrong_index", GetParam());
  ASSERT_EQ(kernel.element<float>(1, 1), 128);  // not 2
  Back back(kernel, 1, 1);
  const ReadBytes read = back.to_read([](const ReadBytes& one) { return one.known && as_float(one.value) == 64; });
  EXPECT_EQ(kernel.place_of(read.place.address), (std::pair<std::size_t, std::uint64_t>(0, 256)));
  EXPECT_EQ(back.line(), kernel.bug_line());
  EXPECT_LE(back.steps(), 3);
}

TEST_P(WrongOutputs, LostUpdate) {
  WrongOutput kernel("lost_update", GetParam());
  ASSERT_NE(kernel.element<int>(1, 0), 16);
  Back back(kernel, 1, 0);
  EXPECT_EQ(back.line(), kernel.bug_line());
  EXPECT_EQ(back.steps(), 1);
  // It adds 1 to the sum of another lane, which another one with the same bin read, too.
  const auto read = std::ranges::find_if(back.answer().reads, [&](const ReadBytes& one) {
    return kernel.place_of(one.place.address) == std::pair<std::size_t, std::uint64_t>(1, 0);
  });
  ASSERT_NE(read, back.answer().reads.end());
  back.to_writer_of(*read);
  EXPECT_EQ(back.line(), kernel.bug_line());
}

TEST_P(WrongOutputs, StaleTile) {
  WrongOutput kernel("stale_tile", GetParam());
  ASSERT_EQ(kernel.element<float>(1, 0), 5 * 63);  // five times the number of the first tile
  Back back(kernel, 1, 0);
  ASSERT_FALSE(back.answer().reads.empty());
  // The last one that was added.
  const ReadBytes last = *std::ranges::find_if(back.answer().reads, [&](const ReadBytes& one) {
    return one.place.kind == ValuePlace::Kind::shared && one.step == back.answer().reads.back().step;
  });
  back.to_writer_of(last);
  EXPECT_EQ(back.line(), kernel.bug_line());
  EXPECT_EQ(back.answer().writer().step.occurrence, 0U);  // in the first pass of the loop
  EXPECT_LE(back.steps(), 3);
}

TEST_P(WrongOutputs, Overflow) {
  WrongOutput kernel("overflow", GetParam());
  std::size_t wrong = 0;
  while (kernel.element<std::int64_t>(2, wrong) == static_cast<std::int64_t>(wrong) * 4'000'000 + 1000) ++wrong;
  ASSERT_EQ(wrong, 537U);
  Back back(kernel, 2, wrong, 8);
  back.to_step([](const WriterStep& step) {
    return step.step.kind == OriginStep::Kind::compute &&
           static_cast<std::int32_t>(step.step.value) == 537 * 4'000'000LL - (1LL << 32);
  });
  EXPECT_EQ(back.line(), kernel.bug_line());
  EXPECT_LE(back.steps(), 3);
}

TEST_P(WrongOutputs, NanFromZero) {
  WrongOutput kernel("nan_from_zero", GetParam());
  ASSERT_TRUE(std::isnan(kernel.element<float>(1, 5)));
  const auto source = find_nan_source(kernel.writers(), kernel.about(1, 5), NumberFormat::f32);
  ASSERT_TRUE(source) << source.error();
  ASSERT_TRUE(source->writer.written());
  // In machine code the quotient 0 / 0 comes from a function of the compiler, which has no lines; its result is used in
  // the line of the division.
  const std::uint32_t shown = GetParam() ? source->path.back() : source->step;
  EXPECT_EQ(kernel.line_of(source->writer.steps[shown]), kernel.bug_line());
  EXPECT_EQ(source->writer.steps[source->step].step.warp.warp, 0U);
  EXPECT_LE(source->asked, 3U);
}

TEST_P(WrongOutputs, MissingBarrier) {
  WrongOutput kernel("missing_barrier", GetParam());
  ASSERT_NE(kernel.element<float>(1, 0), 64);
  Back back(kernel, 1, 0);
  const ReadBytes read = back.to_read([](const ReadBytes& one) { return one.place.kind == ValuePlace::Kind::shared; });
  EXPECT_EQ(back.line(), kernel.bug_line());
  EXPECT_EQ(back.steps(), 2);
  back.to_writer_of(read);
  EXPECT_FALSE(back.answer().written());
  EXPECT_EQ(back.answer().before, Writer::Before::uninitialized);
  // The other warp stores it later.
  ASSERT_TRUE(back.answer().later);
  EXPECT_EQ(back.answer().later->step.warp.warp, 1U);
  EXPECT_EQ(kernel.line_of(*back.answer().later), kernel.bug_line() - 1);
}

TEST_P(WrongOutputs, WrongMask) {
  WrongOutput kernel("wrong_mask", GetParam());
  ASSERT_EQ(kernel.element<int>(1, 0), 0);  // nothing is stored in the first place
  EXPECT_FALSE(kernel.ask(kernel.about(1, 0)).written());
  Back back(kernel, 1, 1);
  back.to_address();
  back.to_step([&](const WriterStep& step) { return kernel.line_of(step) == kernel.bug_line(); });
  EXPECT_LE(back.steps(), 3);
}

TEST_P(WrongOutputs, Precision) {
  WrongOutput kernel("precision", GetParam());
  ASSERT_NE(kernel.element<int>(1, 0), 2 * 123456789 + 7);
  Back back(kernel, 1, 0);
  // The first result that is not exact.
  back.to_step([](const WriterStep& step) { return as_float(step.step.value) == 123456792.0f; });
  EXPECT_EQ(back.line(), kernel.bug_line());
  EXPECT_LE(back.steps(), 3);
}

TEST_P(WrongOutputs, Uninitialized) {
  WrongOutput kernel("uninitialized", GetParam());
  Back back(kernel, 1, 0);
  // Four sums are read; one of them was never stored.
  std::vector<ReadBytes> sums;
  for (const ReadBytes& read : back.answer().reads)
    if (read.place.kind == ValuePlace::Kind::shared) sums.push_back(read);
  ASSERT_FALSE(sums.empty());
  const auto last = std::ranges::max_element(sums, {}, [](const ReadBytes& read) { return read.place.address; });
  ReadBytes fourth = *last;
  if (fourth.place.bytes > 4) {  // machine code reads all four at once
    fourth.place.address += fourth.place.bytes - 4;
    fourth.place.bytes = 4;
  }
  back.to_read([&](const ReadBytes& read) { return read.place == last->place; });
  const std::uint32_t line = back.line();
  back.to_writer_of(fourth);
  EXPECT_FALSE(back.answer().written());
  EXPECT_EQ(back.answer().before, Writer::Before::uninitialized);
  EXPECT_FALSE(back.answer().later);
  // The statement has two lines; the machine code reads all sums in its first one.
  EXPECT_TRUE(line == kernel.bug_line() || line == kernel.bug_line() - 1) << line;
  EXPECT_LE(back.steps(), 3);
}

TEST_P(WrongOutputs, OffByOne) {
  WrongOutput kernel("off_by_one", GetParam());
  Back back(kernel, 2, 1);
  const ReadBytes read = back.to_read([&](const ReadBytes& one) {
    return kernel.place_of(one.place.address) == std::pair<std::size_t, std::uint64_t>(1, 400);  // b[100]
  });
  EXPECT_EQ(back.line(), kernel.bug_line());
  EXPECT_LE(back.steps(), 3);
  EXPECT_EQ(as_float(read.value), 100.0f);
}

}  // namespace
}  // namespace warpwalk::gpu
