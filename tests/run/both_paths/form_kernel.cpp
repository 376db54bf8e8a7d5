#include "tests/run/both_paths/form_kernel.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <regex>

#include <fmt/format.h>

namespace warpwalk::both_paths {
namespace {

constexpr std::string_view value_kinds = "rsdnfghkxypq";
constexpr std::size_t slots = 8;                     // inputs of a kind, before they repeat one thread further on
constexpr std::size_t slot_threads = threads + 8;    // so the last threads have values of their own there too
constexpr std::size_t word = 8;                      // bytes of an input
constexpr std::size_t output_bytes = 16, output_slots = 8;
constexpr std::size_t thread_bytes = 64;  // of its memory
constexpr std::size_t form_outputs = output_slots * threads * output_bytes, form_memory = threads * thread_bytes;

struct Kind {
  std::string_view type;
  int bytes;
};

Kind kind_of(char letter) {
  switch (std::tolower(letter)) {
    case 's':
    case 'h':
    case 'k': return {"b16", 2};
    case 'd':
    case 'g':
    case 'a':
    case 'c':
    case 'v':
    case 'u':
    case 'l': return {"b64", 8};
    case 'q': return {"b128", 16};
    case 'p': return {"pred", 4};
    default: return {"b32", 4};
  }
}

std::uint64_t random_at(std::uint64_t index) {  // splitmix64
  std::uint64_t z = index * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

using Values = std::vector<std::uint64_t>;

const std::map<char, Values>& edges() {
  static const std::map<char, Values> all = {
      {'r', {0, 1, 2, 3, 7, 0xffffffff, 0xfffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0x7ffffffe, 0x55555555, 0xaaaaaaaa,
             0xff, 0x80, 0x7f, 0x8000, 0x7fff, 0xffff, 0x10000, 0xffff0000, 0x80008000, 0x7fff7fff, 0x80808080, 0x7f7f7f7f,
             0xffffff80, 0xffff8000, 0x01020304, 0xff00ff00, 0x00ff00ff, 0x12345678}},
      {'s', {0, 1, 2, 3, 7, 0xffff, 0xfffe, 0x7fff, 0x8000, 0x8001, 0x5555, 0xaaaa, 0xff, 0x80, 0x7f, 0xff80, 0x100, 0x7e7f,
             0xfe7c, 0x0180, 0x7b01}},
      {'d', {0, 1, 2, 3, ~0ULL, ~1ULL, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001, 0x5555555555555555,
             0xffffffff, 0x100000000, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0xffffffff7fffffff, 0xffff, 0x8000, 0x7f,
             0xffffffffffff8000, 0xffffffffffffff80, 0x7ffffffffffffdff, 0x001fffffffffffff, 0x0020000000000001,
             0x1000001000000001}},
      {'n', {0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 24, 30, 31, 32, 33, 48, 63, 64, 65, 127, 128, 200, 255, 256, 257, 288,
             0x80000000, 0xffffffff, 0xffffff00, 0x10000}},
      {'f', {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x3f800000,
             0xbf800000, 0x3f7fffff, 0x3f800001, 0x40000000, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0x7f7fffff,
             0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001, 0x4f000000, 0xcf000000, 0x4f800000,
             0x5f000000, 0xdf000000, 0x477fe000, 0x477ff000, 0x33000000, 0x38800000, 0x387fc000, 0x43e00000, 0x43e80000,
             0x3b000000, 0x3f801000, 0x3f803000, 0x3f808000, 0x3f818000, 0x437f8000, 0x42ff0000}},
      {'g', {0, 0x8000000000000000, 1, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x8010000000000000,
             0x3ff0000000000000, 0xbff0000000000000, 0x3fefffffffffffff, 0x3ff0000000000001, 0x4000000000000000,
             0x3fe0000000000000, 0xbfe0000000000000, 0x3ff8000000000000, 0x4004000000000000, 0x7fefffffffffffff,
             0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000012345,
             0x7ff0000000000001, 0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000, 0x41f0000000000000,
             0x43e0000000000000, 0xc3e0000000000000, 0x43f0000000000000, 0x380fffffe0000000, 0x36a0000000000000,
             0x3690000000000000, 0x47efffffe0000000, 0x47effffff0000000, 0x40effc0000000000, 0x3ff0000010000000}},
      {'h', {0, 0x8000, 1, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x3c00, 0xbc00, 0x3bff, 0x3c01, 0x4000, 0x3800, 0xb800,
             0x3e00, 0x4100, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe12, 0x7c01, 0x7ff7, 0xfff7, 0x5bff, 0x7800, 0x1400}},
      {'k', {0, 0x8000, 1, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080, 0x3f80, 0xbf80, 0x3f7f, 0x3f81, 0x4000, 0x3f00, 0xbf00,
             0x3fc0, 0x4020, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffd2, 0x7f81, 0x7ff7, 0xfff7, 0x4b80, 0x7f00, 0x1000}},
  };
  return all;
}

/// A value whose magnitude is neither huge nor tiny, so that sums and products seldom overflow.
std::uint64_t ordinary(char kind, std::uint64_t random) {
  switch (kind) {
    case 'f': return (random & 0x80ffffff) | ((0x78 + (random >> 40) % 16) << 23 & 0x7f800000);
    case 'g': return (random & 0x800fffffffffffff) | ((0x3f8 + (random >> 20) % 16) << 52);
    case 'h': return (random & 0x83ff) | ((8 + (random >> 40) % 14) << 10);
    case 'k': return (random & 0x807f) | ((0x78 + (random >> 40) % 16) << 7);
    case 'r': return random >> (32 + (random & 31));
    case 's': return (random >> 48) >> (random & 15);
    case 'd': return random >> (random & 63);
    default: return random;
  }
}

std::uint64_t value_at(char kind, std::size_t slot, std::size_t thread) {
  const std::uint64_t random = random_at((slot * 131 + static_cast<unsigned char>(kind)) * 65537 + thread * 3 + 1);
  if (kind == 'x' || kind == 'y') {
    const char half = kind == 'x' ? 'h' : 'k';
    return value_at(half, slot, thread) | value_at(half, slot + slots, thread + 7) << 16;
  }
  if (kind == 'p') return random >> 17 & 1;
  if (kind == 'q') return random;
  const Values& list = edges().at(kind);
  // The first quarter of the threads pairs the edges in order, each slot with another stride.
  if (thread < threads / 4) return list[(thread * (2 * slot + 1) + 5 * slot) % list.size()];
  if (kind == 'n' || random % 4 == 0) return list[(random >> 8) % list.size()];
  return random % 4 == 1 ? random_at(random) : ordinary(kind, random_at(random));
}

bool is_nan(char kind, std::uint64_t bits) {
  switch (kind) {
    case 'f': return (bits & 0x7fffffff) > 0x7f800000;
    case 'g': return (bits & ~(std::uint64_t{1} << 63)) > 0x7ff0000000000000;
    case 'h': return (bits & 0x7fff) > 0x7c00;
    case 'k': return (bits & 0x7fff) > 0x7f80;
    default: return false;
  }
}

bool is_same(char kind, std::uint64_t a, std::uint64_t b) {
  if (kind == 'x' || kind == 'y') {
    const char half = kind == 'x' ? 'h' : 'k';
    return is_same(half, a & 0xffff, b & 0xffff) && is_same(half, a >> 16 & 0xffff, b >> 16 & 0xffff);
  }
  return a == b || (is_nan(kind, a) && is_nan(kind, b));
}

std::uint64_t number(const std::vector<std::uint8_t>& bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, std::min<std::size_t>(size, 8));
  return value;
}

/// The kinds of the 64 bytes of a thread: integers, then f32, f16, bf16 and f64.
char memory_kind(std::size_t at) {
  if (at < 16) return 'r';
  if (at < 32) return 'f';
  if (at < 40) return 'x';
  return at < 48 ? 'y' : 'g';
}

}  // namespace

Form::Form(std::string instruction) : text(std::move(instruction)) {
  static const std::regex name("%([a-zA-Z]\\d+)\\b");
  for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) {
    const std::string found = (*at)[1];
    const bool is_own = found[0] == 'j' || found[0] == 'i';  // declared by the form itself
    if (!is_own && std::find(registers.begin(), registers.end(), found) == registers.end()) registers.push_back(found);
  }
}

