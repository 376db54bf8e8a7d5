// The opcodes are those of Lib/pickletools.py.
#include "core/trace/pickle/unpickler.h"

#include <algorithm>
#include <cstring>
#include <span>

#include <fmt/format.h>

namespace warpwalk::trace::pickle {
namespace {

using Kind = Value::Kind;

constexpr std::uint64_t longest_text = std::uint64_t{1} << 20;  // longer ones are read, but not kept

template <class Number>
Number little_endian(const char* at) {
  Number value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace

bool begins_a_pickle(std::string_view bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

bool Unpickler::refill(std::size_t bytes) {
  while (bytes_.size() < bytes) {
    window_.drop(window_.text().size() - bytes_.size());
    if (!window_.more()) return false;
    bytes_ = window_.text();
    if (!stopped_ && !(*go_on_)()) stopped_ = true;
    if (stopped_) return false;
  }
  return true;
}

Unpickler::Step Unpickler::refuse(const char* opcode) {
  what_ = fmt::format("{} at byte {}", opcode, position());
  return Step::code;
}

Unpickler::Step Unpickler::wrong(const char* why) {
  what_ = fmt::format("{} at byte {}", why, position());
  return Step::damaged;
}

std::size_t Unpickler::take_mark(std::optional<Value>& container) {
  const std::size_t from = marks_.back();
  marks_.pop_back();
  if (from > floor()) container = stack_[from - 1];
  return from;
}

Unpickler::Step Unpickler::text(std::size_t header, std::uint64_t length, bool keep) {
  if (length > longest_text) {
    bytes_.remove_prefix(header);
    while (length > 0) {
      if (!need(1)) return Step::cut_off;
      const std::uint64_t part = std::min<std::uint64_t>(length, bytes_.size());
      bytes_.remove_prefix(part);
      length -= part;
    }
    push({Kind::other, 0});
    return Step::next;
  }
  if (!need(header + length)) return Step::cut_off;
  push(keep ? store_.new_text(bytes_.substr(header, length)) : Value{Kind::other, 0});
  bytes_.remove_prefix(header + length);
  return Step::next;
}

Unpickler::Step Unpickler::long_integer(std::size_t header, std::uint64_t length) {
  if (length > longest_text) return wrong("an integer of more than 1 MiB");
  if (!need(header + length)) return Step::cut_off;
  const std::string_view digits = bytes_.substr(header, length);
  // Nine bytes hold an unsigned number of 64 bits; no more than that is kept.
  if (length > 9 || (length == 9 && digits[8] != 0)) {
    push({Kind::other, 0});
  } else {
    const bool negative = length > 0 && length < 9 && (static_cast<unsigned char>(digits[length - 1]) & 0x80) != 0;
    std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
    std::memcpy(&value, digits.data(), std::min<std::uint64_t>(length, 8));
    push({Kind::integer, value});
  }
  bytes_.remove_prefix(header + length);
  return Step::next;
}

Unpickler::Step Unpickler::get(std::uint64_t at) {
  if (at >= memo_.size()) return wrong("a reference to something that is not there");
  push(memo_[at]);
  return Step::next;
}

Unpickler::Step Unpickler::put(std::uint64_t at) {
  if (!has(1)) return wrong("nothing to remember");
  // Every remembered value has taken at least a byte, so a larger number cannot be right.
  if (at > position() || at > cap_ / sizeof(Value)) return wrong("a number of a remembered value that is too large");
  if (at >= memo_.size()) memo_.resize(at + 1, Value{Kind::other, 0});
  memo_[at] = stack_.back();
  return Step::next;
}

Unpickler::Step Unpickler::append(bool one) {
  std::optional<Value> container;
  std::size_t from = 0;
  if (one && has(2)) {
    from = stack_.size() - 1;
    container = stack_[from - 1];
  } else if (!one && !marks_.empty()) {
    from = take_mark(container);
  }
  if (!container || !container->is(Kind::list)) return wrong("items without a list");
  store_.append(*container, std::span(stack_).subspan(from));
  stack_.resize(from);
  return Step::next;
}

Unpickler::Step Unpickler::tuple(std::size_t from) {
  const Value made = store_.new_list();
  store_.append(made, std::span(stack_).subspan(from));
  stack_.resize(from);
  push(made);
  return Step::next;
}

/// References to remembered values: most of a snapshot.
void Unpickler::references() {
  const char* at = bytes_.data();
  const char* const end = at + bytes_.size();
  while (end - at >= 5) {
    std::uint64_t number = 0;
    if (*at == 'j')
      number = little_endian<std::uint32_t>(at + 1);
    else if (*at == 'h')
      number = static_cast<unsigned char>(at[1]);
    else
      break;
    if (number >= memo_.size()) break;
    stack_.push_back(memo_[number]);
    at += *at == 'j' ? 5 : 2;
  }
  bytes_.remove_prefix(static_cast<std::size_t>(at - bytes_.data()));
}

Unpickler::Step Unpickler::step() {
  if (!need(1)) return Step::cut_off;
  const auto opcode = static_cast<unsigned char>(bytes_[0]);
  const auto skip = [&](std::size_t n) {
    bytes_.remove_prefix(n);
    return Step::next;
  };
  const auto pushed = [&](Value value, std::size_t n) {
    push(value);
    return skip(n);
  };
  switch (opcode) {
    case 'h':  // BINGET
      if (!need(2)) return Step::cut_off;
      {
        const auto at = static_cast<unsigned char>(bytes_[1]);
        skip(2);
        return get(at);
      }
    case 'j':  // LONG_BINGET
      if (!need(5)) return Step::cut_off;
      {
        const auto at = little_endian<std::uint32_t>(bytes_.data() + 1);
        skip(5);
        return get(at);
      }
    case 0x94:  // MEMOIZE
      skip(1);
      return put(memo_.size());
    case '(': marks_.push_back(stack_.size()); return skip(1);
    case '}': return pushed(store_.new_dictionary(), 1);
    case ']': return pushed(store_.new_list(), 1);
    case 'K':  // BININT1
      if (!need(2)) return Step::cut_off;
      return pushed(Value::integer(static_cast<unsigned char>(bytes_[1])), 2);
    case 'M':  // BININT2
      if (!need(3)) return Step::cut_off;
      return pushed(Value::integer(little_endian<std::uint16_t>(bytes_.data() + 1)), 3);
    case 'J':  // BININT
      if (!need(5)) return Step::cut_off;
      return pushed(Value::integer(little_endian<std::int32_t>(bytes_.data() + 1)), 5);
    case 0x8a:  // LONG1
      if (!need(2)) return Step::cut_off;
      return long_integer(2, static_cast<unsigned char>(bytes_[1]));
    case 0x8b:  // LONG4
      if (!need(5)) return Step::cut_off;
      return long_integer(5, little_endian<std::uint32_t>(bytes_.data() + 1));
    case 0x8c:  // SHORT_BINUNICODE
    case 'C':   // SHORT_BINBYTES
    case 'U':   // SHORT_BINSTRING
      if (!need(2)) return Step::cut_off;
      return text(2, static_cast<unsigned char>(bytes_[1]), opcode != 'C');
    case 'X':  // BINUNICODE
    case 'B':  // BINBYTES
    case 'T':  // BINSTRING
      if (!need(5)) return Step::cut_off;
      return text(5, little_endian<std::uint32_t>(bytes_.data() + 1), opcode != 'B');
    case 0x8d:  // BINUNICODE8
    case 0x8e:  // BINBYTES8
    case 0x96:  // BYTEARRAY8
      if (!need(9)) return Step::cut_off;
      return text(9, little_endian<std::uint64_t>(bytes_.data() + 1), opcode == 0x8d);
    case 'u': {  // SETITEMS
      std::optional<Value> container;
      if (marks_.empty()) return wrong("items without a dictionary");
      const std::size_t from = take_mark(container);
      if (!container || !container->is(Kind::dictionary)) return wrong("items without a dictionary");
      if ((stack_.size() - from) % 2 != 0) return wrong("a key without a value");
      store_.set(*container, std::span(stack_).subspan(from), true);
      stack_.resize(from);
      return skip(1);
    }
    case 's':  // SETITEM
      if (!has(3) || !stack_[stack_.size() - 3].is(Kind::dictionary)) return wrong("an item without a dictionary");
      store_.set(stack_[stack_.size() - 3], std::span(stack_).subspan(stack_.size() - 2), true);
      stack_.resize(stack_.size() - 2);
      return skip(1);
    case 'e':  // APPENDS
    case 'a':  // APPEND
      if (const Step done = append(opcode == 'a'); done != Step::next) return done;
      return skip(1);
    case 'q':  // BINPUT
      if (!need(2)) return Step::cut_off;
      {
        const auto at = static_cast<unsigned char>(bytes_[1]);
        skip(2);
        return put(at);
      }
    case 'r':  // LONG_BINPUT
      if (!need(5)) return Step::cut_off;
      {
        const auto at = little_endian<std::uint32_t>(bytes_.data() + 1);
        skip(5);
        return put(at);
      }
    case 'N': return pushed({Kind::none, 0}, 1);
    case 0x88: return pushed({Kind::boolean, 1}, 1);
    case 0x89: return pushed({Kind::boolean, 0}, 1);
    case 'G': {  // BINFLOAT, big-endian
      if (!need(9)) return Step::cut_off;
      std::uint64_t bits = 0;
      for (int i = 0; i < 8; ++i)
        bits = bits << 8 | static_cast<unsigned char>(bytes_[static_cast<std::size_t>(i) + 1]);
      return pushed({Kind::real, bits}, 9);
    }
    case ')': return pushed(store_.new_list(), 1);  // EMPTY_TUPLE
    case 't': {                                     // TUPLE
      std::optional<Value> ignored;
      if (marks_.empty()) return wrong("a tuple without its items");
      skip(1);
      return tuple(take_mark(ignored));
    }
    case 0x85:  // TUPLE1 to TUPLE3
    case 0x86:
    case 0x87:
      if (!has(opcode - std::size_t{0x84})) return wrong("a tuple without its items");
      skip(1);
      return tuple(stack_.size() - (opcode - std::size_t{0x84}));
    case 0x80:  // PROTO
      if (!need(2)) return Step::cut_off;
      return skip(2);
    case 0x95:  // FRAME
      if (!need(9)) return Step::cut_off;
      return skip(9);
    case '0':  // POP
      if (has(1))
        stack_.pop_back();
      else if (!marks_.empty())
        marks_.pop_back();
      else
        return wrong("nothing to remove");
      return skip(1);
    case '1': {  // POP_MARK
      std::optional<Value> ignored;
      if (marks_.empty()) return wrong("nothing to remove");
      stack_.resize(take_mark(ignored));
      return skip(1);
    }
    case '2':  // DUP
      if (!has(1)) return wrong("nothing to repeat");
      push(Value(stack_.back()));
      return skip(1);
    case '.': skip(1); return Step::stop;
    case 'c': return refuse("GLOBAL");
    case 0x93: return refuse("STACK_GLOBAL");
    case 'R': return refuse("REDUCE");
    case 'b': return refuse("BUILD");
    case 'i': return refuse("INST");
    case 'o': return refuse("OBJ");
    case 0x81: return refuse("NEWOBJ");
    case 0x92: return refuse("NEWOBJ_EX");
    case 'P': return refuse("PERSID");
    case 'Q': return refuse("BINPERSID");
    case 0x82:
    case 0x83:
    case 0x84: return refuse("EXT");
    default: return wrong("an unknown opcode");
  }
}

/// Puts the values on the stack into the lists and dictionaries that they belong to.
void Unpickler::close_open_containers() {
  while (!marks_.empty()) {
    std::optional<Value> container;
    const std::size_t from = take_mark(container);
    const std::span<const Value> items = std::span(stack_).subspan(from);
    if (container && container->is(Kind::list))
      store_.append(*container, items);
    else if (container && container->is(Kind::dictionary))
      store_.set(*container, items.first(items.size() / 2 * 2), false);
    stack_.resize(from);
  }
  if (stack_.size() > 1) stack_.resize(1);
}

Unpickler::End Unpickler::run(const std::function<bool()>& go_on) {
  go_on_ = &go_on;
  bytes_ = window_.text();
  Step last = Step::next;
  while (last == Step::next) {
    references();
    last = step();
  }
  window_.drop(window_.text().size() - bytes_.size());
  if (last == Step::stop && stack_.size() == 1 && marks_.empty()) return End::complete;
  if (last == Step::stop) last = wrong("an end inside a container");
  close_open_containers();
  if (last == Step::code) return End::code;
  if (last == Step::damaged) return End::damaged;
  return stopped_ ? End::stopped : End::cut_off;
}

}  // namespace warpwalk::trace::pickle
