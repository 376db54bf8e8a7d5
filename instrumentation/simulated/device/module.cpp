#include "instrumentation/simulated/device/module.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/gpu/exec/program.h"
#include "core/ptx/parse/parser.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::simulated {
namespace {

/// 90 of "9.0".
std::uint32_t architecture_of(const gpu::Device& device) {
  std::uint32_t number = 0;
  for (const char letter : *device.compute_capability)
    if (letter >= '0' && letter <= '9') number = number * 10 + static_cast<std::uint32_t>(letter - '0');
  return number;
}

/// Machine code runs on its own architecture and on later ones of the same major version (CUDA C++ programming guide,
/// "Binary Compatibility"), PTX on all later ones.
const CodeImage* choose(const std::vector<CodeImage>& images, bool ptx, std::uint32_t architecture) {
  const CodeImage* best = nullptr;
  for (const CodeImage& image : images) {
    if (image.is_ptx != ptx || image.architecture > architecture) continue;
    if (!ptx && image.architecture / 10 != architecture / 10) continue;
    if (best == nullptr || image.architecture > best->architecture) best = &image;
  }
  return best;
}

std::string architectures_of(const std::vector<CodeImage>& images) {
  std::string list;
  for (const CodeImage& image : images)
    list += fmt::format("{}{}{}", list.empty() ? "" : ", ", image.is_ptx ? "compute_" : "sm_", image.architecture);
  return list.empty() ? "none" : list;
}

void put(std::vector<std::uint8_t>& bytes, std::uint64_t offset, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size && offset + i < bytes.size(); ++i)
    bytes[offset + i] = static_cast<std::uint8_t>(value >> 8 * i);
}

/// Pointers to functions in variables differ between the kernels of a cubin, but not between those of PTX.
bool has_function_pointers(const sass::Cubin& cubin) {
  return std::ranges::any_of(cubin.relocations, [&](const sass::CubinRelocation& relocation) {
    if (relocation.section.starts_with(".text.") || relocation.section.starts_with(".nv.constant")) return false;
    return std::ranges::find(cubin.functions, relocation.symbol, &sass::CubinFunction::name) != cubin.functions.end();
  });
}

std::uint64_t next_module_number() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

Module::Module(DeviceMemory& memory) : number(next_module_number()), memory_(memory) {}

base::Result<std::shared_ptr<const gpu::Program>> Kernel::program() {
  const std::lock_guard lock(mutex_);
  if (!program_) {
    program_ = module.cubin_.empty()
                   ? gpu::prepare(module.ptx_, name, module.function_pointers_, module.places_)
                   : gpu::prepare_machine_code(module.cubin_, name, module.function_pointers_, module.places_);
    // Code that the simulated GPU does not know may be simpler as PTX.
    if (!*program_ && !module.cubin_.empty() && module.read_ptx())
      if (auto other = gpu::prepare(module.ptx_, name, module.function_pointers_, module.places_)) program_ = other;
    if (*program_) {
      attributes.registers = (**program_)->registers;
      attributes.static_shared_bytes = (**program_)->static_shared;
    }
  }
  return *program_;
}

std::unique_ptr<Module> Module::load(const std::vector<CodeImage>& images, const gpu::Device& device,
                                     DeviceMemory& memory, Error& error, std::string& why,
                                     std::span<const std::string> managed) {
  const std::uint32_t architecture = architecture_of(device);
  const CodeImage* const machine = choose(images, false, architecture);
  const CodeImage* const ptx = choose(images, true, architecture);
  std::unique_ptr<Module> module(new Module(memory));
  module->managed_.assign(managed.begin(), managed.end());
  if (ptx != nullptr) module->ptx_text_ = ptx->bytes;
  if (machine != nullptr) module->cubin_ = machine->bytes;
  error = Error::no_kernel_image_for_device;
  why = fmt::format(
      "the code is for {}, and none of it runs on {} (compute capability {}); build it with nvcc -arch=sm_{}",
      architectures_of(images), device.name, *device.compute_capability, architecture);
  if (machine != nullptr) {
    const auto parsed = sass::parse_cubin(module->cubin_);
    if (!parsed || (ptx != nullptr && has_function_pointers(*parsed))) module->cubin_.clear();
    if (!parsed && ptx == nullptr) {
      error = Error::invalid_kernel_image;
      why = parsed.error();
      return nullptr;
    }
  }
  if (!module->cubin_.empty())
    error = module->load_cubin(architecture, why);
  else if (ptx != nullptr)
    error = module->load_ptx(architecture, why);
  if (error != Error::success) return nullptr;
  return module;
}

