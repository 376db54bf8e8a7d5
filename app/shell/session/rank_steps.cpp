#include "app/shell/session/rank_steps.h"

#include <algorithm>

#include "app/lessons/lesson_writer.h"
#include "core/analysis/modules/code_place.h"
#include "core/trace/link.h"

namespace warpwalk::shell {
namespace {

using story::no_slice;
using story::SliceId;
using trace::SliceKind;

// The op that begins first inside a slice or after it, on the same thread.
SliceId next_op(const trace::Trace& trace, SliceId slice) {
  const trace::Track& track = trace.tracks[trace.slices.track[slice]];
  for (SliceId s = slice + 1; s < track.last; ++s)
    if (trace.slices.kind[s] == SliceKind::op) return s;
  return no_slice;
}

}  // namespace

bool is_open(const document::View& view, const pages::Opened& opened) {
  if (opened.document == nullptr || opened.document->stand_in || opened.view.ranks != view.ranks) return false;
  if (!view.ranks.empty()) return opened.view.rank == view.rank;
  return lessons::whole_path(opened.document->file) == lessons::whole_path(view.file);
}

document::View view_of_rank(const pages::Opened& opened, std::size_t rank) {
  const analysis::RankDigest& digest = opened.document->ranks->ranks[rank];
  document::View view = opened.view;
  view.file = digest.file;
  view.rank = digest.identity.rank;
  view.follow.clear();
  view.scene = document::overview_scene;
  view.moment = {story::Moment::Kind::beat, 1, 1};
  view.controls = controls_of(view.controls, document::ranks_scene);
  return view;
}

SlicePlace place_of(const trace::Trace& trace, SliceId slice) {
  SlicePlace place;
  if (slice >= trace.slices.size()) return place;
  const SliceKind kind = trace.slices.kind[slice];
  SliceId followed = slice;
  if (kind != SliceKind::op && !trace::is_gpu_work(kind)) {
    place.frame = slice;
    if (kind == SliceKind::python)
      if (const SliceId line = analysis::CodePlaces(trace).frame_of(slice); line != no_slice) place.frame = line;
    followed = trace::enclosing(trace, slice, SliceKind::op);
    if (followed == no_slice) followed = next_op(trace, slice);
  }
  place.follow = story::follow_name(trace, followed);
  if (place.frame == no_slice) return place;
  place.until = trace.slices.end(place.frame);
  if (followed == no_slice) return place;
  const story::Walk walk = story::follow_op(trace, followed);
  const SliceId work = walk.kernel != no_slice ? walk.kernel : followed;
  place.until = std::max(place.until, trace.slices.end(work));
  return place;
}

std::optional<story::RankTarget> first_late(const pages::Opened& opened) {
  const auto& document = opened.document;
  if (document == nullptr || document->ranks == nullptr || document->ranks->causes.empty()) return {};
  const analysis::RankReport& report = *document->ranks;
  const analysis::LateCause& cause = report.causes.front();
  if (cause.slice != no_slice || cause.collective >= report.collectives.size())
    return story::RankTarget{cause.rank, cause.slice};
  // Without a slice: to the collective for which the rank is late.
  story::RankTarget target = {cause.rank, no_slice};
  for (const analysis::Member& member : report.collectives[cause.collective].members) {
    if (member.rank != cause.rank) continue;
    const analysis::RankCollective& one = report.ranks[cause.rank].collectives[member.collective];
    target.slice = one.op != no_slice ? one.op : one.work;
  }
  return target;
}

story::Controls controls_of(const story::Controls& controls, std::string_view scene) {
  story::Controls kept;
  for (const auto& [name, setting] : controls.all())
    if (name.size() > scene.size() && name.starts_with(scene) && name[scene.size()] == '.') kept.set(name, setting);
  return kept;
}

}  // namespace warpwalk::shell
