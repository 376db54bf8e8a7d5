// The card of the ranks of a distributed run.
#include <iterator>
#include <utility>

#include "core/story/labs/overview/overview.h"
#include "core/words/rank_text.h"

namespace warpwalk::story {

Panel ranks_panel(const OverviewLab& lab) {
  const analysis::RankReport& report = *lab.input.ranks;
  Card card;
  card.heading = lab.word("ranks", {{"n", with_thousands(std::ssize(report.ranks))}});
  // The late rank alone: with all that there is to say of the ranks, the text would not fit in the card.
  card.text = report.causes.empty() ? words::ranks_text(lab.input.narration, report)
                                    : words::late_text(lab.input.narration, report, report.causes.front());
  card.foot = lab.word("ranks_foot");
  card.link = {"ranks", report.causes.empty() ? "" : "who", {}, {}};
  CardPicture cards;
  const Tone tone = report.causes.empty() ? Tone::work : Tone::barrier;
  cards.columns.push_back({lab.word("ranks_head"), tone, {std::move(card)}});
  return {"", 1, std::move(cards)};
}

}  // namespace warpwalk::story
