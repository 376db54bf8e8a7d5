#pragma once

// This folder puts narration and figures on a stage. The texts are in assets/narration.

#include <string>
#include <string_view>

#include "core/story/elements/walk.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Adds facts and missing data to a stage, with texts of the narration: from [SCENE.fact], [SCENE.formula] and
/// [SCENE.missing] if the scene has them, else from [fact], [formula] and [missing].
class FactWriter {
 public:
  FactWriter(const SceneInput& input, const Narration::Values& values, Stage& stage)
      : trace_(input.trace), narration_(input.narration), values_(values), stage_(stage) {}

  void fact(std::string_view key, Figure figure) { named(word("fact", key), std::move(figure)); }
  void named(std::string label, Figure figure) { stage_.facts.push_back({std::move(label), std::move(figure)}); }
  void missing(std::string_view key) { stage_.missing.push_back(word("missing", key)); }
  /// Adds the reason if the time of the followed work is not known.
  void missing_times(const Walk& walk) {
    switch (time_record_of(trace_, walk)) {
      case TimeRecord::timed: return;
      case TimeRecord::unclocked: return missing("times_unclocked");
      case TimeRecord::unrecorded: return missing("times_unrecorded");
    }
  }

  /// Adds the recorded duration of a slice, unless the trace lacks it.
  void duration(std::string_view key, SliceId s) { duration_named(word("fact", key), s); }
  void duration_named(std::string label, SliceId s) {
    if (has_time(trace_, s)) named(std::move(label), recorded_duration(s));
  }
  Figure recorded(std::string text) const { return Figure::recorded(std::move(text), origin()); }
  Figure recorded(double value, Unit unit) const { return Figure::recorded(value, unit, origin()); }
  /// Adds a derived fact; its formula has the same key.
  void derived(std::string_view key, double value, Unit unit) {
    fact(key, Figure::derived(value, unit, word("formula", key)));
  }
  void derived(std::string_view key, std::string text) {
    fact(key, Figure::derived(std::move(text), word("formula", key)));
  }
  /// Adds a difference of two times.
  void difference(std::string_view key, std::int64_t ns) { derived(key, static_cast<double>(ns), Unit::nanoseconds); }
  void counted(std::string_view key, std::size_t n) { derived(key, static_cast<double>(n), Unit::count); }
  /// The stage, for functions that add several facts to it.
  Stage& stage() { return stage_; }
  /// The origin of the times in the trace.
  Origin origin() const { return trace_.records.time_origin(); }
  std::string word(std::string_view kind, std::string_view key) const {
    const std::string own = std::string(stage_.scene).append(".").append(kind);
    return narration_.text(narration_.has(own, key) ? std::string_view(own) : kind, key, values_);
  }

 private:
  Figure recorded_duration(SliceId s) const {
    return Figure::recorded(static_cast<double>(trace_.slices.duration[s]), Unit::nanoseconds, origin());
  }

  const Trace& trace_;
  const Narration& narration_;
  const Narration::Values& values_;
  Stage& stage_;
};

}  // namespace warpwalk::story
