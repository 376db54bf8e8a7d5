#include "instrumentation/simulated/engine/host_access.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "instrumentation/simulated/device/code_place.h"
#include "instrumentation/simulated/engine/checks.h"
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {
namespace {

constexpr std::uint64_t protected_page = 4096;

std::uint64_t page_of(std::uint64_t address) { return address / protected_page * protected_page; }

/// free() reads this many bytes before the address that it gets.
constexpr std::uint64_t heap_header = 16;

bool conflicts(const UsedRange& range, HostAccessKind kind) { return range.written || kind == HostAccessKind::write; }

/// The range that contains the offset; null: none.
const UsedRange* range_at(const std::vector<UsedRange>& ranges, std::uint64_t offset) {
  const auto after = std::ranges::upper_bound(ranges, offset, {}, &UsedRange::first);
  if (after == ranges.begin()) return nullptr;
  const UsedRange& range = *std::prev(after);
  return offset < range.end ? &range : nullptr;
}

struct sigaction previous_action;

bool is_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

/// Does what would have happened without this handler.
void pass_on(int signal, siginfo_t* info, void* context) {
  // A handler that the program set later may have kept this one as the handler before it.
  thread_local bool passing = false;
  if (!std::exchange(passing, true)) {
    if (is_handler(previous_action)) {
      if ((previous_action.sa_flags & SA_SIGINFO) != 0)
        previous_action.sa_sigaction(signal, info, context);
      else
        previous_action.sa_handler(signal);
      passing = false;
      return;
    }
  }
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  sigaction(SIGSEGV, &usual, nullptr);
  // A fault happens again when this returns. A signal that was sent does not.
  if (info->si_code <= 0) raise(signal);
}

struct FaultRegisters {
  std::uint64_t instruction = 0;
  HostAccessKind kind = HostAccessKind::read;
};

FaultRegisters registers_of([[maybe_unused]] const void* context) {
#ifdef __x86_64__
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  constexpr greg_t is_write = 2;  // of the page fault's error code
  return {static_cast<std::uint64_t>(registers[REG_RIP]),
          (registers[REG_ERR] & is_write) != 0 ? HostAccessKind::write : HostAccessKind::read};
#else
  return {};
#endif
}

/// The stack at a fault: the handler's own functions and the kernel's frame come before the instruction.
call_sites::Frames frames_at(std::uint64_t instruction) {
  call_sites::Frames frames = call_sites::frames_here();
  const auto found = std::ranges::find(frames, instruction);
  if (found == frames.end()) {
    // Frames hold return addresses, which are behind the instruction that is meant.
    std::shift_right(frames.begin(), frames.end(), 1);
    frames[0] = instruction + 1;
    return frames;
  }
  std::shift_left(frames.begin(), frames.end(), found - frames.begin());
  std::fill(frames.end() - (found - frames.begin()), frames.end(), 0);
  frames[0] = instruction + 1;
  return frames;
}

/// What the address of a fault is, for a host that uses it as if it were its own memory.
void explain_fault(Gpu& gpu, std::uint64_t address, const FaultRegisters& registers) {
  DeviceMemory::Place place = gpu.memory.find(address);
  const bool before = place == nullptr && (place = gpu.memory.find(address + heap_header)) != nullptr;
  std::string memory = place == nullptr ? std::string() : describe_memory(*place);
  if (place == nullptr) {
    place = gpu.memory.find_freed(address);
    if (place == nullptr) place = gpu.memory.find_freed(address + heap_header);
    memory =
        place == nullptr ? "no allocation there" : fmt::format("{}, which have been freed", describe_memory(*place));
  }
  const call_sites::Frames frames = frames_at(registers.instruction);
  const std::string where = call_sites::place(frames);
  constexpr std::size_t inner = 3;
  const bool in_free = std::any_of(frames.begin(), frames.begin() + inner, [](std::uint64_t frame) {
    const std::string symbol = frame == 0 ? std::string() : code_symbol(frame - 1);
    return symbol == "free" || symbol == "cfree" || symbol == "__libc_free";
  });
  if (before && in_free)
    return gpu.find(
        fmt::format("host code{}{} frees {:#x} with free(), which is device memory ({}): free it with cudaFree",
                    where.empty() ? "" : " ", where, address + heap_header / 2, memory),
        0);
  if (before) memory += ", just before it";
  gpu.find(fmt::format("host code {}{}{} {:#x}, which is device memory ({}): copy it with cudaMemcpy first", where,
                       where.empty() ? "" : " ", registers.kind == HostAccessKind::write ? "writes" : "reads", address,
                       memory),
           0);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  if (info->si_code > 0) {
    Gpu& gpu = Gpu::the();
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    const FaultRegisters registers = registers_of(context);
    if (gpu.checks != nullptr &&
        gpu.checks->host_access.handle(address, registers.kind, registers.instruction, WorkQueue::running())) {
      errno = error;
      return;
    }
    static std::atomic_flag explained = ATOMIC_FLAG_INIT;
    if ((gpu.memory.reserves(address) || gpu.memory.reserves(address + heap_header)) && !explained.test_and_set())
      explain_fault(gpu, address, registers);
  }
  errno = error;
  pass_on(signal, info, context);
}

}  // namespace

class HostAccess::Lock {
 public:
  explicit Lock(HostAccess& of) : of_(of) {
    while (of_.busy_.test_and_set(std::memory_order_acquire)) sched_yield();
  }
  ~Lock() { of_.busy_.clear(std::memory_order_release); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  HostAccess& of_;
};

void HostAccess::open(const Protected& area) {
  mprotect(reinterpret_cast<void*>(area.first), area.end - area.first, PROT_READ | PROT_WRITE);
}

void HostAccess::protect(const Protected& area) {
  // By page: 0 not used, 1 read, 2 written.
  std::vector<std::uint8_t> pages((area.end - area.first) / protected_page);
  for (const auto& use : area.uses)
    for (const UsedRange& range : use->ranges)
      for (std::uint64_t at = range.first / protected_page; at * protected_page < range.end && at < pages.size(); ++at)
        pages[at] = std::max(pages[at], static_cast<std::uint8_t>(range.written ? 2 : 1));
  for (std::size_t first = 0; first < pages.size();) {
    std::size_t end = first + 1;
    while (end < pages.size() && pages[end] == pages[first]) ++end;
    constexpr int access[] = {PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE};
    mprotect(reinterpret_cast<void*>(area.first + first * protected_page), (end - first) * protected_page,
             access[pages[first]]);
    first = end;
  }
}

void HostAccess::add(MemoryUse use) {
  if (use.ranges.empty()) return;
  install_fault_handler();
  auto shared = std::make_shared<MemoryUse>(std::move(use));
  const Allocation& place = *shared->place;
  const Lock lock(*this);
  Protected& area = areas_[place.address];
  area.first = place.address;
  area.end = page_of(place.address + place.bytes + protected_page - 1);
  std::erase_if(area.uses, [](const auto& one) { return one->over; });
  area.uses.push_back(std::move(shared));
  protect(area);
}

void HostAccess::release(const Order& order) {
  const Lock lock(*this);
  for (auto at = areas_.begin(); at != areas_.end();) {
    Protected& area = at->second;
    const std::size_t removed = std::erase_if(area.uses, [&](const auto& use) {
      const auto done = order.find(use->stream);
      return use->over || (done != order.end() && done->second >= use->number);
    });
    if (area.uses.empty()) {
      open(area);
      at = areas_.erase(at);
      continue;
    }
    if (removed > 0) protect(area);
    ++at;
  }
}

void HostAccess::forget(const Allocation& allocation) {
  const Lock lock(*this);
  areas_.erase(allocation.address);
}

bool HostAccess::handle(std::uint64_t address, HostAccessKind kind, std::uint64_t instruction, const Work* running) {
  const Lock lock(*this);
  const auto after = areas_.upper_bound(address);
  if (after == areas_.begin()) return false;
  Protected& area = std::prev(after)->second;
  if (address >= area.end) return false;
  const std::uint64_t offset = address - area.first;
  for (const auto& use : area.uses) {
    if (use->over) continue;
    const UsedRange* const range = range_at(use->ranges, offset);
    if (range == nullptr || !conflicts(*range, kind)) continue;
    if (running != nullptr) {
      // A function of the program that a stream calls: the stream has waited.
      const auto before = running->order.find(use->stream);
      if (before != running->order.end() && before->second >= use->number) continue;
    }
    if (access_count_ < most_accesses)
      accesses_[access_count_++] = {use, kind, offset, range->written, frames_at(instruction)};
    changed_ = true;
    // One report for each allocation and wait is enough.
    for (const auto& one : area.uses) one->over = true;
    open(area);
    return true;
  }
  mprotect(reinterpret_cast<void*>(page_of(address)), protected_page, PROT_READ | PROT_WRITE);
  area.opened = true;
  changed_ = true;
  return true;
}

std::vector<EarlyAccess> HostAccess::take() {
  std::vector<EarlyAccess> taken;
  if (!changed_) return taken;
  taken.reserve(most_accesses);
  const Lock lock(*this);
  for (std::size_t i = 0; i < access_count_; ++i) taken.push_back(std::exchange(accesses_[i], {}));
  access_count_ = 0;
  changed_ = false;
  for (auto& [address, area] : areas_) {
    if (!std::exchange(area.opened, false)) continue;
    std::erase_if(area.uses, [](const auto& one) { return one->over; });
    protect(area);
  }
  return taken;
}

void install_fault_handler() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  struct sigaction now = {};
  if (sigaction(SIGSEGV, nullptr, &now) != 0) return;
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &on_fault) return;
  // The program's own handler may end the process, or jump away.
  previous_action = now;
  struct sigaction ours = {};
  ours.sa_sigaction = &on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (now.sa_flags & SA_NODEFER);
  ours.sa_mask = now.sa_mask;
  sigaction(SIGSEGV, &ours, nullptr);
}

}  // namespace warpwalk::simulated
