#pragma once

#include <string>
#include <vector>

/// The instruction forms that are compared with a GPU's results, one kernel each. Plain C++: the program that runs on
/// the GPU's machine and the test share it.
namespace warpwalk::device_forms {

/// One operand: its name in the kernel, what its values are drawn from, how wide its register is.
struct Operand {
  char name = 'd';   ///< d: written; a, b, c, e: read; p: predicate written; P: p|q; D: d|p; n: predicate read; else
  std::string pool;  ///< "f32", "s64", "amount", ...: see inputs.h; of d the type
  int bytes = 4;     ///< of the register: 2, 4 or 8
};

struct Form {
  std::string name;  ///< the instruction as written, without operands: "add.sat.s32"; variants follow after a blank
  std::string instruction;
  std::vector<Operand> operands;
  std::string literal;       ///< a number after the sources (lop3's table); empty for none
  char carry_in = 0;         ///< 'a': CC.CF by add.cc, 's': by sub.cc; 0: none
  char carry_out = 0;        ///< read by addc or subc
  bool approximate = false;  ///< compared within a bound, not to the bit
};

/// All of them, in a fixed order.
std::vector<Form> forms();

/// The text of a module with kernels k0, k1, ...; `lines` receives the line (from 1) of each form's instruction.
/// Parameters of a kernel: in (u64), out (u64), n (u32). Value i of source s is the 8 bytes at in + 8 (s n + i), s = 0
/// to 3 for a, b, c, e; s = 4: bit 0 the predicate, bit 1 the carry. Results: d at out + 8 i, flags at out + 8 (n + i):
/// bit 0 p, bit 1 q, bit 2 the carry.
std::string module_text(const std::vector<Form>& forms, std::vector<int>& lines);

}  // namespace warpwalk::device_forms
