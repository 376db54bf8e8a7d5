#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ptx/parse/parser.h"

namespace warpwalk::ptx {

/// Returns the parsed module. If the text is rejected, the test fails and the module is empty.
Module parsed(std::string_view text);
/// Returns the error message for a text, or "accepted" if there is none.
std::string refusal(std::string_view text);

/// Returns the text of a module with a header and these items.
std::string module_of(std::string_view items);
/// Returns the text of a module with one entry k whose body contains these lines, from line 6 on. The entry declares
/// the registers p<4> (.pred), h<8> (.b16), r<16> (.b32), q<8> (.b64), f<16> (.f32) and d<8> (.f64), and a parameter
/// `par` of 64 bytes.
std::string body_of(std::string_view lines);
/// Parses body_of(lines) and returns its entry.
Function entry_of(std::string_view lines);
/// Same for a single instruction.
Instruction instruction_of(std::string_view line);

std::string file_text(const std::string& name);
std::vector<std::string> lines_of(std::string_view text);
/// Returns the path of tests/ptx/data/NAME.
std::string data_file(const std::string& name);

}  // namespace warpwalk::ptx
