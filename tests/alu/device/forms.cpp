#include "tests/alu/device/forms.h"

#include <sstream>

namespace warpwalk::device_forms {
namespace {

/// Expands "add{,.sat}.s32" to "add.s32" and "add.sat.s32". Braces do not nest.
std::vector<std::string> expanded(const std::string& pattern) {
  const std::size_t open = pattern.find('{');
  if (open == std::string::npos) return {pattern};
  const std::size_t close = pattern.find('}', open);
  std::vector<std::string> result;
  std::istringstream choices(pattern.substr(open + 1, close - open - 1) + ",");
  for (std::string choice; std::getline(choices, choice, ',');)
    for (const std::string& rest : expanded(pattern.substr(close + 1)))
      result.push_back(pattern.substr(0, open) + choice + rest);
  return result;
}

const char* const type_names[] = {"u8",  "u16",  "u32",   "u64",   "s8",     "s16",   "s32",    "s64",
                                  "b16", "b32",  "b64",   "f16",   "bf16",   "f16x2", "bf16x2", "f32",
                                  "f64", "tf32", "u16x2", "s16x2", "e4m3x2", "e5m2x2"};

bool is_type(const std::string& word) {
  for (const char* name : type_names)
    if (word == name) return true;
  return false;
}

std::vector<std::string> types_of(const std::string& instruction) {
  std::vector<std::string> types;
  std::istringstream words(instruction);
  for (std::string word; std::getline(words, word, '.');)
    if (is_type(word)) types.push_back(word);
  return types;
}

int bytes_of(const std::string& type) {
  if (type == "e4m3x2" || type == "e5m2x2") return 2;
  if (type.find("x2") != std::string::npos || type == "tf32") return 4;
  const std::size_t at = type.find_first_of("0123456789");
  if (at == std::string::npos) return 4;
  const std::string digits = type.substr(at);
  if (digits == "8" || digits == "16") return 2;
  return digits == "64" ? 8 : 4;
}

std::string widened(const std::string& type) { return type.substr(0, 1) + (type.substr(1) == "16" ? "32" : "64"); }

/// One row of the table: an instruction with choices in braces, then its operands. The first letter of an operand is
/// its name. The rest describes its values: 0 or 1 for the instruction type with this index, x for twice type 0, n for
/// shift amounts and counts, u for u32, or the name of a type. `:b32` after it gives the register if it is wider.
struct Row {
  const char* pattern;
  const char* operands;
  bool approximate = false;
};

const Row rows[] = {
#include "tests/alu/device/forms.inc"
};

Form form_of(const std::string& instruction, const Row& row) {
  Form form;
  form.name = form.instruction = instruction;
  form.approximate = row.approximate;
  const std::vector<std::string> types = types_of(instruction);
  std::istringstream words(row.operands);
  for (std::string word; words >> word;) {
    if (word[0] == '#') {
      form.literal = word.substr(1);
      form.name += " " + form.literal;
      continue;
    }
    if (word[0] == '<' || word[0] == '>') {
      (word[0] == '<' ? form.carry_in : form.carry_out) = word[1];
      form.name += " " + word;
      continue;
    }
    Operand operand;
    operand.name = word[0];
    std::string what = word.substr(1);
    const std::size_t colon = what.find(':');
    const std::string wide = colon == std::string::npos ? "" : what.substr(colon + 1);
    what = what.substr(0, colon);
    if (what == "0" || what == "1" || what == "2") what = types.at(static_cast<std::size_t>(what[0] - '0'));
    if (what == "x") what = widened(types.at(0));
    if (what == "u") what = "u32";
    if (what == "n") what = "amount";
    operand.pool = what;
    operand.bytes = wide.empty() ? what == "amount" || what.empty() ? 4 : bytes_of(what) : bytes_of(wide);
    // A special source of values is part of the name, because it makes another form.
    const bool own = what.substr(0, 4) == "tiny" || what == "ratio" || what == "huge" || what == "low64";
    if (!wide.empty()) form.name += " " + std::string(1, operand.name) + (own ? what : wide);
    form.operands.push_back(operand);
  }
  return form;
}

std::string kernel_start(int number) {
  const std::string name = std::to_string(number);
  return ".visible .entry k" + name + "(.param .u64 k" + name + "_in, .param .u64 k" + name + "_out, .param .u32 k" +
         name +
         "_n)\n{\n.reg .pred %p, %q, %n, %over;\n.reg .b32 %i, %count, %thread, %block, %width, %flags, %bit, %junk;\n"
         ".reg .b64 %in, %out, %at, %step, %flags64;\n"
         "mov.u32 %thread, %tid.x;\nmov.u32 %block, %ctaid.x;\nmov.u32 %width, %ntid.x;\n"
         "mad.lo.s32 %i, %block, %width, %thread;\n"
         "ld.param.u32 %count, [k" +
         name + "_n];\nsetp.ge.u32 %over, %i, %count;\n@%over ret;\nld.param.u64 %in, [k" + name +
         "_in];\nld.param.u64 %out, [k" + name +
         "_out];\nmul.wide.u32 %at, %i, 8;\nmul.wide.u32 %step, %count, 8;\nadd.s64 %in, %in, %at;\n"
         "add.s64 %out, %out, %at;\nmov.u32 %flags, 0;\n";
}

void add_kernel(std::string& text, const Form& form, int number, std::vector<int>& lines) {
  text += kernel_start(number);
  std::string list;
  bool has_d = false, has_p = false, has_q = false, reads_predicate = false;
  int d_bytes = 4;
  const auto listed = [&](const std::string& operand) { list += (list.empty() ? "" : ", ") + operand; };
  const std::string sources = "abce";
  std::string loads;
  for (const Operand& operand : form.operands) {
    const std::string width = std::to_string(8 * operand.bytes);
    const std::size_t source = sources.find(operand.name);
    if (source != std::string::npos) {
      const std::string reg = std::string("%") + operand.name;
      text += ".reg .b" + width + " " + reg + ";\n";
      loads +=
          "mad.lo.s64 %at, %step, " + std::to_string(source) + ", %in;\nld.global.b" + width + " " + reg + ", [%at];\n";
      // The table of lop3 is written between its sources and its predicate.
      listed(reg);
      continue;
    }
    switch (operand.name) {
      case 'd':
      case 'D':
        has_d = true;
        has_p = operand.name == 'D';
        d_bytes = operand.bytes;
        text += ".reg .b" + width + " %d;\n";
        listed(has_p ? "%d|%p" : "%d");
        break;
      case 'p':
        has_p = true;
        listed("%p");
        break;
      case 'P':
        has_p = has_q = true;
        listed("%p|%q");
        break;
      default:
        reads_predicate = true;
        if (!form.literal.empty()) listed(form.literal);
        listed("%n");
    }
  }
  if (!form.literal.empty() && !reads_predicate) listed(form.literal);
  text += loads;
  if (reads_predicate || form.carry_in != 0) text += "mad.lo.s64 %at, %step, 4, %in;\nld.global.u32 %bit, [%at];\n";
  if (reads_predicate) text += "and.b32 %junk, %bit, 1;\nsetp.ne.u32 %n, %junk, 0;\n";
  if (form.carry_in != 0) text += "shr.u32 %bit, %bit, 1;\nand.b32 %bit, %bit, 1;\n";
  if (form.carry_in == 'a') text += "add.cc.u32 %junk, %bit, 0xffffffff;\n";
  if (form.carry_in == 's') text += "sub.cc.u32 %junk, 0, %bit;\n";
  lines.push_back(1);
  for (const char c : text) lines.back() += c == '\n';
  text += form.instruction + " " + list + ";\n";
  if (form.carry_out == 'a') text += "addc.u32 %bit, 0, 0;\nshl.b32 %flags, %bit, 2;\n";
  if (form.carry_out == 's') text += "subc.u32 %bit, 0, 0;\nand.b32 %bit, %bit, 1;\nshl.b32 %flags, %bit, 2;\n";
  if (has_p) text += "selp.u32 %bit, 1, 0, %p;\nor.b32 %flags, %flags, %bit;\n";
  if (has_q) text += "selp.u32 %bit, 2, 0, %q;\nor.b32 %flags, %flags, %bit;\n";
  if (has_d) text += "st.global.b" + std::to_string(8 * d_bytes) + " [%out], %d;\n";
  text += "add.s64 %out, %out, %step;\ncvt.u64.u32 %flags64, %flags;\nst.global.u64 [%out], %flags64;\nret;\n}\n";
}

}  // namespace

std::vector<Form> forms() {
  std::vector<Form> result;
  for (const Row& row : rows)
    for (const std::string& instruction : expanded(row.pattern)) result.push_back(form_of(instruction, row));
  return result;
}

std::string module_text(const std::vector<Form>& forms, std::vector<int>& lines) {
  std::string text = ".version 8.7\n.target sm_90\n.address_size 64\n";
  lines.clear();
  // The lines of each kernel are counted from its own start.
  int before = 3;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    std::string kernel;
    add_kernel(kernel, forms[i], static_cast<int>(i), lines);
    lines.back() += before;
    for (const char c : kernel) before += c == '\n';
    text += kernel;
  }
  return text;
}

}  // namespace warpwalk::device_forms
