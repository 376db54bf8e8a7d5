#include "tests/alu/device/matrices.h"

#include "tests/alu/device/inputs.h"

namespace warpwalk::device_forms {
namespace {

struct Format {
  int exponent_bits, fraction_bits, shift;
};

Format format_of(Element element) {
  switch (element) {
    case Element::f16: return {5, 10, 0};
    case Element::bf16: return {8, 7, 0};
    case Element::tf32: return {8, 10, 13};
    case Element::f32: return {8, 23, 0};
    case Element::f64: return {11, 52, 0};
    case Element::e4m3: return {4, 3, 0};
    case Element::e5m2: return {5, 2, 0};
    default: return {0, 0, 0};
  }
}

/// The distribution of a trial's numbers.
enum class Draw { near_one, wide, few_bits, any_bits, powers, one_sign };

std::uint64_t number(Element element, Draw draw, int spread, int lowered, std::uint64_t& state) {
  const Format format = format_of(element);
  const std::uint64_t random = next(state);
  const std::uint64_t how = next(state);
  if (format.exponent_bits == 0) {
    if (element == Element::s32) return (how % 4 == 0 ? random : random & 0xffff) & 0xffffffff;
    return how % 4 == 0 ? (how % 8 == 0 ? 0x80 : 0x7f) : random & 0xff;
  }
  const int width = 1 + format.exponent_bits + format.fraction_bits;
  const std::uint64_t all = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  std::uint64_t bits = random & all;
  if (draw != Draw::any_bits) {
    const std::int64_t bias = (std::int64_t{1} << (format.exponent_bits - 1)) - 1;
    std::int64_t exponent = bias - lowered - static_cast<std::int64_t>(how >> 8) % (spread + 1);
    if (exponent < 0) exponent = 0;
    std::uint64_t fraction = random & ((std::uint64_t{1} << format.fraction_bits) - 1);
    if (draw == Draw::few_bits)
      fraction &= ~std::uint64_t{0} << ((how >> 24) % static_cast<unsigned>(format.fraction_bits + 1));
    if (draw == Draw::powers) fraction = 0;
    const std::uint64_t sign = draw == Draw::one_sign ? 0 : random >> 63;
    bits = sign << (width - 1) | static_cast<std::uint64_t>(exponent) << format.fraction_bits | fraction;
  }
  bits = bits << format.shift;
  // The hardware must ignore the bits of an f32 that tf32 lacks.
  if (element == Element::tf32 && how % 8 == 0) bits |= next(state) & 0x1fff;
  return bits;
}

std::uint64_t register_of(Element element, Draw draw, int spread, int lowered, std::uint64_t& state) {
  switch (element) {
    case Element::f16:
    case Element::bf16:
      return number(element, draw, spread, lowered, state) | number(element, draw, spread, lowered, state) << 16;
    case Element::s8:
    case Element::u8:
    case Element::e4m3:
    case Element::e5m2: {
      std::uint64_t bits = 0;
      for (int i = 0; i < 4; ++i) bits |= number(element, draw, spread, lowered, state) << (8 * i);
      return bits;
    }
    default: return number(element, draw, spread, lowered, state);
  }
}

std::string list(char name, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i == 0 ? "%" : ", %") + std::string(1, name) + std::to_string(i);
  return text + "}";
}

std::string width_of(Element element) { return element == Element::f64 ? "b64" : "b32"; }

std::string loads(const MatrixForm& form, char name, int count, Element element, int first) {
  static_cast<void>(form);
  std::string text = ".reg ." + width_of(element) + " %" + name + "<" + std::to_string(count) + ">;\n";
  for (int i = 0; i < count; ++i)
    text += "ld.global." + width_of(element) + " %" + name + std::to_string(i) + ", [%in+" +
            std::to_string(8 * (first + i)) + "];\n";
  return text;
}

}  // namespace

