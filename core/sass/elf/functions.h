#pragma once

#include <string>
#include <vector>

#include "core/sass/elf/cubin.h"
#include "core/sass/elf/elf.h"

namespace warpwalk::sass {

/// The functions of a cubin, in the order of the symbol table, with the values of their attributes.
std::vector<CubinFunction> cubin_functions(const ElfFile& file);

/// Gives each function its line tables. Returns the files of .debug_line.
std::vector<LineFile> add_lines(const ElfFile& file, std::vector<CubinFunction>& functions);

}  // namespace warpwalk::sass
