#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/crash/core_dump.h"
#include "core/sass/analysis/control_flow.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/forms/decode.h"

namespace warpwalk::crash {

/// A function whose code was on the GPU, with the functions that are part of its section.
struct LoadedFunction {
  const sass::Cubin* cubin = nullptr;
  const sass::CubinFunction* function = nullptr;
  std::vector<sass::Decoded> code;
  sass::ControlFlow flow;

  /// The instruction with this index; null if it is unknown or outside.
  const sass::Instruction* instruction(std::size_t index) const;
};

/// A place in the code.
struct CodePlace {
  const LoadedFunction* loaded = nullptr;
  std::size_t index = 0;  ///< of the instruction in LoadedFunction::code

  const sass::Instruction* instruction() const { return loaded->instruction(index); }
  /// As nvdisasm writes it; empty if the instruction is unknown.
  std::string text() const;
  /// The mangled name of the function in whose code the place is: that of the kernel, or one that it calls.
  std::string_view function_name() const;
  /// The source positions, that of the innermost inlined call first; empty if the program was compiled without
  /// -lineinfo and -G.
  std::vector<sass::SourcePosition> sources() const;
};

/// The code of a device's modules, decoded where it is asked for.
class Code {
 public:
  /// `device` must outlive it.
  explicit Code(const DumpDevice& device);

  /// The instruction at an address in the GPU's memory; nullopt if no module has code there.
  std::optional<CodePlace> at(std::uint64_t address);
  /// The cubin of a module; null if the dump does not have it, or it cannot be read.
  const sass::Cubin* cubin_of(std::uint64_t module);
  /// The names of a kernel's parameters, for a module that was compiled with -G; empty otherwise.
  std::vector<std::string> parameter_names(std::uint64_t module, std::string_view kernel) const;
  /// The text that a variable of a module, the one at this address, had when it was loaded; empty if it is not certain.
  std::string_view initial_text(std::uint64_t module, std::uint64_t address);

 private:
  struct Range {
    std::uint64_t begin = 0, end = 0;
    std::size_t module = 0;
  };

  const Range* range_at(std::uint64_t address) const;
  const sass::Cubin* cubin(std::size_t module);

  const DumpDevice& device_;
  std::vector<Range> ranges_;  ///< code, by address
  std::vector<std::unique_ptr<sass::Cubin>> cubins_;
  std::vector<bool> parsed_;
  std::vector<std::unique_ptr<LoadedFunction>> functions_;
};

}  // namespace warpwalk::crash
