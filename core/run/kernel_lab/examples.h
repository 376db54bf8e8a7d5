#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/run/kernel_lab/draft.h"

namespace warpwalk::run {

/// An example of the Kernel lab: a kernel with a launch, and the version that it is compared with. Its words are in the
/// narration under [lab/kernel.example.NAME].
struct LabExample {
  std::string_view name;    ///< of its files: "race"
  std::string_view beside;  ///< the other version: "race_fixed"
};

/// The examples in the order of the list.
const std::vector<LabExample>& lab_examples();

/// Reads an example from assets/kernel_lab. On failure, returns a one-line error.
base::Result<KernelDraft> open_example(const std::filesystem::path& assets, std::string_view name);

}  // namespace warpwalk::run
