#include "core/run/exercise/submission_figures.h"

#include <algorithm>
#include <vector>

#include "core/gpu/exec/program.h"
#include "core/ptx/opcode.h"
#include "core/run/exercise/exercise.h"
#include "core/run/kernel_lab/compare_runs.h"
#include "core/sass/opcode.h"

namespace warpwalk::run {
namespace {

/// A kind of instruction by its opcodes. A name that ends with `*` stands for all that begin so.
struct InstructionGroup {
  std::string_view figure;
  std::vector<std::string_view> machine_code, ptx;
};

const std::vector<InstructionGroup>& groups() {
  static const std::vector<InstructionGroup> all = {
      {"local_instructions", {"LDL", "STL"}, {}},
      {"atomic_instructions", {"ATOM*", "RED", "REDG", "REDAS"}, {"atom", "red"}},
      {"barrier_instructions", {"BAR"}, {"bar", "barrier"}},
      {"tensor_instructions",
       {"HMMA", "IMMA", "DMMA", "BMMA", "QMMA", "HGMMA", "IGMMA", "QGMMA", "BGMMA"},
       {"mma", "wmma.mma", "wgmma.mma_async"}},
      {"async_copy_instructions",
       {"LDGSTS", "UBLKCP", "UTMALDG"},
       {"cp.async", "cp.async.bulk", "cp.async.bulk.tensor"}},
  };
  return all;
}

bool matches(std::string_view name, const std::vector<std::string_view>& patterns) {
  return std::ranges::any_of(patterns, [&](std::string_view pattern) {
    if (!pattern.ends_with('*')) return name == pattern;
    return name.starts_with(pattern.substr(0, pattern.size() - 1));
  });
}

bool belongs(const gpu::Program& program, std::size_t instruction, const InstructionGroup& group) {
  if (program.machine_code)
    return matches(sass::name_of(program.machine_code->instructions[instruction].opcode), group.machine_code);
  const ptx::Instruction& source = *program.sources[instruction].instruction;
  if (group.figure == "local_instructions")
    return source.space == ptx::Space::local && (source.opcode == ptx::Opcode::ld || source.opcode == ptx::Opcode::st);
  return matches(ptx::name_of(source.opcode), group.ptx);
}

}  // namespace

std::map<std::string, double, std::less<>> submission_figures(const DraftRun& run) {
  std::map<std::string, double, std::less<>> figures;
  for (const RunFigure& figure : figures_of(run))
    if (std::ranges::find(exercise_figures(), figure.name) != exercise_figures().end())
      figures[figure.name] = figure.value;
  const gpu::Program& program = *run.loaded.program;
  const auto& counts = run.result.simulation.by_instruction;
  for (const InstructionGroup& group : groups()) {
    double executed = 0;
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (belongs(program, i, group)) executed += static_cast<double>(counts[i].executions);
    figures[std::string(group.figure)] = executed;
  }
  return figures;
}

std::optional<double> figure_of(const std::map<std::string, double, std::less<>>& figures, std::string_view figure,
                                std::string_view per) {
  const auto found = figures.find(figure);
  if (found == figures.end()) return {};
  if (per.empty()) return found->second;
  const auto divisor = figures.find(per);
  if (divisor == figures.end() || divisor->second == 0) return {};
  return found->second / divisor->second;
}

}  // namespace warpwalk::run
