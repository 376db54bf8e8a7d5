#pragma once

// This folder lists the scenes and finds scenes and labs. The folders in it have their parts, from scenes and labs
// (core/story/labs/labs.h lists these) down to elements.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The scenes, in the order of the storyboard. Adding a scene means adding a row here.
const std::vector<Scene>& scenes();
/// The first half hour, beside the storyboard. Only some walks have it: the others give it no beats.
const Scene& tour();
/// The scene or lab of this name; null if there is none.
const Scene* find_scene(std::string_view name);

/// Parses a setting of any scene or lab: "sm.registers=64", or "SCENE.CONTROL=TEXT" for a control that holds a text. On
/// failure: one line.
base::Result<NamedSetting> parse_setting(std::string_view text);
/// An error in the settings of a scene: a control that none of its beats has, in one line with the controls that they
/// have. None if all are known.
std::optional<std::string> unknown_setting(const Scene& scene, const SceneInput& input);
/// Whether this control ("SCENE.CONTROL") holds a text.
bool is_text_control(std::string_view name);

/// The beats of a scene, from 1, that belong to the first route: one idea each, enough to retell what happens. The
/// others go deeper. A scene whose walk has none of them gives its first beat.
std::vector<int> first_route(const Scene& scene, const Trace& trace, const Walk& walk);
/// The beats of a scene, from 1: all, or those of the first route.
std::vector<int> beats_of(const Scene& scene, const Trace& trace, const Walk& walk, bool first_route_only);

/// The number of the beat that a moment belongs to, from 1; the scene may have fewer.
std::int64_t beat_of(const Scene& scene, const Trace& trace, const Walk& walk, const Moment& moment);

/// An error in a moment: a beat that the scene has in no walk, in one line with those that it can have. None if it is
/// right.
std::optional<std::string> unknown_beat(const Scene& scene, const Moment& moment);

/// A moment without a name: the beat of that key by its number; any other moment as it is. On failure, if the scene
/// does not have that beat in this walk: one line with the beats that it has.
base::Result<Moment> resolved_moment(const Scene& scene, const Trace& trace, const Walk& walk, const Moment& moment);

/// Whether the stage at this moment depends on SceneInput::history, which takes seconds to build.
bool uses_history(const Scene& scene, const Trace& trace, const Walk& walk, const Moment& moment);

/// Whether a scene that depends on SceneInput::history also needs the kernel's cycles: it goes through them, or
/// ends the walk with the followed number, whose way is found in them.
bool needs_cycles(const Scene& scene);

/// The change of the GPU that the stage at this moment shows, SceneInput::history.what_if; none for most.
run::WhatIf what_if_of(const Scene& scene, const Trace& trace, const Walk& walk, const Moment& moment,
                       const Controls& controls);

/// The next or the previous cycle of interest, for a scene that goes through cycles; none if there is none near.
std::optional<std::int64_t> next_stop(const Scene& scene, const SceneInput& input, bool forward);

/// The stage of a scene at a moment. On failure, if the scene does not have this beat or moment: one line with the
/// valid ones.
base::Result<Stage> stage_at(const Scene& scene, const SceneInput& input);

}  // namespace warpwalk::story
