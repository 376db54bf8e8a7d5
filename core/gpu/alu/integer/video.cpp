#include <algorithm>

#include "core/gpu/alu/integer/integer.h"
#include "core/gpu/alu/request.h"

// Video instructions (PTX ISA 9.0, "Video Instructions"). All compute with wider integers than 32 bits, clamp the
// result if .sat is written, and then add it to, compare it with or put it into a third source.

namespace warpwalk::gpu::alu {
namespace {

using ptx::Action;
using ptx::Compare;
using ptx::Modifier;
using ptx::Opcode;

enum class Video { sum, difference, average, distance, least, greatest, left, right, comparison };

/// The form of a video instruction. The packed form fits into AluCall::immediate.
struct VideoForm {
  bool d_signed = false, a_signed = false, b_signed = false, saturates = false, wraps = false;
  bool halves = false;  ///< the selectors of one value count halves, not bytes; for several values, there are two
  Action second = Action::none;
  Compare compare = Compare::none;
  u32 a = 0, b = 0;  ///< which part of the sources each part of the result comes from, 3 bits each
  u32 d = 0;         ///< the parts that are written, one bit each; 0 for the whole register
  bool a_whole = true, b_whole = true, a_halves = false, b_halves = false;  ///< of one value

  u64 packed() const {
    const u64 flags = u64{d_signed} | u64{a_signed} << 1 | u64{b_signed} << 2 | u64{saturates} << 3 | u64{wraps} << 4 |
                      u64{halves} << 5 | u64{a_whole} << 6 | u64{b_whole} << 7 | u64{a_halves} << 8 |
                      u64{b_halves} << 9;
    return flags | static_cast<u64>(second) << 10 | static_cast<u64>(compare) << 18 | u64{a} << 26 | u64{b} << 38 |
           u64{d} << 50;
  }
  static VideoForm unpacked(u64 bits) {
    const auto flag = [bits](int at) { return (bits >> at & 1) != 0; };
    return {.d_signed = flag(0),
            .a_signed = flag(1),
            .b_signed = flag(2),
            .saturates = flag(3),
            .wraps = flag(4),
            .halves = flag(5),
            .second = static_cast<Action>(bits >> 10 & 0xff),
            .compare = static_cast<Compare>(bits >> 18 & 0xff),
            .a = static_cast<u32>(bits >> 26 & 0xfff),
            .b = static_cast<u32>(bits >> 38 & 0xfff),
            .d = static_cast<u32>(bits >> 50 & 0xf),
            .a_whole = flag(6),
            .b_whole = flag(7),
            .a_halves = flag(8),
            .b_halves = flag(9)};
  }
};

/// `count` bits of a register pair from bit `at`.
s64 part_of(u64 registers, int at, int count, bool is_signed) {
  const u64 raw = registers >> at & ((u64{1} << count) - 1);
  const u64 sign = is_signed ? u64{1} << (count - 1) : 0;
  return static_cast<s64>((raw ^ sign) - sign);
}

template <class T>
T clamped_to_bits(T value, int count, bool is_signed) {
  const T high = (T{1} << (is_signed ? count - 1 : count)) - 1;
  return std::clamp(value, is_signed ? -high - 1 : T{0}, high);
}

bool compared(s64 a, s64 b, Compare compare) {
  switch (compare) {
    case Compare::eq: return a == b;
    case Compare::ne: return a != b;
    case Compare::lt: return a < b;
    case Compare::le: return a <= b;
    case Compare::gt: return a > b;
    default: return a >= b;
  }
}

/// A shift left by 32 bits leaves 64 bits.
template <Video V>
using Result = std::conditional_t<V == Video::left, s128, s64>;

template <Video V>
Result<V> computed(s64 a, s64 b, const VideoForm& form) {
  if constexpr (V == Video::sum) return a + b;
  if constexpr (V == Video::difference) return a - b;
  if constexpr (V == Video::average) return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
  if constexpr (V == Video::distance) return a < b ? b - a : a - b;
  if constexpr (V == Video::least) return std::min(a, b);
  if constexpr (V == Video::greatest) return std::max(a, b);
  if constexpr (V == Video::comparison) return compared(a, b, form.compare) ? 1 : 0;
  const int shift = static_cast<int>(form.wraps ? b & 31 : std::min<s64>(b, 32));
  if constexpr (V == Video::left) return s128{a} * (s128{1} << shift);
  return a >> shift;
}

/// A source of an instruction on one value.
s64 selected(u32 value, u32 part, bool whole, bool halves, bool is_signed) {
  if (whole) return part_of(value, 0, 32, is_signed);
  const int bits = halves ? 16 : 8;
  return part_of(value, bits * static_cast<int>(part), bits, is_signed);
}

template <Video V>
u32 video_of_one(u64 packed, u32 a, u32 b, u32 c) {
  const VideoForm form = VideoForm::unpacked(packed);
  auto result = computed<V>(selected(a, form.a, form.a_whole, form.a_halves, form.a_signed),
                            selected(b, form.b, form.b_whole, form.b_halves, form.b_signed), form);
  const int bits = form.d == 0 ? 32 : form.halves ? 16 : 8;
  if (form.saturates) result = clamped_to_bits(result, bits, form.d_signed);
  const Result<V> third = part_of(c, 0, 32, form.d_signed);
  if (form.second == Action::add) return static_cast<u32>(result + third);
  if (form.second == Action::min) return static_cast<u32>(std::min(result, third));
  if (form.second == Action::max) return static_cast<u32>(std::max(result, third));
  if (form.d == 0) return static_cast<u32>(result);
  const int at = bits * std::countr_zero(form.d);
  const u32 mask = ((1U << bits) - 1) << at;
  return (static_cast<u32>(result) << at & mask) | (c & ~mask);
}

/// Without a third source.
template <Video V>
u32 video_of_two_sources(u64 packed, u32 a, u32 b) {
  return video_of_one<V>(packed, a, b, 0);
}

/// Computes two halves or four bytes. The selectors choose among the parts of a and b together.
template <Video V>
u32 video_of_parts(u64 packed, u32 a, u32 b, u32 c) {
  const VideoForm form = VideoForm::unpacked(packed);
  const int bits = form.halves ? 16 : 8;
  const u64 sources = u64{b} << 32 | a;
  u32 parts = 0, sum = c;
  for (int i = 0; i < 32 / bits; ++i) {
    const u32 mask = ((1U << bits) - 1) << (bits * i);
    if ((form.d >> i & 1) == 0) {
      parts |= c & mask;
      continue;
    }
    s64 part = computed<V>(part_of(sources, bits * static_cast<int>(form.a >> (3 * i) & 7), bits, form.a_signed),
                           part_of(sources, bits * static_cast<int>(form.b >> (3 * i) & 7), bits, form.b_signed), form);
    sum += static_cast<u32>(part);
    if (form.saturates) part = clamped_to_bits(part, bits, form.d_signed);
    parts |= static_cast<u32>(part) << (bits * i) & mask;
  }
  return form.second == Action::add ? sum : parts;
}

/// vmad's form: the signs of a and b, then these.
struct ProductForm {
  static constexpr u64 po = 1, minus_product = 2, minus_c = 4, saturates = 8, is_signed = 16;
};

/// The sources of vmad are selected by a VideoForm in the low bits; the rest is above it.
constexpr int product_at = 54, scale_at = 59;

u32 multiply_add(u64 packed, u32 a, u32 b, u32 c) {
  const VideoForm form = VideoForm::unpacked(packed);
  const u64 product = packed >> product_at;
  const bool is_signed = (product & ProductForm::is_signed) != 0;
  s128 result = s128{selected(a, form.a, form.a_whole, form.a_halves, form.a_signed)} *
                selected(b, form.b, form.b_whole, form.b_halves, form.b_signed);
  if ((product & ProductForm::minus_product) != 0) result = -result;
  // -c as ~c + 1 of 32 bits, so that the smallest number stays what it is.
  const bool minus_c = (product & ProductForm::minus_c) != 0;
  result += part_of(minus_c ? ~c : c, 0, 32, is_signed);
  if (minus_c || (product & ProductForm::po) != 0) result += 1;
  result >>= packed >> scale_at;
  if ((product & ProductForm::saturates) != 0) result = clamped_to_bits(result, 32, is_signed);
  return static_cast<u32>(result);
}

u32 digits_of(const ptx::Selector& selector) {
  u32 digits = 0;
  for (int i = 0; i < selector.count; ++i) digits |= u32{selector.parts[static_cast<std::size_t>(i)]} << (3 * i);
  return digits;
}

/// The selector of an operand; none if the instruction was made without operands (by machine code).
ptx::Selector selector_of(const ptx::Instruction& instruction, std::size_t operand) {
  return operand < instruction.operands.size() ? instruction.operands[operand].selector : ptx::Selector{};
}

VideoForm common_form(const Request& request) {
  // vset has no type of its result, which is unsigned.
  const std::size_t first = request.instruction.types.size() > 2 ? 1 : 0;
  return {.d_signed = first == 1 && ptx::is_signed(request.type(0)),
          .a_signed = ptx::is_signed(request.type(first)),
          .b_signed = ptx::is_signed(request.type(first + 1)),
          .saturates = request.has(Modifier::sat),
          .wraps = request.has(Modifier::wrap),
          .second = request.instruction.action,
          .compare = request.instruction.compare};
}

VideoForm form_of_one(const Request& request) {
  VideoForm form = common_form(request);
  const ptx::Selector a = selector_of(request.instruction, 1), b = selector_of(request.instruction, 2);
  const ptx::Selector d = selector_of(request.instruction, 0);
  form.a = digits_of(a);
  form.a_whole = a.count == 0;
  form.a_halves = a.halves;
  form.b = digits_of(b);
  form.b_whole = b.count == 0;
  form.b_halves = b.halves;
  form.halves = d.halves;
  if (d.count != 0) form.d = 1U << d.parts[0];
  return form;
}

VideoForm form_of_parts(const Request& request, int count) {
  VideoForm form = common_form(request);
  const ptx::Selector a = selector_of(request.instruction, 1), b = selector_of(request.instruction, 2);
  const ptx::Selector d = selector_of(request.instruction, 0);
  form.halves = count == 2;
  // By default the parts of a and b in order.
  form.a = a.count == 0 ? 03210U : digits_of(a);
  form.b = b.count == 0 ? (count == 2 ? 032U : 07654U) : digits_of(b);
  for (int i = 0; i < d.count; ++i) form.d |= 1U << d.parts[static_cast<std::size_t>(i)];
  if (d.count == 0) form.d = (1U << count) - 1;
  return form;
}

Found find_product(const Request& request) {
  const auto& operands = request.instruction.operands;
  const auto minus = [&](std::size_t i) { return i < operands.size() && operands[i].minus; };
  const VideoForm form = form_of_one(request);
  u64 product = 0;
  if (request.has(Modifier::po)) product |= ProductForm::po;
  if (minus(1) != minus(2)) product |= ProductForm::minus_product;
  if (minus(3)) product |= ProductForm::minus_c;
  if (request.has(Modifier::sat)) product |= ProductForm::saturates;
  if (form.a_signed || form.b_signed || minus(1) != minus(2) || minus(3)) product |= ProductForm::is_signed;
  const u64 scale = request.has(Modifier::shr7) ? 7 : request.has(Modifier::shr15) ? 15 : 0;
  return Formed<&multiply_add>::alu(Isa::baseline, form.packed() | product << product_at | scale << scale_at);
}

template <Video V>
Found find_video_of(const Request& request, int count) {
  if (count > 1) return Formed<&video_of_parts<V>>::alu(Isa::baseline, form_of_parts(request, count).packed());
  const u64 form = form_of_one(request).packed();
  const bool two = request.instruction.operands.size() == 3;
  return two ? Formed<&video_of_two_sources<V>>::alu(Isa::baseline, form)
             : Formed<&video_of_one<V>>::alu(Isa::baseline, form);
}

struct VideoRow {
  Opcode opcode;
  int count;  ///< of the values in a register
  Found (*find)(const Request&, int);
};

constexpr VideoRow video_rows[] = {
    {Opcode::vadd, 1, &find_video_of<Video::sum>},           {Opcode::vadd2, 2, &find_video_of<Video::sum>},
    {Opcode::vadd4, 4, &find_video_of<Video::sum>},          {Opcode::vsub, 1, &find_video_of<Video::difference>},
    {Opcode::vsub2, 2, &find_video_of<Video::difference>},   {Opcode::vsub4, 4, &find_video_of<Video::difference>},
    {Opcode::vavrg2, 2, &find_video_of<Video::average>},     {Opcode::vavrg4, 4, &find_video_of<Video::average>},
    {Opcode::vabsdiff, 1, &find_video_of<Video::distance>},  {Opcode::vabsdiff2, 2, &find_video_of<Video::distance>},
    {Opcode::vabsdiff4, 4, &find_video_of<Video::distance>}, {Opcode::vmin, 1, &find_video_of<Video::least>},
    {Opcode::vmin2, 2, &find_video_of<Video::least>},        {Opcode::vmin4, 4, &find_video_of<Video::least>},
    {Opcode::vmax, 1, &find_video_of<Video::greatest>},      {Opcode::vmax2, 2, &find_video_of<Video::greatest>},
    {Opcode::vmax4, 4, &find_video_of<Video::greatest>},     {Opcode::vset, 1, &find_video_of<Video::comparison>},
    {Opcode::vset2, 2, &find_video_of<Video::comparison>},   {Opcode::vset4, 4, &find_video_of<Video::comparison>},
    {Opcode::vshl, 1, &find_video_of<Video::left>},          {Opcode::vshr, 1, &find_video_of<Video::right>},
};

}  // namespace

Found find_video(const Request& request) {
  if (request.instruction.opcode == Opcode::vmad) return find_product(request);
  for (const VideoRow& row : video_rows)
    if (row.opcode == request.instruction.opcode) return row.find(request, row.count);
  return request.unsupported();
}

}  // namespace warpwalk::gpu::alu
