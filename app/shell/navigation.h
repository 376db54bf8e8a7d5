#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/shell/questions.h"
#include "app/shell/session.h"
#include "core/story/pictures/cards.h"

namespace warpwalk::shell {

/// Steps through the beats of the walk or the steps of the lesson, and all other ways from one moment to another. There
/// must be a document.
class Navigation {
 public:
  /// All of it must outlive this object. `strip`: the stretch of time that the strip shows.
  Navigation(Session& session, const Stages& stages, Questions& questions, const panels::StripState& strip,
             pages::Messages& messages)
      : session_(session), stages_(stages), questions_(questions), strip_(strip), messages_(messages) {}

  /// Next and back: through the steps of the open lesson, or else through the beats of all scenes. From a scene or beat
  /// outside of the lesson, a single step leads back to it.
  void step(std::int64_t steps);
  /// To the first beat of the next scene, or of this one or the previous one.
  void step_scene(int steps);
  /// Follows what story::follow() names; stays at the same beat if the new walk has it. Does nothing without a name.
  void follow(const std::string& what);
  /// Lets time pass: the motion of the beat, and the next beat if the walk plays.
  void advance(double seconds);
  /// Whether something moves.
  bool moving() const;

  /// The moment in the trace, ns since its start.
  std::int64_t moment() const;
  void go_to_time(std::int64_t time);
  void go_to_cycle(std::int64_t cycle);
  /// To the next or the previous event of the kind that the person chose.
  void go_to_stop_cycle(bool forward);
  /// Moves the moment by hundredths of the stretch that the strip shows; in a scene that goes through cycles, by cycles
  /// or from one instruction to the next; in a beat with a control for it (Control::stepped), by the values of that.
  void scrub(double hundredths);
  /// Goes to the next beat, of any scene, that is about this stop of the route. Repeated choices go round.
  void go_to_stop(std::size_t stop);
  /// To a card's beat with its settings.
  void go_to_card(const story::CardLink& link);
  /// From a scene its first lab, from a lab the next one of its scene, and from the last one the scene; none if the
  /// scene has no lab.
  std::optional<std::string_view> lab_from_here() const;

 private:
  const pages::Opened& opened() const { return session_.opened(); }
  void go(std::string_view scene, const story::Moment& moment);
  /// Moves the control that goes through time by so many of its values; false if the beat has none.
  bool step_control(std::int64_t by);

  Session& session_;
  const Stages& stages_;
  Questions& questions_;
  const panels::StripState& strip_;
  pages::Messages& messages_;
};

}  // namespace warpwalk::shell
