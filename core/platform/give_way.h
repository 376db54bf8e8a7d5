#pragma once

namespace warpwalk::platform {

/// Long work calls this often, without holding a lock. In a browser, where all threads share one, the page and the other
/// threads get their turn if the last was some milliseconds ago. Elsewhere it does nothing.
#ifdef __EMSCRIPTEN__
void give_way();
#else
inline void give_way() {}
#endif

}  // namespace warpwalk::platform
