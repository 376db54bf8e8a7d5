// Finds the variables of the source at a moment and reads their values.
#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "core/debug/moment.h"
#include "core/gpu/exec/address_space.h"

namespace warpwalk::debug {
namespace {

using TypeKind = sass::DebugType::Kind;
using SourcePlaceKind = sass::DebugPlace::Kind;

constexpr int most_nested_text = 3;
constexpr std::uint64_t most_elements_in_text = 8, most_members_in_text = 16;
constexpr std::uint64_t most_object_bytes = 4096;  ///< of an object in registers

/// How elements of a type are read where only a plain type counts.
ops::DType plain_type(const sass::DebugType* type) {
  if (type == nullptr) return ops::DType::u8;
  const bool is_signed = type->kind == TypeKind::signed_number;
  switch (type->bytes) {
    case 2: return type->kind == TypeKind::real ? ops::DType::f16 : is_signed ? ops::DType::i16 : ops::DType::u16;
    case 4: return type->kind == TypeKind::real ? ops::DType::f32 : is_signed ? ops::DType::i32 : ops::DType::u32;
    case 8: return type->kind == TypeKind::real ? ops::DType::f64 : is_signed ? ops::DType::i64 : ops::DType::u64;
    default: return is_signed ? ops::DType::i8 : ops::DType::u8;
  }
}

std::uint64_t bits_in(std::span<const std::uint8_t> bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), std::min<std::size_t>(bytes.size(), 8));
  return bits;
}

}  // namespace

std::optional<std::uint32_t> Moment::instruction() {
  const gpu::Program& program = recording_.program();
  const gpu::Split* const in = split();
  if (in == nullptr) return {};
  // Operations such as the markers of basic blocks belong to no instruction.
  for (std::size_t pc = in->pc; pc < program.ops.size(); ++pc)
    if (program.ops[pc].instruction != gpu::no_index) return program.ops[pc].instruction;
  return {};
}

const StackFrame* Moment::selected() {
  if (!stack_) {
    const auto at = instruction();
    stack_ = at ? stack(*at) : std::vector<StackFrame>{};
  }
  return frame_number_ < stack_->size() ? &(*stack_)[frame_number_] : nullptr;
}

std::optional<std::uint64_t> Moment::register_bits(std::string_view name, std::string& why) {
  const StackFrame* const in = selected();
  const gpu::Warp* const of = warp();
  if (in == nullptr || of == nullptr) return {};
  if (recording_.program().machine_code) {
    const auto homes = recording_.source().homes_of(name, in->instruction);
    std::uint64_t bits = 0;
    for (const sass::RegisterHome* const home : homes) {
      const auto row = register_row(name_of(*home));
      if (!row || row->lanes.empty() || home->part > 1) return {};
      const std::uint64_t part =
          row->bytes == 0 ? row->lanes[0] >> lane_ & 1 : row->lanes[static_cast<std::size_t>(lane_)] & 0xffffffff;
      bits |= part << 32 * home->part;
    }
    if (!homes.empty()) return bits;
    const std::string others = recording_.source().other_homes(name, in->instruction);
    why = others.empty() ? fmt::format("optimized out: no register has {} here", name)
                         : fmt::format("optimized out here; it is in {}", others);
    return {};
  }
  for (std::size_t i = 0; i < in->function->source->registers.size() && i < in->function->register_offsets.size();
       ++i) {
    const ptx::Register& reg = in->function->source->registers[i];
    if (reg.name != name) continue;
    RegisterRow row{reg.name, reg.type,
                    static_cast<std::uint8_t>(reg.type == ptx::Type::pred ? 0 : ptx::bytes_of(reg.type)),
                    in->registers + in->function->register_offsets[i]};
    read_lanes(row);
    if (row.lanes.empty()) return {};
    return row.bytes == 0 ? row.lanes[0] >> lane_ & 1 : row.lanes[static_cast<std::size_t>(lane_)];
  }
  return {};
}