std::string module_head(std::string_view architecture) {
  return fmt::format(".version 9.0\n.target {}\n.address_size 64\n", architecture);
}

namespace {

/// The offset of an input among the inputs of a thread.
std::size_t input_offset(const std::string& name) {
  const std::size_t kind = value_kinds.find(name[0]), index = std::stoul(name.substr(1));
  return ((kind * slots + index % slots) * slot_threads + index / slots) * word;
}

bool is_input(const std::string& name) { return value_kinds.find(name[0]) != std::string_view::npos; }

std::string load_of(const std::string& name) {
  const std::size_t at = input_offset(name);
  if (name[0] == 'p') return fmt::format("ld.global.b32 %slot, [%ins+{}];\nsetp.ne.b32 %{}, %slot, 0;\n", at, name);
  if (name[0] == 'q')
    return fmt::format(
        "ld.global.b64 %copy0, [%ins+{}];\nld.global.b64 %copy1, [%ins+{}];\nmov.b128 %{}, {{%copy0, %copy1}};\n", at,
        at + word, name);
  return fmt::format("ld.global.{} %{}, [%ins+{}];\n", kind_of(name[0]).type, name, at);
}

std::string store_of(const std::string& name, std::size_t at) {
  if (name[0] == 'P') return fmt::format("selp.b32 %slot, 1, 0, %{};\nst.global.b32 [%outs+{}], %slot;\n", name, at);
  if (name[0] == 'Q')
    return fmt::format("mov.b128 {{%copy0, %copy1}}, %{};\nst.global.v2.b64 [%outs+{}], {{%copy0, %copy1}};\n", name, at);
  return fmt::format("st.global.{} [%outs+{}], %{};\n", kind_of(name[0]).type, at, name);
}

/// Copies the memory of the thread.
std::string copy_cell(std::string_view to, std::string_view from) {
  std::string text;
  for (std::size_t i = 0; i < thread_bytes; i += 16)
    text += fmt::format("ld.{1}+{2}];\nst.{0}+{2}], {{%copy0, %copy1}};\n", to, from, i);
  return text;
}

bool uses(const Form& form, char letter) {
  return std::any_of(form.registers.begin(), form.registers.end(), [&](const auto& r) { return r[0] == letter; });
}

/// The form with its registers, the `place`th one of the kernel.
std::string block_text(const Form& form, std::size_t place) {
  constexpr std::string_view load_global = "global.v2.b64 {%copy0, %copy1}, [%here", store_global = "global.v2.b64 [%here";
  constexpr std::string_view shared_cell =
      "mov.u32 %slot, cells;\nmad.lo.u32 %slot, %thread, 64, %slot;\n";
  const bool in_shared = uses(form, 'w') || uses(form, 'v');
  std::string text = "{\n";
  if (uses(form, 'l')) text += fmt::format(".local .align 16 .b8 cell[{}];\n", thread_bytes);
  for (const std::string& r : form.registers) text += fmt::format(".reg .{} %{};\n", kind_of(r[0]).type, r);
  text += fmt::format("add.u64 %here, %mem, {};\n", place * form_memory);
  if (uses(form, 'u')) text += "shr.u32 %slot, %thread, 3;\nmad.wide.u32 %u0, %slot, 64, %here;\n";
  text += "mad.wide.u32 %here, %thread, 64, %here;\n";
  if (uses(form, 'a')) text += "mov.b64 %a0, %here;\n";
  if (uses(form, 'c')) text += "cvta.global.u64 %c0, %here;\n";
  if (in_shared) {
    text += shared_cell;
    if (uses(form, 'w')) text += "mov.b32 %w0, %slot;\n";
    if (uses(form, 'v')) text += "cvt.u64.u32 %v0, %slot;\ncvta.shared.u64 %v0, %v0;\n";
    text += copy_cell("shared.v2.b64 [%slot", load_global) + "bar.warp.sync -1;\n";
  }
  if (uses(form, 'l')) text += "mov.u64 %l0, cell;\n" + copy_cell("local.v2.b64 [%l0", load_global);
  for (const std::string& r : form.registers)
    if (is_input(r)) text += load_of(r);
  text += form.text + "\n";
  if (in_shared) {
    text += "bar.warp.sync -1;\n";
    text += shared_cell;
    text += copy_cell(store_global, "shared.v2.b64 {%copy0, %copy1}, [%slot");
  }
  if (uses(form, 'l')) text += copy_cell(store_global, "local.v2.b64 {%copy0, %copy1}, [%l0");
  std::size_t at = place * form_outputs;
  for (std::size_t i = 0; i < form.registers.size(); ++i) {
    if (!form.is_output(i)) continue;
    text += store_of(form.registers[i], at);
    at += threads * output_bytes;
  }
  return text + "}\n";
}

std::string inputs_text(const Form& form, const gpu::Launch& launch, std::size_t thread) {
  std::string text;
  for (const std::string& r : form.registers)
    if (is_input(r))
      text += fmt::format(" {}={:#x}", r,
                          number(launch.buffers[0].bytes, input_offset(r) + thread * word,
                                 static_cast<std::size_t>(kind_of(r[0]).bytes)));
  return text;
}

std::string output_difference(const Form& form, std::size_t place, const gpu::Launch& one, const gpu::Launch& other) {
  std::size_t first = place * form_outputs;
  for (std::size_t i = 0; i < form.registers.size(); ++i) {
    if (!form.is_output(i)) continue;
    const char kind = static_cast<char>(std::tolower(form.registers[i][0]));
    const auto bytes = static_cast<std::size_t>(kind_of(kind).bytes);
    for (std::size_t thread = 0; thread < threads; ++thread)
      for (std::size_t part = 0; part < bytes; part += 8) {
        const std::size_t at = first + thread * output_bytes + part;
        const std::uint64_t a = number(one.buffers[1].bytes, at, bytes), b = number(other.buffers[1].bytes, at, bytes);
        if (!is_same(kind, a, b))
          return fmt::format("thread {}: {} is {:#x} and {:#x} for{}", thread, form.registers[i], a, b,
                             inputs_text(form, one, thread));
      }
    first += threads * output_bytes;
  }
  return {};
}

std::string memory_difference(const Form& form, std::size_t place, const gpu::Launch& one, const gpu::Launch& other) {
  for (std::size_t at = 0; at < form_memory;) {
    const char kind = memory_kind(at % thread_bytes);
    const std::size_t size = kind == 'g' ? 8 : 4, byte = place * form_memory + at;
    const std::uint64_t a = number(one.buffers[2].bytes, byte, size), b = number(other.buffers[2].bytes, byte, size);
    if (!is_same(kind, a, b))
      return fmt::format("thread {}: byte {} of its memory is {:#x} and {:#x} for{}", at / thread_bytes, at % thread_bytes,
                         a, b, inputs_text(form, one, at / thread_bytes));
    at += size;
  }
  return {};
}

}  // namespace

