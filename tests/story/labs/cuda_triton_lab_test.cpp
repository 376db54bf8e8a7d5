// lab/cuda-triton: Triton's layout against the recorded TTGIR and an enumeration, loads against the recorded PTX, the
// PTX of both languages run on the simulated GPU against PyTorch's results, and the readers of the recordings.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "core/gpu/exec/launch.h"
#include "core/ptx/parse/parser.h"
#include "core/records/hardware.h"
#include "core/records/triton_record.h"
#include "core/story/labs/cuda_triton/layout.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

const records::TritonRecord& triton_record() {
  static const auto loaded = records::load_triton_record(WARPWALK_SOURCE_DIR "/assets/triton");
  EXPECT_FALSE(loaded.second) << *loaded.second;
  EXPECT_NE(loaded.first, nullptr);
  return *loaded.first;
}

TEST(CudaTriton, LayoutsAreThoseOfTheRecordedTtgir) {
  std::istringstream lines{std::string(triton_record().text("layouts"))};
  std::size_t compared = 0;
  for (std::string line; std::getline(lines, line); ++compared) {
    std::string kernel, elements, warps;
    std::istringstream key(line.substr(0, line.find(' ')));
    std::getline(key, kernel, '_');
    std::getline(key, elements, '_');
    std::getline(key, warps, '_');
    EXPECT_EQ(blocked_layout(std::stoi(elements), std::stoi(warps)).text(), line.substr(line.find("#ttg"))) << line;
  }
  EXPECT_EQ(compared, 92u);
}

// By going through registers, lanes and warps as the documentation of ttg.blocked describes it: a thread has
// sizePerThread neighbours, then comes the next lane, then the next warp, and then the pattern starts again.
TEST(CudaTriton, EachElementHasTheHoldersThatAnEnumerationGives) {
  for (const int elements : {128, 256, 1024, 8192})
    for (const int warps : {1, 2, 4, 8, 16}) {
      const BlockedLayout layout = blocked_layout(elements, warps);
      std::map<int, std::vector<Holder>> holders;
      int next = 0;
      for (int slot = 0; slot < layout.slots(); slot += layout.per_thread)
        for (int warp = 0; warp < warps; ++warp)
          for (int lane = 0; lane < 32; ++lane)
            for (int i = 0; i < layout.per_thread; ++i) holders[next++ % elements].push_back({warp, lane, slot + i});
      ASSERT_EQ(static_cast<int>(holders.size()), elements);
      for (const auto& [element, all] : holders) {
        EXPECT_EQ(layout.holder(element), all.front()) << elements << " " << warps << " " << element;
        EXPECT_EQ(static_cast<int>(all.size()), layout.copies());
        for (const Holder& holder : all) EXPECT_EQ(layout.element(holder), element);
      }
    }
}

TEST(CudaTriton, LoadsAreThoseOfTheRecordedPtx) {
  for (const records::KernelLaunch& launch : triton_record().launches) {
    if (launch.language != "triton") continue;
    const BlockedLayout layout = blocked_layout(launch.block, launch.warps);
    const int tensors = launch.kernel == "relu" ? 1 : 2;
    const int width = access_width(layout, static_cast<std::int64_t>(launch.elements));
    EXPECT_EQ(tensors * layout.slots() / width, launch.loads)
        << launch.kernel << " " << launch.block << " " << launch.warps;
    EXPECT_EQ(width == 4 ? launch.loads : 0, launch.vector_loads);
    EXPECT_EQ(layout.per_thread, launch.per_thread);
    EXPECT_EQ(launch.grid, std::ceil(launch.elements / launch.block));
  }
}

// Sectors by hand: 4 B per element and tensor, in sectors of 32 B. Copies are loaded again.
TEST(CudaTriton, SimulatedSectorsAreThoseOfTheElements) {
  for (const records::KernelLaunch& launch : triton_record().launches) {
    const double reads = launch.kernel.starts_with("relu") ? 1 : 2, tensor = std::ceil(launch.simulated / 8);
    double copies = 1, accesses = 1;
    if (launch.language == "triton") {
      const BlockedLayout layout = blocked_layout(launch.block, launch.warps);
      copies = layout.copies();
      // Neighbours that are loaded one by one ask for the same sectors again.
      if (std::fmod(launch.elements, 16) != 0) accesses = layout.per_thread;
    }
    EXPECT_NEAR(launch.sectors, accesses * tensor * (reads * copies + 1), accesses * 3 * (reads * copies + 1))
        << launch.language << " " << launch.kernel << " " << launch.block << " " << launch.warps;
  }
}

// The input of tests/triton/record.py: exact numbers from -1 to 1.
std::vector<float> exact_numbers(int n, std::uint64_t seed) {
  std::vector<float> values;
  for (std::uint64_t i = seed; values.size() < static_cast<std::size_t>(n); ++i)
    values.push_back(static_cast<float>(static_cast<double>(((i * 2654435761u) & 0xFFFFFFFFu) >> 8) / (1 << 23) - 1));
  return values;
}

