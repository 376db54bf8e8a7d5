// Runs on elements that the caller gives: results, walks, replays, and what is refused.
#include <cstring>
#include <numeric>

#include <gmock/gmock-matchers.h>

#include "core/run/launch/generate.h"
#include "core/run/replay/history.h"
#include "core/trace/chrome/writer.h"
#include "core/trace/read/read_trace.h"
#include "tests/run/walk_runs.h"
#include "tests/trace/support.h"

namespace warpwalk::testing {
namespace {

using ops::DType;
using run::Target;
using Kind = trace::InitialBuffer::Kind;

template <class T>
std::vector<std::uint8_t> bytes_of(const std::vector<T>& elements) {
  std::vector<std::uint8_t> bytes(elements.size() * sizeof(T));
  std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

template <class T>
std::vector<T> elements_of(const std::vector<std::uint8_t>& bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

const std::vector<float> small_a = {1, 2, 3, -4, -5, -6}, small_b = {1, 0, 2, -1, 0, 3};

/// a is 2x3, b is 3x2.
run::RunRequest small_product(Target on = Target::sim) {
  auto wanted = request("relu(a @ b)", {variable("a", {2, 3}), variable("b", {3, 2})}, on);
  wanted.gradients = true;
  wanted.given = {{"a", bytes_of(small_a)}, {"b", bytes_of(small_b)}};
  return wanted;
}

// By hand: a @ b is [[5, 7], [-14, -13]], so relu keeps its first row. The gradient of the sum is that of the first row
// of a alone: the sums of the rows of b for a, the first row of a in each column for b.
TEST(GivenInputs, AreWhatIsComputed) {
  for (const Target on : {Target::sim, Target::cpu}) {
    const auto done = result_of(small_product(on));
    EXPECT_TRUE(done.good());
    EXPECT_EQ(elements_of<float>(done.bytes), (std::vector<float>{5, 7, 0, 0}));
    ASSERT_EQ(done.gradients.size(), 2u);
    EXPECT_EQ(elements_of<float>(done.gradients[0].second), (std::vector<float>{1, 1, 3, 0, 0, 0}));
    EXPECT_EQ(elements_of<float>(done.gradients[1].second), (std::vector<float>{1, 1, 2, 2, 3, 3}));
  }
}

// A transposed result is not contiguous in memory; its bytes are.
TEST(GivenInputs, ResultsAreInCOrder) {
  auto wanted = request("a.T", {variable("a", {2, 3}, DType::i64)});
  wanted.given = {{"a", bytes_of(std::vector<std::int64_t>{1, 2, 3, 4, 5, 6})}};
  const auto done = result_of(wanted);
  EXPECT_EQ(done.result.sizes, (ops::Sizes{3, 2}));
  EXPECT_EQ(elements_of<std::int64_t>(done.bytes), (std::vector<std::int64_t>{1, 4, 2, 5, 3, 6}));
}

// The types of two bytes, by their bits: 1.5 is 0x3e00 in f16 and 0x3fc0 in bf16; doubled, 0x4200 and 0x4040.
TEST(GivenInputs, OfTwoBytesAreTheirBits) {
  for (const auto& [dtype, bits, doubled] : {std::tuple{DType::f16, 0x3e00, 0x4200}, {DType::bf16, 0x3fc0, 0x4040}}) {
    auto wanted = request("a + a", {variable("a", {1}, dtype)});
    wanted.given = {{"a", bytes_of(std::vector<std::uint16_t>{static_cast<std::uint16_t>(bits)})}};
    EXPECT_EQ(elements_of<std::uint16_t>(result_of(wanted).bytes).at(0), doubled);
  }
}

TEST(GivenInputs, LeaveTheSeedsOfTheOthersUnchanged) {
  auto wanted = request("a + b", {variable("a", {5}), variable("b", {5})});
  wanted.seed = 7;
  wanted.given = {{"a", bytes_of(std::vector<float>(5, 0))}};
  std::vector<std::uint8_t> second(5 * sizeof(float));
  run::generate(DType::f32, run::FillRandom{8}, second);
  EXPECT_EQ(result_of(wanted).bytes, second);
}

TEST(GivenInputs, AnInputWithoutElementsHasNone) {
  auto wanted = request("a + 1", {variable("a", {0, 3})});
  wanted.given = {{"a", {}}};
  EXPECT_TRUE(result_of(wanted).bytes.empty());
}

/// The trace, written to a file and read again.
trace::Trace read_again(const trace::Trace& trace) {
  const trace::test::TemporaryFolder folder;
  EXPECT_TRUE(trace::write_trace(trace, folder / "walk.json.gz"));
  trace::ReadResult read = trace::read_trace(folder / "walk.json.gz");
  EXPECT_FALSE(read.error);
  return std::move(read.trace);
}

std::variant<std::shared_ptr<const run::History>, run::NoHistory> history_of(const trace::Trace& trace,
                                                                             std::size_t kernel) {
  run::HistoryOptions options;
  options.device = request("a", {}).device;
  options.ptx_folder = assets() / "ptx";
  return run::build_history(trace, trace.kernel_order[kernel], options);
}

TEST(GivenInputs, AreInTheWalkSoThatItsKernelsCanRunAgain) {
  const trace::Trace walk = read_again(result_of(small_product()).trace);
  ASSERT_GE(walk.records.kernels.size(), 4u);
  const auto& buffers = walk.records.kernels[0].buffers;
  ASSERT_EQ(buffers.size(), 2u);
  EXPECT_EQ(buffers[0].kind, Kind::bytes);
  EXPECT_EQ(buffers[0].count, 6u);
  EXPECT_EQ(buffers[0].dtype, "f32");
  EXPECT_EQ(elements_of<float>(buffers[0].bytes), small_a);
  EXPECT_EQ(elements_of<float>(buffers[1].bytes), small_b);
  for (std::size_t kernel = 0; kernel < walk.kernel_order.size(); ++kernel) {
    const auto built = history_of(walk, kernel);
    ASSERT_EQ(built.index(), 0u) << std::get<1>(built).reason;
    const run::History& history = *std::get<0>(built);
    EXPECT_FALSE(history.stand_in);
    EXPECT_EQ(history.digests, run::History::Digests::equal) << history.announced;
  }
  std::string described;
  for (const auto& [key, value] : walk.metadata)
    if (walk.text(key) == "warpwalk_run") described = walk.text(value);
  EXPECT_THAT(described, ::testing::HasSubstr(R"("given": ["a", "b"])"));
}

// 1 MiB is still recorded, and 1 MiB and an element is not. The kernel can then not run again.
TEST(GivenInputs, LargerThanAMegabyteHaveOnlyTheirDigestInTheWalk) {
  for (const auto& [elements, kind] : {std::pair{std::int64_t{262144}, Kind::bytes}, {262145, Kind::digest}}) {
    auto wanted = request("a + 1", {variable("a", {elements}, DType::i32)});
    std::vector<std::int32_t> counted(static_cast<std::size_t>(elements));
    std::iota(counted.begin(), counted.end(), 0);
    wanted.given = {{"a", bytes_of(counted)}};
    const auto done = result_of(wanted);
    for (std::int32_t& element : counted) ++element;
    EXPECT_EQ(elements_of<std::int32_t>(done.bytes), counted);
    const trace::Trace walk = read_again(done.trace);
    const trace::InitialBuffer& buffer = walk.records.kernels.at(0).buffers.at(0);
    EXPECT_EQ(buffer.kind, kind);
    EXPECT_EQ(buffer.sha256.size(), kind == Kind::digest ? 64u : 0u);
    const auto built = history_of(walk, 0);
    ASSERT_EQ(built.index(), 0u) << std::get<1>(built).reason;
    const run::History& history = *std::get<0>(built);
    EXPECT_EQ(history.stand_in, kind == Kind::digest);
    if (kind == Kind::digest) {
      EXPECT_EQ(history.stands_in_because, "the contents of buffer a before " + walk.records.kernels[0].entry +
                                               " are larger than 1 MiB, so only their digest is recorded");
    }
  }
}

TEST(GivenInputs, ThatDoNotFitAreRefused) {
  const auto line_of = [](run::RunRequest wanted, const std::string& name, std::size_t bytes) {
    wanted.given = {{name, std::vector<std::uint8_t>(bytes)}};
    const auto ran = run::run_expression(wanted);
    return std::holds_alternative<run::RunError>(ran) ? std::get<run::RunError>(ran).line : "it ran";
  };
  const auto wanted = request("a + 1", {variable("a", {2, 3}, DType::f16)});
  EXPECT_EQ(line_of(wanted, "a", 12), "it ran");
  EXPECT_EQ(line_of(wanted, "a", 11), "a has 11 bytes of elements; 2x3 f16 takes 12");
  EXPECT_EQ(line_of(wanted, "a", 0), "a has 0 bytes of elements; 2x3 f16 takes 12");
  EXPECT_EQ(line_of(wanted, "c", 12), "c has elements, but no shape; give one, for example --shape c=256x256");
}

}  // namespace
}  // namespace warpwalk::testing