Moment::Address Moment::generic(std::uint64_t address) {
  using Space = Value::Space;
  if (address >= gpu::shared_window && address - gpu::shared_window < gpu::shared_window_bytes) {
    const std::uint64_t offset = (address - gpu::shared_window) & ((std::uint64_t{1} << gpu::block_rank_shift) - 1);
    if (offset >= gpu::shared_begin) return {Space::shared, offset - gpu::shared_begin};
  }
  if (address >= gpu::local_window && address - gpu::local_window < gpu::window_bytes)
    return {Space::local, address - gpu::local_window};
  return {Space::global, address};
}

std::optional<Moment::Address> Moment::address_of(sass::MemoryClass memory, std::string_view symbol,
                                                  std::uint64_t number) {
  using Space = Value::Space;
  const gpu::Program& program = recording_.program();
  const StackFrame* const in = selected();
  if (in == nullptr) return {};
  if (symbol.empty()) {
    switch (memory) {
      case sass::MemoryClass::shared: return Address{Space::shared, number - gpu::shared_begin};
      case sass::MemoryClass::local: return Address{Space::local, number};
      case sass::MemoryClass::parameter:
        if (!program.machine_code || number < program.machine_code->parameter_base) return {};
        return Address{Space::global, gpu::parameter_base + number - program.machine_code->parameter_base};
      default: return generic(number);
    }
  }
  const ptx::Function& source = *in->function->source;
  for (std::size_t i = 0; i < source.variables.size() && i < in->function->variable_offsets.size(); ++i)
    if (source.variables[i].name == symbol && source.variables[i].space == ptx::Space::local)
      return Address{Space::local, in->variables + in->function->variable_offsets[i] + number};
  for (std::size_t i = 0; i < source.parameters.size(); ++i)
    if (source.parameters[i].name == symbol) {
      if (source.is_entry && i < program.parameter_offsets.size())
        return Address{Space::global, gpu::parameter_base + program.parameter_offsets[i] + number};
      if (!source.is_entry && i < in->function->parameter_offsets.size())
        return Address{Space::local, in->variables + in->function->parameter_offsets[i] + number};
    }
  if (const auto at = memory_name(symbol); at && at->kind == Value::Kind::pointer)
    return Address{at->space, at->address + number};
  return {};
}

sass::LocationContext Moment::location_context() {
  sass::LocationContext context;
  context.register_value = [this](std::string_view name) {
    std::string why;
    return register_bits(name, why);
  };
  context.word = [this](sass::MemoryClass memory, std::string_view symbol,
                        std::uint64_t address) -> std::optional<std::uint64_t> {
    std::array<std::uint8_t, 8> bytes{};
    const auto at = address_of(memory, symbol, address);
    if (!at || !read(*at, bytes)) return {};
    return bits_in(bytes);
  };
  // The frame of a kernel begins at the start of its stack. The frame of another function is not known.
  const StackFrame* const in = selected();
  if (in != nullptr && recording_.program().machine_code && in->function->source->is_entry &&
      recording_.code().function_of(in->instruction) == in->function->source->name)
    context.frame_base = in->function->local_bytes;
  return context;
}

std::vector<sass::DebugPlace> Moment::places_of(const sass::DebugVariable& variable, std::string& why) {
  SourceInfo& source = recording_.source();
  const auto at = source.address_of(selected()->instruction);
  if (variable.locations.empty()) {
    why = "optimized out: the debug information gives it no place";
    return {};
  }
  const auto here = std::ranges::find_if(variable.locations, [&](const sass::DebugLocation& location) {
    return at && location.low <= *at && *at < location.high;
  });
  if (here == variable.locations.end()) {
    constexpr std::size_t most_characters = 80;
    std::string elsewhere;
    for (const sass::DebugLocation& location : variable.locations) {
      const std::string lines = source.lines_between(location.low, location.high);
      if (lines.empty() || elsewhere.size() > most_characters) continue;
      const std::string reg = sass::register_of(location.expression);
      const std::string row = fmt::format("{} at {}", reg.empty() ? "memory" : reg, lines);
      if (elsewhere.find(row) == std::string::npos) elsewhere += (elsewhere.empty() ? "" : ", ") + row;
    }
    why = elsewhere.empty() ? "optimized out here" : fmt::format("optimized out here; it is in {}", elsewhere);
    return {};
  }
  auto places = sass::evaluate_location(source.info(), variable, here->expression, location_context());
  if (places.empty()) why = "its place cannot be computed here";
  return places;
}

