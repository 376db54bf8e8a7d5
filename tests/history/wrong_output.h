#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/gpu/history/writer/who_wrote.h"
#include "core/run/launch/run_launch.h"

namespace warpwalk::gpu::testing {

/// A kernel of tests/history/wrong_output with a planted bug, and the questions that lead from its wrong output back.
class WrongOutput {
 public:
  /// Throws if it cannot be loaded. `machine_code`: else its PTX runs.
  WrongOutput(const std::string& name, bool machine_code);

  /// The launch, with its buffers before and after.
  const Launch& before() const { return loaded_.launch; }
  const Launch& after() const { return after_; }
  const Program& program() const { return *loaded_.program; }
  LaunchWriters& writers() { return *writers_; }

  template <class T>
  T element(std::size_t buffer, std::size_t index) const {
    return reinterpret_cast<const T*>(after_.buffers[buffer].bytes.data())[index];
  }
  /// Who wrote an element as the launch left it.
  WriterQuestion about(std::size_t buffer, std::size_t index, std::uint32_t bytes = 4) const;
  /// Asks. Fails the test if there is no answer.
  Writer ask(const WriterQuestion& question);

  /// The line of kernel.cu of a step.
  std::uint32_t line_of(const WriterStep& step) const;
  /// The line with the bug.
  std::uint32_t bug_line() const { return bug_line_; }
  /// The element that global memory at an address belongs to, as (buffer, byte).
  std::pair<std::size_t, std::uint64_t> place_of(std::uint64_t address) const;

 private:
  run::LoadedLaunch loaded_;
  Launch after_;
  std::unique_ptr<LaunchWriters> writers_;
  std::vector<std::uint64_t> addresses_;
  std::uint32_t bug_line_ = 0;
};

}  // namespace warpwalk::gpu::testing
