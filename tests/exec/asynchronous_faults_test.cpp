// Kernels with asynchronous units (bulk copies, wgmma, cp.async, mbarriers, named barriers): right ones, and ones with
// a planted race or deadlock. The lines of each finding are those that comments in kernels/asynchronous.cu mark.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/platform/read_file.h"
#include "core/ptx/parse/parser.h"
#include "tests/exec/hopper_launch.h"

namespace warpwalk::testing {
namespace {

const std::filesystem::path folder = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/exec";

/// A template of the source, the kernels that are its instances, and their launch.
struct Family {
  std::string_view name, source = name;
  std::uint32_t threads = 128, blocks = 1;
};
constexpr Family families[] = {
    {"pipeline", "pipeline", 160},
    {"pair", "pipeline", 288},
    {"written"},
    {"copied"},
    {"turns", "turns", 256},
    {"stored"},
    {"tracked", "tracked", 64},
    {"loaded", "loaded", 64},
    {"matrices", "loaded", 64},
    {"attention", "attention", 160},
    {"accumulated"},
    {"crossed", "crossed", 64},
    {"remote", "remote", 32, 2},
};

/// Faults that machine code does not have: ptxas adds waits and fences and ends groups of products, and there a wait
/// for the reads of bulk copies counts as one for the copies.
constexpr std::string_view removed[] = {"pipeline_no_commit",
                                        "accumulated_registers_too_early",
                                        "accumulated_no_product_fence",
                                        "attention_registers_too_early",
                                        "attention_values_released_early",
                                        "stored_global_too_early"};

/// Faults that make a kernel wait forever.
constexpr std::string_view deadlocks[] = {"no_release",        "too_many_bytes",    "no_announcement",  "wrong_parity",
                                          "too_many_arrivals", "one_round_more",    "one_load_more",    "no_first_turn",
                                          "count_too_large",   "partner_elsewhere", "no_remote_arrival"};

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// The marked lines of each fault of a template: one side of the finding, and the other.
struct Marks {
  std::set<std::uint32_t> here, other;
};
std::map<std::pair<std::string, std::string>, Marks> read_marks() {
  std::map<std::pair<std::string, std::string>, Marks> marks;
  std::ifstream in(folder / "kernels/asynchronous.cu");
  std::string line, source;
  for (std::uint32_t number = 1; std::getline(in, line); ++number) {
    constexpr std::string_view begins = "__device__ __forceinline__ void ";
    if (line.starts_with(begins)) source = line.substr(begins.size(), line.find('(') - begins.size());
    for (const std::string_view side : {"// here: ", "// other: "}) {
      const std::size_t at = line.find(side);
      if (at == std::string::npos) continue;
      std::istringstream names(line.substr(at + side.size(), line.find("//", at + 2) - at - side.size()));
      for (std::string name; names >> name;) {
        Marks& of = marks[{source, name}];
        (side == "// here: " ? of.here : of.other).insert(number);
      }
    }
  }
  return marks;
}

class AsynchronousFaults : public ::testing::TestWithParam<Code> {
 protected:
  AsynchronousFaults() {
    const bool ptx = GetParam() == Code::ptx;
    const auto text = platform::read_compressed_file(folder / "kernels/asynchronous.ptx.gz");
    const auto cubin = platform::read_compressed_file(folder / "cubins/asynchronous.cubin.gz");
    if (!text || !cubin) throw std::runtime_error("no kernels");
    auto parsed = ptx::parse(text->text);
    module_ = std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed)));
    if (!ptx) cubin_ = cubin->text;
  }

  std::vector<gpu::Finding> run(const Family& family, const std::string& kernel) const {
    const auto program =
        cubin_.empty() ? gpu::prepare(module_, kernel) : gpu::prepare_machine_code(std::string(cubin_), kernel);
    if (!program) {
      ADD_FAILURE() << kernel << ": " << program.error();
      return {};
    }
    gpu::Launch launch;
    launch.grid = {family.blocks, 1, 1};
    launch.block = {family.threads, 1, 1};
    if (family.blocks > 1) launch.cluster = launch.grid;
    std::vector<std::uint8_t> in(8 * 2304);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>((i * i * 31 + i / 7 * 13) % 61);
    launch.buffers.push_back({"in", std::move(in), true});
    launch.buffers.push_back({"out", std::vector<std::uint8_t>(1 << 14), true});
    launch.arguments = {buffer_argument(0), buffer_argument(1), number_argument(6)};
    gpu::SimulateOptions options;
    options.sanitize = true;
    auto result =
        gpu::simulate(*gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json"), **program, launch, options);
    if (result) return std::move(result->findings);
    ADD_FAILURE() << kernel << ": " << result.error();
    return {};
  }

  const std::vector<ptx::Function>& kernels() const { return module_->functions; }

 private:
  std::shared_ptr<const ptx::Module> module_;
  std::string cubin_;
};

std::string text_of(const std::vector<gpu::Finding>& findings) {
  std::string text;
  for (const gpu::Finding& finding : findings)
    text += fmt::format("  {} {} and {}: {}\n", gpu::name_of(finding.kind), finding.source_line, finding.other_line,
                        finding.message);
  return text;
}

TEST_P(AsynchronousFaults, ArePlantedAndFoundWithBothLines) {
  const auto marks = read_marks();
  int faults = 0, right = 0;
  for (const ptx::Function& function : kernels()) {
    const std::string& kernel = function.name;
    const std::size_t underscore = kernel.find('_');
    const std::string fault = kernel.substr(underscore + 1);
    const Family* const family = std::ranges::find(families, kernel.substr(0, underscore), &Family::name);
    ASSERT_NE(family, std::end(families)) << kernel;
    const std::vector<gpu::Finding> findings = run(*family, kernel);
    const auto marked = marks.find({std::string(family->source), fault});
    if (marked == marks.end() || (GetParam() == Code::machine_code && contains(removed, kernel))) {
      ++right;
      EXPECT_TRUE(findings.empty()) << kernel << ":\n" << text_of(findings);
      continue;
    }
    ++faults;
    const gpu::FindingKind kind = contains(deadlocks, fault)    ? gpu::FindingKind::deadlock
                                  : fault == "global_too_early" ? gpu::FindingKind::global_race
                                                                : gpu::FindingKind::shared_race;
    const auto& [here, other] = marked->second;
    const auto names_both = [&](const gpu::Finding& finding) {
      const bool first = here.contains(finding.source_line), second = other.contains(finding.other_line);
      // ptxas does not always give a wgmma its own line.
      const bool lenient = GetParam() == Code::machine_code && kind == gpu::FindingKind::shared_race;
      return finding.kind == kind &&
             ((first && second) || (other.contains(finding.source_line) && here.contains(finding.other_line)) ||
              (lenient && (first || second)));
    };
    EXPECT_TRUE(std::ranges::any_of(findings, names_both)) << kernel << ":\n" << text_of(findings);
  }
  EXPECT_GE(faults, 28);
  EXPECT_GE(right, 20);
}

INSTANTIATE_TEST_SUITE_P(Codes, AsynchronousFaults, ::testing::ValuesIn(codes),
                         [](const auto& of) { return of.param == Code::ptx ? "Ptx" : "MachineCode"; });

}  // namespace
}  // namespace warpwalk::testing