SourceVariable Moment::source_value(const sass::DebugVariable& variable, const sass::DebugScope& scope) {
  const sass::DebugInfo& info = recording_.source().info();
  SourceVariable made{variable.name, info.name_of_type(variable.type), {}, {}, variable.is_parameter, variable.line};
  const std::uint64_t bytes = info.bytes_of_type(variable.type);
  const auto take = [&](base::Result<Value> value) {
    if (value)
      made.value = std::move(*value);
    else
      made.note = value.error();
  };
  if (variable.constant) {
    std::array<std::uint8_t, 8> raw{};
    std::memcpy(raw.data(), &*variable.constant, raw.size());
    take(typed(variable.type, std::span(raw).first(std::min<std::size_t>(bytes, raw.size()))));
    return made;
  }
  const std::vector<sass::DebugPlace> places = places_of(variable, made.note);
  if (places.size() == 1 && places[0].kind == SourcePlaceKind::in_memory) {
    const auto at = address_of(places[0].memory, places[0].symbol, places[0].number);
    if (at)
      take(typed_in_memory(variable.type, *at));
    else
      made.note = "its memory is not known";
    return made;
  }
  if (!places.empty() && bytes <= most_object_bytes) {
    std::vector<std::uint8_t> raw(bytes);
    std::size_t done = 0, known = 0;
    for (const sass::DebugPlace& place : places) {
      const std::size_t size = std::min<std::size_t>(place.bytes == 0 ? bytes : place.bytes, raw.size() - done);
      const std::span<std::uint8_t> into = std::span(raw).subspan(done, size);
      done += size;
      std::optional<std::uint64_t> bits;
      if (place.kind == SourcePlaceKind::in_register) bits = register_bits(place.register_name, made.note);
      if (place.kind == SourcePlaceKind::value && place.symbol.empty()) bits = place.number;
      if (place.kind == SourcePlaceKind::value && !place.symbol.empty()) made.note = "the address of a variable";
      if (bits) std::memcpy(into.data(), &*bits, std::min<std::size_t>(size, 8));
      if (place.kind == SourcePlaceKind::in_memory)
        if (const auto at = address_of(place.memory, place.symbol, place.number); at && read(*at, into)) bits = 0;
      if (bits) known += size;
    }
    if (known == bytes && bytes > 0) {
      made.note.clear();
      take(typed(variable.type, raw));
    } else if (known > 0) {
      take(typed(variable.type, raw));
      made.note = "some of its bytes were optimized out and show as zero";
    } else if (made.note.empty()) {
      made.note = "optimized out";
    }
    return made;
  }
  // The memory of parameters keeps the value that a kernel was called with.
  const gpu::Program& program = recording_.program();
  if (variable.is_parameter && scope.kind == sass::DebugScope::Kind::function && program.entry != nullptr &&
      scope.linkage_name == program.entry->name && bytes > 0) {
    std::size_t ordinal = 0;
    for (const sass::DebugVariable& other : scope.variables) {
      if (&other == &variable) break;
      if (other.is_parameter) ++ordinal;
    }
    if (ordinal < program.parameter_offsets.size()) {
      auto value = typed_in_memory(variable.type,
                                   {Value::Space::global, gpu::parameter_base + program.parameter_offsets[ordinal]});
      if (value) {
        made.value = std::move(*value);
        if (made.value->kind != Value::Kind::object) made.value->in_memory = false;
        made.note = "as the kernel was called";
      }
    }
  }
  return made;
}

