// Measures the recorder's work per CUPTI record while a program runs, and the conversion of the rows to a walk
// afterwards. The rows alternate between a launch call and its kernel.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "instrumentation/cupti_abi.h"
#include "instrumentation/decode_activity.h"
#include "instrumentation/row_codec.h"
#include "instrumentation/trace_builder.h"

namespace {

namespace cupti = warpwalk::instrumentation::cupti;
using warpwalk::instrumentation::Begin;
using warpwalk::instrumentation::CallNameTable;
using warpwalk::instrumentation::CallRow;
using warpwalk::instrumentation::FrameDecoder;
using warpwalk::instrumentation::FrameEncoder;
using warpwalk::instrumentation::KernelRow;
using warpwalk::instrumentation::Name;
using warpwalk::instrumentation::RecordingSummary;
using warpwalk::instrumentation::Row;
using warpwalk::instrumentation::RowSink;
using warpwalk::instrumentation::TraceBuilder;

constexpr std::uint64_t t0 = 1'700'000'000'000'000'000;  // ns
constexpr std::uint64_t apart = 2000;                    // ns between launches
constexpr std::uint32_t launches = 500'000;              // one call and one kernel each: a million rows
constexpr std::size_t frame_bytes = std::size_t{256} << 10;

KernelRow kernel(std::uint32_t number) {
  KernelRow row;
  row.start = t0 + number * apart + 5000, row.end = row.start + 1200;
  row.queued = row.start - 4000, row.submitted = row.start - 3000;
  row.name = 1, row.context = 1, row.stream = 7, row.correlation = number, row.registers = 16;
  row.grid = {64, 1, 1}, row.block = {256, 1, 1};
  return row;
}

CallRow call(std::uint32_t number) {
  CallRow row;
  row.start = t0 + number * apart, row.end = row.start + 1500;
  row.cbid = 211, row.name = 2, row.thread = 4711, row.correlation = number;
  return row;
}

/// Discards rows. The number of a name is a stand-in for the result of a lookup.
class Sink final : public RowSink {
 public:
  std::uint32_t name(std::string_view text) override { return static_cast<std::uint32_t>(text.size()); }
  void add(const Row& row) override { benchmark::DoNotOptimize(&row); }
};

class Names final : public CallNameTable {
 public:
  std::string_view name(std::uint32_t, std::uint32_t) override { return "cudaLaunchKernel_v7000"; }
};

void decode_records(benchmark::State& state) {
  cupti::Kernel launched{};
  launched.kind = cupti::kind_concurrent_kernel, launched.start = t0, launched.end = t0 + 1200;
  launched.name = "_Z5scalePffi", launched.stream = 7;
  cupti::Api api{};
  api.kind = cupti::kind_runtime, api.cbid = 211, api.start = t0, api.end = t0 + 1500;
  Sink sink;
  Names names;
  for (auto _ : state) {
    benchmark::DoNotOptimize(warpwalk::instrumentation::decode_activity(&api, names, sink));
    benchmark::DoNotOptimize(warpwalk::instrumentation::decode_activity(&launched, names, sink));
  }
  state.SetItemsProcessed(state.iterations() * 2);
}
BENCHMARK(decode_records);

/// A million rows encoded as frames.
std::vector<std::string> frames() {
  std::vector<std::string> out;
  FrameEncoder encoder;
  for (std::uint32_t i = 1; i <= launches; ++i) {
    encoder.add(call(i));
    encoder.add(kernel(i));
    if (encoder.bytes() < frame_bytes && i < launches) continue;
    out.emplace_back(encoder.frame());
    encoder.clear();
  }
  return out;
}

void encode_rows(benchmark::State& state) {
  std::int64_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    for (const std::string& frame : frames()) bytes += static_cast<std::int64_t>(frame.size());
  }
  state.SetItemsProcessed(state.iterations() * 2 * launches);
  state.counters["bytes_a_row"] = static_cast<double>(bytes) / (2.0 * launches);
}
BENCHMARK(encode_rows)->Unit(benchmark::kMillisecond);

template <class Take>
void take_rows(const std::vector<std::string>& all, Take&& take) {
  for (const std::string& frame : all) {
    FrameDecoder decoder(std::string_view(frame).substr(warpwalk::instrumentation::frame_header_bytes));
    while (const auto row = decoder.next()) take(*row);
  }
}

void decode_rows(benchmark::State& state) {
  const std::vector<std::string> all = frames();
  for (auto _ : state) take_rows(all, [](const Row& row) { benchmark::DoNotOptimize(&row); });
  state.SetItemsProcessed(state.iterations() * 2 * launches);
}
BENCHMARK(decode_rows)->Unit(benchmark::kMillisecond);

void make_trace(benchmark::State& state) {
  const std::vector<std::string> all = frames();
  for (auto _ : state) {
    TraceBuilder maker;
    maker.add(Begin{4711, 130001, t0, "program"});
    maker.add(Name{1, "_Z5scalePffi"});
    maker.add(Name{2, "cudaLaunchKernel_v7000"});
    take_rows(all, [&](const Row& row) { maker.add(row); });
    RecordingSummary account;
    benchmark::DoNotOptimize(maker.finish(account));
  }
  state.SetItemsProcessed(state.iterations() * 2 * launches);
}
BENCHMARK(make_trace)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
