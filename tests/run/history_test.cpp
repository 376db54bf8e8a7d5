// Re-simulates the kernels of a trace from the trace alone, in memory and read back from a file.
#include "core/run/replay/history.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "core/ptx/module.h"
#include "core/run/expression/run_expression.h"
#include "core/run/launch/generate.h"
#include "core/run/launch/run_launch.h"
#include "core/run/record/launch_trace.h"
#include "core/trace/chrome/writer.h"
#include "core/trace/read/read_trace.h"
#include "tests/run/history_trace.h"

namespace warpwalk::run {
namespace {

using testing::built_history;
using testing::h200;
using testing::h200_options;
using testing::kernel_at;
using testing::pointer;
using testing::produced;
using testing::random;
using testing::RecordedTrace;
using testing::refused_history;
using testing::scalar;

trace::Trace read_back(const trace::Trace& trace) {
  trace::ReadResult read = trace::read_trace_text(trace::write_trace_text(trace));
  EXPECT_FALSE(read.error) << *read.error;
  return std::move(read.trace);
}

std::vector<float> seeded_floats(std::uint64_t seed, std::size_t count) {
  std::vector<float> values(count);
  generate(ops::DType::f32, FillRandom{seed},
           {reinterpret_cast<std::uint8_t*>(values.data()), values.size() * sizeof(float)});
  return values;
}

// All kinds of initial buffer contents and kernel features: shared memory, atomics, module variables, structs.
class OneLaunch : public ::testing::TestWithParam<const char*> {};

TEST_P(OneLaunch, IsSimulatedAgainFromItsRecordAlone) {
  const std::filesystem::path file =
      std::filesystem::path(WARPWALK_SOURCE_DIR "/tests/cases") / GetParam() / "launch.json";
  auto read = load_launch(file, h200());
  ASSERT_TRUE(read) << read.error();
  auto& loaded = *read;
  const gpu::Launch before = loaded.launch;
  auto initial = initial_buffers(loaded);
  const auto ran = run_launch(h200(), loaded, {});
  ASSERT_TRUE(ran) << ran.error();
  const trace::Trace in_memory = trace_of(h200(), loaded, *ran, std::move(initial));
  const trace::Trace from_disk = read_back(in_memory);
  for (const trace::Trace* const trace : {&in_memory, &from_disk}) {
    const auto history = built_history(*trace, kernel_at(*trace, 0));
    EXPECT_FALSE(history->stand_in);
    EXPECT_EQ(history->digests, History::Digests::equal);
    EXPECT_EQ(history->announced, "");
    EXPECT_EQ(history->replayed, 0u);
    EXPECT_EQ(history->ptx, loaded.ptx);
    EXPECT_EQ(history->entry, gpu::entry_of(*loaded.program).name);
    EXPECT_EQ(history->simulation.counters.warp_instructions, ran->simulation.counters.warp_instructions);
    EXPECT_EQ(history->simulation.registers, ran->simulation.registers);
    for (const gpu::Buffer& buffer : history->before.buffers) {
      const auto same = std::ranges::find(before.buffers, buffer.name, &gpu::Buffer::name);
      ASSERT_NE(same, before.buffers.end()) << buffer.name;
      EXPECT_EQ(buffer.initialized, same->initialized) << buffer.name;
      if (buffer.initialized) {
        EXPECT_EQ(buffer.bytes, same->bytes) << buffer.name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(History, OneLaunch,
                         ::testing::Values("shipped_vecadd", "shipped_matmul_tiled", "shipped_softmax",
                                           "shipped_histogram", "module_variables", "dynamic_shared_big",
                                           "cooperative_tiles", "scan_lookback", "generic_pointers"),
                         [](const auto& test) { return std::string(test.param); });

/// relu(a @ b) in two kernels, then relu into a third buffer, in place, and once more: 24 x 40 by 40 x 32.
class Chain : public ::testing::Test {
 protected:
  static constexpr int m = 24, n = 32, k = 40;
  Chain() {
    const std::size_t matmul = trace_.module("matmul_tiled"), relu = trace_.module("relu");
    a_ = trace_.buffer("a", m * k), b_ = trace_.buffer("b", k * n), c_ = trace_.buffer("c", m * n);
    d_ = trace_.buffer("d", m * n), e_ = trace_.buffer("e", m * n), f_ = trace_.buffer("f", m * n);
    auto& product = trace_.launch("matmul_tiled", matmul, {(n + 15) / 16, (m + 15) / 16, 1}, {16, 16, 1});
    product.arguments = {pointer(a_), pointer(b_), pointer(c_), scalar(m), scalar(n), scalar(k)};
    product.buffers = {random(a_, m * k, 1), random(b_, k * n, 2)};
    product.digests = {
        {a_, digest(seeded_floats(1, m * k))}, {b_, digest(seeded_floats(2, k * n))}, {c_, digest(products())}};
    add_relu(relu, c_, d_, products());
    add_relu(relu, c_, e_, products());            // reads c again without changing it
    add_relu(relu, c_, c_, positive(products()));  // in place
    add_relu(relu, c_, f_, positive(products()));
  }

  static std::string digest(const std::vector<float>& values) { return base::sha256(testing::bytes_of(values)); }

  // The reference: sums in the order of k with one rounding per step, like the kernel's fma.
  static std::vector<float> products() {
    const std::vector<float> a = seeded_floats(1, m * k), b = seeded_floats(2, k * n);
    std::vector<float> c(m * n);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        for (int l = 0; l < k; ++l) c[i * n + j] = std::fma(a[i * k + l], b[l * n + j], c[i * n + j]);
    return c;
  }
  static std::vector<float> positive(std::vector<float> values) {
    for (float& value : values) value = value < 0 ? 0 : value;
    return values;
  }

  void add_relu(std::size_t module, std::size_t from, std::size_t to, const std::vector<float>& left_in_from) {
    auto& record = trace_.launch("relu", module, {(m * n + 255) / 256, 1, 1}, {256, 1, 1});
    record.arguments = {pointer(from), pointer(to), scalar(m * n)};
    record.buffers = {produced(from, m * n)};
    record.digests = {{from, digest(left_in_from)}};
    if (to != from) record.digests.push_back({to, digest(positive(products()))});
  }

  RecordedTrace trace_;
  std::size_t a_ = 0, b_ = 0, c_ = 0, d_ = 0, e_ = 0, f_ = 0;
};

TEST_F(Chain, EarlierKernelsRunAgainForWhatTheyLeft) {
  const trace::Trace trace = trace_.take();
  const trace::Trace again = read_back(trace);
  for (const trace::Trace* const one : {&trace, &again}) {
    ASSERT_EQ(one->kernel_order.size(), 5u);
    const std::size_t replayed[] = {0, 1, 1, 1, 2};  // the third and fourth need the product, but not the earlier relus
    for (std::size_t i = 0; i < 5; ++i) {
      const auto history = built_history(*one, kernel_at(*one, i));
      EXPECT_EQ(history->digests, History::Digests::equal) << i;
      EXPECT_EQ(history->announced, "") << i;
      EXPECT_EQ(history->replayed, replayed[i]) << i;
    }
    EXPECT_EQ(built_history(*one, kernel_at(*one, 1))->before.buffers[0].bytes, testing::bytes_of(products()));
    EXPECT_EQ(built_history(*one, kernel_at(*one, 4))->before.buffers[0].bytes,
              testing::bytes_of(positive(products())));
  }
}

TEST_F(Chain, WithoutDigestsEveryEarlierUserRuns) {
  trace::Trace trace = trace_.take();
  for (trace::KernelRecord& record : trace.records.kernels) record.digests.clear();
  const auto history = built_history(trace, kernel_at(trace, 4));
  EXPECT_EQ(history->replayed, 4u);
  EXPECT_EQ(history->digests, History::Digests::none);
  EXPECT_EQ(history->before.buffers[0].bytes, testing::bytes_of(positive(products())));
}

TEST_F(Chain, ABufferWithoutARowHoldsWhatEarlierKernelsLeft) {
  trace::Trace trace = trace_.take();
  for (std::size_t i = 1; i < 5; ++i) trace.records.kernels[i].buffers.clear();
  const auto history = built_history(trace, kernel_at(trace, 1));
  EXPECT_EQ(history->replayed, 1u);
  EXPECT_EQ(history->digests, History::Digests::equal);
}

TEST_F(Chain, AnotherResultThanTheRecordsIsAnnounced) {
  trace::Trace trace = trace_.take();
  trace.records.kernels[0].digests[2].sha256[0] ^= 1;
  trace.records.kernels[0].simulator_version = "0.0.9";
  const auto product = built_history(trace, kernel_at(trace, 0));
  EXPECT_EQ(product->digests, History::Digests::different);
  EXPECT_EQ(product->announced,
            "simulated again, matmul_tiled leaves different contents in c than its record shows, which is from "
            "warpwalk 0.0.9 (this is 0.1.0)");
  const auto relu = built_history(trace, kernel_at(trace, 1));  // its own result is still correct
  EXPECT_EQ(relu->digests, History::Digests::equal);
  EXPECT_THAT(relu->announced, ::testing::HasSubstr("matmul_tiled leaves different contents in c"));
}

TEST_F(Chain, ProgressCountsTheBlocksOfAllKernels) {
  const trace::Trace trace = trace_.take();
  std::uint64_t done = 0, of = 0;
  HistoryOptions options = h200_options();
  options.progress = [&](std::uint64_t now, std::uint64_t all) {
    EXPECT_GE(now, done);
    done = now;
    of = all;
  };
  const auto history = build_history(trace, kernel_at(trace, 1), options);
  EXPECT_EQ(history.index(), 0u);
  EXPECT_EQ(of, 4u + 3u);
  EXPECT_EQ(done, 7u);
}

TEST_F(Chain, CanBeCancelled) {
  const trace::Trace trace = trace_.take();
  const std::atomic<bool> cancel = true;
  HistoryOptions options = h200_options();
  options.cancel = &cancel;
  const auto history = build_history(trace, kernel_at(trace, 1), options);
  ASSERT_EQ(history.index(), 1u);
  EXPECT_EQ(std::get<NoHistory>(history).reason, "cancelled");
}

// Missing or wrong parts of a record: each is reported, and none is trusted.
struct Damage {
  const char* name;
  void (*change)(trace::Trace&);
  const char* meaning;
};

class Damaged : public Chain, public ::testing::WithParamInterface<Damage> {};

TEST_P(Damaged, IsSaid) {
  trace::Trace trace = trace_.take();
  GetParam().change(trace);
  const std::string reason = refused_history(trace, kernel_at(trace, 1));
  EXPECT_THAT(reason, ::testing::HasSubstr(GetParam().meaning));
  EXPECT_THAT(reason, ::testing::Not(::testing::HasSubstr("\n")));
}

INSTANTIATE_TEST_SUITE_P(
    History, Damaged,
    ::testing::Values(
        Damage{"earlier_kernel_without_ptx", [](trace::Trace& in) { in.records.modules[0].ptx.clear(); },
               "the PTX of matmul_tiled is not recorded"},
        Damage{"no_ptx", [](trace::Trace& in) { in.records.modules[1].ptx.clear(); }, "its PTX is not recorded"},
        Damage{"broken_ptx", [](trace::Trace& in) { in.records.modules[1].ptx = "nonsense"; }, "the PTX of relu: "},
        Damage{"other_entry", [](trace::Trace& in) { in.records.kernels[1].entry = "gelu"; }, "gelu"},
        Damage{"producer_gone", [](trace::Trace& in) { in.records.kernels[0].arguments.clear(); },
               "buffer c was written by an earlier kernel, which is not in this trace"},
        Damage{"digest_only",
               [](trace::Trace& in) { in.records.kernels[0].buffers[0].kind = trace::InitialBuffer::Kind::digest; },
               "the contents of buffer a before matmul_tiled are larger than 1 MiB, so only their digest is recorded"},
        Damage{"allocation_that_is_none", [](trace::Trace& in) { in.records.kernels[1].arguments[0].allocation = 77; },
               "names allocation 77, which is out of range (there are 6)"},
        Damage{"foreign_pointer",
               [](trace::Trace& in) {
                 in.records.kernels[1].arguments[0].allocation = trace::no_record;
                 in.records.kernels[1].arguments[0].offset = 4096;
               },
               "argument 0 of relu points to memory that the trace does not describe"},
        Damage{"unknown_type", [](trace::Trace& in) { in.records.kernels[0].buffers[0].dtype = "f33"; },
               "the unknown element type f33"},
        Damage{"more_than_the_buffer", [](trace::Trace& in) { in.records.kernels[0].buffers[0].count = 1ull << 60; },
               "the record puts more data into buffer a than its 3840 bytes"},
        Damage{"too_large", [](trace::Trace& in) { in.records.allocations[2].bytes = 1ull << 60; },
               " of memory that are free here"},
        Damage{"too_many_arguments", [](trace::Trace& in) { in.records.kernels[1].arguments.push_back(scalar(1)); },
               "takes 3 arguments"},
        Damage{"block_too_large",
               [](trace::Trace& in) {
                 in.records.kernels[1].block = {2048, 1, 1};
               },
               "block.x is 2048"},
        Damage{"shared_too_large",
               [](trace::Trace& in) { in.records.kernels[1].dynamic_shared_bytes = std::uint64_t{1} << 40; },
               "dynamic shared memory"}),
    [](const auto& test) { return std::string(test.param.name); });

// Walks written by `run`: re-simulating each kernel gives the recorded contents, including views, casts and gradients.
TEST(History, EveryKernelOfAWalkOfAnExpressionIsSimulatedAgain) {
  RunRequest request;
  request.device = h200();
  request.assets = WARPWALK_SOURCE_DIR "/assets";
  request.gradients = true;
  request.expression = "relu(a @ b[:, 1:]) * 2 - exp(c).T";
  request.inputs = {{"a", ops::DType::f32, {24, 16}}, {"b", ops::DType::f32, {16, 9}}, {"c", ops::DType::f16, {8, 24}}};
  auto ran = run_expression(request);
  if (const auto* const error = std::get_if<RunError>(&ran)) FAIL() << error->line;
  const trace::Trace in_memory = std::move(std::get<RunResult>(ran).trace);
  const trace::Trace from_disk = read_back(in_memory);
  std::size_t replayed = 0;
  for (const trace::Trace* const trace : {&in_memory, &from_disk})
    for (const trace::SliceId kernel : trace->kernel_order) {
      const auto history = built_history(*trace, kernel);
      EXPECT_FALSE(history->stand_in) << trace->name(kernel) << ": " << history->entry;
      EXPECT_EQ(history->digests, History::Digests::equal) << trace->name(kernel);
      EXPECT_EQ(history->announced, "") << trace->name(kernel);
      replayed = std::max(replayed, history->replayed);
    }
  EXPECT_GT(in_memory.kernel_order.size(), 8u);
  EXPECT_GT(replayed, 3u);  // some earlier kernels had to be replayed
}

TEST(History, AShortKernelIsCheckedForErrors) {
  auto read = load_launch(WARPWALK_SOURCE_DIR "/tests/bugs/race_matmul_after/launch.json", h200());
  ASSERT_TRUE(read) << read.error();
  auto& loaded = *read;
  auto initial = initial_buffers(loaded);
  const auto ran = run_launch(h200(), loaded, {});
  ASSERT_TRUE(ran) << ran.error();
  const trace::Trace trace = trace_of(h200(), loaded, *ran, std::move(initial));
  const auto races = [&](const HistoryOptions& options) {
    const auto history = build_history(trace, kernel_at(trace, 0), options);
    const auto& findings = std::get<0>(history)->simulation.findings;
    return std::ranges::count(findings, gpu::FindingKind::shared_race, &gpu::Finding::kind);
  };
  HistoryOptions options = h200_options();
  EXPECT_GT(races(options), 0);
  options.max_checked_warp_instructions = 1;
  EXPECT_EQ(races(options), 0);
}

TEST(History, OfWhatIsNoKernelThereIsNone) {
  const trace::Trace empty;
  EXPECT_EQ(refused_history(empty, 0), "it is not a kernel, so it has no instructions to simulate");
}

}  // namespace
}  // namespace warpwalk::run
