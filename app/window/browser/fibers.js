// Threads of the program as suspended calls (core/platform/browser/fibers.h).
function makeFibers(module) {
  const waiting = new Map();
  const channel = new MessageChannel();
  const turns = [];
  channel.port1.onmessage = () => turns.shift()();
  let fiberMain = null;
  const suspending = {
    warpwalk_suspend: (ticket, milliseconds) =>
      new Promise((resolve) => {
        waiting.set(ticket, resolve);
        if (milliseconds > 0)
          setTimeout(() => {
            if (waiting.delete(ticket)) resolve();
          }, milliseconds);
      }),
    // After the events that the page has got meanwhile.
    warpwalk_pause: () =>
      new Promise((resolve) => {
        turns.push(resolve);
        channel.port2.postMessage(0);
      }),
    warpwalk_wait: (milliseconds) => module.page.wait(milliseconds),
  };
  return {
    resume(ticket) {
      const resolve = waiting.get(ticket);
      waiting.delete(ticket);
      if (resolve) resolve();
    },
    /// The program is not run again.
    close() {
      channel.port1.close();
      channel.port2.close();
    },
    start(fiber) {
      Promise.resolve().then(() => fiberMain(fiber)).catch(module.failed);
    },
    /// Wraps what suspends: called with the imports before the instance is made, and with its exports after it.
    wrapImports(imports) {
      for (const name of Object.keys(suspending)) imports.env[name] = new WebAssembly.Suspending(suspending[name]);
    },
    wrapExports(exports) {
      fiberMain = WebAssembly.promising(exports.warpwalk_fiber);
      return WebAssembly.promising(exports.warpwalk_main);
    },
  };
}