std::string digest_of(const std::vector<float>& values) {
  std::vector<std::uint8_t> bytes(values.size() * 4);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return base::sha256(bytes).substr(0, 16);
}

// PyTorch's result for 4,096 elements has this digest, so the formulas above are those of the recording.
TEST(CudaTriton, RecordedDigestIsThatOfRelu) {
  std::vector<float> values = exact_numbers(4096, 0);
  for (float& value : values) value = value > 0 ? value : 0;
  EXPECT_EQ(digest_of(values), triton_record().find("expected", "eager")->result);
  for (const char* const op : {"triton_op", "custom_op"})
    for (const char* const step : {"eager", "compiled", "gradient"}) {
      ASSERT_NE(triton_record().find(op, step), nullptr);
      EXPECT_TRUE(triton_record().find(op, step)->ok);
      EXPECT_EQ(triton_record().find(op, step)->result, triton_record().find("expected", step)->result)
          << op << " " << step;
    }
}

std::vector<std::uint8_t> bytes_of(const std::vector<float>& values) {
  std::vector<std::uint8_t> bytes(values.size() * 4);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<std::uint8_t> little_endian(std::uint64_t value, std::size_t bytes) {
  std::vector<std::uint8_t> out;
  for (std::size_t i = 0; i < bytes; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  return out;
}

// Runs the recorded PTX of a launch on the simulated GPU, with as many elements as its counters are for.
void run_and_compare(const records::KernelLaunch& recorded) {
  const bool triton = recorded.language == "triton", even = std::fmod(recorded.elements, 16) == 0;
  const std::string_view text =
      triton ? triton_record().text(fmt::format("{}_{}_{}_{}.ptx", recorded.kernel, recorded.block, recorded.warps,
                                                even ? "even" : "odd"))
             : triton_record().text("cuda.ptx");
  if (text.empty()) return;  // too long to be kept
  SCOPED_TRACE(fmt::format("{} {} {} {} {}", recorded.language, recorded.kernel, recorded.block, recorded.warps, even));
  auto parsed = ptx::parse(text);
  ASSERT_TRUE(std::holds_alternative<ptx::Module>(parsed)) << std::get<ptx::Error>(parsed).text();
  const auto module = std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed)));
  const auto prepared = gpu::prepare(module, recorded.kernel);
  ASSERT_TRUE(prepared) << prepared.error();
  const int n = static_cast<int>(recorded.simulated);
  const bool relu = recorded.kernel.starts_with("relu");
  const std::vector<float> a = exact_numbers(n, 0), b = exact_numbers(n, 7);
  gpu::Launch launch;
  const int per_block = recorded.elements_per_block();
  launch.grid = {static_cast<std::uint32_t>((n + per_block - 1) / per_block), 1, 1};
  launch.block = {static_cast<std::uint32_t>(32 * recorded.warps), 1, 1};
  launch.buffers.push_back({"a", bytes_of(a)});
  if (!relu) launch.buffers.push_back({"b", bytes_of(b)});
  launch.buffers.push_back({"c", std::vector<std::uint8_t>(a.size() * 4)});
  for (std::size_t i = 0; i < launch.buffers.size(); ++i)
    launch.arguments.emplace_back().buffer = static_cast<std::int32_t>(i);
  launch.arguments.emplace_back().bytes = little_endian(static_cast<std::uint64_t>(n), 4);
  // Triton's last two parameters are pointers to memory that these kernels do not use.
  for (int i = 0; triton && i < 2; ++i) launch.arguments.emplace_back().bytes = little_endian(0, 8);
  const auto ran = gpu::simulate(*hardware().find("h200"), **prepared, launch, {});
  ASSERT_TRUE(ran) << ran.error();
  const gpu::Simulation& simulation = *ran;
  EXPECT_TRUE(simulation.findings.empty());
  std::vector<float> expected(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) expected[i] = relu ? std::max(a[i], 0.0f) : a[i] + b[i];
  EXPECT_EQ(launch.buffers.back().bytes, bytes_of(expected));
  const gpu::Counters& counters = simulation.counters;
  EXPECT_EQ(static_cast<double>(counters.ptx_warp_instructions), recorded.instructions);
  EXPECT_EQ(static_cast<double>(counters.global_load_requests + counters.global_store_requests), recorded.requests);
  EXPECT_EQ(static_cast<double>(counters.global_load_sectors + counters.global_store_sectors), recorded.sectors);
}

TEST(CudaTriton, RecordedPtxComputesTheResultsAndCountersOnTheSimulatedGpu) {
  std::size_t launches = 0;
  for (const records::KernelLaunch& one : triton_record().launches) {
    run_and_compare(one);
    ++launches;
  }
  EXPECT_EQ(launches, 116u);
}

