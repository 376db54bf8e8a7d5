#pragma once

#include <optional>
#include <string_view>

#include "core/gpu/device/device.h"
#include "core/trace/ncu/report.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

/// Replaces the code of the launches that were recorded with their memory by the machine code that the report has of
/// their kernels, so that the simulated GPU runs what was measured. Launches whose kernel the report does not have, or
/// only for another compute capability, keep their code. Returns how many have the report's code.
std::size_t use_report_code(trace::Trace& trace, const trace::ncu::Report& report, const gpu::Device& device);

/// Whether two cubins have the same instructions for a kernel (its mangled name); nullopt if one does not have it.
std::optional<bool> same_code(std::string_view cubin, std::string_view other, std::string_view kernel);

}  // namespace warpwalk::run
