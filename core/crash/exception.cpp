#include "core/crash/exception.h"

#include <algorithm>
#include <iterator>

namespace warpwalk::crash {
namespace {

using enum ExceptionKind;

constexpr ExceptionRow exception_rows[] = {
    {0, none, "none"},
    {1, illegal_address, "Lane Illegal Address"},
    {2, stack_overflow, "Lane User Stack Overflow"},
    {3, stack_overflow, "Device Hardware Stack Overflow"},
    {4, illegal_instruction, "Warp Illegal Instruction"},
    {5, out_of_range, "Warp Out-of-range Address"},
    {6, misaligned_address, "Warp Misaligned Address"},
    {7, address_space, "Warp Invalid Address Space"},
    {8, invalid_pc, "Warp Invalid PC"},
    {9, stack_overflow, "Warp Hardware Stack Overflow"},
    {10, illegal_address, "Device Illegal Address"},
    {11, misaligned_address, "Lane Misaligned Address"},
    {12, assertion, "Warp Assert"},
    {13, system_call, "Lane Syscall Error"},
    {14, illegal_address, "Warp Illegal Address"},
    {15, illegal_address, "Lane Nonmigratable Atomsys"},
    {16, illegal_address, "Lane Invalid Atomsys"},
    {17, cluster, "Cluster Out-of-range Address"},
    {18, cluster, "Cluster Block Not Present"},
    {19, stack_overflow, "Warp Stack Canary"},
    {20, tensor_memory, "Warp Tensor Memory Access Check"},
    {21, tensor_memory, "Warp Tensor Memory Leak"},
    {22, old_driver, "Warp Call Requires Newer Driver"},
    {23, invalid_pc, "Warp Misaligned PC"},
    {24, invalid_pc, "Warp PC Overflow"},
    {25, illegal_instruction, "Warp Misaligned Register"},
    {26, illegal_instruction, "Warp Illegal Instruction Encoding"},
    {27, illegal_instruction, "Warp Illegal Instruction Parameter"},
    {28, illegal_instruction, "Warp Out-of-range Register"},
    {29, constant_bank, "Warp Invalid Constant Address"},
    {30, illegal_address, "Warp MMU Fault"},
    {31, mbarrier, "Warp Arrive"},
    {32, cluster, "Cluster Poison"},
    {33, stack_overflow, "Warp API Stack Error"},
    {34, cluster, "Warp Block Not Present"},
    {35, stack_overflow, "Warp User Stack Overflow"},
    {36, tensor_copy, "TMA Syscall"},
};

constexpr std::string_view kind_names[] = {
    "none",          "illegal_address", "out_of_range",  "misaligned_address", "address_space", "illegal_instruction",
    "invalid_pc",    "stack_overflow",  "assert",        "system_call",        "cluster",       "mbarrier",
    "tensor_memory", "tensor_copy",     "constant_bank", "old_driver",         "unknown"};
static_assert(std::size(kind_names) == static_cast<std::size_t>(unknown) + 1);

}  // namespace

ExceptionRow exception_of(std::uint32_t code) {
  const auto row = std::ranges::find(exception_rows, code, &ExceptionRow::code);
  return row == std::end(exception_rows) ? ExceptionRow{.code = code, .kind = unknown, .name = {}} : *row;
}

std::string_view name_of(ExceptionKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

}  // namespace warpwalk::crash
