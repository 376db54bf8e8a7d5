#pragma once

// This folder compares simulated launches with those that a profiler measured on a GPU (core/trace/ncu).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/ncu/report.h"

namespace warpwalk::run {

/// Whether a launch of a report is of this kernel: its mangled name, its plain one, or its name with arguments.
bool is_of_kernel(const trace::ncu::Launch& launch, std::string_view kernel);

/// For each of these kernels, which were launched in this order, the row of its launch in the report: the Nth launch of
/// a kernel is the Nth of the same name. Nullopt: the report has fewer.
std::vector<std::optional<std::size_t>> pair_launches(const std::vector<std::string>& kernels,
                                                      const trace::ncu::Report& report);

/// The row of the launch to compare with. `number`: the one that the user chose, from 1; without it, the first of the
/// kernel. On failure: one line that says what the report has.
base::Result<std::size_t> chosen_launch(const trace::ncu::Report& report, std::string_view kernel,
                                        std::optional<std::uint64_t> number);

}  // namespace warpwalk::run
