// Fuzzes the simulation of machine code: with arbitrary bytes as a cubin, and with a recorded cubin in whose code the
// bytes choose some changes (single bits, and instructions in other places). Its kernels are lowered and, if they are
// not refused, run with the sanitizer until they end or are cancelled. Every input gives a result or one printable
// line. Called by libFuzzer or driver.cpp.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <sstream>
#include <string_view>
#include <thread>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/gpu/exec/program.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/encoding.h"
#include "tests/fuzz/require.h"

namespace warpwalk::gpu {
namespace {

using fuzz::require;
using fuzz::require_line;

constexpr std::size_t most_kernels = 2;
constexpr std::chrono::milliseconds longest_run{50};

/// Sets a flag after some time, or when it is destroyed.
class Alarm {
 public:
  explicit Alarm(std::atomic<bool>& flag)
      : thread_([this, &flag] {
          std::unique_lock lock(mutex_);
          condition_.wait_for(lock, longest_run, [this] { return done_; });
          flag = true;
        }) {}
  ~Alarm() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    condition_.notify_one();
    thread_.join();
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable condition_;
  bool done_ = false;
  std::thread thread_;
};

/// A launch of one block of 48 threads. Arguments of 8 bytes are pointers to buffers, others are small numbers.
Launch launch_of(const Program& program) {
  Launch launch;
  launch.block = {48, 1, 1};
  for (const ptx::Parameter& parameter : entry_of(program).parameters) {
    Argument argument;
    if (parameter.bytes == 8) {
      argument.buffer = static_cast<std::int32_t>(launch.buffers.size());
      launch.buffers.push_back({"b", std::vector<std::uint8_t>(4096, 1)});
    } else {
      argument.bytes.assign(parameter.bytes, 0);
      if (!argument.bytes.empty()) argument.bytes[0] = 40;
    }
    launch.arguments.push_back(std::move(argument));
  }
  return launch;
}

void try_kernel(const Device& device, std::string_view bytes, std::string_view name) {
  const auto prepared = prepare_machine_code(bytes, name);
  if (!prepared) return require_line(prepared.error());
  const Program& program = **prepared;
  Launch launch = launch_of(program);
  std::atomic<bool> cancelled = false;
  SimulateOptions options;
  options.sanitize = true;
  options.cancel = &cancelled;
  const Alarm alarm(cancelled);
  const auto result = simulate(device, program, launch, options);
  if (!result) return require_line(result.error());
  for (const Finding& finding : result->findings) require_line(finding.message);
}

void try_cubin(const Device& device, std::string_view bytes) {
  const auto parsed = sass::parse_cubin(bytes);
  if (!parsed) return;
  std::size_t kernels = 0;
  for (const sass::CubinFunction& function : parsed->functions) {
    if (!function.is_entry || ++kernels > most_kernels) continue;
    try_kernel(device, bytes, function.name);
  }
}

/// The recorded cubins, by name.
std::vector<std::string> recorded() {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(WARPWALK_SOURCE_DIR "/tests/exec/cubins")) {
    if (entry.path().extension() != ".cubin") continue;
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    files[entry.path().filename().string()] = bytes.str();
  }
  std::vector<std::string> cubins;
  for (auto& [name, bytes] : files) cubins.push_back(std::move(bytes));
  return cubins;
}

/// Changes the code of a cubin in a few places, which the generator chooses.
void damage(std::string& cubin, std::mt19937_64& random) {
  const auto parsed = sass::parse_cubin(cubin);
  if (!parsed) return;
  std::vector<std::size_t> instructions;  // their offsets in the file
  for (const sass::CubinFunction& function : parsed->functions)
    for (std::size_t at = 0; at + sass::instruction_bytes <= function.code.size(); at += sass::instruction_bytes)
      instructions.push_back(static_cast<std::size_t>(function.code.data() - cubin.data()) + at);
  if (instructions.empty()) return;
  const auto any = [&] { return instructions[random() % instructions.size()]; };
  for (std::uint64_t left = 1 + random() % 4; left != 0; --left) {
    const std::size_t at = any();
    if (random() % 3 == 0) {
      const std::string other = cubin.substr(any(), sass::instruction_bytes);
      cubin.replace(at, sass::instruction_bytes, other);
    } else {
      const std::uint64_t bit = random() % (8 * sass::instruction_bytes);
      cubin[at + bit / 8] = static_cast<char>(cubin[at + bit / 8] ^ 1 << bit % 8);
    }
  }
}

}  // namespace
}  // namespace warpwalk::gpu

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpwalk;
  static const gpu::Device device = *gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  static const std::vector<std::string> cubins = gpu::recorded();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  gpu::try_cubin(device, bytes);
  std::mt19937_64 random(std::hash<std::string_view>()(bytes));
  if (cubins.empty()) return 0;
  std::string cubin = cubins[random() % cubins.size()];
  gpu::damage(cubin, random);
  gpu::try_cubin(device, cubin);
  return 0;
}
