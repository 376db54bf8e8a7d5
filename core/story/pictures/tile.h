#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// One multiply-add of the element that is computed: sum = a × b + the sum before.
struct TileStep {
  std::string k, a, b, sum;
  bool followed = false;  ///< the latest one

  template <class V>
  void visit(V& v) const {
    v.data(k, a, b, sum, followed);
    v.line(k, ": ", a, " · ", b, " → ", sum);
  }
};

/// C = a @ b as a mosaic of tiles, one for each block. The strips of a and b that one tile needs slide past it, and one
/// of its elements is added up.
struct TilePicture {
  std::int64_t m = 0, n = 0, k = 0;  ///< a is m × k, b is k × n
  std::int64_t tile_rows = 0, tile_columns = 0;
  std::int64_t depth = 1;                        ///< of one step along k
  std::int64_t rows = 0, columns = 0;            ///< tiles
  std::int64_t followed = 0;                     ///< number of the tile that is lifted out, across first, and its block
  std::vector<std::int32_t> sm;                  ///< by block; -1: not known
  double lifted = 1;                             ///< of the tile, 0 in its place, 1 beside the mosaic
  std::int64_t done = 0;                         ///< products that are added up
  std::string name_a, name_b, name_c;            ///< with their sizes
  std::string tile_label;                        ///< "one tile: 64 × 128 elements"
  std::string element;                           ///< "element [64, 128]"
  std::string head_k, head_a, head_b, head_sum;  ///< over the steps
  std::vector<TileStep> steps;                   ///< the last few
  std::vector<double> sums;                      ///< the sum after each product, all of them
  std::string progress;                          ///< "16 of 1,024 products added"
  std::string total;                             ///< the sum so far
  std::string afterwards;                        ///< what the next op makes of it; may be empty
  double afterwards_shown = 1;
  std::string missing;              ///< in place of the steps, if the elements are not known
  std::string note;                 ///< where tiles, numbers and SMs come from
  std::string word_block, word_sm;  ///< for the tip of a tile
  std::string word_mapping;         ///< how sure it is that this block has this tile
  std::string control;              ///< a click on a tile sets it to the block's number

  /// "thread block 17 · SM 34"
  std::string tip_of(std::int64_t tile) const;

  template <class V>
  void visit(V& v) const {
    v.data(m, n, k, tile_rows, tile_columns, depth, rows, columns, followed, lifted, done);
    v.data(name_a, name_b, name_c, tile_label, element, head_k, head_a, head_b, head_sum, progress, total, afterwards,
           afterwards_shown, missing, note, word_block, word_sm, word_mapping, control);
    for (const std::int32_t one : sm) v.data(one);
    v.line(name_c, ": ", rows, " × ", columns, " tiles");
    v.line(tile_label, ": ", tip_of(followed));
    if (!missing.empty()) v.line(missing);
    if (!missing.empty()) return;
    v.line(element, ": ", progress, ": ", total);
    v.each(steps);
    if (!afterwards.empty() && v.on_screen(afterwards_shown)) v.line(afterwards);
    v.line(note);
  }
};

}  // namespace warpwalk::story
