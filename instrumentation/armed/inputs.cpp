#include "instrumentation/armed/inputs.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include <elf.h>
#include <unistd.h>

#include "instrumentation/armed/driver_hooks.h"
#include "instrumentation/cubin.h"
#include "instrumentation/recording_names.h"

namespace warpwalk::armed {
namespace {

namespace rows = instrumentation;

/// Of machine code in cubins, which the program may release once it has loaded them.
constexpr std::uint64_t most_cubin_bytes = std::uint64_t{1} << 30;

/// The bytes of a cubin, whose ELF header says where its tables are; empty for anything else.
std::string_view cubin_at(const void* image) {
  Elf64_Ehdr header = {};
  if (image == nullptr) return {};
  std::memcpy(&header, image, sizeof header.e_ident);
  constexpr std::uint16_t cuda = 190;  // EM_CUDA
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) return {};
  std::memcpy(&header, image, sizeof header);
  if (header.e_machine != cuda) return {};
  const std::uint64_t bytes = std::max(header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize,
                                       header.e_phoff + std::uint64_t{header.e_phnum} * header.e_phentsize);
  return bytes > most_cubin_bytes ? std::string_view() : std::string_view(static_cast<const char*>(image), bytes);
}

/// The properties of the current GPU, by CUdevice_attribute.
rows::DeviceRow device_row(rows::RowSink& to) {
  constexpr int threads_per_block = 1, shared_per_block = 8, warp_size = 10, registers_per_block = 12, sms = 16,
                threads_per_sm = 39, major = 75, minor = 76, shared_per_sm = 81, registers_per_sm = 82;
  rows::DeviceRow row;
  const auto current = driver_function<int (*)(int*)>("cuCtxGetDevice");
  const auto attribute = driver_function<int (*)(int*, int, int)>("cuDeviceGetAttribute");
  const auto name = driver_function<int (*)(char*, int, int)>("cuDeviceGetName");
  const auto memory = driver_function<int (*)(std::size_t*, int)>("cuDeviceTotalMem_v2");
  int device = 0;
  if (current == nullptr || attribute == nullptr || current(&device) != 0) return row;
  row.id = static_cast<std::uint32_t>(device);
  const auto value = [&](int which) {
    int found = 0;
    return attribute(&found, which, device) == 0 ? static_cast<std::uint32_t>(std::max(found, 0)) : 0;
  };
  row.compute_major = value(major), row.compute_minor = value(minor), row.sms = value(sms);
  row.warp_size = value(warp_size);
  row.max_threads_per_block = value(threads_per_block);
  row.max_warps_per_sm = row.warp_size == 0 ? 0 : value(threads_per_sm) / row.warp_size;
  row.registers_per_sm = value(registers_per_sm), row.registers_per_block = value(registers_per_block);
  row.shared_per_sm = value(shared_per_sm), row.shared_per_block = value(shared_per_block);
  char text[256] = {};
  if (name != nullptr && name(text, sizeof text - 1, device) == 0) row.name = to.name(text);
  std::size_t bytes = 0;
  if (memory != nullptr && memory(&bytes, device) == 0) row.memory_bytes = bytes;
  return row;
}

/// The launch in the form in which CUPTI passes it to a callback.
struct LaunchCall {
  rows::LaunchKernelParameters parameters = {};
  rows::LaunchKernelExParameters parameters_ex = {};
  rows::cupti::CallbackData data = {};

  LaunchCall(const DriverCall& call, const Arguments& a, std::uint64_t number, const std::string& kernel) {
    const auto pointer = [](std::uint64_t word) { return reinterpret_cast<void*>(word); };
    const auto number_of = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
    data.function = call.name.data();  // a string literal
    data.symbol = kernel.c_str();
    data.correlation = number_of(number);
    if (call.name == "cuLaunchKernelEx") {
      parameters_ex = {static_cast<const rows::LaunchConfig*>(pointer(a[0])), pointer(a[1]),
                       static_cast<void**>(pointer(a[2])), static_cast<void**>(pointer(a[3]))};
      data.parameters = &parameters_ex;
      return;
    }
    parameters.function = pointer(a[0]);
    for (std::size_t i = 0; i < 3; ++i) {
      parameters.grid[i] = number_of(a[1 + i]);
      parameters.block[i] = number_of(a[4 + i]);
    }
    parameters.shared_bytes = number_of(a[7]);
    parameters.stream = pointer(a[8]);
    parameters.parameters = static_cast<void**>(pointer(a[9]));
    if (call.name == "cuLaunchKernel") parameters.extra = static_cast<void**>(pointer(a[10]));
    data.parameters = &parameters;
  }
};

}  // namespace

