#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/story/scenes/translator/translator.h"

namespace warpwalk::story {
namespace {

template <class T>
T value_in(const std::vector<std::uint8_t>& bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::string scalar_text(const trace::KernelArgument& argument) {
  const std::size_t size = argument.bytes.size();
  if (argument.dtype == "f32" && size == 4) return fmt::format("{:g}", value_in<float>(argument.bytes));
  if (argument.dtype == "f64" && size == 8) return fmt::format("{:g}", value_in<double>(argument.bytes));
  if (argument.dtype == "i32" && size == 4) return fmt::to_string(value_in<std::int32_t>(argument.bytes));
  if (argument.dtype == "u32" && size == 4) return fmt::to_string(value_in<std::uint32_t>(argument.bytes));
  if (argument.dtype == "i64" && size == 8) return fmt::to_string(value_in<std::int64_t>(argument.bytes));
  if (argument.dtype == "u64" && size == 8) return fmt::to_string(value_in<std::uint64_t>(argument.bytes));
  std::string out = "0x";
  for (std::size_t i = 0; i < std::min<std::size_t>(size, 8); ++i)
    out += fmt::format("{:02x}", argument.bytes[std::min<std::size_t>(size, 8) - 1 - i]);
  return out;
}

const trace::Allocation* allocation_of(const trace::Trace& trace, const trace::KernelArgument& argument) {
  return argument.allocation < trace.records.allocations.size() ? &trace.records.allocations[argument.allocation]
                                                                : nullptr;
}

}  // namespace

std::string argument_text(const trace::Trace& trace, const trace::KernelArgument& argument) {
  if (argument.kind == trace::KernelArgument::Kind::scalar) return scalar_text(argument);
  const trace::Allocation* const allocation = allocation_of(trace, argument);
  if (allocation == nullptr) return fmt::format("0x{:x}", argument.offset);
  if (allocation->name.empty()) return fmt::format("0x{:x}", allocation->address + argument.offset);
  return argument.offset > 0 ? fmt::format("{} + {}", allocation->name, argument.offset) : allocation->name;
}

std::string argument_text_with_address(const trace::Trace& trace, const trace::KernelArgument& argument) {
  const std::string text = argument_text(trace, argument);
  const trace::Allocation* const allocation = allocation_of(trace, argument);
  if (argument.kind == trace::KernelArgument::Kind::scalar || allocation == nullptr || allocation->name.empty() ||
      allocation->address == 0)
    return text;
  return fmt::format("{}, 0x{:x}", text, allocation->address + argument.offset);
}

}  // namespace warpwalk::story
