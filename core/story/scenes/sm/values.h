#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/story/scenes/sm/subject.h"

namespace warpwalk::story {

/// Adds the figures of the subject for sentences, facts and formulas.
void add_sm_values(const SceneInput& input, const SmSubject& sm, Narration::Values& values);

/// The name of a resource, from [sm.resource].
std::string resource_name(const SceneInput& input, gpu::Limiter limiter);
/// "19,840 B", or a whole number of KiB: "64 KiB".
std::string size_text(std::int64_t bytes);
/// "1 block" or "3 blocks": `thing` and `thing`s from [sm.count].
std::string counted(const SceneInput& input, std::string_view thing, std::int64_t count);

}  // namespace warpwalk::story
