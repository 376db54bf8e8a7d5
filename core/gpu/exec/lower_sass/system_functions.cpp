#include "core/gpu/exec/lower_sass/system_functions.h"

#include <algorithm>
#include <initializer_list>

#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

namespace {

/// A call whose arguments have these sizes: they are in registers from R4 on, 64-bit values in even pairs.
Call call_with(std::initializer_list<std::uint32_t> sizes, std::uint32_t result_bytes) {
  constexpr std::uint32_t first = 4;
  Call call;
  std::uint32_t at = first;
  for (const std::uint32_t bytes : sizes) {
    if (bytes == 8) at = (at + 1) / 2 * 2;
    call.arguments.push_back({at, bytes, static_cast<std::uint32_t>(call.arguments.size())});
    at += bytes / 4;
  }
  if (result_bytes != 0) call.results.push_back({first, result_bytes, 0});
  return call;
}

}  // namespace

std::size_t system_function(Program& program, std::string_view name) {
  auto& known = program.machine_code->system_functions;
  const auto found = std::ranges::find(known, name, &SystemFunction::name);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  SystemFunction& added = known.emplace_back();
  added.name = name;
  added.call = static_cast<std::uint32_t>(program.calls.size());
  if (name == "vprintf") {
    added.run = handlers::print;
    program.calls.push_back(call_with({8, 8}, 4));
  } else if (name == "__assertfail") {
    added.run = handlers::fail_assertion;
    program.calls.push_back(call_with({8, 8, 4, 8, 8}, 0));
  } else if (name == "malloc") {
    added.run = handlers::allocate_memory;
    program.calls.push_back(call_with({8}, 8));
  } else if (name == "__cuda_syscall_aligned_malloc") {
    added.run = handlers::allocate_aligned_memory;
    program.calls.push_back(call_with({8, 8}, 8));
  } else if (name == "free") {
    added.run = handlers::free_memory;
    program.calls.push_back(call_with({8}, 0));
  }
  program.uses_heap = program.uses_heap || handlers::uses_heap(added.run);
  return known.size() - 1;
}

std::uint64_t add_system_function(Program& program, std::string_view name) {
  return system_function_base + 16 * system_function(program, name);
}

}  // namespace warpwalk::gpu
