#include "core/gpu/exec/lower_sass/prepare_machine_code.h"

#include <algorithm>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/launch_check.h"
#include "core/gpu/exec/lower_sass/code_image.h"
#include "core/gpu/exec/lower_sass/description.h"
#include "core/gpu/exec/lower_sass/function_pointers.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/lower_sass/system_functions.h"

namespace warpwalk::gpu {

namespace {

/// Relocation types (R_CUDA_...) of the words that hold handles.
constexpr std::uint32_t texture_handle_word = 6, sampler_handle = 7, surface_handle_word = 52;

/// Local memory per thread of kernels whose use of the stack is unknown. CUDA's default limit is 1 KiB; more is
/// harmless here.
constexpr std::uint32_t open_stack_bytes = 16 * 1024;

bool uses_stack(const std::vector<sass::Instruction>& code) {
  return std::any_of(code.begin(), code.end(), [](const sass::Instruction& i) {
    return i.opcode == sass::Opcode::ldl || i.opcode == sass::Opcode::stl;
  });
}

/// The function with this name, or null.
const sass::CubinFunction* find_kernel(const sass::Cubin& cubin, std::string_view name) {
  for (const sass::CubinFunction& function : cubin.functions)
    if (function.is_entry && function.name == name) return &function;
  return nullptr;
}

std::string kernel_names(const sass::Cubin& cubin) {
  std::string names;
  for (const sass::CubinFunction& function : cubin.functions)
    if (function.is_entry) names.append(names.empty() ? "" : ", ").append(function.name);
  return names.empty() ? "none" : names;
}

/// Assigns addresses to the module's variables, with gaps, so that an out-of-bounds index hits no other variable, and
/// handles to textures and surfaces.
void place_variables(Program& program, const VariablePlaces& places) {
  std::uint64_t address = global_base;
  for (const ptx::Variable& variable : program.module->variables) {
    if (variable.type >= ptx::Type::texref) {
      program.variable_addresses.push_back(variable_handle(program.variable_addresses.size()));
      continue;
    }
    if (const auto given = places.find(variable.name); given != places.end()) {
      program.variable_addresses.push_back(given->second);
      continue;
    }
    program.variable_addresses.push_back(address);
    address += (variable.bytes + 255) / 256 * 256 + (1u << 16);
  }
}

void add_banks(const sass::Cubin& cubin, const sass::CubinFunction& kernel, MachineCode& code) {
  const auto add = [&](const sass::CubinConstants& bank) {
    if (code.bank(bank.number) == nullptr)
      code.banks.push_back({bank.number, std::vector<std::uint8_t>(bank.bytes.begin(), bank.bytes.end())});
  };
  for (const sass::CubinConstants& bank : kernel.constants) add(bank);
  for (const sass::CubinConstants& bank : cubin.constants) add(bank);
  const std::size_t end = kernel.parameter_base + kernel.parameter_bytes;
  if (code.bank(0) == nullptr) code.banks.push_back({0, {}});
  for (ConstantBank& bank : code.banks)
    if (bank.number == 0) bank.bytes.resize(std::max(bank.bytes.size(), end));
}

/// Lists the variables that are parts of constant banks.
void add_constants(const sass::Cubin& cubin, MachineCode& code) {
  constexpr std::uint32_t bank_of_constants = 3;
  for (const sass::CubinVariable& variable : cubin.variables)
    if (variable.space == sass::CubinSpace::constant)
      code.constants.push_back({std::string(variable.name), bank_of_constants, variable.offset, variable.bytes});
}

/// Local memory per thread, as far as the compiler knows; 0 if it does not because functions recurse.
std::uint32_t known_stack_bytes(const sass::CubinFunction& kernel) {
  constexpr std::uint32_t unknown = 0xffffffff;
  const std::uint32_t least = kernel.min_stack_bytes == unknown ? 0 : kernel.min_stack_bytes;
  return std::max(least, kernel.frame_bytes);
}

/// Checks sizes that the file states, which may be damaged. Returns a one-line message if one cannot be.
std::string check_sizes(const sass::Cubin& cubin, const sass::CubinFunction& kernel) {
  constexpr std::uint64_t largest_bank = 1u << 16, largest_variables = std::uint64_t{1} << 32;
  if (std::uint64_t{kernel.parameter_base} + kernel.parameter_bytes > largest_bank)
    return fmt::format("`{}` has {} bytes of parameters, more than a constant bank holds", kernel.name,
                       kernel.parameter_bytes);
  for (const sass::CubinParameter& parameter : kernel.parameters)
    if (std::uint64_t{parameter.offset} + parameter.bytes > kernel.parameter_bytes)
      return fmt::format("parameter {} of `{}` lies outside of its {} bytes of parameters", parameter.ordinal,
                         kernel.name, kernel.parameter_bytes);
  std::uint64_t total = 0;
  for (const sass::CubinVariable& variable : cubin.variables) {
    if (variable.bytes > largest_variables - total)
      return fmt::format("variable `{}` has {} bytes; the simulated GPU supports 4 GiB of variables", variable.name,
                         variable.bytes);
    total += variable.bytes;
  }
  const std::uint32_t stack = known_stack_bytes(kernel);
  if (stack > local_stack_limit)
    return fmt::format("`{}` needs {} bytes of local memory per thread; the limit is {}", kernel.name, stack,
                       local_stack_limit);
  return {};
}

/// The constants of a function in another section would have to replace those of the kernel while it runs.
std::string check_banks(const CodeImage& image) {
  for (std::size_t i = 1; i < image.parts.size(); ++i)
    for (const sass::CubinConstants& bank : image.parts[i].function->constants)
      if (bank.number != 0)
        return fmt::format("`{}` calls `{}`, which has constants of its own; this is not supported",
                           image.parts.front().function->name, image.parts[i].function->name);
  return {};
}

/// Static shared memory. Since sm_90, the cubin's size includes the bytes that are reserved for the system.
std::uint32_t static_shared_of(const sass::Cubin& cubin, const sass::CubinFunction& kernel) {
  const auto bytes = static_cast<std::uint32_t>(kernel.shared_bytes);
  return cubin.architecture < sass::Architecture::sm_90 ? bytes : bytes - std::min(bytes, shared_begin);
}

/// The bytes that a relocation changes: in a bank or in a variable. Null if the section is something else.
std::vector<std::uint8_t>* relocated_bytes(const sass::Cubin& cubin, const sass::CubinRelocation& relocation,
                                           Program& program, ptx::Module& module, std::size_t& offset) {
  constexpr std::string_view bank_prefix = ".nv.constant";
  offset = relocation.offset;
  if (relocation.section.starts_with(bank_prefix)) {
    for (ConstantBank& bank : program.machine_code->banks)
      if (relocation.section == std::string(bank_prefix) + std::to_string(bank.number)) return &bank.bytes;
    return nullptr;
  }
  std::size_t index = 0;
  for (const sass::CubinVariable& variable : cubin.variables) {
    if (variable.space == sass::CubinSpace::constant) continue;
    if (variable.space == sass::CubinSpace::global && variable.section == relocation.section &&
        relocation.offset >= variable.offset && relocation.offset < variable.offset + variable.bytes) {
      offset = relocation.offset - variable.offset;
      std::vector<std::uint8_t>& bytes = module.variables[index].initial;
      bytes.resize(variable.bytes);
      return &bytes;
    }
    ++index;
  }
  return nullptr;
}

std::optional<std::uint64_t> address_of(const sass::Cubin& cubin, const Program& program, std::string_view symbol) {
  std::size_t index = 0;
  for (const sass::CubinVariable& variable : cubin.variables) {
    if (variable.space == sass::CubinSpace::constant) {
      if (variable.name == symbol) return bank_address(3) + variable.offset;
      continue;
    }
    if (variable.name == symbol) return program.variable_addresses[index];
    ++index;
  }
  return {};
}

/// Writes the handles of textures and surfaces behind the kernel's parameters. A word that also depends on a sampler is
/// left out, so that the instruction that reads it is refused.
void place_handles(const sass::Cubin& cubin, const sass::CubinFunction& kernel, Program& program) {
  MachineCode& code = *program.machine_code;
  const std::string section = fmt::format(".nv.constant0.{}", kernel.name);
  const auto bank = std::ranges::find(code.banks, 0U, &ConstantBank::number);
  std::set<std::uint64_t> sampled;
  for (const sass::CubinRelocation& relocation : cubin.relocations)
    if (relocation.section == section && relocation.type == sampler_handle) sampled.insert(relocation.offset);
  for (const sass::CubinRelocation& relocation : cubin.relocations) {
    const bool is_handle = relocation.type == texture_handle_word || relocation.type == surface_handle_word;
    if (relocation.section != section || !is_handle || sampled.contains(relocation.offset)) continue;
    const auto variable = std::ranges::find(program.module->variables, relocation.symbol, &ptx::Variable::name);
    if (variable == program.module->variables.end() || variable->type < ptx::Type::texref) continue;
    if (bank->bytes.size() < 4 || relocation.offset > bank->bytes.size() - 4) continue;
    const auto index = static_cast<std::uint32_t>(variable - program.module->variables.begin());
    const std::uint32_t handle = variable_handle(index);
    std::memcpy(bank->bytes.data() + relocation.offset, &handle, sizeof handle);
    code.handles.push_back({static_cast<std::uint32_t>(relocation.offset), index});
  }
}

bool is_function(const sass::Cubin& cubin, std::string_view symbol) {
  return std::ranges::any_of(cubin.functions, [&](const auto& function) { return function.name == symbol; });
}

/// Writes the addresses of variables and functions where the cubin's data refers to them.
void relocate(const sass::Cubin& cubin, const CodeImage& image, Program& program, ptx::Module& module) {
  for (const sass::CubinRelocation& relocation : cubin.relocations) {
    if (relocation.section.starts_with(".text.")) continue;
    std::size_t offset = 0;
    std::vector<std::uint8_t>* const bytes = relocated_bytes(cubin, relocation, program, module, offset);
    if (bytes == nullptr) continue;
    auto address = address_of(cubin, program, relocation.symbol);
    if (const auto function = image.functions.find(relocation.symbol); function != image.functions.end())
      address = code_base + function->second;
    if (!address && !is_function(cubin, relocation.symbol)) address = add_system_function(program, relocation.symbol);
    if (!address || offset + 8 > bytes->size()) continue;
    std::uint64_t value = *address + static_cast<std::uint64_t>(relocation.addend);
    if (relocation.addend_in_place) {
      std::uint64_t addend = 0;
      std::memcpy(&addend, bytes->data() + offset, 8);
      value += addend;
    }
    std::memcpy(bytes->data() + offset, &value, 8);
  }
}

using Prepared = base::Result<std::shared_ptr<const Program>>;

/// Sets the pointers to functions that launches pass. Returns a one-line message if the kernel cannot call one of them.
std::string set_function_pointers(const sass::Cubin& cubin, const sass::CubinFunction& kernel, const CodeImage& image,
                                  std::span<const std::string> functions, Program& program) {
  for (const std::string& name : functions) {
    if (const auto own = image.functions.find(name); own != image.functions.end() && own->first != kernel.name) {
      program.function_addresses.emplace(name, code_base + own->second);
    } else if (const auto offset = pointer_to_copy(cubin, kernel, name)) {
      program.function_addresses.emplace(name, *offset);
    } else {
      return fmt::format("the machine code of `{}` has no pointer to the device function `{}`", kernel.name, name);
    }
  }
  return {};
}

Prepared prepare_kernel(std::string_view bytes, std::string_view entry, std::span<const std::string> functions,
                        const VariablePlaces& places) {
  auto parsed = sass::parse_cubin(bytes);
  if (!parsed) return base::Error{parsed.error()};
  const sass::Cubin& cubin = *parsed;
  const sass::CubinFunction* const kernel = find_kernel(cubin, entry);
  if (kernel == nullptr)
    return base::Error{fmt::format("no kernel `{}` in the cubin; it has: {}", entry, kernel_names(cubin))};
  if (std::string error = check_sizes(cubin, *kernel); !error.empty()) return base::Error{std::move(error)};

  const auto program = std::make_shared<Program>();
  const auto module = std::const_pointer_cast<ptx::Module>(describe_machine_code(cubin, *kernel));
  program->module = module;
  program->entry = &module->functions.front();
  program->machine_code.emplace();
  program->machine_code->parameter_base = kernel->parameter_base;
  place_variables(*program, places);
  auto made = make_code_image(
      cubin, *kernel, code_base, [&](std::string_view symbol) { return address_of(cubin, *program, symbol); },
      functions);
  if (!made) return base::Error{made.error()};
  const auto& image = *made;
  if (std::string error = check_banks(image); !error.empty()) return base::Error{std::move(error)};
  describe_instructions(cubin, image, *module);
  if (std::string error = set_function_pointers(cubin, *kernel, image, functions, *program); !error.empty())
    return base::Error{std::move(error)};
  add_banks(cubin, *kernel, *program->machine_code);
  add_constants(cubin, *program->machine_code);
  relocate(cubin, image, *program, *module);
  place_handles(cubin, *kernel, *program);
  for (const sass::CubinParameter& parameter : kernel->parameters)
    program->parameter_offsets.push_back(parameter.offset);
  program->parameter_bytes = kernel->parameter_bytes;
  program->static_shared = static_shared_of(cubin, *kernel);
  program->registers = static_cast<int>(kernel->registers);
  program->barriers = static_cast<int>(kernel->barriers);
  Function& function = program->functions.emplace_back();
  function.source = program->entry;
  function.entry = 0;
  std::uint32_t stack = known_stack_bytes(*kernel);
  // Without a known maximum, functions may recurse or allocate memory on the stack.
  const bool calls = !kernel->callees.empty() || image.parts.size() > 1;
  if (!kernel->max_stack_bytes && uses_stack(image.code) && (stack == 0 || calls)) stack = open_stack_bytes;
  function.local_bytes = (stack + 15) / 16 * 16;
  if (std::string error = MachineCodeLowering(*program, cubin.architecture, image, *program->entry).run();
      !error.empty())
    return base::Error{std::move(error)};
  return std::shared_ptr<const Program>(program);
}

}  // namespace

Prepared prepare_machine_code(std::string_view cubin, std::string_view entry, std::span<const std::string> functions,
                              const VariablePlaces& places) {
  Prepared prepared = prepare_kernel(cubin, entry, functions, places);
  if (!prepared) return base::Error{base::one_line(prepared.error())};
  return prepared;
}

}  // namespace warpwalk::gpu
