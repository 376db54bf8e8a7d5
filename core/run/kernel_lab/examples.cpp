#include "core/run/kernel_lab/examples.h"

#include <fmt/format.h>

namespace warpwalk::run {

const std::vector<LabExample>& lab_examples() {
  static const std::vector<LabExample> examples = {
      {"race", "race_fixed"},
      {"race_fixed", "race"},
      {"barrier", "barrier_fixed"},
      {"barrier_fixed", "barrier"},
      {"bank_conflicts", "bank_conflicts_padded"},
      {"bank_conflicts_padded", "bank_conflicts"},
      {"bounds", "bounds_fixed"},
      {"bounds_fixed", "bounds"},
      {"divergence", "divergence_fixed"},
      {"divergence_fixed", "divergence"},
      {"matmul_naive", "matmul_coalesced"},
      {"matmul_coalesced", "matmul_naive"},
      {"matmul_tiled", "matmul_coalesced"},
      {"matmul_registers", "matmul_tiled"},
  };
  return examples;
}

base::Result<KernelDraft> open_example(const std::filesystem::path& assets, std::string_view name) {
  return open_draft(assets / "kernel_lab" / fmt::format("{}.json", name));
}

}  // namespace warpwalk::run
