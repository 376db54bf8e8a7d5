#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/shell/session/questions.h"
#include "app/shell/session/session.h"
#include "app/shell/session/way_back.h"
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
  /// In the tour, a single step back plays the motion of the step backwards.
  void step(std::int64_t steps);
  /// To the first beat of the next scene, or of this one or the previous one; in the tour, of the chapter.
  void step_scene(int steps);
  /// From a step of the tour to the beat that has the rest of it, and from there back to the step. Returns false
  /// elsewhere.
  bool go_deeper();
  /// From a step of the tour to its lab. Returns false if it has none.
  bool go_to_lab_of_step();
  /// Out of a lab, or back to the step of the tour that led here. `anywhere`: out of a lab also if nothing led there,
  /// to its scene. Returns false if there is no way out.
  bool go_out(bool anywhere);
  /// From where the person went to look deeper.
  WayBack& way_back() { return way_back_; }
  const WayBack& way_back() const { return way_back_; }
  /// What the open step of the tour says of itself; none elsewhere.
  std::optional<story::StepPlace> step_place() const;
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
  bool in_tour() const;
  /// What a step of the tour says of itself.
  std::optional<story::StepPlace> step_place(std::int64_t beat) const;
  /// In the tour: one step on or back, of which the latter is played backwards.
  void step_tour(bool forward);
  /// To the first step of the next chapter, or of this one or the one before.
  void step_chapter(bool forward);
  /// Whether the motion of the open step is played backwards. Any other way to another moment ends that.
  bool plays_backwards() const;
  /// Shows the step before the open one, at its end.
  void land_on_step_before();
  /// Moves the control that goes through time by so many of its values; false if the beat has none.
  bool step_control(std::int64_t by);

  Session& session_;
  const Stages& stages_;
  Questions& questions_;
  const panels::StripState& strip_;
  pages::Messages& messages_;
  WayBack way_back_;
  std::optional<story::Moment> backwards_;  // as the motion that is played backwards was shown last
};

}  // namespace warpwalk::shell