TEST(CudaTriton, TheAutotunerChoseTheFastest) {
  std::map<int, double> best, chosen;
  for (const records::TunedConfig& one : triton_record().tuned) {
    auto [at, first] = best.try_emplace(one.size, one.autotuner_us);
    if (!first) at->second = std::min(at->second, one.autotuner_us);
    if (one.chosen) chosen[one.size] = one.autotuner_us;
  }
  EXPECT_EQ(best.size(), 4u);
  EXPECT_EQ(best, chosen);
}

TEST(CudaTriton, FactsOfTheDefaultSettings) {
  // 2,000 = 1,024 + 976: element 1,061 is number 37 of the second instance, in the second word of lane 9.
  const Stage who = lab_with("lab/cuda-triton", 2, {{"element", 37}});
  EXPECT_EQ(fact_text(who, "In Triton"), "warp 0, lane 9");
  EXPECT_EQ(fact_text(who, "Register of the thread"), "1");
  EXPECT_EQ(fact_text(who, "In CUDA C++"), "block 4, thread 37");
  EXPECT_EQ(fact_text(lab_with("lab/cuda-triton", 1), "Masked elements"), "48");
  EXPECT_EQ(fact_text(lab_with("lab/cuda-triton", 4, {{"n", 1003}}), "Load instructions per thread"), "8");
  EXPECT_EQ(fact_text(lab_with("lab/cuda-triton", 5), "Time with these settings"), "37.0 µs");
  // 2 tensors x 16,777,216 x 4 B in 37.02 µs
  EXPECT_EQ(fact_text(lab_with("lab/cuda-triton", 5), "Bytes per second"), "3,625.5 GB/s");
  EXPECT_EQ(fact_text(lab_with("lab/cuda-triton", 6, {{"size", 3}}), "Chosen"), "128 × 256 × 64, 8 × 4");
}

TEST(CudaTriton, TasksAreDoneBySettings) {
  const auto done = [](double n, double block_size, double warps) {
    return tasks_done("lab/cuda-triton", {{"n", n}, {"block_size", block_size}, {"warps", warps}});
  };
  EXPECT_EQ(done(2000, 1024, 4), "-----");
  EXPECT_EQ(done(2000, 512, 4), "x----");
  EXPECT_EQ(done(2001, 1024, 4), "-x---");
  EXPECT_EQ(done(2000, 128, 8), "--x--");
  EXPECT_EQ(done(2000, 4096, 4), "---x-");
  EXPECT_EQ(done(8192, 8192, 1), "----x");
}

TEST(CudaTriton, WithoutRecordingsItSaysSo) {
  for (std::int64_t beat = 1; beat <= 9; ++beat)
    EXPECT_EQ(lab_without_records("lab/cuda-triton", beat).missing.size(), 1u);
}

TEST(TritonRecord, DamagedFilesAreRefused) {
  const std::string head =
      "language,kernel,block,warps,elements,grid,time_us,registers,spills,per_thread,loads,vector_loads,"
      "simulated_elements,instructions,requests,sectors\n";
  EXPECT_TRUE(records::parse_kernel_launches(head + "triton,relu,128,4,100,1,2.5,10,0,1,1,0,100,34,4,16\n"));
  for (const char* const row :
       {"triton,relu,128,4,100,1,2.5,10,0,1,1,0,100,34,4\n", "triton,relu,0,4,100,1,2.5,10,0,1,1,0,100,34,4,16\n",
        "triton,relu,128,4,100,1,nan,10,0,1,1,0,100,34,4,16\n", "triton,relu,128,4,100,1,-2,10,0,1,1,0,100,34,4,16\n",
        "triton,relu,1e300,4,100,1,2,10,0,1,1,0,100,34,4,16\n"}) {
    const auto read = records::parse_kernel_launches(head + row);
    ASSERT_FALSE(read) << row;
    EXPECT_EQ(read.error().substr(0, 7), "line 2:");
  }
  EXPECT_FALSE(records::parse_kernel_launches("block\n"));
  EXPECT_FALSE(records::parse_tuned_configs("size\n"));
  EXPECT_FALSE(records::parse_op_steps("op,step,ok,result,more\na,b,2,,\n"));
  EXPECT_TRUE(records::parse_op_steps("op,step,ok,result,more\na,b,1,,\n"));
}

TEST(TritonRecord, TextsAreSeparatedByTheirNames) {
  const auto texts = records::parse_texts("lost\n== a\n1\n2\n== b\r\n3");
  EXPECT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts.at("a"), "1\n2\n");
  EXPECT_EQ(texts.at("b"), "3");
  EXPECT_TRUE(records::parse_texts("").empty());
  EXPECT_EQ(records::load_triton_record("/nowhere").first, nullptr);
}

}  // namespace
}  // namespace warpwalk::story::testing
