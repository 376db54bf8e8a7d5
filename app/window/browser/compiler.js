// CUDA C++ in the page: clang as WebAssembly, in a file of its own beside the page, which is loaded when it is wanted.
// pack_compiler.py makes that file: warpwalk-cuda.js. It runs on another processor, so that the page goes on drawing.
const COMPILER = 'warpwalk-cuda.js';

// Runs in the worker. `first` is its first message: the module of unpack.c and the packed compiler.
async function serveCompiler(first) {
  const files = {}, headers = {};
  untar(unpacked(first.unpacker, bytesOfText(first.packed)), (name, bytes) => {
    if (!name.startsWith('cuda/')) return void (files[name] = bytes);
    let folder = headers;
    const parts = name.slice('cuda/'.length).split('/');
    for (const part of parts.slice(0, -1)) folder = folder[part] = folder[part] || {};
    folder[parts[parts.length - 1]] = new TextDecoder().decode(bytes);
  });
  // The compiler gets its files from here and not from an address.
  const types = {wasm: 'application/wasm', tar: 'application/x-tar'};
  self.fetch = async (url) => {
    const name = String(url).split('/').pop(), type = types[name.split('.').pop()];
    const bytes = files[name] || new Uint8Array(1024);  // an empty archive: none of clang's own headers are used
    return new Response(new Blob([bytes], {type}), {headers: {'content-type': type, 'content-length': bytes.length}});
  };
  const bundle = new TextDecoder().decode(files['bundle.js']);
  const script = bundle.replaceAll('import.meta.url', '"https://compiler.invalid/"');
  const address = URL.createObjectURL(new Blob([script], {type: 'text/javascript'}));
  const {runLLVM} = await import(address);
  return async ({source, name}) => {
    let log = '';
    const decoder = new TextDecoder();
    const hear = (bytes) => void (log += bytes ? decoder.decode(bytes) : '');
    const words = ['clang', '-cc1', '-triple', 'nvptx64-nvidia-cuda', '-aux-triple', 'x86_64-unknown-linux-gnu',
      '-target-cpu', 'sm_90', '-target-feature', '+ptx80', '-x', 'cuda', '-std=c++17', '-fcuda-is-device', '-O3',
      '-mllvm', '-inline-threshold=10000', '-emit-llvm', '-debug-info-kind=line-tables-only', '-dwarf-version=2',
      '-fno-caret-diagnostics', '-DWARPWALK_TYPED', '-internal-isystem', 'cuda', '-include', 'warpwalk/device.h',
      '-no-enable-noundef-analysis', '-o', 'out.ll', name];
    try {
      const files = {[name]: source, cuda: headers};
      const made = await runLLVM(words, files, {stdout: hear, stderr: hear, fetchProgress() {}});
      const ir = made['out.ll'];
      return {ir: typeof ir === 'string' ? ir : new TextDecoder().decode(ir)};
    } catch (error) {
      return {log: log || String(error)};
    }
  };
}

// The compiler's side in the page. ask() returns the number of a question; answer() a text once it is there: I and the
// LLVM IR, E and the compiler's messages, or M and why there is no compiler. forget() gives a question up.
function makeCompiler(unpacker) {
  const asked = new Map();
  let worker = null, number = 0;
  // The next question starts a compiler anew.
  function stop() {
    const stopped = worker;
    worker = null;
    asked.clear();
    if (stopped) stopped.then((there) => there.terminate(), () => {});
  }
  function load() {
    return new Promise((resolve, reject) => {
      window.warpwalkCompiler = (packed) => {
        const work = `${untar}\n${unpacked}\n${bytesOfText}\n${serveCompiler}
          let compile = null;
          onmessage = async ({data}) => {
            if (data.packed) compile = serveCompiler(data).catch((error) => () => ({missing: String(error)}));
            else postMessage({number: data.number, answer: await (await compile)(data)});
          };`;
        const made = new Worker(URL.createObjectURL(new Blob([work])));
        made.onmessage = ({data}) => {
          asked.get(data.number)(data.answer);
          asked.delete(data.number);
        };
        made.onerror = (event) => reject(new Error(event.message));
        made.postMessage({unpacker, packed});
        resolve(made);
      };
      const script = document.createElement('script');
      script.src = COMPILER;
      script.onerror = () => reject(new Error(`${COMPILER} is not beside this page`));
      document.head.append(script);
    });
  }
  async function compile(source, name) {
    try {
      worker = worker || load();
      const there = await worker;
      const answer = await new Promise((resolve) => {
        asked.set(++number, resolve);
        there.postMessage({number, source, name});
      });
      if (answer.missing !== undefined) stop();
      return answer;
    } catch (error) {
      stop();  // it may be there the next time
      return {missing: error.message};
    }
  }
  const answers = new Map(), open = new Set();
  let questions = 0;
  return {
    ask(source, name) {
      const question = ++questions;
      open.add(question);
      compile(source, name).then(({ir, log, missing}) => {
        if (open.delete(question)) answers.set(question, ir !== undefined ? `I${ir}` : log !== undefined ? `E${log}` : `M${missing}`);
      });
      return question;
    },
    forget(question) {
      answers.delete(question);
      if (open.delete(question)) stop();
    },
    answer(question) {
      const text = answers.get(question);
      answers.delete(question);
      return text;
    },
  };
}
