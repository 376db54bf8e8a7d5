#include "app/shell/session/own_trace.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "app/document/recorded.h"
#include "core/analysis/predict/made_change.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/scene_list.h"
#include "core/trace/snapshot/memory_snapshot.h"

namespace warpwalk::shell {
namespace {

// A folder on the way may be a link.
std::filesystem::path real_path(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::path real = std::filesystem::weakly_canonical(file, error);
  return error ? std::filesystem::absolute(file, error).lexically_normal() : real;
}

// Empty if what is followed without a choice was recorded itself, or if nothing was.
std::string recorded_to_follow(const document::Document& document) {
  const story::SliceId recorded = document::first_recorded(document);
  if (recorded == story::no_slice) return {};
  if (document::is_recorded(document, story::default_walk(document.trace()).kernel)) return {};
  return story::follow_name(document.trace(), recorded);
}

bool has_tour(const document::Document& document, const std::string& follow) {
  const auto walk = story::chosen_walk(document.trace(), follow);
  return walk && document::has_tour(document.trace(), *walk);
}

}  // namespace

bool is_shipped(const std::filesystem::path& file, const std::filesystem::path& assets) {
  if (assets.empty()) return false;
  const std::filesystem::path folder = real_path(assets), whole = real_path(file);
  return std::ranges::mismatch(folder, whole).in1 == folder.end();
}

bool is_own_trace(const document::Document& document, const std::filesystem::path& assets) {
  const trace::Records& records = document.trace().records;
  return !document.unsaved && records.expression.empty() && records.time_origin() != trace::Origin::simulated &&
         !is_shipped(document.file, assets);
}

void choose_left_open(document::View& view, const document::LeftOpen& left, const pages::Opened& opened,
                      const Settings& settings, const std::filesystem::path& assets) {
  const document::Document& document = *opened.document;
  if (left.names) view.naming = naming_of(settings, opened.own);
  if (document.dump != nullptr) {
    if (left.place) view.scene = document::crash_scene;
    return;
  }
  if (left.place && view.follow.empty()) view.follow = recorded_to_follow(document);
  // A memory snapshot has no op to walk through.
  if (view.scene == document::View().scene && document.trace().op_order.empty() &&
      trace::has_memory_snapshot(document.trace()))
    view.scene = "lab/allocator";
  else if (left.place && !view.ranks.empty())
    view.scene = document::ranks_scene;
  else if (left.place && analysis::made_change(document.trace())) {
    view.scene = document::overview_scene;
    view.moment = {story::Moment::Kind::named, 1, 1, "made"};
  } else if (left.place && opened.own)
    view.scene = document::overview_scene;
  else if (left.place && view.first_route && is_shipped(document.file, assets) && has_tour(document, view.follow))
    view.scene = story::tour().name;
}

}  // namespace warpwalk::shell
