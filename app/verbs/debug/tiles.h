#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/debug/session.h"
#include "core/debug/tiles.h"

namespace warpwalk::verbs {

/// Whether an expression names a tensor of the Triton program that is debugged, or a part of one.
bool names_tile(const debug::Session& session, std::string_view expression);
/// What the command line says of the tensors of a Triton program. Without one, an error of one line.
base::Result<std::string> tiles_text(debug::Session& session);
/// A tile, a row of it or an element: "acc", "acc[3]", "acc[3, 5]".
base::Result<std::string> tile_text(debug::Session& session, std::string_view expression);
/// Who wrote an element: the line of Python, the operation, and the instruction that wrote its register; of what was
/// loaded, its address and who wrote that.
base::Result<std::string> tile_writer_text(debug::Session& session, std::string_view expression);
/// The first NaN of the block in focus, accesses outside of all buffers, and the stores compared with the run's.
base::Result<std::string> first_nan_text(debug::Session& session);
base::Result<std::string> outside_text(debug::Session& session);
base::Result<std::string> stores_text(debug::Session& session);
/// A row of a list of variables.
struct TileRow {
  std::string name, value, type, evaluate;
  std::size_t parts = 0;  ///< rows or elements of it; 0: none
};
/// The tiles of a stop, or the parts of one: of "acc" its rows, of "acc[3]" the elements.
std::vector<TileRow> tile_rows(debug::Session& session);
std::vector<TileRow> parts_of_tile(debug::Session& session, std::string_view expression, std::size_t first,
                                   std::size_t count);
base::Result<TileRow> tile_row(debug::Session& session, std::string_view expression);

}  // namespace warpwalk::verbs