std::vector<SourceVariables> Moment::source_variables() {
  std::vector<SourceVariables> made;
  const StackFrame* const in = selected();
  if (in == nullptr) return made;
  SourceInfo& source = recording_.source();
  for (const std::int32_t index : source.frame(in->instruction, in->depth).scopes) {
    const sass::DebugScope& scope = source.info().scopes[static_cast<std::size_t>(index)];
    SourceVariables block;
    for (const sass::DebugVariable& variable : scope.variables)
      if (!variable.name.empty()) block.variables.push_back(source_value(variable, scope));
    if (block.variables.empty()) continue;
    const std::uint32_t line = block.variables.front().line;
    block.scope = scope.kind == sass::DebugScope::Kind::block ? fmt::format("block at line {}", line) : scope.name;
    made.push_back(std::move(block));
  }
  return made;
}

std::optional<SourceVariable> Moment::source_variable(std::string_view name) {
  const StackFrame* const in = selected();
  if (in == nullptr) return {};
  SourceInfo& source = recording_.source();
  std::optional<SourceVariable> missing;
  for (const std::int32_t index : source.frame(in->instruction, in->depth).scopes) {
    const sass::DebugScope& scope = source.info().scopes[static_cast<std::size_t>(index)];
    for (const sass::DebugVariable& variable : scope.variables)
      if (variable.name == name) return source_value(variable, scope);
  }
  return missing;
}

base::Result<Value> Moment::typed_in_memory(std::int32_t type, const Address& at, int nested) {
  const sass::DebugInfo& info = recording_.source().info();
  const sass::DebugType* const real = info.real_type(type);
  if (real == nullptr) return base::Error{"its type is not described"};
  const std::uint64_t bytes = info.bytes_of_type(type);
  if (real->kind == TypeKind::array) {
    const sass::DebugType* const element = info.real_type(real->target);
    Value value = Value::pointer_to(at.address, plain_type(element), at.space);
    value.stride = static_cast<std::uint32_t>(std::min<std::uint64_t>(info.bytes_of_type(real->target), UINT32_MAX));
    auto source = std::make_shared<SourceDetail>();
    source->type = real->target;
    source->type_name = info.name_of_type(type);
    source->count = real->count;
    value.source = std::move(source);
    describe(value, nested);
    return value;
  }
  if (real->kind == TypeKind::record) {
    std::uint8_t first = 0;
    if (bytes > 0 && !read(at, {&first, 1}))
      return base::Error{fmt::format("{:#x} is in no memory that is known", at.address)};
    Value value;
    value.kind = Value::Kind::object;
    value.in_memory = true;
    value.space = at.space;
    value.address = at.address;
    value.stride = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, UINT32_MAX));
    auto source = std::make_shared<SourceDetail>();
    source->type = type;
    source->type_name = info.name_of_type(type);
    value.source = std::move(source);
    describe(value, nested);
    return value;
  }
  if (bytes == 0 || bytes > 16)
    return base::Error{fmt::format("values of type {} are not shown", info.name_of_type(type))};
  std::array<std::uint8_t, 16> raw{};
  const std::span<std::uint8_t> into = std::span(raw).first(bytes);
  if (!read(at, into)) return base::Error{fmt::format("{:#x} is in no memory that is known", at.address)};
  auto value = typed(type, into, nested);
  if (value && value->kind != Value::Kind::pointer) {
    value->in_memory = true;
    value->space = at.space;
    value->address = at.address;
  }
  return value;
}

