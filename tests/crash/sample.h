#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/crash/diagnosis.h"
#include "core/crash/waits.h"

namespace warpwalk::crash {

/// The contents of a file in tests/crash/data, decompressed; empty if it cannot be read.
std::string sample_bytes(const std::string& name);

/// A core dump of an H200 in tests/crash/data, such as "null", with what is found in it.
struct Sample {
  explicit Sample(const std::string& name);

  std::string bytes;
  CoreDump dump;
  std::vector<Code> codes;
  std::optional<Crash> crash;
  std::vector<Wait> waits;
};

}  // namespace warpwalk::crash
