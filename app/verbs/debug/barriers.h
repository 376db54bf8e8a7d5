#pragma once

#include <string>

#include "core/debug/session.h"

namespace warpwalk::verbs {

/// The barriers of the block in focus at the moment of a stop: of each mbarrier its phase, what that lacks, who waits
/// for it and who arrived last; of each barrier (bar.sync) that is in use, the threads that have arrived.
std::string barriers_text(debug::Session& session);

}  // namespace warpwalk::verbs
