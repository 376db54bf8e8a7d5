#pragma once

// The parts of labs: generic pictures, controls, facts, and words for shapes.
#include <fmt/ranges.h>

#include "core/story/facts/common_stage.h"
#include "core/story/facts/fact_writer.h"
#include "core/story/facts/names.h"
#include "core/story/labs/labs.h"
#include "core/story/pictures/panels.h"
#include "core/story/stage/control_set.h"