base::Result<Value> Moment::typed(std::int32_t type, std::span<const std::uint8_t> bytes, int nested) {
  const sass::DebugInfo& info = recording_.source().info();
  const sass::DebugType* const real = info.real_type(type);
  if (real == nullptr || bytes.empty()) return base::Error{"its type is not described"};
  auto source = std::make_shared<SourceDetail>();
  source->type = type;
  source->type_name = info.name_of_type(type);
  Value value;
  switch (real->kind) {
    case TypeKind::pointer: {
      const sass::DebugType* const element = info.real_type(real->target);
      const Address at = generic(bits_in(bytes));
      value = Value::pointer_to(at.address, plain_type(element), at.space);
      value.integer = static_cast<std::int64_t>(bits_in(bytes));
      value.stride =
          static_cast<std::uint32_t>(std::clamp<std::uint64_t>(info.bytes_of_type(real->target), 1, UINT32_MAX));
      source->type = real->target;
      break;
    }
    case TypeKind::record:
    case TypeKind::array:
      value.kind = Value::Kind::object;
      source->bytes.assign(bytes.begin(), bytes.end());
      break;
    case TypeKind::boolean:
    case TypeKind::signed_number:
    case TypeKind::unsigned_number:
    case TypeKind::enumeration:
    case TypeKind::real: {
      if (real->bytes != 1 && real->bytes != 2 && real->bytes != 4 && real->bytes != 8)
        return base::Error{fmt::format("values of type {} are not shown", source->type_name)};
      value = value_of_bits(plain_type(real), bits_in(bytes.first(std::min<std::size_t>(bytes.size(), real->bytes))));
      if (real->kind == TypeKind::boolean) source->text = value.integer != 0 ? "true" : "false";
      for (const auto& [name, number] : real->values)
        if (number == value.integer) source->text = fmt::format("{} ({})", name, number);
      break;
    }
    default: return base::Error{fmt::format("values of type {} are not shown", source->type_name)};
  }
  value.source = std::move(source);
  if (value.kind == Value::Kind::object) describe(value, nested);
  return value;
}

void Moment::describe(Value& value, int nested) {
  std::string text = "{";
  const auto add = [&](std::string_view name, const base::Result<Value>& part) {
    if (text.size() > 1) text += ", ";
    if (!name.empty()) text += fmt::format("{} = ", name);
    text += part ? text_of(*part) : std::string("?");
  };
  if (nested >= most_nested_text) {
    text += "...";
  } else if (value.kind == Value::Kind::pointer) {
    const std::uint64_t shown = std::min(value.source->count, most_elements_in_text);
    for (std::uint64_t i = 0; i < shown; ++i)
      add({}, typed_in_memory(value.source->type, {value.space, value.address + i * value.stride}, nested + 1));
    if (shown < value.source->count) text += ", ...";
  } else if (const sass::DebugType* const array = recording_.source().info().real_type(value.source->type);
             array->kind == TypeKind::array) {
    const std::uint64_t shown = std::min(array->count, most_elements_in_text);
    for (std::uint64_t i = 0; i < shown; ++i) add({}, element(value, static_cast<std::int64_t>(i), nested + 1));
    if (shown < array->count) text += ", ...";
  } else {
    std::size_t shown = 0;
    const sass::DebugInfo& info = recording_.source().info();
    const sass::DebugType* const real = info.real_type(value.source->type);
    for (const sass::DebugMember& of : real->members) {
      if (++shown > most_members_in_text) {
        text += ", ...";
        break;
      }
      if (!of.name.empty()) add(of.name, member(value, of.name, nested + 1));
    }
  }
  auto source = std::make_shared<SourceDetail>(*value.source);
  source->text = text + "}";
  value.source = std::move(source);
}

base::Result<Value> Moment::element(const Value& object, std::int64_t index, int nested) {
  const sass::DebugInfo& info = recording_.source().info();
  const sass::DebugType* const real = object.source != nullptr ? info.real_type(object.source->type) : nullptr;
  if (real == nullptr || real->kind != TypeKind::array) return base::Error{"only an array has elements"};
  const std::uint64_t bytes = info.bytes_of_type(real->target);
  const std::span<const std::uint8_t> all = object.source->bytes;
  if (index < 0 || bytes == 0 || static_cast<std::uint64_t>(index) >= all.size() / bytes)
    return base::Error{fmt::format("the array has no element {}", index)};
  return typed(real->target, all.subspan(static_cast<std::uint64_t>(index) * bytes, bytes), nested);
}

