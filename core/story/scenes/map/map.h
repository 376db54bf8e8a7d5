#pragma once

// The parts of the scene "map": the subject of its beats, and what its table of beats (beats.cpp) names: the lines of
// the receipt, the desks of the company, the beats about the simulated GPU and about untimed work, and the last page.
// The types of the picture are those of picture.h, which its painter reads.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/story/beats/beat_of.h"
#include "core/story/facts/launch/launch_call.h"
#include "core/story/facts/launch/receipt.h"
#include "core/story/facts/simulated/kernel_counters.h"
#include "core/story/scenes/map/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The lines of a receipt, in their order.
enum class ReceiptPart : std::uint8_t { cpu, launch, queue, kernel };

/// How much of the receipt a beat shows.
struct ReceiptReach {
  bool started = true;                     ///< false: nothing of it yet
  std::optional<ReceiptPart> line = {};    ///< the line that it adds; none: all are there
  std::optional<CountedGroup> group = {};  ///< the same for a walk without times, which has counters instead

  /// The share of a part that is shown; `added`: the part that the beat adds.
  template <class Part>
  double shown(Part part, const std::optional<Part>& added, double phase) const {
    if (!started || (added && part > *added)) return 0;
    return part == added ? eased(phase) : 1;
  }
};

/// The subject of the map's beats.
struct MapSubject {
  const SceneInput& input;
  std::optional<Receipt> receipt;
  LaunchCall call;
  bool untimed = false;  ///< the launched work has no times
  Narration::Values values;
  ReceiptPicture picture;  ///< up to where the beat's receipt reaches

  const Trace& trace() const { return input.trace; }
  const Walk& walk() const { return input.walk; }
};
using MapBeat = BeatOf<MapSubject, ReceiptReach>;

MapSubject map_subject(const Here& here);
double percent_of(std::int64_t part, std::int64_t whole);
void show_receipt(ReceiptPicture picture, Stage& stage);

/// Whether an op is dispatched before the launch; else the program calls the launch itself.
bool has_op(const Walk& walk);
/// The launch of a graph is shared equally among its nodes, so that this work pays for its own part only.
bool shares_launch(const Receipt& receipt, const LaunchCall& call);
/// ns of the launch call that this work pays for.
std::int64_t own_launch(const Receipt& receipt, const LaunchCall& call);
/// ns: the sum of the receipt's lines.
std::int64_t total_of(const Receipt& receipt, const LaunchCall& call);
/// ns: the total without the profiler's own work.
std::int64_t without_profiler(const Receipt& receipt);

/// The lines of the receipt of the followed work, as far as it reaches at this phase.
std::vector<ReceiptLine> receipt_lines(const SceneInput& input, const Receipt& receipt, const ReceiptReach& reach,
                                       double phase);

/// The seven desks of the company, the hardware that each represents, and its value in this run.
std::vector<Station> map_stations(const SceneInput& input);

/// The number in the place of the first scene's question mark, and what the next op makes of it.
std::shared_ptr<const AnyBeat> map_answer_beat();

/// Whether the map ends with a beat about the simulated GPU's counters. True for a kernel whose trace lacks simulated
/// counters.
bool ends_simulated(const Trace& trace, const Walk& walk);
/// That beat: the simulated counters, beside those of a real GPU if there are any.
std::string simulated_section(const MapSubject& s);
void simulated_facts(const MapSubject& s, FactWriter& facts);
void simulated_picture(const MapSubject& s, Stage& stage);

/// The beat with the whole GPU at a glance. Without cycles it says why, and the receipt is cleared, as in the beat
/// before.
std::string gpu_section(const MapSubject& s);
void gpu_values(const MapSubject& s, Narration::Values& values);
void gpu_facts(const MapSubject& s, FactWriter& facts);
void gpu_picture(const MapSubject& s, Stage& stage);

/// Whether these counters of the followed kernel were recorded.
bool was_counted(const Trace& trace, const Walk& walk, CountedGroup group);
/// The counters of a walk without times, as far as its receipt reaches at the moment's phase.
std::vector<CountedLine> map_counters(const SceneInput& input, const ReceiptReach& reach);
/// The line that the beat adds.
void counter_facts(const MapSubject& s, FactWriter& facts);
/// The more telling figure of each line.
void all_counters_facts(const MapSubject& s, FactWriter& facts);

/// The last page of a walk: what it showed, with its own figures, what to try, and where to go from there.
void closing_picture(const MapSubject& s, Stage& stage);

}  // namespace warpwalk::story
