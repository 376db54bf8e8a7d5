#include "core/debug/moment.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/check/finding_text.h"
#include "core/gpu/exec/launch_addresses.h"
#include "core/gpu/exec/run/stack.h"
#include "core/run/launch/module_names.h"

namespace warpwalk::debug {
namespace {

constexpr std::uint32_t most_watched_bytes = 4096;

constexpr std::string_view special_names[] = {"threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y",
                                              "blockIdx.z",  "blockDim.x",  "blockDim.y",  "blockDim.z", "gridDim.x",
                                              "gridDim.y",   "gridDim.z",   "warpSize",    "$lane",      "$warp",
                                              "$block",      "$sm",         "$cycle"};

/// The element type that a variable of the module is shown with.
ops::DType element_of(ptx::Type type) {
  const auto known = ops::dtype_of(ptx::name_of(type));
  if (known) return *known;
  switch (ptx::bytes_of(type)) {
    case 2: return ops::DType::u16;
    case 4: return ops::DType::u32;
    case 8: return ops::DType::u64;
    default: return ops::DType::u8;
  }
}

Value value_of_type(ptx::Type type, std::uint64_t bits) {
  return value_of_bits(element_of(type == ptx::Type::pred ? ptx::Type::u8 : type), bits);
}

bool means(std::string_view name, std::string_view symbol) {
  return name == symbol || name == gpu::name_in_source(symbol) || run::is_plain_name_of(name, symbol);
}

std::optional<unsigned> number_behind(std::string_view name, std::string_view prefix, unsigned below) {
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return {};
  unsigned number = 0;
  const auto [end, error] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number >= below) return {};
  return number;
}

}  // namespace

Moment::Moment(Recording& recording, std::int64_t cycle, std::uint64_t block, std::uint32_t warp, int lane)
    : recording_(recording),
      cycle_(cycle),
      block_(block),
      warp_(warp),
      lane_(lane),
      sm_(recording.sm_of(block).value_or(0)) {}

void Moment::look() {
  if (looked_) return;
  looked_ = true;
  sm_state_ = recording_.state(sm_, cycle_);
  for (const gpu::WarpState& warp : sm_state_.warps)
    if (warp.place.block == block_ && warp.place.warp == warp_) state_ = &warp;
}

const gpu::WarpState* Moment::state() {
  look();
  return state_;
}

const gpu::Warp* Moment::warp() {
  look();
  return state_ != nullptr ? state_->warp : nullptr;
}

std::array<std::uint32_t, 3> Moment::thread_id() const {
  const auto& block = recording_.before().block;
  const std::uint32_t thread = 32 * warp_ + static_cast<std::uint32_t>(lane_);
  return {thread % block[0], thread / block[0] % block[1], thread / block[0] / block[1]};
}

std::uint32_t Moment::live_lanes() {
  const gpu::Warp* const of = warp();
  return of != nullptr ? of->live_lanes : 0;
}

const gpu::Split* Moment::split() {
  const gpu::Warp* const of = warp();
  if (of == nullptr) return nullptr;
  for (const gpu::Split& split : of->used_splits())
    if (split.state != gpu::SplitState::unused && split.state != gpu::SplitState::reconverging &&
        (split.mask >> lane_ & 1) != 0)
      return &split;
  return nullptr;
}

std::uint32_t Moment::frame() {
  const gpu::Split* const in = split();
  return in != nullptr ? in->frame : 0;
}

const gpu::Function& Moment::function() {
  const gpu::Program& program = recording_.program();
  const gpu::Split* const in = split();
  return in != nullptr && in->pc < program.ops.size() ? program.functions[program.ops[in->pc].function]
                                                      : program.functions.front();
}

std::vector<StackFrame> Moment::stack(std::uint32_t instruction) {
  const CodeMap& code = recording_.code();
  std::vector<StackFrame> stack;
  const gpu::Program& program = recording_.program();
  const gpu::Function* in = &function();
  std::uint32_t at = frame();
  std::uint32_t variables = split() != nullptr ? split()->local : 0;
  const auto add = [&](std::uint32_t call) {
    if (call >= code.size()) return;
    const std::vector<CodeFrame> frames = recording_.source().frames(call);
    for (std::size_t i = 0; i < frames.size(); ++i)
      stack.push_back({frames[i], call, static_cast<unsigned>(frames.size() - 1 - i), in, at, variables});
  };
  add(instruction);
  const gpu::Warp* const of = warp();
  if (program.machine_code || of == nullptr) return stack;
  const auto word = [&](std::uint32_t slot) {
    std::uint32_t value = 0;
    const std::size_t from = std::size_t{at} + slot + 4 * static_cast<std::size_t>(lane_);
    if (from + 4 <= of->registers.size()) std::memcpy(&value, of->registers.data() + from, 4);
    return value;
  };
  constexpr std::size_t most_frames = 256;
  while (in != &program.functions.front() && stack.size() < most_frames) {
    const std::uint32_t back = word(in->return_slot);
    variables = word(in->caller_local_slot);
    at = word(in->caller_frame_slot);
    if (back == 0 || back > program.ops.size()) break;
    const gpu::Op& call = program.ops[back - 1];
    in = &program.functions[call.function];
    add(call.instruction);
  }
  return stack;
}

