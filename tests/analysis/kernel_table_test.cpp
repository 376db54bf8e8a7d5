// The table of a trace's kernels: sums, spreads, occupancy, peaks, order and CSV.
#include "core/analysis/kernels/kernel_table.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/kernels/kernel_columns.h"
#include "core/analysis/kernels/kernel_table_csv.h"
#include "core/trace/read/read_trace.h"
#include "core/words/amount_text.h"
#include "tests/analysis/assets.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

// Kernels with chosen resources.
class KernelEvents {
 public:
  KernelEvents& kernel(const std::string& name, double from, double time, const std::string& args, int device = 0) {
    return event("kernel", name, std::to_string(device), 7, from, time,
                 fmt::format(R"("device": {}, "context": 1, "stream": 7, {})", device, args));
  }
  KernelEvents& copy(double from, double time, long bytes) {
    return event("gpu_memcpy", "Memcpy DtoH", "0", 7, from, time,
                 fmt::format(R"("device": 0, "context": 1, "stream": 7, "bytes": {})", bytes));
  }
  KernelEvents& product(double from, double kernel_time, int correlation) {
    event("cpu_op", "aten::mm", "10", 10, from, 5,
          R"("Input Dims": [[1024, 1024], [1024, 1024]], "Input type": ["c10::Half", "c10::Half"])");
    event("cuda_runtime", "cudaLaunchKernel", "10", 10, from + 1, 1, fmt::format(R"("correlation": {})", correlation));
    return kernel("ampere_fp16_s16816gemm_fp16_128x128", from + 10, kernel_time,
                  fmt::format(R"("correlation": {}, "grid": [8, 8, 1], "block": [128, 1, 1])", correlation));
  }
  trace::Trace read(const std::string& devices = R"({"id": 0, "name": "NVIDIA H200", "numSms": 132})") const {
    trace::ReadResult result = trace::read_trace_text(
        fmt::format(R"({{"schemaVersion": 1, "deviceProperties": [{}], "traceEvents": [{}]}})", devices, events_));
    EXPECT_FALSE(result.error) << *result.error;
    return std::move(result.trace);
  }

 private:
  KernelEvents& event(const std::string& category, const std::string& name, const std::string& pid, int thread,
                      double from, double time, const std::string& args) {
    events_ += fmt::format(
        R"({}{{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {:.3f}, "dur": {:.3f}, "args": {{{}}}}})",
        events_.empty() ? "" : ",\n", category, name, pid, thread, 100 + from, time, args);
    return *this;
  }

  std::string events_;
};

KernelTable table_of(const trace::Trace& trace) { return kernel_table(trace, kernel_device(trace, devices())); }

const KernelRow& row_named(const trace::Trace& trace, const KernelTable& table, std::string_view name) {
  const auto at = std::ranges::find_if(table.rows, [&](const KernelRow& row) { return trace.text(row.name) == name; });
  EXPECT_NE(at, table.rows.end()) << name;
  return at == table.rows.end() ? table.rows.front() : *at;
}

trace::Trace three_kernels() {
  const std::string common = R"("registers per thread": 40, "shared memory": 0, "block": [256, 1, 1], )";
  return KernelEvents()
      .kernel("a", 0, 10, common + R"("grid": [4, 2, 1])")
      .kernel("b", 20, 25, common + R"("grid": [64, 1, 1], "est. achieved occupancy %": 30)")
      .kernel("a", 50, 30, common + R"("grid": [16, 1, 1])")
      .kernel("b", 90, 25, common + R"("grid": [64, 1, 1], "est. achieved occupancy %": 50)")
      .copy(130, 10, 1'000'000)
      .read();
}