std::string kernel_text(std::span<const Form> forms, std::string_view name) {
  const bool in_shared = std::any_of(forms.begin(), forms.end(), [](const Form& f) { return uses(f, 'w') || uses(f, 'v'); });
  std::string text = fmt::format(".visible .entry {}(.param .u64 ins, .param .u64 outs, .param .u64 mem)\n{{\n", name);
  text += ".reg .b64 %ins, %outs, %mem, %here, %copy<2>;\n.reg .b32 %thread, %slot;\n";
  if (in_shared) text += fmt::format(".shared .align 128 .b8 cells[{}];\n", form_memory);
  text += "mov.u32 %thread, %tid.x;\n";
  for (const std::string_view pointer : {"ins", "outs", "mem"})
    text += fmt::format("ld.param.u64 %{0}, [{0}];\ncvta.to.global.u64 %{0}, %{0};\n", pointer);
  text += "mad.wide.u32 %ins, %thread, 8, %ins;\nmad.wide.u32 %outs, %thread, 16, %outs;\n";
  for (std::size_t i = 0; i < forms.size(); ++i) text += block_text(forms[i], i);
  return text + "ret;\n}\n";
}

gpu::Launch launch_of_forms(std::size_t count) {
  std::vector<std::uint8_t> inputs(value_kinds.size() * slots * slot_threads * word);
  std::size_t at = 0;
  for (const char kind : value_kinds)
    for (std::size_t slot = 0; slot < slots; ++slot)
      for (std::size_t thread = 0; thread < slot_threads; ++thread, at += word) {
        const std::uint64_t value = value_at(kind, slot, thread);
        std::memcpy(inputs.data() + at, &value, word);
      }
  std::vector<std::uint8_t> memory(count * form_memory);
  for (std::size_t i = 0; i < form_memory;) {
    const char kind = memory_kind(i % thread_bytes);
    const std::size_t size = kind == 'g' ? 8 : 4;
    const std::uint64_t value = value_at(kind, 3 + i % thread_bytes / 4 % 5, i / thread_bytes);
    std::memcpy(memory.data() + i, &value, size);
    i += size;
  }
  for (std::size_t i = 1; i < count; ++i) std::memcpy(memory.data() + i * form_memory, memory.data(), form_memory);
  gpu::Launch launch;
  launch.block = {threads, 1, 1};
  launch.buffers = {{"inputs", std::move(inputs)},
                    {"outputs", std::vector<std::uint8_t>(count * form_outputs)},
                    {"memory", std::move(memory)}};
  launch.arguments.resize(3);
  for (int i = 0; i < 3; ++i) launch.arguments[static_cast<std::size_t>(i)].buffer = i;
  return launch;
}

std::string difference(std::span<const Form> forms, const gpu::Launch& one, const gpu::Launch& other) {
  for (std::size_t i = 0; i < forms.size(); ++i) {
    std::string found = output_difference(forms[i], i, one, other);
    if (found.empty()) found = memory_difference(forms[i], i, one, other);
    if (!found.empty()) return fmt::format("{}: {}", forms[i].text, found);
  }
  return {};
}

}  // namespace warpwalk::both_paths
