#pragma once

// This folder makes stages of beats. A scene or lab is a table of its beats (`BeatTable`), and each beat is one value
// (`BeatOf`): its key, when it is there, what it needs, and the functions that make its words, facts, picture and
// question from the scene's subject.

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/story/beats/walk_times.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

struct Here;

/// A beat of any subject, as its table keeps it.
class AnyBeat {
 public:
  virtual ~AnyBeat() = default;
  /// Whether this walk has the beat, and its anchor.
  virtual std::optional<Beat> in(const WalkTimes& times) const = 0;
  virtual std::string_view key() const = 0;
  virtual Stage stage(const Here& here) const = 0;
  /// The next or the previous cycle of interest; none if there is none near.
  virtual std::optional<std::int64_t> next_cycle(const Here& here, bool forward) const = 0;
  virtual bool has_cycles() const = 0;  ///< next_cycle() can give any
  virtual Needs needs() const = 0;
};

/// The context in which a beat makes its stage: the input, the scene, and the other beats of this walk.
struct Here {
  const SceneInput& input;
  std::string_view scene;
  std::vector<const AnyBeat*> beats;  ///< those that this walk has, in order
  std::size_t index = 0;              ///< of the beat that is shown
  std::vector<std::int64_t> anchors;  ///< of `beats`, as Contents::beats() has them
  WalkTimes times{input.trace, input.walk};

  /// The beat that is shown, as a value of this type; null if it has another one.
  template <class Row>
  const Row* shown() const;
  /// The beat before it; null for the first beat, and if it is of another type.
  template <class Row>
  const Row* before() const;
};

/// A beat as its table keeps it, with access to its value.
template <class Row>
class HeldBeat : public AnyBeat {
 public:
  explicit HeldBeat(Row held) : row(std::move(held)) {}
  const Row row;
};

template <class Row>
const Row* Here::shown() const {
  const auto* const held = dynamic_cast<const HeldBeat<Row>*>(beats[index]);
  return held == nullptr ? nullptr : &held->row;
}

template <class Row>
const Row* Here::before() const {
  const auto* const held = index == 0 ? nullptr : dynamic_cast<const HeldBeat<Row>*>(beats[index - 1]);
  return held == nullptr ? nullptr : &held->row;
}

}  // namespace warpwalk::story
