#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/compiled/lines/kernel_lines.h"
#include "core/run/launch/line_costs.h"

namespace warpwalk::run {

struct LoadedLaunch;
struct LaunchResult;

/// What a line of a Triton kernel costs in a launch.
struct PythonLineCosts {
  compiled::PythonLine python;
  LineCosts costs;  ///< with what it calls and the compiler inlined
  struct Inlined {
    std::string function;       ///< that the line calls: "tl.sum"; its file and line where the name is not recorded
    compiled::CodeFrame place;  ///< in that function: where the code is that the line of Python calls
    LineCosts costs;
  };
  std::vector<Inlined> inlined;  ///< the parts of `costs` in inlined functions
};

/// The costs of a launch by the lines of Python, in their order.
struct PythonCosts {
  std::vector<PythonLineCosts> lines;  ///< those that were executed or waited at
  LineCosts elsewhere;                 ///< of instructions that have no line

  LineCosts total() const;
};

/// Sums the costs of PTX lines (CostText::ptx), or of machine code, by the lines of Python that they were made from.
/// Inlined code counts to the line of the kernel's own function that calls it.
PythonCosts python_costs(const CostsByLine& costs, const compiled::KernelLines& lines,
                         compiled::CodeStage stage = compiled::CodeStage::ptx);

/// The costs of a launch by the lines of a Triton kernel, with the text of each line if its file is here. `entry`: a
/// file of the kernel's entry in Triton's cache, or its folder. The error is one line.
base::Result<PythonCosts> python_costs_of(const std::filesystem::path& entry, const LoadedLaunch& loaded,
                                          const LaunchResult& result);

/// The costs as a table.
std::string python_lines_text(const PythonCosts& costs);

/// The costs as a JSON array (docs/compiled.md).
std::string python_lines_json(const PythonCosts& costs);

}  // namespace warpwalk::run