base::Result<Value> Moment::member(const Value& object, std::string_view name) { return member(object, name, 0); }

base::Result<Value> Moment::member(const Value& object, std::string_view name, int nested) {
  if (object.kind != Value::Kind::object || object.source == nullptr)
    return base::Error{fmt::format("`.{}` needs a struct", name)};
  const sass::DebugInfo& info = recording_.source().info();
  const sass::DebugType* const real = info.real_type(object.source->type);
  // Members of unnamed structs and of base classes belong to the object, too.
  const auto find = [&](const auto& self, const sass::DebugType& in, std::uint64_t base,
                        int depth) -> std::optional<std::pair<const sass::DebugMember*, std::uint64_t>> {
    for (const sass::DebugMember& of : in.members) {
      if (of.name == name) return std::pair{&of, base + of.offset};
      const sass::DebugType* const inner =
          of.name.empty() && depth < most_nested_text ? info.real_type(of.type) : nullptr;
      if (inner == nullptr || inner->kind != TypeKind::record) continue;
      if (auto found = self(self, *inner, base + of.offset, depth + 1)) return found;
    }
    return {};
  };
  const auto found = real != nullptr ? find(find, *real, 0, 0) : std::nullopt;
  if (!found) return base::Error{fmt::format("{} has no member `{}`", object.source->type_name, name)};
  const auto& [of, offset] = *found;
  if (of->bits != 0) {
    std::array<std::uint8_t, 8> raw{};
    const std::size_t bytes = (of->first_bit + of->bits + 7) / 8;
    if (bytes > raw.size()) return base::Error{"this bit field is not shown"};
    if (object.in_memory) {
      if (!read({object.space, object.address + offset}, std::span(raw).first(bytes)))
        return base::Error{"it is in no memory that is known"};
    } else if (offset <= object.source->bytes.size() && bytes <= object.source->bytes.size() - offset) {
      std::copy_n(object.source->bytes.begin() + static_cast<std::ptrdiff_t>(offset), bytes, raw.begin());
    }
    std::uint64_t bits = bits_in(raw) >> of->first_bit;
    const unsigned unused = 64 - of->bits;
    const sass::DebugType* const type = info.real_type(of->type);
    const bool is_signed = type != nullptr && type->kind == TypeKind::signed_number;
    bits <<= unused;
    return Value::of(is_signed ? static_cast<std::int64_t>(bits) >> unused : static_cast<std::int64_t>(bits >> unused));
  }
  if (object.in_memory) return typed_in_memory(of->type, {object.space, object.address + offset}, nested);
  const std::uint64_t bytes = info.bytes_of_type(of->type);
  const std::span<const std::uint8_t> all = object.source->bytes;
  if (offset > all.size() || bytes > all.size() - offset) return base::Error{"it is not in the registers"};
  return typed(of->type, all.subspan(offset, bytes), nested);
}

std::vector<SourceVariable> Moment::members(const Value& object) {
  std::vector<SourceVariable> made;
  Value of = object;
  if (of.kind == Value::Kind::pointer && of.source != nullptr) {
    auto there = load(of, 0);
    if (!there) return made;
    of = std::move(*there);
  }
  if (of.kind != Value::Kind::object || of.source == nullptr) return made;
  const sass::DebugInfo& info = recording_.source().info();
  const sass::DebugType* const real = info.real_type(of.source->type);
  if (real == nullptr) return made;
  for (const sass::DebugMember& part : real->members) {
    if (part.name.empty()) continue;
    SourceVariable variable{part.name, info.name_of_type(part.type), {}, {}, false, 0};
    auto value = member(of, part.name);
    if (value)
      variable.value = std::move(*value);
    else
      variable.note = value.error();
    made.push_back(std::move(variable));
  }
  return made;
}

}  // namespace warpwalk::debug
