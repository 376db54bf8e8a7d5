#pragma once

#include <string>
#include <vector>

#include "core/run/kernel_lab/draft.h"
#include "core/run/kernel_lab/run_draft.h"

namespace warpwalk::run {

/// Whether a buffer has what it has to contain.
struct ResultCheck {
  std::string buffer;
  bool same_size = true;  ///< false: the launch has no such buffer, or one of another size, so nothing was compared
  Comparison comparison;

  bool good() const { return same_size && comparison.match; }
};

/// Compares the buffers after a run with what they have to contain.
std::vector<ResultCheck> check_results(const DraftRun& run, const std::vector<DraftExpectation>& expected);

/// What a run that is trusted has written, as an expectation for later ones: each buffer whose contents it changed.
/// Floating-point numbers may differ by a relative error of 1e-5 (f16 and bf16: 1e-2, f64: 1e-12), since another order
/// of additions is no mistake.
std::vector<DraftExpectation> trusted_results(const DraftRun& run);

}  // namespace warpwalk::run
