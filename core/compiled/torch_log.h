#pragma once

#include <string_view>

#include "core/compiled/compiled.h"

namespace warpwalk::compiled {

/// Whether a text is a log of torch.compile (TORCH_TRACE): each record is a line with a letter, the time, the process,
/// the place in PyTorch and JSON; a payload follows in lines that begin with a tab.
bool is_torch_log(std::string_view text);

/// Adds what such a log says: the kernels of each compilation with the nodes of its FX graph and their lines, the calls
/// of libraries, graph breaks and recompilations. Accepts any text; records that cannot be read are left out and
/// counted in `problems`, under the file's `name`.
void read_torch_log(std::string_view text, std::string_view name, Compiled& to);

}  // namespace warpwalk::compiled
