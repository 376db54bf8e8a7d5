#pragma once

#include <string>

#include "app/verbs/info/figures.h"
#include "app/verbs/info/json_writer.h"

namespace warpwalk::verbs {

/// What to change first, with what it can save at most; empty if the assets with the words are not found.
std::string advice_table(InfoFigures& figures);
/// The same as the member `advice`. Without the assets, `action` and `unless` are null.
void write_advice(JsonWriter& json, InfoFigures& figures);

}  // namespace warpwalk::verbs
