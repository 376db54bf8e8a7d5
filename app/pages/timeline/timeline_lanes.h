#pragma once

#include <cstdint>
#include <vector>

#include "app/draw/canvas.h"
#include "app/pages/timeline/trace_curves.h"
#include "app/pictures/axis.h"
#include "core/analysis/time/timeline.h"
#include "core/analysis/time/track_activity.h"

namespace warpwalk::pages {

/// Draws one lane. Slices that are narrower than a few pixels are drawn together, with the share of their time.
/// `matches`: the indices of the slices that a search found, which stand out; null: no search.
void paint_lane(draw::Canvas& canvas, const draw::Box& box, const pictures::Axis& axis, const trace::Trace& trace,
                const analysis::TimelineLane& lane, const std::vector<std::uint32_t>* matches);

/// Draws a folded track: for each pixel the share of its time in which the track was busy.
void paint_activity(draw::Canvas& canvas, const draw::Box& box, const pictures::Axis& axis, const trace::Trace& trace,
                    const analysis::TrackActivity& activity);

/// Draws a curve from 0 to its highest value: for each pixel the extremes of its time.
void paint_curve(draw::Canvas& canvas, const draw::Box& box, const pictures::Axis& axis, const TraceCurve& curve);

}  // namespace warpwalk::pages