void Moment::read_lanes(RegisterRow& row) {
  const gpu::Warp* const of = warp();
  if (of == nullptr) return;
  if (row.bytes == 0) {
    row.lanes.assign(1, 0);
    if (row.offset + 4 <= of->registers.size()) std::memcpy(row.lanes.data(), of->registers.data() + row.offset, 4);
    return;
  }
  row.lanes.assign(32, 0);
  const std::size_t width = std::max<std::size_t>(row.bytes, 2), taken = std::min<std::size_t>(row.bytes, 8);
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (row.offset + (lane + 1) * width <= of->registers.size())
      std::memcpy(&row.lanes[lane], of->registers.data() + row.offset + lane * width, taken);
}

std::vector<RegisterRow> Moment::registers() {
  std::vector<RegisterRow> rows;
  if (warp() == nullptr) return rows;
  const gpu::Program& program = recording_.program();
  if (program.machine_code) {
    const gpu::MachineCode& code = *program.machine_code;
    sass::RegisterSet used;
    for (const sass::RegisterUse& use : code.uses) {
      used |= use.reads;
      used |= use.writes;
    }
    for (std::uint32_t i = 0; i < used.general.size(); ++i)
      if (used.general.test(i))
        rows.push_back({fmt::format("R{}", i), ptx::Type::b32, 4, code.frame.general + 128 * i});
    for (std::uint32_t i = 0; i < used.uniform.size(); ++i)
      if (used.uniform.test(i))
        rows.push_back({fmt::format("UR{}", i), ptx::Type::b32, 4, code.frame.uniform + 128 * i});
  } else {
    const gpu::Function& in = function();
    const std::uint32_t base = frame();
    for (std::size_t i = 0; i < in.source->registers.size() && i < in.register_offsets.size(); ++i)
      if (const ptx::Register& reg = in.source->registers[i]; reg.type != ptx::Type::pred)
        rows.push_back(
            {reg.name, reg.type, static_cast<std::uint8_t>(ptx::bytes_of(reg.type)), base + in.register_offsets[i]});
  }
  for (RegisterRow& row : rows) read_lanes(row);
  return rows;
}

std::vector<RegisterRow> Moment::predicates() {
  std::vector<RegisterRow> rows;
  if (warp() == nullptr) return rows;
  const gpu::Program& program = recording_.program();
  if (program.machine_code) {
    const gpu::MachineFrame& at = program.machine_code->frame;
    for (std::uint32_t i = 0; i < 7; ++i)
      rows.push_back({fmt::format("P{}", i), ptx::Type::pred, 0, at.predicates + 4 * i});
    for (std::uint32_t i = 0; i < 7; ++i)
      rows.push_back({fmt::format("UP{}", i), ptx::Type::pred, 0, at.uniform_predicates + 4 * i});
  } else {
    const gpu::Function& in = function();
    const std::uint32_t base = frame();
    for (std::size_t i = 0; i < in.source->registers.size() && i < in.register_offsets.size(); ++i)
      if (const ptx::Register& reg = in.source->registers[i]; reg.type == ptx::Type::pred)
        rows.push_back({reg.name, reg.type, 0, base + in.register_offsets[i]});
  }
  for (RegisterRow& row : rows) read_lanes(row);
  return rows;
}

std::optional<RegisterRow> Moment::register_row(std::string_view name) {
  const gpu::Program& program = recording_.program();
  std::optional<RegisterRow> row;
  if (program.machine_code) {
    const gpu::MachineFrame& at = program.machine_code->frame;
    const std::string text(name);
    if (const auto i = number_behind(name, "R", 255))
      row = RegisterRow{text, ptx::Type::b32, 4, at.general + 128 * *i};
    else if (const auto u = number_behind(name, "UR", 255))
      row = RegisterRow{text, ptx::Type::b32, 4, at.uniform + 128 * *u};
    else if (const auto p = number_behind(name, "P", 7))
      row = RegisterRow{text, ptx::Type::pred, 0, at.predicates + 4 * *p};
    else if (const auto up = number_behind(name, "UP", 7))
      row = RegisterRow{text, ptx::Type::pred, 0, at.uniform_predicates + 4 * *up};
  } else if (name.starts_with('%') && warp() != nullptr) {
    const gpu::Function& in = function();
    for (std::size_t i = 0; i < in.source->registers.size() && i < in.register_offsets.size(); ++i)
      if (const ptx::Register& reg = in.source->registers[i]; reg.name == name)
        row = RegisterRow{reg.name, reg.type,
                          static_cast<std::uint8_t>(reg.type == ptx::Type::pred ? 0 : ptx::bytes_of(reg.type)),
                          frame() + in.register_offsets[i]};
  }
  if (row) read_lanes(*row);
  return row;
}

