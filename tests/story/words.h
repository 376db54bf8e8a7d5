#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "core/story/stage/scene.h"

namespace warpwalk::story::testing {

/// The narration as it is delivered.
const Narration& english();
/// The text of its files.
std::string english_text();
/// The same without the files that only the window uses: keys.txt, interface.txt, walks.txt, parameters.txt and those
/// of the pages.
std::string english_scene_text();
/// The device descriptions as they are delivered.
const Hardware& hardware();

/// "section/key" of every text in a narration file.
std::set<std::string> texts_in(std::string_view file);

/// A narration with the same texts, each of which says only where it stands: "<section/key>". So a stage shows which
/// texts it took.
Narration marked();

/// Visits every beat of every scene and lab that is wanted; all are if `wanted` is empty.
void for_each_beat(const Trace& trace, const Walk& walk, const Narration& narration,
                   const std::function<void(const Scene&, const Stage&)>& visit, const Controls& controls = {},
                   const HistoryView& history = {}, const Predictions& predictions = {},
                   const std::function<bool(const Scene&)>& wanted = {});

/// Whether it is a scene, or a lab of records. The other labs depend on their controls and hardly on the walk: tests of
/// every walk leave them out, or visit them with one walk in labs_stride.
bool is_of_the_walk(const Scene& scene);
constexpr std::size_t labs_stride = 16;

/// Sanitizers make a stage ten times as expensive: with them, tests visit fewer.
#ifdef WARPWALK_SANITIZED
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

/// for_each_walk visits one op and kernel in so many.
constexpr std::size_t walk_stride = sanitized ? 30 : 1;

/// Runs them for the default walk, every op and every kernel; `what` is "default", "op:3" ...
void for_each_walk(const Trace& trace, const std::function<void(const std::string& what, const Walk&)>& visit);

}  // namespace warpwalk::story::testing