Module::~Module() {
  for (const ModuleVariable& variable : variables_)
    if (variable.memory != nullptr) memory_.free(variable.memory->address);
}

ModuleVariable& Module::place(std::string name, std::uint64_t bytes, bool constant) {
  ModuleVariable& variable = variables_.emplace_back();
  variable.constant = constant;
  const bool managed = std::ranges::find(managed_, name) != managed_.end();
  variable.memory = memory_.allocate(managed ? MemoryKind::managed : MemoryKind::variable, bytes, name, true);
  if (variable.memory != nullptr) variable.memory->owned = true;
  if (variable.memory != nullptr && !constant) places_.emplace(name, variable.memory->address);
  variable.name = std::move(name);
  return variable;
}

Error Module::load_cubin(std::uint32_t architecture, std::string& why) {
  const auto parsed = sass::parse_cubin(cubin_);
  const sass::Cubin& cubin = *parsed;
  for (const sass::CubinVariable& variable : cubin.variables) {
    const bool constant = variable.space == sass::CubinSpace::constant;
    if (!constant && variable.space != sass::CubinSpace::global) continue;
    if (variable.bytes == 0) continue;
    const ModuleVariable& placed = place(std::string(variable.name), variable.bytes, constant);
    if (placed.memory == nullptr) {
      why = fmt::format("no memory for the {} bytes of variable `{}`", variable.bytes, variable.name);
      return Error::out_of_memory;
    }
    std::ranges::copy(variable.initial.substr(0, variable.bytes), placed.memory->data);
  }
  for (const sass::CubinRelocation& relocation : cubin.relocations) {
    const auto target = places_.find(relocation.symbol);
    if (target == places_.end()) continue;
    for (const sass::CubinVariable& variable : cubin.variables) {
      if (variable.space != sass::CubinSpace::global || variable.section != relocation.section ||
          relocation.offset < variable.offset || relocation.offset + 8 > variable.offset + variable.bytes)
        continue;
      std::uint8_t* const at = this->variable(variable.name)->memory->data + relocation.offset - variable.offset;
      std::uint64_t value = target->second + static_cast<std::uint64_t>(relocation.addend), addend = 0;
      std::memcpy(&addend, at, sizeof addend);
      if (relocation.addend_in_place) value += addend;
      std::memcpy(at, &value, sizeof value);
    }
  }
  for (const sass::CubinFunction& function : cubin.functions) {
    if (!function.is_entry) continue;
    Kernel& kernel = *kernels_.emplace_back(std::make_unique<Kernel>(*this, std::string(function.name)));
    KernelAttributes& attributes = kernel.attributes;
    attributes.registers = static_cast<int>(function.registers);
    // Since sm_90, the cubin's size includes the kilobyte that is reserved for the system.
    const std::size_t reserved = cubin.architecture >= sass::Architecture::sm_90 ? 1024 : 0;
    attributes.static_shared_bytes = function.shared_bytes - std::min<std::size_t>(function.shared_bytes, reserved);
    constexpr std::uint32_t unknown = 0xffffffff;
    attributes.local_bytes =
        std::max(function.frame_bytes, function.min_stack_bytes == unknown ? 0 : function.min_stack_bytes);
    for (const sass::CubinConstants& bank : cubin.constants)
      if (bank.number == 3) attributes.constant_bytes = bank.bytes.size();
    if (function.max_block)
      attributes.max_threads_per_block =
          static_cast<int>((*function.max_block)[0] * (*function.max_block)[1] * (*function.max_block)[2]);
    if (function.cluster) attributes.required_cluster = *function.cluster;
    attributes.cluster_must_be_set = function.cluster.has_value();  // as nvcc compiles __cluster_dims__
    attributes.binary_version = static_cast<int>(architecture);
    attributes.ptx_version = attributes.binary_version;
    std::vector<sass::CubinParameter> parameters = function.parameters;
    std::ranges::sort(parameters, {}, &sass::CubinParameter::ordinal);
    for (const sass::CubinParameter& parameter : parameters)
      kernel.parameters.push_back({parameter.offset, parameter.bytes});
  }
  return Error::success;
}

