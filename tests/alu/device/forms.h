#pragma once

#include <string>
#include <vector>

/// The instruction forms that are compared with a GPU's results, one kernel each. Plain C++, because the test shares it
/// with the program that runs on the GPU machine.
namespace warpwalk::device_forms {

/// One operand: its name in the kernel, the source of its values, and its register width.
struct Operand {
  char name = 'd';   ///< d: written; a, b, c, e: read; p: predicate written; P: p|q; D: d|p; n: predicate read
  std::string pool;  ///< "f32", "s64", "amount", ... (see inputs.h); for d its type
  int bytes = 4;     ///< register width: 2, 4 or 8
};

struct Form {
  std::string name;  ///< as written, without operands: "add.sat.s32"; variants have a suffix after a space
  std::string instruction;
  std::vector<Operand> operands;
  std::string literal;       ///< a number after the sources (lop3's table); empty: none
  char carry_in = 0;         ///< source of CC.CF: 'a': add.cc, 's': sub.cc, 0: none
  char carry_out = 0;        ///< instruction that reads CC.CF: 'a': addc, 's': subc, 0: none
  bool approximate = false;  ///< compared within a bound instead of bit by bit
};

/// Returns all forms in a fixed order.
std::vector<Form> forms();

/// Returns the text of a module with kernels k0, k1, ...; `lines` receives the line (from 1) of each form's
/// instruction. Kernel parameters: in (u64), out (u64), n (u32). Value i of source s is the 8 bytes at in + 8 (s n +
/// i). s = 0 to 3 are a, b, c and e; s = 4 has the predicate in bit 0 and the carry in bit 1. Results: d at out + 8 i,
/// flags at out + 8 (n + i): bit 0 p, bit 1 q, bit 2 the carry.
std::string module_text(const std::vector<Form>& forms, std::vector<int>& lines);

}  // namespace warpwalk::device_forms
