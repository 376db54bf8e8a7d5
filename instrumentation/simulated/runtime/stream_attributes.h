#pragma once

namespace warpwalk::simulated {

struct Stream;

/// For a stream that is being destroyed.
void forget_attributes(const Stream* stream);

}  // namespace warpwalk::simulated