std::optional<gpu::ValuePlace> Moment::register_place(std::string_view name) {
  auto row = register_row(name);
  if (!row && selected() != nullptr) {
    // A variable of the source that is in one register.
    std::string why;
    for (const std::int32_t scope : recording_.source().frame(selected()->instruction, selected()->depth).scopes)
      for (const sass::DebugVariable& variable :
           recording_.source().info().scopes[static_cast<std::size_t>(scope)].variables)
        if (!row && why.empty() && variable.name == name) {
          const auto places = places_of(variable, why);
          if (places.size() != 1 || places[0].kind != sass::DebugPlace::Kind::in_register) return {};
          const auto homes = recording_.source().homes_of(places[0].register_name, selected()->instruction);
          row = register_row(homes.empty() ? places[0].register_name : name_of(*homes[0]));
          if (!row) return {};
        }
  }
  if (!row || row->bytes == 0) return {};
  gpu::ValuePlace place;
  place.kind = gpu::ValuePlace::Kind::lane_register;
  place.address = row->offset;
  place.bytes = row->bytes;
  place.warp = {block_, warp_};
  place.lane = lane_;
  return place;
}

bool Moment::read_shared(std::uint64_t offset, std::span<std::uint8_t> into) {
  look();
  if (state_ == nullptr || state_->block == nullptr) return false;
  const std::vector<std::uint8_t>& shared = state_->block->shared;
  if (offset > shared.size() || into.size() > shared.size() - offset) return false;
  std::copy_n(shared.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
  return true;
}

bool Moment::read_local(std::uint64_t offset, std::span<std::uint8_t> into) {
  const gpu::Warp* const of = warp();
  if (of == nullptr || offset + into.size() > of->stack.size() / 32 * 4) return false;
  gpu::read_stack(*of, lane_, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(into.size()), into.data());
  return true;
}

bool Moment::read_global(std::uint64_t address, std::span<std::uint8_t> into) {
  return recording_.read_global(sm_, cycle_, address, into);
}

bool Moment::read(const Address& at, std::span<std::uint8_t> into) {
  return at.space == Value::Space::global   ? read_global(at.address, into)
         : at.space == Value::Space::shared ? read_shared(at.address, into)
                                            : read_local(at.address, into);
}

std::optional<Value> Moment::special(std::string_view name) const {
  const auto axis = [&](std::string_view prefix, const std::array<std::uint32_t, 3>& values) -> std::optional<Value> {
    if (!name.starts_with(prefix) || name.size() != prefix.size() + 2 || name[prefix.size()] != '.') return {};
    const char which = name.back();
    if (which < 'x' || which > 'z') return {};
    return Value::of(values[static_cast<std::size_t>(which - 'x')], 4);
  };
  if (auto value = axis("threadIdx", thread_id())) return value;
  if (auto value = axis("blockIdx", recording_.block_id(block_))) return value;
  if (auto value = axis("blockDim", recording_.before().block)) return value;
  if (auto value = axis("gridDim", recording_.before().grid)) return value;
  if (name == "warpSize") return Value::of(32, 4);
  if (name == "$lane") return Value::of(lane_, 4);
  if (name == "$warp") return Value::of(warp_, 4);
  if (name == "$block") return Value::of(static_cast<std::int64_t>(block_));
  if (name == "$sm") return Value::of(sm_, 4);
  if (name == "$cycle") return Value::of(cycle_);
  return {};
}

std::optional<Value> Moment::memory_name(std::string_view name) const {
  const run::LaunchFile& file = recording_.loaded().file;
  for (std::size_t i = 0; i < file.buffers.size() && i < recording_.buffer_addresses().size(); ++i)
    if (file.buffers[i].name == name)
      return Value::pointer_to(recording_.buffer_addresses()[i], file.buffers[i].dtype, Value::Space::global);
  const gpu::Program& program = recording_.program();
  // Parameters: the entry's names, and p0, p1 ... in their order.
  if (program.entry != nullptr)
    for (std::size_t i = 0; i < program.entry->parameters.size() && i < program.parameter_offsets.size(); ++i) {
      const ptx::Parameter& parameter = program.entry->parameters[i];
      if (name != parameter.name && name != fmt::format("p{}", i)) continue;
      std::uint64_t bits = 0;
      const std::size_t bytes = std::min<std::size_t>(parameter.bytes, 8);
      const std::uint64_t address = gpu::parameter_base + program.parameter_offsets[i];
      const gpu::Argument* const argument =
          i < recording_.before().arguments.size() ? &recording_.before().arguments[i] : nullptr;
      if (const gpu::Region* const region = recording_.region_of(address);
          region != nullptr && address - region->base + bytes <= region->bytes)
        std::memcpy(&bits, region->data + (address - region->base), bytes);
      else if (argument != nullptr && argument->buffer < 0)
        std::memcpy(&bits, argument->bytes.data(), std::min(bytes, argument->bytes.size()));
      if (argument != nullptr && argument->buffer >= 0) {
        const auto buffer = static_cast<std::size_t>(argument->buffer);
        const ops::DType element = buffer < file.buffers.size() ? file.buffers[buffer].dtype : ops::DType::u8;
        return Value::pointer_to(recording_.buffer_addresses()[buffer] + argument->offset, element,
                                 Value::Space::global);
      }
      const bool scalar = i < file.arguments.size() && file.arguments[i].dtype.has_value();
      Value value = scalar ? value_of_bits(*file.arguments[i].dtype, bits) : Value::of(static_cast<std::int64_t>(bits));
      return value;
    }
  if (name == "shared") return Value::pointer_to(0, ops::DType::u8, Value::Space::shared);
  if (name == "local") return Value::pointer_to(0, ops::DType::u8, Value::Space::local);
  const auto variable = [&](const ptx::Variable& of, std::uint64_t address) -> std::optional<Value> {
    if (!means(name, of.name)) return {};
    const ops::DType element = element_of(of.type);
    if (of.space == ptx::Space::shared && address >= gpu::shared_begin)
      return Value::pointer_to(address - gpu::shared_begin, element, Value::Space::shared);
    if (of.space == ptx::Space::global || of.space == ptx::Space::constant)
      return Value::pointer_to(address, element, Value::Space::global);
    return {};
  };
  const auto& variables = program.module->variables;
  for (std::size_t i = 0; i < variables.size() && i < program.variable_addresses.size(); ++i)
    if (auto value = variable(variables[i], program.variable_addresses[i])) return value;
  for (const gpu::Function& in : program.functions)
    for (std::size_t i = 0; i < in.source->variables.size() && i < in.variable_offsets.size(); ++i)
      if (in.source->variables[i].space == ptx::Space::shared)
        if (auto value = variable(in.source->variables[i], in.variable_offsets[i])) return value;
  return {};
}

std::vector<std::string> Moment::names(Kind kind) const {
  std::vector<std::string> names;
  const gpu::Program& program = recording_.program();
  const auto of_space = [&](bool shared) {
    for (const ptx::Variable& variable : program.module->variables)
      if ((variable.space == ptx::Space::shared) == shared &&
          (shared || variable.space == ptx::Space::global || variable.space == ptx::Space::constant))
        names.emplace_back(gpu::name_in_source(variable.name));
    if (!shared) return;
    for (const gpu::Function& in : program.functions)
      for (const ptx::Variable& variable : in.source->variables)
        if (variable.space == ptx::Space::shared) names.emplace_back(gpu::name_in_source(variable.name));
    if (recording_.shared_bytes() > 0) names.emplace_back("shared");
  };
  switch (kind) {
    case Kind::special: names.assign(std::begin(special_names), std::end(special_names)); break;
    case Kind::parameter:
      for (std::size_t i = 0; program.entry != nullptr && i < program.entry->parameters.size(); ++i)
        names.push_back(fmt::format("p{}", i));
      break;
    case Kind::buffer:
      for (const run::BufferSpec& buffer : recording_.loaded().file.buffers) names.push_back(buffer.name);
      break;
    case Kind::shared: of_space(true); break;
    case Kind::variable: of_space(false); break;
  }
  return names;
}

base::Result<Value> Moment::find(std::string_view name) {
  if (auto value = special(name)) return *value;
  const auto variable = source_variable(name);
  if (variable && variable->value) return *variable->value;
  if (auto value = memory_name(name)) return is_single_number(name) ? number_at(*value) : *value;
  if (const auto row = register_row(name)) {
    if (row->lanes.empty())
      return base::Error{fmt::format("`{}` has no value: the warp has not started or has ended", name)};
    if (row->bytes == 0) return Value::of(row->lanes[0] >> lane_ & 1, 1);
    return value_of_type(row->type, row->lanes[static_cast<std::size_t>(lane_)]);
  }
  if (variable) return base::Error{fmt::format("`{}`: {}", name, variable->note)};
  const std::string& absence = recording_.source().absence();
  return base::Error{fmt::format(
      "no `{}` here: known are registers ({}), parameters (p0), buffers and variables of memory, and threadIdx.x{}{}",
      name, recording_.program().machine_code ? "R4, P0" : "%r1, %p1", absence.empty() ? "" : "; ", absence)};
}

bool Moment::is_single_number(std::string_view name) const {
  const gpu::Program& program = recording_.program();
  const auto is_number = [&](const ptx::Variable& variable) {
    return means(name, variable.name) && variable.bytes == ops::bytes_of(element_of(variable.type)) &&
           (variable.bytes > 1 || variable.type == ptx::Type::s8 || variable.type == ptx::Type::u8);
  };
  return std::ranges::any_of(program.module->variables, is_number) ||
         std::ranges::any_of(program.functions, [&](const gpu::Function& function) {
           return std::ranges::any_of(function.source->variables, is_number);
         });
}

Value Moment::number_at(const Value& pointer) {
  auto value = load(pointer, 0);
  if (!value) return pointer;  // its warp has not started or has ended
  value->in_memory = true;
  value->space = pointer.space;
  value->address = pointer.address;
  value->element = pointer.element;
  value->stride = pointer.stride;
  return *value;
}

base::Result<Value> Moment::load(const Value& pointer, std::int64_t index) {
  if (pointer.kind == Value::Kind::object) return element(pointer, index, 0);
  if (pointer.kind != Value::Kind::pointer && pointer.in_memory && pointer.source == nullptr) {  // an array of one
    Value at = Value::pointer_to(pointer.address, pointer.element, pointer.space);
    at.stride = pointer.stride;
    return load(at, index);
  }
  if (pointer.kind != Value::Kind::pointer)
    return base::Error{"only an address can be read; write (float*)ADDRESS for a number"};
  const std::uint64_t at = pointer.address + static_cast<std::uint64_t>(index) * pointer.stride;
  if (pointer.source != nullptr && pointer.source->type >= 0)
    return typed_in_memory(pointer.source->type, {pointer.space, at});
  const std::size_t bytes = ops::bytes_of(pointer.element);
  std::array<std::uint8_t, 8> raw{};
  const bool known = read({pointer.space, at}, {raw.data(), bytes});
  if (!known)
    return base::Error{fmt::format(
        "{:#x} is not in {} memory{}", at,
        pointer.space == Value::Space::global   ? "allocated"
        : pointer.space == Value::Space::shared ? "the block's shared"
                                                : "the thread's local",
        pointer.space == Value::Space::global || warp() != nullptr ? "" : ": the warp has not started or has ended")};
  return value_of_bits(pointer.element, ops::load_bits(pointer.element, raw.data()));
}

std::optional<gpu::ValuePlace> Moment::parameter_place(std::string_view name) const {
  const gpu::Program& program = recording_.program();
  if (program.entry == nullptr) return {};
  for (std::size_t i = 0; i < program.entry->parameters.size() && i < program.parameter_offsets.size(); ++i) {
    const ptx::Parameter& parameter = program.entry->parameters[i];
    if (name != parameter.name && name != fmt::format("p{}", i)) continue;
    gpu::ValuePlace place;
    place.kind = gpu::ValuePlace::Kind::global;
    place.address = gpu::parameter_base + program.parameter_offsets[i];
    place.bytes = parameter.bytes;
    return place;
  }
  return {};
}

std::optional<gpu::ValuePlace> Moment::place_of(const Value& pointer, std::int64_t index) {
  if (pointer.kind != Value::Kind::pointer) return {};
  gpu::ValuePlace place;
  place.kind = pointer.space;
  place.bytes = std::clamp<std::uint32_t>(pointer.stride, 1, most_watched_bytes);
  place.address = pointer.address + static_cast<std::uint64_t>(index) * pointer.stride;
  if (pointer.space != Value::Space::global) place.warp = {block_, warp_};
  if (pointer.space == Value::Space::shared) {
    place.address += gpu::shared_begin;
    if (const gpu::WarpState* const at = state(); at != nullptr && at->block != nullptr)
      place.address += at->block->shared_base;
  }
  if (pointer.space == Value::Space::local) place.lane = lane_;
  return place;
}

}  // namespace warpwalk::debug
