// What a page around this one, such as a course's, may ask for (docs/browser.md):
//   {warpwalk: 'open', link: 'file=h200_matmul.json.gz&scene=sm&at=b3'}
//   {warpwalk: 'open', name: 'trace.json.gz', bytes: Uint8Array}
//   {warpwalk: 'step', steps: 1} or -1
//   {warpwalk: 'key', key: 'ArrowRight', control: false, shift: false}
//   {warpwalk: 'state'}: the answer is {warpwalk: 'state', state: {...}}
//   {warpwalk: 'answers'}: the answer is {warpwalk: 'answers', lines: '...'}, what was answered to questions
//   {warpwalk: 'watch'}: the same answer now and whenever the state changes
function answerMessages(page, state, watchers, programLink) {
  const steps = (count) => {
    for (let i = 0; i < Math.min(Math.abs(count), 1000); ++i) page.key(count > 0 ? 'ArrowRight' : 'ArrowLeft');
  };
  window.addEventListener('message', (event) => {
    const asked = event.data;
    if (!asked || typeof asked !== 'object' || !event.source) return;
    const answer = (now) => event.source.postMessage({warpwalk: 'state', state: now}, '*');
    switch (asked.warpwalk) {
      case 'open':
        if (asked.bytes) page.take([new File([asked.bytes], String(asked.name || 'trace.json'))]).catch(console.warn);
        else page.open(programLink(String(asked.link)));
        break;
      case 'step': steps(Number(asked.steps) || 0); break;
      case 'key': page.key(String(asked.key), asked); break;
      case 'state': answer(state()); break;
      case 'answers': event.source.postMessage({warpwalk: 'answers', lines: page.store.answers()}, '*'); break;
      case 'watch':
        answer(state());
        watchers.add(answer);
        break;
    }
  });
  // A page around this one learns that it may ask.
  if (window.parent !== window) window.parent.postMessage({warpwalk: 'ready'}, '*');
}
