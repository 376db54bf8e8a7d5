// Puts the program into the place of the picture, once the reader scrolls there. The program itself is in one output of
// the notebook only: this window keeps it for the other outputs, and other windows (each output of Colab is one) ask
// for it through a channel.
(function ({id, version, page, program, width, height}) {
  const kept = window.warpwalkPrograms = window.warpwalkPrograms || {};
  let place = null;
  const channel = window.BroadcastChannel && new BroadcastChannel(`warpwalk-${version}`);
  let wanted = false, begun = false;

  function begin() {
    if (begun || !wanted || !kept[version]) return;
    begun = true;
    const frame = document.createElement('iframe');
    frame.title = 'warpwalk';
    frame.allow = 'fullscreen; clipboard-write';
    frame.style = `display:block;width:100%;aspect-ratio:${width}/${height};border:0`;
    // The program is large: the frame takes it from here, so that it is not parsed as a part of the page.
    frame.srcdoc = page.replace('<script src="warpwalk-page.js"><\/script>', () => `<script>
      {
        const script = document.createElement('script');
        script.textContent = parent.warpwalkPrograms['${version}'];
        document.head.append(script);
      }
      <\/script>`);
    place.replaceChildren(frame);
    if (channel && !program) channel.close();
  }

  function keep(text) {
    if (kept[version]) return;
    kept[version] = text;
    window.dispatchEvent(new Event('warpwalk-program'));
  }

  window.addEventListener('warpwalk-program', begin);
  function ask() {
    if (wanted && !kept[version] && channel) channel.postMessage('wanted');
  }
  function want() {
    wanted = true;
    ask();
    begin();
  }
  if (channel) channel.onmessage = ({data}) => {
    if (data.program) keep(data.program);
    else if (data === 'there') ask();
    else if (program) channel.postMessage({program});
  };
  if (program) {
    keep(program);
    if (channel) channel.postMessage('there');
  }

  // Some front ends run the script before the output is a part of the page.
  function watch(triesLeft) {
    place = document.getElementById(id);
    if (!place) return triesLeft && setTimeout(watch, 100, triesLeft - 1);
    if (!window.IntersectionObserver) return want();
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watcher.disconnect();
      want();
    });
    watcher.observe(place);
  }
  if (window.WebAssembly && WebAssembly.Suspending) watch(100);  // else the picture stays
})
