#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ptx/parse/parser.h"

namespace warpwalk::ptx {

/// The module; a failure of the test, and an empty module, where the text is refused.
Module parsed(std::string_view text);
/// What a text is refused with; "accepted" where it is not.
std::string refusal(std::string_view text);

/// A module with a header and these lines.
std::string module_of(std::string_view items);
/// A module of one entry k with these lines in its body, the first of them line 6. There are registers p<4> (.pred),
/// h<8>
/// (.b16), r<16> (.b32), q<8> (.b64), f<16> (.f32), d<8> (.f64), and a parameter `par` of 64 bytes.
std::string body_of(std::string_view lines);
/// The one entry of that module.
Function entry_of(std::string_view lines);
/// Its only instruction.
Instruction instruction_of(std::string_view line);

std::string file_text(const std::string& name);
std::vector<std::string> lines_of(std::string_view text);
/// tests/ptx/data/NAME.
std::string data_file(const std::string& name);

}  // namespace warpwalk::ptx
