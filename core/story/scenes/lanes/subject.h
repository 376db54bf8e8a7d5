#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/gpu/history/matrix_product.h"
#include "core/story/facts/code/instruction_text.h"
#include "core/story/facts/simulated/followed_sm.h"

namespace warpwalk::story {

/// The memory that the followed instruction accesses.
enum class LanesAccess : std::uint8_t { none, global, shared, local };

/// The place of an error of the kernel.
struct ErrorPlace {
  std::uint16_t sm = 0;
  gpu::WarpPlace warp = {};
  std::int64_t cycle = 0;  ///< in which the instruction is issued
  int lane = 0;            ///< of the thread that the finding names
};

/// One instruction that a warp issued, and the warp before and after it.
struct LanesSubject {
  run::TimeTravel& travel;
  const run::History& history;
  ControlSet controls;
  std::uint16_t sm = 0;
  std::int64_t end = 0;  ///< cycles of the SM
  std::uint16_t slot = 0;
  std::shared_ptr<const gpu::SmWindow> window = {};  ///< that has the issue
  bool present = true;  ///< false: the launch has nothing that the beat is about; another instruction is shown
  const gpu::Issue* issue = nullptr;  ///< null: the warp issues nothing near the cycle
  InstructionText text = {};          ///< of the instruction
  std::shared_ptr<const run::SmMoment> before = {}, after = {};
  const gpu::Warp* warp_before = nullptr;
  const gpu::Warp* warp_after = nullptr;           ///< null if the warp ended
  std::optional<std::int64_t> result = {};         ///< the cycle in which the loaded value came back
  std::vector<const gpu::Issue*> neighbours = {};  ///< issues of the same warp around it, ascending; itself included
  const gpu::LoggedAccess* access = nullptr;       ///< the memory access; null if it makes none
  std::vector<gpu::RequestTrip> trips = {};        ///< of the lines that a load asked for and L1 did not have, by line
  std::optional<gpu::MatrixProduct> product = {};  ///< of a tensor-core instruction
  int lane = 0;                                    ///< whose elements of the matrices are marked
  std::optional<ErrorPlace> error = {};            ///< in the beat about errors, if there is one
  LanesAccess space() const;
  /// The instruction is the one of the error.
  bool shows_error() const {
    return error && issue != nullptr && issue->what.cycle == error->cycle && issue->what.warp == error->warp;
  }
};

/// The history has cycles.
LanesSubject lanes_subject(const SceneInput& input, std::string_view beat);

}  // namespace warpwalk::story
