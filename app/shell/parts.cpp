#include "app/shell/parts.h"

#include <utility>

namespace warpwalk::shell {

Parts::Parts(story::Narration narration, records::Hardware gpus, Host services, Settings kept)
    : words(std::move(narration)),
      glossary(words),
      hardware(std::move(gpus)),
      host(std::move(services)),
      settings(std::move(kept)),
      environment{words,
                  glossary,
                  hardware,
                  host.assets,
                  host.program,
                  host.drafts,
                  host.lesson_draft,
                  host.histories ? host.histories->threads : 1,
                  host.nvml,
                  host.choose_file,
                  host.in_browser,
                  host.compile_cuda,
                  host.kept_answers,
                  host.class_answers,
                  host.student,
                  host.lab_gpu,
                  host.lab_caches},
      messages(words),
      stages(words, hardware, host.histories),
      session(stages, host.assets, messages),
      compared(session.opened(), messages),
      questions(session, host, messages),
      navigation(session, stages, questions, panels.strip, messages),
      presentation(words),
      film(host, messages) {
  session.transport().reduced_motion = settings.reduced_motion;
  session.transport().speed = settings.speed;
  session.opened().view.naming = settings.naming;
  session.opened().view.first_route = settings.first_route;
  session.opened().predictions.asking = settings.questions;
}

bool all_panels(const Parts& parts) { return parts.opened().own ? parts.settings.own_panels : parts.settings.panels; }

}  // namespace warpwalk::shell
