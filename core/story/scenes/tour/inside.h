#pragma once

// Parts of the tour's chapter inside an SM.

#include <cstdint>
#include <optional>
#include <string>

#include "core/story/scenes/tour/world.h"

namespace warpwalk::story {

/// An SM that fills the window. Places in it are points: about the pixels of a window of 1280 x 720.
class InsideSm {
 public:
  static constexpr double width = 1232, height = 508;

  InsideSm(const Tour& s, std::uint32_t sm);

  const PlaneBox& camera() const { return camera_; }
  PlaneBox at(double x, double y, double wide, double high) const {
    return {camera_.x + x * unit_, camera_.y + y * unit_, wide * unit_, high * unit_};
  }
  double x(double points) const { return camera_.x + points * unit_; }
  double y(double points) const { return camera_.y + points * unit_; }
  /// The SM's frame, and the sub-partition's, which is opened: it fills the SM.
  void draw(Plane& plane, const Tour& s, bool sub_partition) const;

 private:
  std::uint32_t number_;
  PlaneBox sm_, camera_;
  double unit_;
};

/// Where the thread that computes the followed number is in its block: one thread for each number of the tile, row
/// after row.
struct ThreadPlace {
  std::int64_t warp = 0, lane = 0;  ///< of the followed number
  std::int64_t columns = 0;         ///< threads beside one another
  static constexpr std::int64_t lanes = 32;
  /// Row and column of a lane's number in the tile.
  std::int64_t row_of(std::int64_t lane_of_warp) const { return (warp * lanes + lane_of_warp) / columns; }
  std::int64_t column_of(std::int64_t lane_of_warp) const { return (warp * lanes + lane_of_warp) % columns; }
  std::int64_t rows() const { return lanes / columns; }  ///< of one warp
};

/// None if the kernel's threads are divided in another way, or if a warp has not two or four whole rows of threads.
std::optional<ThreadPlace> thread_place(const Tour& s);

/// The first row and column of the followed block's tile.
std::int64_t tile_row(const Tour& s);
std::int64_t tile_column(const Tour& s);
/// The number of c that a lane of the followed warp computes.
ElementIndex number_of(const Tour& s, const ThreadPlace& place, std::int64_t lane);
/// The lane that computes the followed number; -1 if it is not known.
std::int64_t followed_lane(const Tour& s);
/// The sub-partition of the followed warp.
std::int64_t inside_part(const Tour& s);

/// "c[1, 2]"
std::string element_name(char matrix, std::int64_t row, std::int64_t column);

/// While the run is simulated, or if it cannot be: the words for it. Empty if its cycles are there.
std::string inside_waits(const Tour& s);

}  // namespace warpwalk::story