TEST(KernelTable, SumsByName) {
  const trace::Trace trace = three_kernels();
  const KernelTable table = table_of(trace);
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.kernel_time, 90'000);
  EXPECT_EQ(table.kernel_launches, 4u);
  const KernelRow& a = row_named(trace, table, "a");
  EXPECT_EQ(a.count, 2u);
  EXPECT_EQ(a.total, 40'000);
  EXPECT_EQ(a.min, 10'000);
  EXPECT_EQ(a.max, 30'000);
  EXPECT_DOUBLE_EQ(a.mean().value_or(0), 20'000);
  EXPECT_DOUBLE_EQ(a.share.value_or(0), 40.0 / 90);
  EXPECT_EQ(trace.text(table.rows[0].name), "b") << "the longest total is first";
  const KernelRow& copy = row_named(trace, table, "Memcpy DtoH");
  EXPECT_FALSE(copy.share) << "copies have no share of the kernels' time";
  EXPECT_DOUBLE_EQ(copy.bytes.rate().value_or(0), 1e11);  // 1 MB in 10 µs
  EXPECT_FALSE(table.share_of_peak(copy)) << "a copy to the host does not have the DRAM's bandwidth as its limit";
}

TEST(KernelTable, LaunchesThatDifferAreASpread) {
  const trace::Trace trace = three_kernels();
  const KernelTable table = table_of(trace);
  const KernelRow &a = row_named(trace, table, "a"), &b = row_named(trace, table, "b");
  EXPECT_FALSE(a.grid.same);
  EXPECT_EQ(a.grid.count.least, 8);
  EXPECT_EQ(a.grid.count.most, 16);
  EXPECT_TRUE(b.grid.same);
  EXPECT_EQ(b.grid.first, (std::array<std::int32_t, 3>{64, 1, 1}));
  EXPECT_TRUE(a.block.same);
  EXPECT_EQ(a.registers.least, 40);
  EXPECT_FALSE(row_named(trace, table, "Memcpy DtoH").registers.known());
  const auto launches = table.launches_of(a);
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(trace.name(launches[0]), "a");
  EXPECT_LT(trace.slices.start[launches[0]], trace.slices.start[launches[1]]);
}

TEST(KernelTable, OccupancyIsTheoreticalAndTheProfilersIsBesideIt) {
  const trace::Trace trace = three_kernels();
  const KernelTable table = table_of(trace);
  // 40 registers: 1,280 a warp, 12 warps of a sub-partition's 16,384; 48 of 64 warps in 6 blocks.
  const KernelRow& b = row_named(trace, table, "b");
  ASSERT_TRUE(b.occupancy);
  EXPECT_DOUBLE_EQ((*b.occupancy)[0], 75);
  EXPECT_DOUBLE_EQ((*b.occupancy)[1], 75);
  EXPECT_DOUBLE_EQ(b.occupancy_profiler.value_or(0), 40);
  EXPECT_FALSE(row_named(trace, table, "a").occupancy_profiler);
}

TEST(KernelTable, WithoutADescriptionNothingIsDerivedFromOne) {
  const trace::Trace trace = KernelEvents().product(0, 10, 1).read(R"({"id": 0, "name": "Some GPU", "numSms": 7})");
  const KernelTable table = table_of(trace);
  EXPECT_EQ(table.device.recorded, "Some GPU");
  EXPECT_FALSE(table.rows[0].occupancy);
  EXPECT_FALSE(table.peaks.known());
  EXPECT_FALSE(table.share_of_peak(table.rows[0]));
  EXPECT_TRUE(table.rows[0].flops.rate()) << "the rate needs no description";
}

TEST(KernelTable, GpusWithDifferentNamesHaveNoCommonLimits) {
  const KernelEvents events =
      KernelEvents().kernel("a", 0, 10, R"("grid": [1, 1, 1])", 0).kernel("a", 20, 10, R"("grid": [1, 1, 1])", 1);
  const auto how = [&](const std::string& other) {
    const trace::Trace trace = events.read(fmt::format(
        R"({{"id": 0, "name": "NVIDIA H200", "numSms": 132}}, {{"id": 1, "name": "{}", "numSms": 132}})", other));
    return kernel_device(trace, devices()).how;
  };
  EXPECT_EQ(how("NVIDIA H200"), DeviceMatch::How::described);
  EXPECT_EQ(how("NVIDIA T4"), DeviceMatch::How::unknown);
}

DevicePeaks peaks_of(const char* id) {
  DeviceMatch match;
  match.how = DeviceMatch::How::described;
  match.device = device_named(id);
  return device_peaks(match);
}

TEST(DevicePeaks, AreThoseThatNvidiaPublishes) {
  const auto tera = [](const DevicePeaks& peaks, MathUnit unit) {
    return peaks.find(unit) == nullptr ? 0 : peaks.find(unit)->flops_per_second / 1e12;
  };
  const DevicePeaks h200 = peaks_of("h200"), a100 = peaks_of("a100"), t4 = peaks_of("t4"), ada = peaks_of("rtx4090");
  EXPECT_NEAR(tera(h200, MathUnit::f32), 67, 0.5);
  EXPECT_NEAR(tera(h200, MathUnit::f64_tensor), 67, 0.5);
  EXPECT_NEAR(tera(h200, MathUnit::f16_tensor), 989, 1);
  EXPECT_NEAR(tera(h200, MathUnit::tf32_tensor), 495, 1);
  EXPECT_NEAR(tera(h200, MathUnit::f8_tensor), 1979, 1);
  EXPECT_NEAR(tera(a100, MathUnit::f16_tensor), 312, 0.5);
  EXPECT_NEAR(tera(a100, MathUnit::tf32_tensor), 156, 0.5);
  EXPECT_NEAR(tera(a100, MathUnit::f64_tensor), 19.5, 0.1);
  EXPECT_NEAR(tera(t4, MathUnit::f16_tensor), 65, 0.5);
  EXPECT_NEAR(tera(ada, MathUnit::f16_tensor), 165, 1);
  EXPECT_EQ(t4.find(MathUnit::tf32_tensor), nullptr) << "tensor cores have TF32 since 8.0";
  EXPECT_EQ(t4.present(MathUnit::tf32_tensor), MathUnit::f32);
  EXPECT_DOUBLE_EQ(h200.bytes_per_second.value_or(0), 4.8e12);
}

TEST(DevicePeaks, AnAdaptedDescriptionHasNone) {
  DeviceMatch match;
  match.how = DeviceMatch::How::adapted;
  match.device = device_named("h200");
  EXPECT_FALSE(device_peaks(match).known());
}

TEST(KernelTable, AchievedRatesAreSumsOverTheSameLaunches) {
  // 2,147,483,648 FLOP and 6 MiB in 10 µs and 30 µs.
  const trace::Trace trace = KernelEvents().product(0, 10, 1).product(100, 30, 2).read();
  const KernelTable table = table_of(trace);
  const KernelRow& row = table.rows.front();
  EXPECT_DOUBLE_EQ(row.flops.amount, 2 * 2'147'483'648.0);
  EXPECT_DOUBLE_EQ(row.flops.rate().value_or(0), 2 * 2'147'483'648.0 / 40e-6);
  EXPECT_EQ(row.tensor_cores.use, TensorCoreUse::yes);
  EXPECT_EQ(row.tensor_cores.by, "s16816");
  ASSERT_EQ(row.unit, MathUnit::f16_tensor);
  const auto share = table.share_of_peak(row);
  ASSERT_TRUE(share);
  EXPECT_FALSE(share->memory);
  EXPECT_NEAR(share->share, 107.37 / 989.4, 1e-3);
}

TEST(KernelTable, MoreThanAPeakIsFlagged) {
  // 2,147,483,648 FLOP in 1 µs are 2,147 TFLOP/s; the tensor cores of an H200 do 989.4.
  const trace::Trace fast = KernelEvents().product(0, 1, 1).read();
  const auto share = table_of(fast).share_of_peak(table_of(fast).rows.front());
  ASSERT_TRUE(share);
  EXPECT_TRUE(share->above());
  const trace::Trace usual = KernelEvents().product(0, 10, 1).read();
  EXPECT_FALSE(table_of(usual).share_of_peak(table_of(usual).rows.front())->above());
  // A convolution by a transform has no share of the arithmetic peak.
  KernelTable table = table_of(fast);
  table.rows.front().fewer = 1;
  const auto of_memory = table.share_of_peak(table.rows.front());
  EXPECT_TRUE(!of_memory || of_memory->memory);
}

TEST(TensorCores, AreDerivedFromTheName) {
  const auto use = [](const char* name) { return name_of(tensor_core_use(name).use); };
  for (const char* name :
       {"ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_32x6_tn", "volta_h884gemm_64x128_ldg8_nn",
        "turing_fp16_s1688gemm_fp16_128x128_ldg8_f2f_tn", "void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64>",
        "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64", "nvjet_hsh_128x256_64x4_2x1_v_bz_coopA_NNT",
        "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_3_64x128x128",
        "sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x128x16_tensor16x8x8_kernel",
        "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128>>"})
    EXPECT_EQ(use(name), "yes") << name;
  for (const char* name :
       {"ampere_sgemm_128x64_nn", "void cutlass::Kernel2<cutlass_80_simt_sgemm_64x64_8x5_tn_align1>",
        "sm80_xmma_fprop_implicit_gemm_indexed_f32f32_g1_ffma_aligna4_alignc4_execute_kernel__5x_cudnn",
        "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>",
        "void at::native::reduce_kernel<512, 1>", "void splitKreduce_kernel<32, 16, int, float>",
        "triton_poi_fused_relu_0", "void gemvNSP_kernel<float>"})
    EXPECT_EQ(use(name), "no") << name;
  for (const char* name : {"my_kernel", "triton_tem_fused_mm_softmax_3", "addmmActivation", "fmha_cutlassF_f32_sm80"})
    EXPECT_EQ(use(name), "unknown") << name;
}

TEST(RateColumn, HasOneUnitForAllRates) {
  const words::RateColumn flops(505e12), bytes(2.8e12);
  EXPECT_EQ(flops.unit(), "12");
  EXPECT_EQ(flops.text(415.06e12), "415.1");
  EXPECT_EQ(flops.text(1e9), "< 0.1");
  EXPECT_EQ(bytes.unit(), "9") << "GB/s up to 10,000";
  EXPECT_EQ(bytes.text(1'127.4e9), "1,127.4");
  EXPECT_EQ(words::amount_text(english(), "kernels_page.flop", 137.4e6), "137 MFLOP");
  EXPECT_EQ(words::amount_text(english(), "kernels_page.flop_rate", 999.7e9), "1 TFLOP/s");
  EXPECT_EQ(words::amount_text(english(), "kernels_page.byte_rate", 4.8e12), "4.8 TB/s");
}

TEST(KernelTable, AnyColumnOrdersAndUnknownValuesAreLast) {
  const trace::Trace trace = three_kernels();
  const KernelTable table = table_of(trace);
  const auto names = [&](KernelColumn column, bool descending, std::string_view filter = {}) {
    std::string all;
    for (const std::uint32_t row : ordered_rows(trace, table, {column, descending}, filter))
      all += std::string(trace.text(table.rows[row].name)) + " ";
    return all;
  };
  EXPECT_EQ(names(KernelColumn::total, true), "b a Memcpy DtoH ");
  EXPECT_EQ(names(KernelColumn::total, false), "Memcpy DtoH a b ");
  EXPECT_EQ(names(KernelColumn::max, true), "a b Memcpy DtoH ");
  EXPECT_EQ(names(KernelColumn::share, true), "b a Memcpy DtoH ");
  EXPECT_EQ(names(KernelColumn::share, false), "a b Memcpy DtoH ") << "a copy has no share";
  EXPECT_EQ(names(KernelColumn::grid, false), "a b Memcpy DtoH ");
  EXPECT_EQ(names(KernelColumn::total, true, "MEMCPY"), "Memcpy DtoH ");
  EXPECT_EQ(names(KernelColumn::total, true, "no such"), "");
}

TEST(KernelTable, LaunchesAreOrderedByDurationToo) {
  const trace::Trace trace = three_kernels();
  const KernelTable table = table_of(trace);
  const CodePlaces places(trace);
  const auto launches = table.launches_of(row_named(trace, table, "a"));
  const auto longest = ordered_launches(trace, places, launches, {LaunchColumn::duration, true});
  EXPECT_EQ(trace.slices.duration[longest.front()], 30'000);
  const auto first = ordered_launches(trace, places, launches, {LaunchColumn::start, false});
  EXPECT_EQ(trace.slices.duration[first.front()], 10'000);
}

std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back().push_back(c);
  }
  return fields;
}

TEST(KernelTable, CsvHasEveryRowWithFullPrecision) {
  const trace::Trace trace = KernelEvents()
                                 .kernel("f<a, b>(int)", 0, 0.333, R"("grid": [4, 2, 1], "block": [32, 1, 1])")
                                 .kernel("f<a, b>(int)", 5, 1, R"("grid": [4, 2, 1], "block": [64, 1, 1])")
                                 .read();
  std::istringstream lines(kernel_table_csv(trace, table_of(trace)));
  std::string head, line, more;
  std::getline(lines, head);
  std::getline(lines, line);
  EXPECT_FALSE(std::getline(lines, more)) << more;
  const std::vector<std::string> names = csv_fields(head), fields = csv_fields(line);
  ASSERT_EQ(names.size(), fields.size());
  const auto field = [&](std::string_view name) {
    const auto at = std::ranges::find(names, name);
    return at == names.end() ? std::string("no such column") : fields[static_cast<std::size_t>(at - names.begin())];
  };
  EXPECT_EQ(field("kernel"), "f<a, b>(int)");
  EXPECT_EQ(field("launches"), "2");
  EXPECT_EQ(field("total_ns"), "1333");
  EXPECT_EQ(field("mean_ns"), "666.5");
  EXPECT_EQ(field("share_of_kernel_time"), "1");
  EXPECT_EQ(field("grid"), "4x2x1");
  EXPECT_EQ(field("block"), "varies");
  EXPECT_EQ(field("block_threads_max"), "64");
  EXPECT_EQ(field("registers_per_thread_min"), "") << "not recorded";
  EXPECT_EQ(field("tensor_cores_by_name"), "unknown");
}

TEST(KernelTable, ARecordedWalkAgreesWithItsOutline) {
  const trace::Trace& trace = sample("mlp_train");
  const KernelTable table = table_of(trace);
  std::int64_t time = 0;
  for (const SliceId kernel : trace.kernel_order) time += trace.slices.duration[kernel];
  EXPECT_EQ(table.kernel_time, time);
  EXPECT_EQ(table.kernel_launches, trace.kernel_order.size());
  // Every product of the training step is counted once: the sum over the table is the sum over the ops.
  double in_table = 0, in_ops = 0;
  for (const KernelRow& row : table.rows)
    if (row.rule == WorkRule::product) in_table += row.flops.amount;
  for (const SliceId op : trace.op_order) {
    const std::string_view name = trace.name(op);
    if (name != "aten::mm" && name != "aten::addmm") continue;
    const OpArguments arguments = op_arguments(trace, trace.ops[trace.slices.detail[op]]);
    const std::size_t first = name == "aten::mm" ? 0 : 1;
    const auto &a = arguments.tensor(first)->sizes, &b = arguments.tensor(first + 1)->sizes;
    in_ops += 2.0 * static_cast<double>(a[0] * a[1] * b[1]);
  }
  EXPECT_GT(in_ops, 0);
  EXPECT_DOUBLE_EQ(in_table, in_ops);
}

}  // namespace
}  // namespace warpwalk::analysis
