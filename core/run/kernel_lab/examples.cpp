#include "core/run/kernel_lab/examples.h"

#include <fmt/format.h>

namespace warpwalk::run {

const std::vector<LabExample>& lab_examples() {
  static const std::vector<LabExample> examples = {
      {"race", "race_fixed"},
      {"barrier", "barrier_fixed"},
      {"bank_conflicts", "bank_conflicts_padded"},
      {"bounds", "bounds_fixed"},
      {"divergence", "divergence_fixed"},
      {"matmul_naive", "matmul_coalesced"},
      {"matmul_coalesced", "matmul_naive"},
      {"matmul_tiled", "matmul_coalesced"},
      {"matmul_registers", "matmul_tiled"},
      // The solutions come last, so that nobody reads one while choosing the exercise.
      {"race_fixed", "race"},
      {"barrier_fixed", "barrier"},
      {"bank_conflicts_padded", "bank_conflicts"},
      {"bounds_fixed", "bounds"},
      {"divergence_fixed", "divergence"},
  };
  return examples;
}

base::Result<KernelDraft> open_example(const std::filesystem::path& assets, std::string_view name) {
  return open_draft(assets / "kernel_lab" / fmt::format("{}.json", name));
}

}  // namespace warpwalk::run