std::vector<MatrixForm> matrix_forms() {
  using enum Element;
  const std::string s = "mma.sync.aligned.";
  return {
      {s + "m16n8k8.row.col.f32.f16.f16.f32", f16, f16, f32, f32, 2, 1, 4, 4},
      {s + "m16n8k8.row.col.f16.f16.f16.f16", f16, f16, f16, f16, 2, 1, 2, 2},
      {s + "m16n8k16.row.col.f32.f16.f16.f32", f16, f16, f32, f32, 4, 2, 4, 4},
      {s + "m16n8k16.row.col.f16.f16.f16.f16", f16, f16, f16, f16, 4, 2, 2, 2},
      {s + "m16n8k8.row.col.f32.bf16.bf16.f32", bf16, bf16, f32, f32, 2, 1, 4, 4},
      {s + "m16n8k16.row.col.f32.bf16.bf16.f32", bf16, bf16, f32, f32, 4, 2, 4, 4},
      {s + "m16n8k4.row.col.f32.tf32.tf32.f32", tf32, tf32, f32, f32, 2, 1, 4, 4},
      {s + "m16n8k8.row.col.f32.tf32.tf32.f32", tf32, tf32, f32, f32, 4, 2, 4, 4},
      {s + "m8n8k4.row.col.f32.f16.f16.f32", f16, f16, f32, f32, 2, 2, 8, 8},
      {s + "m8n8k4.row.col.f16.f16.f16.f16", f16, f16, f16, f16, 2, 2, 4, 4},
      {s + "m8n8k4.row.col.f64.f64.f64.f64", f64, f64, f64, f64, 1, 1, 2, 2},
      {s + "m16n8k4.row.col.f64.f64.f64.f64", f64, f64, f64, f64, 2, 1, 4, 4},
      {s + "m16n8k8.row.col.f64.f64.f64.f64", f64, f64, f64, f64, 4, 2, 4, 4},
      {s + "m16n8k16.row.col.f64.f64.f64.f64", f64, f64, f64, f64, 8, 4, 4, 4},
      {s + "m8n8k16.row.col.s32.s8.s8.s32", s8, s8, s32, s32, 1, 1, 2, 2},
      {s + "m8n8k16.row.col.satfinite.s32.u8.s8.s32", u8, s8, s32, s32, 1, 1, 2, 2},
      {s + "m16n8k16.row.col.s32.s8.u8.s32", s8, u8, s32, s32, 2, 1, 4, 4},
      {s + "m16n8k16.row.col.satfinite.s32.s8.s8.s32", s8, s8, s32, s32, 2, 1, 4, 4},
      {s + "m16n8k32.row.col.s32.s8.s8.s32", s8, s8, s32, s32, 4, 2, 4, 4},
      {s + "m16n8k32.row.col.satfinite.s32.u8.u8.s32", u8, u8, s32, s32, 4, 2, 4, 4},
      {s + "m16n8k32.row.col.f32.e4m3.e4m3.f32", e4m3, e4m3, f32, f32, 4, 2, 4, 4},
      {s + "m16n8k32.row.col.f32.e5m2.e4m3.f32", e5m2, e4m3, f32, f32, 4, 2, 4, 4},
      {s + "m16n8k8.row.col.f16.f16.f16.f16", f16, f16, f16, f16, 2, 1, 2, 2, 9},
      {s + "m16n8k16.row.col.f16.f16.f16.f16", f16, f16, f16, f16, 4, 2, 2, 2, 9},
      {s + "m16n8k16.row.col.f32.f16.f16.f32", f16, f16, f32, f32, 4, 2, 4, 4, 9},
      {s + "m16n8k16.row.col.f32.bf16.bf16.f32", bf16, bf16, f32, f32, 4, 2, 4, 4, 68},
      {s + "m16n8k8.row.col.f32.tf32.tf32.f32", tf32, tf32, f32, f32, 4, 2, 4, 4, 68},
      {s + "m8n8k4.row.col.f16.f16.f16.f16", f16, f16, f16, f16, 2, 2, 4, 4, 9},
      {s + "m16n8k32.row.col.f16.e4m3.e5m2.f16", e4m3, e5m2, f16, f16, 4, 2, 2, 2},
  };
}

std::string name_of(const MatrixForm& form) { return form.instruction + (form.lowered != 0 ? " lowered" : ""); }

std::vector<std::uint64_t> matrix_inputs(const MatrixForm& form) {
  std::vector<std::uint64_t> slots;
  std::uint64_t state = hash_of(name_of(form));
  for (int trial = 0; trial < trials; ++trial) {
    // The last trials contain infinities and NaNs. The others differ in how far apart their terms are.
    const Draw draw = trial >= 240 ? Draw::any_bits
                                   : static_cast<Draw>(trial % 3 == 0   ? 0
                                                       : trial % 3 == 1 ? 2
                                                       : trial % 5 == 0 ? 5
                                                                        : 4);
    const int spread = trial % 29;
    const int c_spread = trial / 8 % 29;
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < form.a_registers; ++i)
        slots.push_back(register_of(form.a, draw, spread, form.lowered, state));
      for (int i = 0; i < form.b_registers; ++i)
        slots.push_back(register_of(form.b, draw, spread / 2, form.lowered, state));
      for (int i = 0; i < form.c_registers; ++i) {
        const std::uint64_t c = register_of(form.c, draw, c_spread, 2 * form.lowered, state);
        slots.push_back(trial % 4 == 3 && trial < 240 ? 0 : c);
      }
    }
  }
  return slots;
}

std::string matrix_text(const std::vector<MatrixForm>& forms, std::vector<int>& lines, int lines_before) {
  std::string text;
  lines.clear();
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const MatrixForm& form = forms[i];
    const std::string name = "m" + std::to_string(i);
    text += ".visible .entry " + name + "(.param .u64 " + name + "_in, .param .u64 " + name +
            "_out)\n{\n.reg .b32 %lane, %trial, %i;\n.reg .b64 %in, %out, %at;\n.reg ." + width_of(form.d) + " %d<" +
            std::to_string(form.d_registers) + ">;\nmov.u32 %lane, %tid.x;\nmov.u32 %trial, %ctaid.x;\n" +
            "mad.lo.s32 %i, %trial, 32, %lane;\nld.param.u64 %in, [" + name + "_in];\nld.param.u64 %out, [" + name +
            "_out];\n";
    const int registers = form.a_registers + form.b_registers + form.c_registers;
    text += "mul.wide.u32 %at, %i, " + std::to_string(8 * registers) + ";\nadd.s64 %in, %in, %at;\n";
    text += "mul.wide.u32 %at, %i, " + std::to_string(8 * form.d_registers) + ";\nadd.s64 %out, %out, %at;\n";
    text += loads(form, 'a', form.a_registers, form.a, 0);
    text += loads(form, 'b', form.b_registers, form.b, form.a_registers);
    text += loads(form, 'c', form.c_registers, form.c, form.a_registers + form.b_registers);
    lines.push_back(lines_before + 1);
    for (const char c : text) lines.back() += c == '\n';
    text += form.instruction + " " + list('d', form.d_registers) + ", " + list('a', form.a_registers) + ", " +
            list('b', form.b_registers) + ", " + list('c', form.c_registers) + ";\n";
    for (int r = 0; r < form.d_registers; ++r)
      text += "st.global." + width_of(form.d) + " [%out+" + std::to_string(8 * r) + "], %d" + std::to_string(r) + ";\n";
    text += "ret;\n}\n";
  }
  return text;
}

}  // namespace warpwalk::device_forms
