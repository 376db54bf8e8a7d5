#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/memory/tensor_layout.h"
#include "core/run/replay/number_trail.h"
#include "core/story/facts/launch/matrix_product.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The number of the followed op's result that all scenes follow, "c[1, 2]".
struct FollowedNumber {
  analysis::Tensor result;               ///< of two dimensions
  ElementIndex at;                       ///< chosen, else one near the first element that relu keeps
  std::optional<MatrixProduct> product;  ///< if it is the sum of a row of a times a column of b

  std::string name() const;
};

/// The controls of the first scene that choose another element.
inline constexpr std::string_view element_scene = "boardroom", element_row = "row", element_column = "column";

/// Nullopt if the op's result has other than two dimensions, or if its sizes are not known.
std::optional<FollowedNumber> followed_number(const Trace& trace, const Walk& walk, const Controls& controls);

/// The walk of what a person chose: as follow() takes it, or the default walk if it is empty. On failure: one line,
/// also if the result has no such element.
base::Result<Walk> chosen_walk(const Trace& trace, std::string_view follow);

/// The number of the block that all scenes follow: the one that the person chose in scene 4, else that of the
/// followed number, else the first of the grid. `blocks`: of the grid that is shown, at least 1.
std::uint64_t followed_block(const SceneInput& input, std::uint64_t blocks);

/// What the trail of the followed number is looked for by; nullopt if none is followed.
std::optional<run::NumberRequest> number_request(const Trace& trace, const Walk& walk, const Controls& controls);

/// "-7.00": a number of the result, by its type and bits.
std::string value_text(const FollowedNumber& number, std::uint64_t bits);

/// A step of the sum that a number is: the value of its register after one more product.
struct PartialSum {
  std::uint32_t step = 0;  ///< of the origin
  std::int64_t k = 0;      ///< number of the product
  double a = 0, b = 0, sum = 0;
  std::int64_t cycle = -1;  ///< in which the instruction was issued; -1: not known
};

/// The partial sums of a product whose elements are known, from the registers that the trail followed; each is checked
/// against the elements. Empty if the kernel adds in another way, such as on tensor cores.
std::vector<PartialSum> partial_sums(const FollowedNumber& number, const run::NumberTrail& trail);

/// The register that holds the number before it is stored, "R30"; empty if it has no name.
std::string register_of(const run::TimeTravel& travel, const gpu::OriginStep& step);

/// Where the number is in a scene, for the line that every scene shows (Stage::number); nullopt if none is followed.
std::optional<NumberLine> number_line(const SceneInput& input, std::string_view scene);

}  // namespace warpwalk::story
