#pragma once

#include <cstdint>
#include <string>

namespace warpwalk::simulated {

/// A place in the machine code of the process, for messages.
struct CodePlace {
  std::string symbol;  ///< mangled; empty: the file has no symbols for it
  std::string text;    ///< e.g. "main (prog.cu:31)", "main", or "prog+0x1234" without symbols
};

/// The symbol of an address in a program or library, from its symbol table; empty if there is none.
std::string code_symbol(std::uint64_t address);
/// The file of the program or library that contains the address; empty if none does.
std::string code_file(std::uint64_t address);
/// Describes an instruction. Lines are those that addr2line finds, if it is installed and answers within two seconds;
/// after 100 lines or ten seconds in all, only symbols are used.
CodePlace find_code(std::uint64_t instruction);
/// A function or variable without its parameters and unnamed namespaces, from its mangled name.
std::string plain_name(std::string symbol);
/// The variable of a program or library that contains the address, e.g. "table"; empty if none does.
std::string static_variable(std::uint64_t address);

/// What is known of memory that CUDA does not know, e.g. "the stack of the host"; empty if the host cannot read it.
std::string host_memory(std::uint64_t address);
/// The first address of the mapping that contains this one; 0 if none does.
std::uint64_t mapping_of(std::uint64_t address);

}  // namespace warpwalk::simulated
