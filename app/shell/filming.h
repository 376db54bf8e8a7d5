#pragma once

#include "app/pages/messages.h"
#include "app/shell/session/host.h"

namespace warpwalk::shell {

/// A film of the open scene that is made in the background.
class Filming {
 public:
  /// Both must outlive this object.
  Filming(const Host& host, pages::Messages& messages) : host_(host), messages_(messages) {}

  bool busy() const { return busy_; }
  double share() const { return share_; }  ///< of the film that is made, 0 to 1
  /// Begins a film, unless one is being made.
  void start(const View& view, const draw::Theme& theme);
  void cancel() { host_.cancel_film(); }
  /// Reports the end of the film.
  void watch();

 private:
  const Host& host_;
  pages::Messages& messages_;
  bool busy_ = false;
  double share_ = 0;
};

}  // namespace warpwalk::shell
