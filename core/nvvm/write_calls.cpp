#include <algorithm>
#include <cctype>
#include <map>

#include "core/nvvm/function_writer.h"

namespace warpwalk::nvvm {

using Kind = Type::Kind;

namespace {

// The name of an intrinsic without its types: "llvm.smax.i32" is smax.
std::string_view plain_name(std::string_view name) {
  name.remove_prefix(std::string_view("llvm.").size());
  return name.substr(0, name.find('.'));
}

std::vector<std::string_view> split_constraints(std::string_view text) {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    all.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

// The text of assembly with its operands: $0, ${1:x}; $$ is a dollar.
std::string with_operands(std::string_view text, const std::vector<std::string>& operands) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    if (text[++i] == '$') {
      out += '$';
      continue;
    }
    const bool braces = text[i] == '{';
    if (braces) ++i;
    std::size_t number = 0;
    while (i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0)
      number = number * 10 + static_cast<std::size_t>(text[i++] - '0');
    if (braces)
      while (i < text.size() && text[i] != '}') ++i;
    else
      --i;
    out += number < operands.size() ? operands[number] : "?";
  }
  return out;
}

}  // namespace

void FunctionWriter::assembly(const Instruction& one) {
  Texts operands;
  const std::vector<Scalar> outputs = scalars_of(one.type);
  if (one.type->kind != Kind::nothing)
    for (const std::string& text : result(one)) operands.push_back(text);
  std::size_t next = 0;
  for (const std::string_view constraint : split_constraints(one.constraints)) {
    if (constraint.starts_with('~') || constraint.starts_with('=')) continue;
    if (next == one.operands.size()) return fail("assembly with an operand that is missing");
    const Operand& operand = one.operands[next++];
    const std::string text = generic(operand);
    if (std::isdigit(static_cast<unsigned char>(constraint.front())) != 0) {
      const auto tied = static_cast<std::size_t>(constraint.front() - '0');
      if (tied >= outputs.size()) return fail("assembly with an operand that is missing");
      line("mov{} {}, {}", move_type(*outputs[tied].type), operands[tied], text);
      operands.push_back(operands[tied]);
    } else {
      operands.push_back(operand.type->is_float() ? in_register(text, *operand.type) : text);
    }
  }
  code_ += fmt::format("\t{}\n", with_operands(one.words, operands));
}

bool FunctionWriter::simple_intrinsic(const Instruction& one, std::string_view name, const std::string& kind) {
  // By name: the instruction, with its type after it.
  static const std::map<std::string_view, std::string> of_floats = {
      {"fma", "fma.rn"},      {"fmuladd", "fma.rn"},      {"fabs", "abs"},
      {"sqrt", "sqrt.rn"},    {"minnum", "min"},          {"maxnum", "max"},
      {"floor", "cvt.rmi{}"}, {"ceil", "cvt.rpi{}"},      {"trunc", "cvt.rzi{}"},
      {"rint", "cvt.rni{}"},  {"nearbyint", "cvt.rni{}"}, {"roundeven", "cvt.rni{}"}};
  static const std::map<std::string_view, std::string> of_integers = {{"smax", "max.s"}, {"smin", "min.s"},
                                                                      {"umax", "max.u"}, {"umin", "min.u"},
                                                                      {"abs", "abs.s"},  {"bitreverse", "brev.b"}};
  const bool is_float = one.type->is_float();
  const auto& names = is_float ? of_floats : of_integers;
  const auto found = names.find(name);
  if (found == names.end() || !one.type->is_scalar()) return false;
  std::string text = found->second;
  if (const std::size_t at = text.find("{}"); at != std::string::npos) text.replace(at, 2, kind);
  text += is_float ? kind : fmt::format("{}", 8 * size_of(*one.type));
  Texts operands = {result_of(one)};
  const std::size_t count = name == "abs" ? 1 : one.operands.size();
  for (std::size_t i = 0; i < count; ++i) operands.push_back(value(one.operands[i]));
  operands[1] = in_register(operands[1], *one.type);
  line("{} {}", text, fmt::join(operands, ", "));
  return true;
}

void FunctionWriter::intrinsic(const Instruction& one) {
  constexpr std::string_view special = "llvm.nvvm.read.ptx.sreg.";
  const std::string& full = one.words;
  if (full.starts_with(special)) {
    std::string name = full.substr(special.size());
    if (name == "warpsize") return same_as(one, {"32"});
    if (name.starts_with("lanemask.")) name.replace(name.find('.'), 1, "_");
    return line("mov.u{} {}, %{}", one.type->bits, result_of(one), name);
  }
  if (full.starts_with("llvm.nvvm.barrier0") || full.starts_with("llvm.nvvm.barrier.cta.sync.aligned.all"))
    return line("bar.sync 0");
  if (full == "llvm.trap") return line("trap");
  const std::string_view name = plain_name(full);
  if (name == "assume" || name == "lifetime" || name == "experimental" || name == "dbg" || name == "prefetch") return;
  if (name == "memcpy" || name == "memmove" || name == "memset") return copy_memory(one);
  if (name == "expect") return same_as(one, values(one.operands[0]));
  const std::string kind = one.type->kind == Kind::f64 ? ".f64" : one.type->kind == Kind::f16 ? ".f16" : ".f32";
  if (simple_intrinsic(one, name, kind)) return;
  const std::uint64_t bits = 8 * size_of(*one.type);
  if (name == "copysign")
    return line("copysign{} {}, {}, {}", kind, result_of(one), in_register(one.operands[1]),
                in_register(one.operands[0]));
  if ((name == "fshl" || name == "fshr") && bits == 32)
    return line("shf.{}.wrap.b32 {}, {}, {}, {}", name == "fshl" ? 'l' : 'r', result_of(one),
                in_register(one.operands[1]), in_register(one.operands[0]), value(one.operands[2]));
  if ((name == "ctpop" || name == "ctlz" || name == "cttz") && bits >= 32) {
    std::string text = in_register(one.operands[0]);
    if (name == "cttz") {
      const std::string turned = new_register(*one.type);
      line("brev.b{} {}, {}", bits, turned, text);
      text = turned;
    }
    const std::string count = bits == 32 ? result_of(one) : new_register(".b32");
    line("{}.b{} {}, {}", name == "ctpop" ? "popc" : "clz", bits, count, text);
    if (bits == 64) line("cvt.u64.u32 {}, {}", result_of(one), count);
    return;
  }
  if (name == "bswap" && bits == 32)
    return line("prmt.b32 {}, {}, 0, 291", result_of(one), in_register(one.operands[0]));
  fail(fmt::format("{} is not supported in a browser", full));
}

void FunctionWriter::call(const Instruction& one) {
  if (one.assembly) return assembly(one);
  if (one.words.starts_with("llvm.")) return intrinsic(one);
  if (one.words == "vprintf") return fail("printf is not supported in a browser");
  fail(fmt::format("the function {} is called, which is not supported in a browser; declare it __forceinline__",
                   one.words));
}

}  // namespace warpwalk::nvvm
