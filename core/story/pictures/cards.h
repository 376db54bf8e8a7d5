#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/story/pictures/tone.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// The target of a card.
struct CardLink {
  std::string scene;                  ///< a scene or a lab; empty: no place of the walk
  std::string beat;                   ///< its key, "tail"; empty: the first one
  std::vector<std::string> settings;  ///< "sm.registers=64"
  std::string key;                    ///< in place of a scene: the meaning of a key, "start"
  bool empty() const { return scene.empty() && key.empty(); }
  friend bool operator==(const CardLink&, const CardLink&) = default;

  template <class V>
  void visit(V& v) const {
    v.data(scene, beat, settings, key);
  }
};

/// A few words that can be clicked.
struct Card {
  std::string heading;
  std::string text;
  std::string foot;  ///< where the link leads, "scene 5"; may be empty
  CardLink link;

  template <class V>
  void visit(V& v) const {
    v.data(heading, text, foot);
    v.part(link);
    v.line(heading, ": ", text, foot.empty() ? "" : " → ", foot);
  }
};

struct CardColumn {
  std::string head;
  Tone tone = Tone::plain;
  std::vector<Card> cards;
  double shown = 1;

  template <class V>
  void visit(V& v) const {
    v.data(head, tone, shown);
    if (!v.on_screen(shown)) return;
    v.line("[", head, "]");
    v.each(cards);
  }
};

/// Columns of cards: what a walk showed, and where to go from there.
struct CardPicture {
  std::vector<CardColumn> columns;

  template <class V>
  void visit(V& v) const {
    v.each(columns);
  }
};

}  // namespace warpwalk::story