bool Module::read_ptx() {
  if (ptx_ != nullptr) return true;
  if (ptx_text_.empty()) return false;
  auto parsed = ptx::parse(ptx_text_);
  if (std::holds_alternative<ptx::Error>(parsed)) {
    ptx_error_ = fmt::format("line {}: {}", std::get<ptx::Error>(parsed).line, std::get<ptx::Error>(parsed).message);
    return false;
  }
  ptx_ = std::make_shared<const ptx::Module>(std::move(std::get<ptx::Module>(parsed)));
  return true;
}

Error Module::load_ptx(std::uint32_t architecture, std::string& why) {
  if (!read_ptx()) {
    why = fmt::format("the PTX cannot be read: {}", ptx_error_);
    return Error::invalid_ptx;
  }
  for (const ptx::Variable& variable : ptx_->variables) {
    const bool constant = variable.space == ptx::Space::constant;
    if ((!constant && variable.space != ptx::Space::global) || variable.bytes == 0) continue;
    if (variable.type >= ptx::Type::texref) continue;
    const ModuleVariable& placed = place(variable.name, variable.bytes, constant);
    if (placed.memory == nullptr) {
      why = fmt::format("no memory for the {} bytes of variable `{}`", variable.bytes, variable.name);
      return Error::out_of_memory;
    }
  }
  for (const ptx::Variable& variable : ptx_->variables) {
    const ModuleVariable* const placed = this->variable(variable.name);
    if (placed == nullptr) continue;
    std::vector<std::uint8_t> bytes = variable.initial;
    bytes.resize(variable.bytes);
    for (const ptx::Relocation& relocation : variable.relocations) {
      const auto index = static_cast<std::size_t>(relocation.index);
      std::uint64_t address = 0;
      if (relocation.function) {
        address = gpu::function_base + 16 * index;
        function_pointers_.push_back(ptx_->functions[index].name);
      } else if (const auto other = places_.find(ptx_->variables[index].name); other != places_.end()) {
        address = other->second;
      }
      address += static_cast<std::uint64_t>(relocation.addend);
      put(bytes, relocation.offset, relocation.bytes == 1 ? address >> 8 * relocation.byte : address, relocation.bytes);
    }
    std::ranges::copy(bytes, placed->memory->data);
  }
  std::ranges::sort(function_pointers_);
  const auto repeated = std::ranges::unique(function_pointers_);
  function_pointers_.erase(repeated.begin(), repeated.end());
  int version = 0;
  for (const char letter : ptx_->target)
    if (letter >= '0' && letter <= '9') version = version * 10 + (letter - '0');
  for (const ptx::Function& function : ptx_->functions) {
    if (!function.is_entry || !function.defined) continue;
    Kernel& kernel = *kernels_.emplace_back(std::make_unique<Kernel>(*this, function.name));
    kernel.attributes.ptx_version = version;
    kernel.attributes.binary_version = static_cast<int>(architecture);
    if (function.maxntid)
      kernel.attributes.max_threads_per_block =
          static_cast<int>((*function.maxntid)[0] * (*function.maxntid)[1] * (*function.maxntid)[2]);
    if (function.reqnctapercluster) kernel.attributes.required_cluster = *function.reqnctapercluster;
    kernel.attributes.cluster_must_be_set = function.explicit_cluster;
    for (const ModuleVariable& variable : variables_)
      if (variable.constant) kernel.attributes.constant_bytes += variable.memory->bytes;
    for (const ptx::Parameter& parameter : function.parameters)
      kernel.parameters.push_back({parameter.offset, parameter.bytes});
  }
  return Error::success;
}

Kernel* Module::kernel(std::string_view name) {
  for (const auto& kernel : kernels_)
    if (kernel->name == name) return kernel.get();
  return nullptr;
}

ModuleVariable* Module::variable(std::string_view name) {
  const auto found = std::ranges::find(variables_, name, &ModuleVariable::name);
  return found == variables_.end() ? nullptr : &*found;
}

void Module::add_constants(gpu::Launch& launch) const {
  for (const ModuleVariable& variable : variables_) {
    if (!variable.constant) continue;
    gpu::Buffer& buffer = launch.buffers.emplace_back();
    buffer.name = variable.name;
    buffer.variable = variable.name;
    buffer.bytes.assign(variable.memory->data, variable.memory->data + variable.memory->bytes);
  }
}

}  // namespace warpwalk::simulated
