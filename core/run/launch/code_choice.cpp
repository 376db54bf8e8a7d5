#include "core/run/launch/code_choice.h"

#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/ptx/module.h"
#include "core/run/launch/entry.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::run {
namespace {

/// 10 * major + minor of "9.0"; 0 if the text is something else.
std::uint32_t capability_number(std::string_view text) {
  std::uint32_t major = 0, minor = 0;
  const char* const end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data(), end, major);
  if (error != std::errc() || dot == end || *dot != '.') return 0;
  const auto [last, minor_error] = std::from_chars(dot + 1, end, minor);
  return minor_error == std::errc() && last == end && minor < 10 ? 10 * major + minor : 0;
}

std::string mismatch_of(sass::Architecture architecture, const gpu::Device& device) {
  const std::string_view text = *device.compute_capability;
  const std::uint32_t runs = capability_number(text), needs = sass::capability_of(architecture);
  if (runs / 10 == needs / 10 && runs >= needs) return {};
  return fmt::format("its machine code is for {}, but the {} has compute capability {}", sass::name_of(architecture),
                     device.name, text);
}

}  // namespace

std::optional<CodeChoice> code_choice_of(std::string_view word) {
  if (word == "auto") return CodeChoice::automatic;
  if (word == "sass") return CodeChoice::sass;
  if (word == "ptx") return CodeChoice::ptx;
  return {};
}

base::Result<CubinKernel> find_kernel(const CubinSource& source, std::string_view name, const gpu::Device& device) {
  const auto parsed = sass::parse_cubin(source.cubin);
  if (!parsed) return base::Error{fmt::format("{}: {}", source.file, parsed.error())};
  const auto& cubin = *parsed;
  std::vector<std::string_view> names;
  std::vector<const sass::CubinFunction*> kernels;
  for (const sass::CubinFunction& function : cubin.functions) {
    if (!function.is_entry) continue;
    names.push_back(function.name);
    kernels.push_back(&function);
  }
  const auto found = find_entry(names, name, "cubin");
  if (!found) return base::Error{fmt::format("{}: {}", source.file, found.error())};
  const sass::CubinFunction& kernel = *kernels[*found];
  CubinKernel out;
  out.entry = kernel.name;
  out.architecture = sass::name_of(cubin.architecture);
  out.registers = static_cast<int>(kernel.registers);
  out.mismatch = mismatch_of(cubin.architecture, device);
  return out;
}

base::Result<ChosenCode> choose_code(CodeChoice choice, const CubinSource& source, std::string_view kernel,
                                     const gpu::Device& device, const std::function<PreparedProgram()>& from_ptx,
                                     const FromCubin& from_cubin) {
  if (choice == CodeChoice::ptx && !from_ptx)
    return base::Error{"--code ptx: the launch has no PTX; omit it to run machine code"};
  if (choice == CodeChoice::sass && source.cubin.empty())
    return base::Error{fmt::format("--code sass: there is no machine code for the {}", device.name)};
  ChosenCode chosen;
  if (!source.cubin.empty()) {
    auto found = find_kernel(source, kernel, device);
    if (!found) return base::Error{found.error()};
    chosen.kernel = std::move(*found);
  }
  if (chosen.kernel && choice != CodeChoice::ptx) {
    std::string refused = chosen.kernel->mismatch;
    if (refused.empty()) {
      auto prepared =
          from_cubin ? from_cubin(chosen.kernel->entry) : gpu::prepare_machine_code(source.cubin, chosen.kernel->entry);
      if (prepared) {
        chosen.program = std::move(*prepared);
        chosen.code = fmt::format("sass {} {}", chosen.kernel->architecture, source.origin);
        return chosen;
      }
      refused = prepared.error();
    }
    if (choice == CodeChoice::sass || !from_ptx) return base::Error{fmt::format("{}: {}", source.file, refused)};
    chosen.fallback = std::move(refused);
  }
  auto prepared = from_ptx();
  if (!prepared) return base::Error{prepared.error()};
  chosen.program = std::move(*prepared);
  chosen.code = "ptx";
  return chosen;
}

}  // namespace warpwalk::run
