#include "core/sass/dwarf/location.h"

#include "core/sass/dwarf/cursor.h"

namespace warpwalk::sass {
namespace {

/// The number of a PTX register is its name: "%r12" as a big-endian number of characters.
std::string register_name(std::uint64_t number) {
  std::string name;
  for (int shift = 56; shift >= 0; shift -= 8)
    if (const auto c = static_cast<char>(number >> shift); c != 0 || !name.empty()) name += c;
  for (const char c : name)
    if (c <= ' ' || c > '~') return {};
  return name;
}

/// A number, or an address behind a symbol.
struct StackItem {
  std::uint64_t number = 0;
  std::string symbol = {};
};

class LocationReader {
 public:
  LocationReader(const DebugInfo& info, const DebugVariable& variable, const std::string& expression,
                 const LocationContext& context)
      : info_(info), context_(context), in_(expression), memory_(static_cast<MemoryClass>(variable.memory)) {}

  std::vector<DebugPlace> read() {
    while (!in_.at_end()) {
      step();
      if (!good_ || !in_.ok()) return {};
    }
    if (pieces_.empty()) add_piece(0);
    return good_ ? std::move(pieces_) : std::vector<DebugPlace>{};
  }

 private:
  static constexpr std::size_t most_items = 100;

  void push(std::uint64_t number) {
    if (stack_.size() < most_items)
      stack_.push_back({number});
    else
      good_ = false;
  }
  StackItem pop() {
    if (stack_.empty()) {
      good_ = false;
      return {};
    }
    StackItem top = std::move(stack_.back());
    stack_.pop_back();
    return top;
  }

  /// Adds the place that the operations since the last piece describe.
  void add_piece(std::uint64_t bytes) {
    DebugPlace place;
    place.bytes = bytes;
    if (!register_.empty()) {
      place.kind = DebugPlace::Kind::in_register;
      place.register_name = std::move(register_);
    } else if (!stack_.empty()) {
      place.kind = is_value_ ? DebugPlace::Kind::value : DebugPlace::Kind::in_memory;
      StackItem top = pop();
      place.number = top.number;
      place.symbol = std::move(top.symbol);
      place.memory = memory_;
    }
    register_.clear();
    is_value_ = false;
    if (pieces_.size() < most_items) pieces_.push_back(std::move(place));
  }

  void take_register(std::uint64_t number) {
    register_ = register_name(number);
    good_ = !register_.empty();
  }

  void push_register(std::uint64_t number, std::int64_t offset) {
    const auto value = context_.register_value ? context_.register_value(register_name(number)) : std::nullopt;
    good_ = value.has_value();
    push(value.value_or(0) + static_cast<std::uint64_t>(offset));
  }

  void read_memory(MemoryClass memory) {
    const StackItem at = pop();
    const auto value = context_.word ? context_.word(memory, at.symbol, at.number) : std::nullopt;
    good_ = good_ && value.has_value();
    push(value.value_or(0));
  }

  void combine(std::uint64_t operation) {
    const StackItem b = pop();
    StackItem a = pop();
    switch (operation) {
      case 0x1a: a.number &= b.number; break;
      case 0x1c: a.number -= b.number; break;
      case 0x1e: a.number *= b.number; break;
      case 0x21: a.number |= b.number; break;
      case 0x22: a.number += b.number; break;
      case 0x24: a.number = b.number < 64 ? a.number << b.number : 0; break;
      case 0x25: a.number = b.number < 64 ? a.number >> b.number : 0; break;
      default: a.number ^= b.number; break;
    }
    if (a.symbol.empty()) a.symbol = b.symbol;
    stack_.push_back(std::move(a));
  }

  void step() {
    const std::uint64_t operation = in_.number(1);
    if (operation >= 0x30 && operation <= 0x4f) return push(operation - 0x30);
    switch (operation) {
      case 0x03: {
        const std::uint64_t address = in_.number(8);
        if (const auto place = info_.sections.place_of(address))
          stack_.push_back({place->offset, std::string(place->symbol)});
        else
          push(address);
        break;
      }
      case 0x06: read_memory(memory_); break;
      case 0x08: push(in_.number(1)); break;
      case 0x09: push(static_cast<std::uint64_t>(static_cast<std::int8_t>(in_.number(1)))); break;
      case 0x0a: push(in_.number(2)); break;
      case 0x0b: push(static_cast<std::uint64_t>(static_cast<std::int16_t>(in_.number(2)))); break;
      case 0x0c: push(in_.number(4)); break;
      case 0x0d: push(static_cast<std::uint64_t>(static_cast<std::int32_t>(in_.number(4)))); break;
      case 0x0e:
      case 0x0f: push(in_.number(8)); break;
      case 0x10: push(in_.leb()); break;
      case 0x11: push(static_cast<std::uint64_t>(in_.signed_leb())); break;
      case 0x12:
        if (stack_.empty() || stack_.size() >= most_items)
          good_ = false;
        else
          stack_.push_back(StackItem(stack_.back()));
        break;
      case 0x13: pop(); break;
      case 0x16: {
        StackItem a = pop(), b = pop();
        stack_.push_back(std::move(a));
        stack_.push_back(std::move(b));
        break;
      }
      case 0x18: {  // xderef: an address, and below it the memory that has it
        StackItem address = pop();
        memory_ = static_cast<MemoryClass>(pop().number & 0xff);
        stack_.push_back(std::move(address));
        if (!in_.at_end()) read_memory(memory_);
        break;
      }
      case 0x1a:
      case 0x1c:
      case 0x1e:
      case 0x21:
      case 0x22:
      case 0x24:
      case 0x25:
      case 0x27: combine(operation); break;
      case 0x23: {
        StackItem a = pop();
        a.number += in_.leb();
        stack_.push_back(std::move(a));
        break;
      }
      case 0x90: take_register(in_.leb()); break;
      case 0x91: {  // an offset from the frame's base
        const std::int64_t offset = in_.signed_leb();
        good_ = context_.frame_base.has_value();
        push(context_.frame_base.value_or(0) + static_cast<std::uint64_t>(offset));
        break;
      }
      case 0x92: {
        const std::uint64_t number = in_.leb();
        push_register(number, in_.signed_leb());
        break;
      }
      case 0x93: add_piece(in_.leb()); break;
      case 0x96: break;  // nop
      case 0x9f: is_value_ = true; break;
      default: good_ = false; break;
    }
  }

  const DebugInfo& info_;
  const LocationContext& context_;
  DwarfCursor in_;
  MemoryClass memory_;
  std::vector<StackItem> stack_;
  std::vector<DebugPlace> pieces_;
  std::string register_;
  bool is_value_ = false, good_ = true;
};

}  // namespace

std::vector<DebugPlace> evaluate_location(const DebugInfo& info, const DebugVariable& variable,
                                          const std::string& expression, const LocationContext& context) {
  if (expression.empty()) return {};
  return LocationReader(info, variable, expression, context).read();
}

std::string register_of(const std::string& expression) {
  DwarfCursor in(expression);
  constexpr std::uint64_t in_register = 0x90;
  if (in.number(1) != in_register) return {};
  std::string name = register_name(in.leb());
  return in.ok() && in.at_end() ? name : std::string();
}

}  // namespace warpwalk::sass
