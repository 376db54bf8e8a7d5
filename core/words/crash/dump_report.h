#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/crash/call_ring.h"
#include "core/crash/diagnosis.h"
#include "core/crash/near.h"
#include "core/crash/waits.h"
#include "core/words/crash/pytorch_memory.h"
#include "core/words/crash/source_text.h"

namespace warpwalk::words {

/// A core dump and what was found in it. It is made in place, because its parts point at one another.
struct DumpReport {
  /// `armed`: the calls of the program, if it was armed.
  DumpReport(const crash::CoreDump& read, std::string file_name, SourceTexts texts,
             std::optional<crash::CallRing> armed = {});
  DumpReport(const DumpReport&) = delete;
  DumpReport& operator=(const DumpReport&) = delete;

  const crash::CoreDump& dump;
  std::string name;                ///< of the file
  std::vector<crash::Code> codes;  ///< one for each device
  SourceTexts sources;
  std::optional<crash::Crash> crash;
  std::vector<crash::Wait> waits;  ///< of a dump without a failure, as one of a program that hangs
  std::optional<crash::CallRing> calls;
  PytorchMemory memory;      ///< of PyTorch, in an armed program that an exception ended
  crash::GridLaunch launch;  ///< of the kernel that failed, or of the first that waits
  std::string replay;  ///< the file beside it with a walk of that launch, whose inputs were kept; empty: there is none

  crash::Code& code_of(const crash::DumpDevice& device);
};

/// A tensor to which an argument of a kernel points.
struct ArgumentTensor {
  crash::PointerArgument argument;
  const DumpTensor* tensor = nullptr;
};
/// Those of the kernel that failed, or of the first that waits, in the order of the arguments.
std::vector<ArgumentTensor> argument_tensors(DumpReport& report);

/// What a dump's flags left out: "global memory, shared memory"; empty if nothing, or if the dump does not say.
std::string left_out_text(const crash::CoreDump& dump);
/// "2026-11-29 18:42:01 UTC"; empty for 0.
std::string dump_time_text(std::uint32_t seconds);

}  // namespace warpwalk::words
