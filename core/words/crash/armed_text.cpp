#include "core/words/crash/armed_text.h"

#include <algorithm>
#include <array>
#include <ranges>

#include <fmt/format.h>

#include "core/analysis/names/kernel_name.h"
#include "core/base/quantity_text.h"
#include "core/words/crash/crash_names.h"

namespace warpwalk::words {
namespace {

using crash::CallRing;
using crash::RingCall;
using crash::RingEntry;

/// A frame of Python, "FOLDER/train.py:12 Model.forward", in parts.
struct FrameParts {
  std::string_view file, line, function;
};
FrameParts parts_of(std::string_view frame) {
  const std::size_t space = frame.rfind(' ');
  if (space == std::string_view::npos) return {frame, {}, {}};
  const std::string_view place = frame.substr(0, space);
  const std::size_t colon = place.rfind(':');
  if (colon == std::string_view::npos) return {place, {}, frame.substr(space + 1)};
  return {place.substr(0, colon), place.substr(colon + 1), frame.substr(space + 1)};
}

/// Whether people who wrote the program wrote the frame: not Python's own frames, nor those of installed packages.
bool is_own(const FrameParts& frame) {
  return !frame.line.empty() && !frame.file.starts_with('<') &&
         frame.file.find("/site-packages/") == std::string_view::npos &&
         frame.file.find("/dist-packages/") == std::string_view::npos;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string python_place(const CallRing& calls, std::uint32_t stack) {
  for (const std::string_view frame : calls.stack(stack))
    if (const FrameParts parts = parts_of(frame); is_own(parts))
      return fmt::format("{}:{}", file_name(parts.file), parts.line);
  return {};
}

}  // namespace

CallPlace call_place(const CallRing& calls, const RingEntry& call) {
  CallPlace place;
  place.stack = calls.stack(call.stack);
  std::erase_if(place.stack, [](std::string_view frame) { return frame.starts_with("<shim>"); });  // the interpreter's
  place.python = python_place(calls, call.stack);
  constexpr std::string_view forward = ".forward";
  for (const std::string_view frame : place.stack | std::views::reverse) {
    std::string_view function = parts_of(frame).function;
    if (!function.ends_with(forward)) continue;
    function.remove_suffix(forward.size());
    place.modules += fmt::format("{}{}", place.modules.empty() ? "" : " > ", function);
  }
  return place;
}

std::string call_text(const CallRing& calls, const RingEntry& call) {
  std::string text(calls.text(call.name));
  if (const std::string_view kernel = calls.text(call.kernel); !kernel.empty())
    text += fmt::format(" of {}, grid {}, block {}", analysis::read_kernel_name(kernel).function,
                        extent_text(call.grid), extent_text(call.block));
  if (call.bytes != 0) text += ", " + base::bytes_text(static_cast<double>(call.bytes));
  if (call.address != 0) text += " at " + address_text(call.address);
  if (call.stream != 0) text += ", stream " + address_text(call.stream);
  return text;
}

const RingEntry* noticed_at(const CallRing& calls, const RingEntry& launch) {
  const auto found = std::ranges::find_if(calls.calls(), [&](const RingEntry& call) {
    return call.number >= launch.number && call.result != 0 && call.result != crash::ring_unfinished;
  });
  return found == calls.calls().end() ? nullptr : &*found;
}

std::string allocation_text(const CallRing& calls, const crash::RingAllocation& allocation) {
  const auto where = [&](std::uint32_t stack, std::uint64_t number) {
    const std::string python = python_place(calls, stack);
    return fmt::format("{} (call {})", python.empty() ? "" : " at " + python, number);
  };
  std::string text =
      fmt::format("{} B at {}, allocated by {}{}", base::with_thousands(static_cast<std::int64_t>(allocation.bytes)),
                  address_text(allocation.address), calls.text(allocation.name),
                  where(allocation.allocated_at, allocation.allocated));
  if (allocation.released != 0) text += ", freed" + where(allocation.released_at, allocation.released);
  return text;
}

}  // namespace warpwalk::words
