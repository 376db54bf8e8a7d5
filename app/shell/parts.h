#pragma once

#include <cstddef>

#include "app/draw/ui.h"
#include "app/panels/outline.h"
#include "app/shell/session/compared_trace.h"
#include "app/shell/filming.h"
#include "app/shell/session/host.h"
#include "app/shell/session/navigation.h"
#include "app/shell/presentation.h"
#include "app/shell/session/questions.h"
#include "app/shell/session/session.h"
#include "app/shell/session/settings.h"
#include "app/shell/session/stages.h"

namespace warpwalk::shell {

/// The state of the frame's panels between frames.
struct FramePanels {
  draw::UiMemory memory;
  panels::OutlineState outline;
  panels::StripState strip;
  panels::StripFocus strip_focus;
  std::size_t fact = 0;  ///< the keyboard's cursor in the facts
  bool notes = false;    ///< the speaker's notes, or the texts of the lesson, are below the stage
};

/// What the shell consists of, without its pages. A part knows only those above it.
struct Parts {
  Parts(story::Narration narration, records::Hardware gpus, Host services, Settings kept);
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  const pages::Opened& opened() const { return session.opened(); }

  story::Narration words;
  story::Glossary glossary;
  records::Hardware hardware;
  Host host;
  Settings settings;
  pages::Environment environment;
  pages::Messages messages;
  FramePanels panels;
  Stages stages;
  Session session;
  ComparedTrace compared;
  Questions questions;
  Navigation navigation;
  Presentation presentation;
  Filming film;
};

/// Whether outline, facts and strip are around the stage; otherwise the stage has the window.
bool all_panels(const Parts& parts);

}  // namespace warpwalk::shell
