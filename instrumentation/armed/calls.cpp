#include "instrumentation/armed/calls.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include <elf.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "instrumentation/armed/driver_hooks.h"
#include "instrumentation/armed/inputs.h"
#include "instrumentation/armed/python.h"
#include "instrumentation/armed/ring.h"
#include "instrumentation/recording_names.h"

namespace warpwalk::armed {
namespace {

using crash::RingCall;

/// What the process keeps. Never destroyed: calls can come until the process ends.
struct Process {
  std::filesystem::path dump;
  std::unique_ptr<Ring> ring;
  Python python;
  std::unique_ptr<Inputs> inputs;  ///< null: none are kept
  std::mutex mutex;
  std::unordered_map<std::uint64_t, std::uint32_t> kernels;  ///< texts with their names, by CUfunction or CUkernel
  std::atomic<std::uint64_t> launches = 0;
  std::atomic<int> captures = 0;  ///< streams whose work becomes a CUDA graph at present
  std::once_flag dumped;
};

std::atomic<Process*>& current_process() {
  static std::atomic<Process*> process = nullptr;
  return process;
}

Process* begin() {
  [[maybe_unused]] static const Process* const made = [] {
    auto* const process = new Process;
    const char* const folder = std::getenv(instrumentation::armed_variable);
    if (folder == nullptr || *folder != '/') return process;
    const std::string name = std::to_string(getpid());
    process->dump = std::filesystem::path(folder) / (name + ".core");
    process->ring = Ring::create(std::filesystem::path(folder) / (name + ".calls"));
    if (process->ring == nullptr) return process;
    process->python.start(*process->ring, folder);
    process->inputs = Inputs::create(std::filesystem::path(folder) / (name + ".walk.json.gz"), process->dump);
    // CUDA cannot be used in a forked child, whose memory lacks the file.
    pthread_atfork(nullptr, nullptr, [] { current_process() = nullptr; });
    current_process() = process;
    return process;
  }();
  return current_process();
}

/// The call that a thread is in.
struct Here {
  std::uint64_t number = 0;
  std::uint32_t stack = 0;
};
Here& here() {
  thread_local Here now;
  return now;
}

std::uint32_t thread_id() {
  thread_local const auto id = static_cast<std::uint32_t>(syscall(SYS_gettid));
  return id;
}

template <class T>
T* pointer(std::uint64_t word) {
  return reinterpret_cast<T*>(word);
}

std::uint32_t kernel_name(Process& process, std::uint64_t function) {
  const std::lock_guard lock(process.mutex);
  const auto [found, is_new] = process.kernels.try_emplace(function, 0);
  if (is_new) found->second = process.ring->text(name_of_kernel(function));
  return found->second;
}

/// The CUfunction or CUkernel of a launch.
std::uint64_t function_of(const DriverCall& call, const Arguments& arguments) {
  return arguments[call.name == "cuLaunchKernelEx" ? 1 : 0];
}

void read_launch(Process& process, const DriverCall& call, const Arguments& arguments, crash::RingEntry& entry) {
  if (call.name == "cuLaunchKernelEx") {
    if (const auto* const config = pointer<const instrumentation::LaunchConfig>(arguments[0]); config != nullptr) {
      std::copy_n(config->grid, 3, entry.grid.begin());
      std::copy_n(config->block, 3, entry.block.begin());
      entry.shared_bytes = config->shared_bytes;
      entry.stream = reinterpret_cast<std::uint64_t>(config->stream);
    }
  } else {
    for (std::size_t i = 0; i < 3; ++i) {
      entry.grid[i] = static_cast<std::uint32_t>(arguments[1 + i]);
      entry.block[i] = static_cast<std::uint32_t>(arguments[4 + i]);
    }
    entry.shared_bytes = static_cast<std::uint32_t>(arguments[7]);
    entry.stream = arguments[8];
  }
  entry.kernel = kernel_name(process, function_of(call, arguments));
  // A thread that runs no Python may be one of the backward pass.
  entry.op = process.python.ops().op_of(
      *process.ring,
      {.thread = entry.thread, .kernel = entry.kernel, .with_node = entry.stack == 0 || entry.other_thread != 0});
  if (process.captures > 0 && is_captured(entry.stream))
    entry.kind = static_cast<std::uint32_t>(RingCall::captured);
  else
    entry.ordinal = ++process.launches;
}

/// Whether the file has the table of sections that its header announces. The driver writes it last.
bool is_complete(const std::filesystem::path& dump) {
  std::ifstream file(dump, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::uint64_t>(std::max<std::streamoff>(file.tellg(), 0));
  Elf64_Ehdr header = {};
  if (size < sizeof header || !file.seekg(0) || !file.read(reinterpret_cast<char*>(&header), sizeof header))
    return false;
  return header.e_shoff != 0 && header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize <= size;
}

/// After a failed assert(), the driver tells the program of the failure before the dump is complete, and a program that
/// ends at once leaves a file that is cut off.
void wait_for_dump(const std::filesystem::path& dump) {
  constexpr timespec pause = {0, 20'000'000};
  constexpr int until_begun = 50, until_complete = 3000;  // 1 s, 60 s
  std::error_code error;
  for (int waited = 0; waited < until_complete && !is_complete(dump); ++waited) {
    if (waited > until_begun && !std::filesystem::exists(dump, error)) return;
    nanosleep(&pause, nullptr);
  }
  // Driver 580 can crash if the program ends right after its dump is complete.
  constexpr timespec rest = {0, 300'000'000};
  nanosleep(&rest, nullptr);
}

std::uint64_t argument(const Arguments& arguments, int index) {
  return index < 0 ? 0 : arguments[static_cast<std::size_t>(index)];
}

}  // namespace

std::uint64_t now_ns() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint64_t enter(const DriverCall& call, const Arguments& arguments) noexcept try {
  if (call.note == Note::result || here().number != 0) return 0;  // the driver calls itself
  Process* const process = begin();
  if (process == nullptr) return 0;
  if (call.note == Note::loads) {
    if (process->inputs != nullptr) process->inputs->load(pointer<const void>(arguments[1]));
    return 0;
  }
  crash::RingEntry entry;
  entry.time = now_ns();
  entry.kind = static_cast<std::uint32_t>(call.kind);
  entry.thread = thread_id();
  entry.name = process->ring->text(call.name);
  entry.result = crash::ring_unfinished;
  const Python::Stack stack = process->python.stack();
  entry.stack = stack.frame;
  entry.other_thread = stack.of_main_thread ? 1 : 0;
  if (call.kind == RingCall::launch) {
    read_launch(*process, call, arguments, entry);
  } else {
    if (!call.returns_address) entry.address = argument(arguments, call.address);
    entry.bytes = argument(arguments, call.bytes) * call.scale;
    entry.stream = argument(arguments, call.stream);
  }
  const std::uint64_t number = process->ring->add(entry);
  here() = {number, entry.stack};
  // Waiting for the GPU would end the capture of a graph.
  if (process->inputs != nullptr && process->captures == 0 && call.kind == RingCall::launch &&
      entry.kind == static_cast<std::uint32_t>(RingCall::launch))
    process->inputs->enter(call, arguments, number, name_of_kernel(function_of(call, arguments)));
  return number;
} catch (...) {
  return 0;
}

void leave(const DriverCall& call, std::uint64_t number, const Arguments& arguments, int result) noexcept try {
  if (Process* const process = current_process();
      process != nullptr && process->inputs != nullptr && call.kind == RingCall::launch)
    process->inputs->leave(call, number, result);  // the waiting for a kernel that fails comes here by itself
  if (instrumentation::is_kernel_fault(static_cast<std::uint32_t>(result)))
    if (Process* const process = current_process(); process != nullptr) {
      if (number != 0) process->ring->set_result(number, result);
      std::call_once(process->dumped, [&] { wait_for_dump(process->dump); });
    }
  if (number == 0) return;
  const std::uint32_t stack = here().stack;
  here() = {};
  Process* const process = current_process();
  if (process == nullptr) return;
  process->ring->set_result(number, result);
  if (result != 0) return;
  if (call.note == Note::begins_capture) ++process->captures;
  if (call.note == Note::ends_capture) --process->captures;
  if (call.note == Note::unloads) {
    const std::lock_guard lock(process->mutex);
    process->kernels.clear();
  }
  std::uint64_t address = argument(arguments, call.address);
  if (call.kind == RingCall::allocation) {
    if (call.returns_address) address = address == 0 ? 0 : *pointer<const std::uint64_t>(address);
    process->ring->allocated(address, argument(arguments, call.bytes), number, process->ring->text(call.name), stack);
  }
  if (call.kind == RingCall::release) process->ring->released(address, number, stack);
} catch (...) {
  return;
}

}  // namespace warpwalk::armed
