#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/verbs/info/figures.h"
#include "app/verbs/info/json_writer.h"
#include "core/compiled/compiled.h"

namespace warpwalk::verbs {

/// A line of the program with its part of the time of the kernels that a compiler made of it.
struct FusedLine {
  compiled::PythonLine python;
  std::int64_t gpu_ns = 0;
  struct Kernel {
    std::string name;
    double share = 0;  ///< of the kernel, of 1
    std::int64_t gpu_ns = 0;
  };
  std::vector<Kernel> kernels;  ///< by time
};

/// The time on the GPUs of a trace's compiled kernels, divided among the lines that they compute
/// (core/compiled/line_shares.h), the longest first. The parts of a kernel add up to its time.
std::vector<FusedLine> fused_lines(const trace::Trace& trace, const compiled::Compiled& compiled);

/// The first of them as a table; empty if there are none.
std::string fused_lines_table(InfoFigures& figures);

/// All of them as the member `fused_lines`; nothing if what compilers wrote is not known.
void write_fused_lines(JsonWriter& json, InfoFigures& figures);

}  // namespace warpwalk::verbs