std::unique_ptr<Inputs> Inputs::create(std::filesystem::path output, std::filesystem::path dump) {
  const char* const patterns = std::getenv(rows::replay_variable);
  const char* const limit = std::getenv(rows::replay_limit_variable);
  if (patterns == nullptr || *patterns == '\0') return nullptr;
  return std::unique_ptr<Inputs>(new Inputs(std::move(output), std::move(dump), rows::split_patterns(patterns),
                                            limit == nullptr ? 0 : std::strtoull(limit, nullptr, 10)));
}

Inputs::Inputs(std::filesystem::path output, std::filesystem::path dump, std::vector<rows::InsidePattern> patterns,
               std::uint64_t max_bytes)
    : output_(std::move(output)),
      dump_(std::move(dump)),
      recorder_(rows::InsideHost{.to = *this, .now = now_ns, .max_bytes = max_bytes, .only_last = true},
                std::move(patterns)) {}

void Inputs::load(const void* image) {
  const std::string_view cubin = cubin_at(image);
  if (cubin.empty()) return;
  recorder_.load_module(cubin);
  const std::lock_guard lock(mutex_);
  if (cubin_bytes_ + cubin.size() > most_cubin_bytes || std::ranges::find(cubins_, cubin) != cubins_.end()) return;
  cubin_bytes_ += cubin.size();
  cubins_.emplace_back(cubin);
}

/// Whether a kernel has failed so far. While a core dump is written, cuCtxSynchronize() of driver 580 may succeed; a
/// later call then returns the error.
bool Inputs::has_failed() {
  static const auto synchronize = driver_function<int (*)()>("cuCtxSynchronize");
  std::error_code error;
  return (synchronize != nullptr && synchronize() != 0) || std::filesystem::exists(dump_, error);
}

void Inputs::begin_file(std::string_view kernel) {
  if (file_ != nullptr) file_->discard();
  file_ = std::make_unique<rows::RecordingFile>();
  if (!file_->create_for(output_).empty()) return;
  const std::string program = rows::command_line();
  file_->add(rows::Begin{static_cast<std::uint32_t>(getpid()), 0, now_ns(), program});
  file_->add(device_row(*this));
  file_->add(rows::CodeBegin{});
  rows::CubinLog log(*this, most_cubin_bytes);
  const std::lock_guard lock(mutex_);
  for (const std::string& cubin : cubins_)
    if (std::ranges::any_of(rows::parse_cubin(cubin).functions,
                            [&](const rows::CubinFunction& one) { return one.name == kernel; }))
      log.add(cubin);
}

void Inputs::enter(const DriverCall& call, const Arguments& arguments, std::uint64_t number,
                   const std::string& kernel) noexcept try {
  std::uint64_t none = 0;
  if (!recorder_.matches(kernel.c_str()) || !number_.compare_exchange_strong(none, number)) return;
  if (has_failed()) return;  // number_ stays: the inputs to keep are those of the launch before
  begin_file(kernel);
  if (recorder_.enter_launch(LaunchCall(call, arguments, number, kernel).data)) {
    launched_ = now_ns();
    return file_->flush();
  }
  file_->discard();
  number_ = 0;
} catch (...) {
  return;  // number_ stays: nothing more is kept without memory
}

void Inputs::leave(const DriverCall& call, std::uint64_t number, int result) {
  if (number == 0 || number_ != number || launched_ == 0) return;
  rows::CallRow row;
  row.start = launched_, row.end = now_ns();
  row.driver = 1;
  row.name = name(call.name);
  row.thread = rows::thread_id();
  row.correlation = static_cast<std::uint32_t>(number);
  row.result = static_cast<std::uint32_t>(result);
  add(row);
  file_->flush();  // the kernel may hang
  rows::cupti::CallbackData data = {};
  data.result = &result;
  data.correlation = static_cast<std::uint32_t>(number);
  const int ended = recorder_.exit_launch(data);
  file_->flush();
  launched_ = 0;
  if (ended == 0 && !has_failed()) number_ = 0;
}

}  // namespace warpwalk::armed
