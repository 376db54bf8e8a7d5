#include "core/debug/inputs.h"

#include <algorithm>
#include <bit>
#include <vector>

#include <fmt/format.h>

#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/launch_addresses.h"

namespace warpwalk::debug {
namespace {

constexpr std::uint64_t widest_constant = 16;  ///< bytes that one operand reads of a constant bank

struct ParameterBytes {
  std::uint64_t offset = 0, bytes = 0;  ///< in the memory of the parameters
};

std::optional<ParameterBytes> parameter_bytes(const gpu::Program& program, std::uint64_t address, std::uint64_t bytes) {
  if (address < gpu::parameter_base || address + bytes > gpu::parameter_base + program.parameter_bytes) return {};
  return ParameterBytes{address - gpu::parameter_base, bytes};
}

bool names_parameter(const gpu::Program& program, const ptx::Operand& operand, const ParameterBytes& wanted) {
  if (operand.kind == ptx::OperandKind::parameter && !operand.returns) {
    const auto index = static_cast<std::size_t>(operand.index);
    if (index >= program.parameter_offsets.size()) return false;
    const std::uint64_t from = program.parameter_offsets[index];
    const std::uint64_t to = index + 1 < program.parameter_offsets.size() ? program.parameter_offsets[index + 1]
                                                                          : std::uint64_t{program.parameter_bytes};
    return from < wanted.offset + wanted.bytes && wanted.offset < to;
  }
  return std::ranges::any_of(operand.elements,
                             [&](const ptx::Operand& part) { return names_parameter(program, part, wanted); });
}

/// Whether an instruction may read a parameter.
bool may_read(const gpu::Program& program, std::uint32_t instruction, const ParameterBytes& wanted) {
  if (!program.machine_code) {
    const gpu::SourceInstruction& source = program.sources[instruction];
    return source.function == program.entry &&
           std::ranges::any_of(source.instruction->operands,
                               [&](const ptx::Operand& operand) { return names_parameter(program, operand, wanted); });
  }
  const gpu::MachineCode& code = *program.machine_code;
  const std::uint64_t from = code.parameter_base + wanted.offset;
  return std::ranges::any_of(code.instructions[instruction].operands, [&](const sass::Operand& operand) {
    if (operand.kind != sass::OperandKind::constant) return false;
    if (operand.bindless) return true;
    if (operand.bank != 0) return false;
    const auto at = static_cast<std::uint64_t>(operand.value);
    const bool anywhere = operand.indexed && operand.reg != sass::zero_register;
    return anywhere || (at < from + wanted.bytes && from < at + widest_constant);
  });
}

/// The issues of an SM that come before a position.
std::size_t issues_before(const Recording& recording, std::uint16_t sm, const Position& before) {
  const SmLog& log = recording.log(sm);
  std::size_t end = log.first_at(sm < before.sm ? std::int64_t{before.cycle} + 1 : std::int64_t{before.cycle});
  if (sm == before.sm) end = std::max<std::size_t>(end, before.issue);
  return std::min(end, log.issues().size());
}

bool same_issue(const LoggedIssue& a, const LoggedIssue& b) {
  return a.cycle == b.cycle && a.instruction == b.instruction && a.slot == b.slot && a.lanes == b.lanes &&
         a.executing == b.executing;
}

/// Bytes that an access left in global memory.
std::vector<std::uint8_t> written_bytes(const SmLog& log, const AccessRow& access) {
  std::vector<std::uint8_t> bytes(log.pattern_of(access).span);
  log.copy_written(access, access.low, bytes);
  return bytes;
}

bool same_access(const SmLog& a, const AccessRow& x, const SmLog& b, const AccessRow& y) {
  return x.low == y.low && x.issue == y.issue && x.bytes == y.bytes && x.space == y.space && x.writes == y.writes &&
         x.atomic == y.atomic && a.pattern_of(x) == b.pattern_of(y) &&
         (x.values == AccessRow::none) == (y.values == AccessRow::none) &&
         (x.values == AccessRow::none || written_bytes(a, x) == written_bytes(b, y));
}

bool same_log(const Recording& one, const Recording& other, std::uint16_t sm, const Position& before) {
  const SmLog &a = one.log(sm), &b = other.log(sm);
  const std::size_t end = issues_before(one, sm, before);
  if (issues_before(other, sm, before) != end) return false;
  if (!std::equal(a.issues().begin(), a.issues().begin() + static_cast<std::ptrdiff_t>(end), b.issues().begin(),
                  same_issue))
    return false;
  const auto accesses_before = [end](const SmLog& log) {
    return std::ranges::lower_bound(log.accesses(), end, {}, [](const AccessRow& row) { return row.issue; }) -
           log.accesses().begin();
  };
  const auto count = accesses_before(a);
  return count == accesses_before(b) &&
         std::equal(a.accesses().begin(), a.accesses().begin() + count, b.accesses().begin(),
                    [&](const AccessRow& x, const AccessRow& y) { return same_access(a, x, b, y); });
}

bool same_warp(const gpu::WarpState& a, const gpu::WarpState& b) {
  if (!(a.place == b.place) || (a.warp == nullptr) != (b.warp == nullptr)) return false;
  if (a.warp != nullptr && (a.warp->registers != b.warp->registers || a.warp->stack != b.warp->stack)) return false;
  return a.block == nullptr || b.block == nullptr || a.block->shared == b.block->shared;
}

void change_argument(gpu::Argument& argument, std::uint64_t offset, std::uint64_t size,
                     std::span<const std::uint8_t> bytes) {
  argument.bytes.resize(std::max<std::size_t>(argument.bytes.size(), size));
  std::ranges::copy(bytes, argument.bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  argument.buffer = argument.texture = -1;
}

/// Takes out the addresses among contents that new bytes replace; false: one is only partly replaced.
bool replace_addresses(std::vector<gpu::AddressField>& addresses, std::uint64_t offset, std::uint64_t bytes) {
  constexpr std::uint64_t address_bytes = 8;
  const auto touched = [&](const gpu::AddressField& field) {
    return field.at < offset + bytes && offset < field.at + address_bytes;
  };
  for (const gpu::AddressField& field : addresses)
    if (touched(field) && (field.at < offset || field.at + address_bytes > offset + bytes)) return false;
  std::erase_if(addresses, touched);
  return true;
}

base::Error partly_replaced() { return base::Error{"a part of an address cannot be set; set its eight bytes"}; }

}  // namespace

std::optional<InputUse> first_use(const Recording& recording, std::uint64_t address, std::uint64_t bytes,
                                  const Position& before) {
  std::optional<InputUse> first;
  const auto consider = [&](const InputUse& use) {
    if (!first || use.at < first->at) first = use;
  };
  const auto parameter = parameter_bytes(recording.program(), address, bytes);
  std::vector<bool> reads(recording.code().size());
  for (std::uint32_t i = 0; parameter && i < reads.size(); ++i) reads[i] = may_read(recording.program(), i, *parameter);
  for (std::uint16_t sm = 0; sm < recording.sms(); ++sm) {
    const SmLog& log = recording.log(sm);
    const std::size_t end = issues_before(recording, sm, before);
    for (std::size_t i = 0; parameter && i < end; ++i)
      if (reads[log.issues()[i].instruction]) {
        const std::uint32_t lanes = log.issues()[i].lanes;
        consider({recording.position(sm, i), lanes == 0 ? 0 : std::countr_zero(lanes), false});
        break;
      }
    for (const AccessRow& access : log.accesses()) {
      if (access.issue >= end) break;
      if (access.space != AccessRow::Space::global) continue;
      const std::uint32_t lanes = log.lanes_touching(access, address, bytes);
      if (lanes == 0) continue;
      consider({recording.position(sm, access.issue), std::countr_zero(lanes), access.writes && !access.atomic});
      break;
    }
  }
  return first;
}

std::string unlogged_reads(const Recording& recording, std::uint64_t address) {
  const gpu::Launch& launch = recording.before();
  const auto in_buffer = [&](std::size_t i) {
    const std::uint64_t base = recording.buffer_addresses()[i];
    return address >= base && address - base < launch.buffers[i].bytes.size();
  };
  for (const run::TextureSpec& texture : recording.loaded().file.textures)
    if (texture.buffer < recording.buffer_addresses().size() && in_buffer(texture.buffer)) return "textures read it";
  for (std::size_t i = 0; i < launch.buffers.size() && i < recording.buffer_addresses().size(); ++i) {
    if (launch.buffers[i].variable.empty() || !in_buffer(i)) continue;
    const auto place = gpu::find_variable(recording.program(), launch.buffers[i].variable);
    if (place &&
        (place->constant != nullptr || (place->variable != nullptr && place->variable->space == ptx::Space::constant)))
      return "it is in constant memory";
  }
  return {};
}

base::Result<run::LoadedLaunch> with_input(const Recording& recording, std::uint64_t address,
                                           std::span<const std::uint8_t> bytes) {
  const gpu::Program& program = recording.program();
  if (const auto parameter = parameter_bytes(program, address, bytes.size()); parameter && program.entry != nullptr) {
    const auto after = std::ranges::upper_bound(program.parameter_offsets, parameter->offset);
    const auto index = static_cast<std::size_t>(after - program.parameter_offsets.begin()) - 1;
    const std::uint64_t offset = parameter->offset - program.parameter_offsets[index];
    const std::uint64_t size = program.entry->parameters[index].bytes;
    if (index >= recording.before().arguments.size() || offset + bytes.size() > size)
      return base::Error{"it is no parameter of the kernel"};
    run::LoadedLaunch changed = recording.loaded();
    gpu::Argument& argument = changed.launch.arguments[index];
    const bool is_address = argument.buffer >= 0 || argument.texture >= 0;
    if ((is_address && bytes.size() < size) || !replace_addresses(argument.addresses, offset, bytes.size()))
      return partly_replaced();
    change_argument(argument, offset, size, bytes);
    return changed;
  }
  for (std::size_t i = 0; i < recording.before().buffers.size() && i < recording.buffer_addresses().size(); ++i) {
    const std::uint64_t base = recording.buffer_addresses()[i], size = recording.before().buffers[i].bytes.size();
    if (address < base || address - base >= size) continue;
    const std::uint64_t offset = address - base;
    if (bytes.size() > size - offset) return base::Error{"it reaches past the end of the buffer"};
    run::LoadedLaunch changed = recording.loaded();
    gpu::Buffer& buffer = changed.launch.buffers[i];
    if (!replace_addresses(buffer.addresses, offset, bytes.size())) return partly_replaced();
    std::ranges::copy(bytes, buffer.bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    if (!buffer.initialized) {
      const auto at = std::ranges::lower_bound(buffer.written, offset, {}, &gpu::ByteRange::begin);
      buffer.written.insert(at, {offset, offset + bytes.size()});
    }
    return changed;
  }
  return base::Error{"it is no input of the launch: an element of a buffer or a parameter can be set"};
}

bool have_same_past(Recording& one, Recording& other, const Position& before, std::uint16_t sm) {
  if (one.sms() != other.sms()) return false;
  for (std::uint16_t of = 0; of < one.sms(); ++of)
    if (!same_log(one, other, of, before)) return false;
  if (before.sm < one.sms() && before.issue < one.log(before.sm).issues().size() &&
      one.issue_at(before).cycle == before.cycle &&
      (before.issue >= other.log(before.sm).issues().size() ||
       !same_issue(one.issue_at(before), other.issue_at(before))))
    return false;
  if (sm >= one.sms()) return true;
  const std::int64_t cycle = std::min<std::int64_t>({before.cycle, one.end(), other.end()});
  const gpu::SmState a = one.state(sm, cycle), b = other.state(sm, cycle);
  return std::ranges::equal(a.warps, b.warps, same_warp);
}

}  // namespace warpwalk::debug
