// Unpacks the program and its files, which the page contains, and starts it with what the address asks for.
const ASSETS = '/assets', HOME = '/files', DOWNLOADS = '/downloads', STATE = '/state';

function bytesOf(element) {
  const text = element.textContent.trim();
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Base 85 as pack.py writes it: four bytes in five characters. The first four bytes are the number of the others.
function bytesOfText(text) {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;[=>?@^_`{|}~';
  const digits = new Uint8Array(128), bytes = new Uint8Array(text.length / 5 * 4);
  for (let i = 0; i < 85; ++i) digits[alphabet.charCodeAt(i)] = i;
  for (let from = 0, to = 0; from < text.length; from += 5, to += 4) {
    let word = 0;
    for (let i = 0; i < 5; ++i) word = word * 85 + digits[text.charCodeAt(from + i)];
    bytes[to] = word >>> 24;
    bytes[to + 1] = word >>> 16;
    bytes[to + 2] = word >>> 8;
    bytes[to + 3] = word;
  }
  return bytes.subarray(4, 4 + new DataView(bytes.buffer).getUint32(0, true));
}

const bytesOfParts = (element) => bytesOfText(element.textContent);

// LZMA: 13 bytes of header, the last eight of them the size. `unpacker` is the module of unpack.c.
function unpacked(unpacker, packed) {
  const {memory, room, unpack} = new WebAssembly.Instance(unpacker).exports;
  const size = new DataView(packed.buffer, packed.byteOffset).getUint32(5, true);
  const from = room(packed.length), to = room(size);
  if (!from || !to) throw new Error('this browser has not enough memory');
  new Uint8Array(memory.buffer).set(packed, from);
  if (unpack(from, packed.length, to, size) !== 0) throw new Error('the page is damaged; get it again');
  return new Uint8Array(memory.buffer, to, size);
}

// The same on another processor, so that the page is there sooner.
function unpackedMeanwhile(unpacker, packed) {
  const work = `${unpacked}\nonmessage = ({data}) => {
    const bytes = unpacked(data.unpacker, data.packed).slice();
    postMessage(bytes, [bytes.buffer]);
  };`;
  return new Promise((resolve) => {
    const here = () => resolve(unpacked(unpacker, packed));
    try {
      const worker = new Worker(URL.createObjectURL(new Blob([work])));
      worker.onmessage = ({data}) => resolve(data);
      worker.onerror = here;
      worker.postMessage({unpacker, packed});
    } catch {
      here();
    }
  });
}

// The files of a tar archive (ustar): calls visit(path, bytes).
function untar(archive, visit) {
  const decoder = new TextDecoder();
  const text = (at, length) => decoder.decode(archive.subarray(at, at + length)).replace(/\0.*$/s, '');
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0;) {
    const size = parseInt(text(at + 124, 12), 8), prefix = text(at + 345, 155);
    const name = (prefix ? `${prefix}/` : '') + text(at, 100);
    if (archive[at + 156] === 48) visit(name, archive.subarray(at + 512, at + 512 + size));
    at += 512 + 512 * Math.ceil(size / 512);
  }
}

// A file that the reader dropped, or one that comes with the program.
function found(name, fileExists) {
  const folders = ['', `${HOME}/`, `${ASSETS}/walks/`, `${ASSETS}/lessons/`, `${ASSETS}/`];
  return folders.map((folder) => folder + name).find(fileExists) || name;
}

// The name of the file at an address, as core/platform/fetch_address makes it.
function nameAt(address) {
  const name = new URL(address).pathname.split('/').pop().replace(/[^\w.+=-]/g, '_').slice(-120);
  return !name || name.startsWith('.') ? `trace${name}` : name;
}

// Downloads an address into the page's home and says how far it has come. The server has to allow it (CORS). Returns
// the path.
async function fetched(address, module, say) {
  const failed = (why) => new Error(`${address}: cannot be fetched (${why}); the server must allow other pages to read it`);
  const answer = await fetch(address).catch((error) => { throw failed(error.message); });
  if (!answer.ok) throw failed(`status ${answer.status}`);
  const total = Number(answer.headers.get('content-length')) || 0, pieces = [];
  let size = 0;
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  for (const reader = answer.body.getReader();;) {
    const {done, value} = await reader.read();
    if (done) break;
    pieces.push(value);
    size += value.length;
    say(`Fetching ${nameAt(address)}: ${megabytes(size)}${total ? ` of ${megabytes(total)}` : ''} MB`);
  }
  const path = `${HOME}/${nameAt(address)}`, bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  module.FS.writeFile(path, bytes, {canOwn: true});
  return path;
}

/// A link in which the addresses of files (#file=https://...) are replaced by what was fetched from them.
async function withFetchedFiles(link, module, say) {
  const words = new URLSearchParams(link);
  for (const key of ['file', 'compare'])
    if (/^https?:\/\//.test(words.get(key) || '')) words.set(key, await fetched(words.get(key), module, say));
  return String(words) === String(new URLSearchParams(link)) ? link : String(words);
}

/// The arguments of the program for a link such as #file=h200_matmul.json.gz&scene=sm&at=b3. Values are passed on as they
/// are, so that the program says what is wrong.
function argumentsOf(link, fileExists) {
  const options = {scene: '--scene', at: '--at', follow: '--follow', names: '--names', theme: '--theme', set: '--set',
    compare: '--compare', route: '--route', questions: '--questions', student: '--student', language: '--language'};
  const flags = {present: '--present', class: '--for-class'};
  const words = [];
  for (const [key, value] of new URLSearchParams(link)) {
    if (key === 'file' && value) words.push(found(value, fileExists));
    else if (key === 'compare') words.push('--compare', found(value, fileExists));
    else if (options[key] && value) words.push(options[key], value);
    else if (flags[key]) words.push(flags[key]);
  }
  return words;
}

/// The same as a link of the program (document::link_of), for a program that runs.
function linkOf(link, fileExists) {
  const words = new URLSearchParams(link), parts = [];
  const escaped = (value) => value.replace(/[%&]/g, encodeURIComponent);
  for (const [key, value] of words) {
    if (key === 'compare') parts.push(`compare=${escaped(found(value, fileExists))}`);
    else if (['scene', 'at', 'follow', 'names', 'set'].includes(key)) parts.push(`${key}=${escaped(value)}`);
  }
  return [...parts, `file=${found(words.get('file') || '', fileExists)}`].join('&');
}

function newModule(shown, parts) {
  const module = {
    noInitialRun: true,
    failed(error) {
      shown.fail(error && error.message ? error.message : String(error));
      console.error(error && error.stack);
      throw error;
    },
    print: (line) => parts.print(line),
    printErr: (line) => parts.printError(line),
    preRun: [() => Object.assign(module.ENV, {WARPWALK_ASSETS: ASSETS, HOME, WARPWALK_STATE: STATE})],
    instantiateWasm(imports, done) {
      module.fibers = makeFibers(module);
      module.fibers.wrapImports(imports);
      WebAssembly.instantiate(parts.program, imports).then((instance) => {
        module.memory = () => instance.exports.memory;
        module.enter = module.fibers.wrapExports(instance.exports);
        module.malloc = instance.exports.malloc;
        done(instance);
      }).catch(module.failed);
      return {};  // it calls `done` later
    },
    newText(text) {
      const bytes = new TextEncoder().encode(`${text}\0`), at = module.malloc(bytes.length) >>> 0;
      new Uint8Array(module.memory().buffer).set(bytes, at);
      return at;
    },
    /// Runs the program as a command line does. Resolves to its exit status.
    async execute(words) {
      const texts = ['/assets/warpwalk', ...words].map((word) => module.newText(word));
      const list = module.malloc(4 * (texts.length + 1)) >>> 0;
      new Uint32Array(module.memory().buffer).set([...texts, 0], list / 4);
      return module.enter(texts.length, list);
    },
  };
  return module;
}

// The program with its files, before it is started. `print` and `printError` get its lines.
async function newProgram(shown, parts, print, printError) {
  const module = await makeWarpwalk(newModule(shown, {program: parts.program, print, printError}));
  for (const [path, bytes] of parts.files) {
    module.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    module.FS.writeFile(path, bytes, {canOwn: true});
  }
  module.FS.mkdirTree(HOME);
  module.FS.mkdirTree(DOWNLOADS);
  module.FS.chdir(DOWNLOADS);
  return module;
}

// Defines makeWarpwalk.
function addScript(text) {
  const script = document.createElement('script');
  script.textContent = text;
  document.head.append(script);
}

async function unpackedParts(shown) {
  const element = (name) => document.getElementById(`warpwalk-${name}`);
  const unpacker = new WebAssembly.Module(bytesOfParts(element('unpacker')));
  const parts = {files: [], unpacker};
  const files = unpackedMeanwhile(unpacker, bytesOfParts(element('files')));
  let code = null;
  untar(unpacked(unpacker, bytesOfParts(element('program'))), (name, bytes) => {
    if (name === 'warpwalk.wasm') code = bytes;
    else addScript(new TextDecoder().decode(bytes));
  });
  const program = WebAssembly.compile(code);
  untar(await files, (name, bytes) => parts.files.push([`/${name}`, bytes]));
  for (const name of ['unpacker', 'program', 'files']) element(name).remove();  // their text is large
  shown.say('Starting');
  parts.program = await program;
  return parts;
}

// The link to the view of a walk or a lesson that comes with the page; empty for other files, which others do not have.
function linkTo({file, scene, at, follow, controls}, enclosed) {
  if (!file || !scene) return '';
  const name = file.startsWith(`${ASSETS}/`) ? file.slice(ASSETS.length + 1) : file.slice(HOME.length + 1);
  if (!file.startsWith(`${ASSETS}/`) && !enclosed.includes(name)) return '';
  const link = new URLSearchParams({file: name, scene, at});
  if (follow) link.set('follow', follow);
  for (const [control, value] of Object.entries(controls || {})) link.append('set', `${control}=${value}`);
  return String(link);
}

// The address shows the view, so that it can be kept or sent.
function remember(link) {
  if (!link || location.hash === `#${link}`) return;
  try {
    history.replaceState(null, '', `#${link}`);
  } catch {
    // A page inside of another one may have no history.
  }
}

async function start(shown) {
  if (typeof WebAssembly !== 'object' || !WebAssembly.Suspending)
    throw new Error('this browser is too old: warpwalk needs Chrome or Edge 137, or Firefox 153, or later');
  shown.say('Unpacking');
  await shown.drawn();
  const parts = await unpackedParts(shown);
  const module = await newProgram(shown, parts, (line) => console.log(line), (line) => shown.line(line));
  let link = location.hash.slice(1);
  const enclosed = [];
  for (const walk of document.querySelectorAll('.warpwalk-walk')) {  // of warpwalk export
    const name = decodeURIComponent(walk.dataset.name), path = `${HOME}/${name}`;
    enclosed.push(name);
    module.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    module.FS.writeFile(path, bytesOf(walk), {canOwn: true});
    link = link || walk.dataset.link;
  }
  // What the program reports about itself, a line of JSON for each change.
  let line = [], state = {};
  const watchers = new Set();
  module.FS.createDevice('/', STATE.slice(1), null, (code) => {
    if (code !== 10) return void line.push(code);
    state = JSON.parse(new TextDecoder().decode(Uint8Array.from(line)));
    line = [];
    remember(linkTo(state, enclosed));
    for (const watch of watchers) watch(state);
  });
  const pixels = new URLSearchParams(location.search).has('pixels');  // warpwalk.html?pixels: without WebGL
  const address = () => {
    const view = linkTo(state, enclosed);
    return view && `${location.href.split('#')[0]}#${view}`;
  };
  module.page = makePage(module, {canvas: shown.canvas, note: shown.tell, address, pixels});
  module.compiler = makeCompiler(parts.unpacker);
  module.page.store.load();
  module.page.onDrawn(() => {
    shown.ready();
    module.page.onDrawn(() => {});
  });
  const exists = (path) => module.FS.analyzePath(path).exists;
  addEventListener('hashchange', async () => {
    try {
      const wanted = await withFetchedFiles(location.hash.slice(1), module, (text) => shown.tell(text));
      module.page.open(linkOf(wanted, exists));
    } catch (error) {
      shown.tell(error.message);
    }
  });
  answerMessages(module.page, () => state, watchers, (wanted) => linkOf(wanted, exists));
  window.warpwalk = {
    module,
    state: () => state,
    /// A command line of its own, for tests: files is a list of [path, bytes]. Resolves to its status and its lines.
    async command(words, files = []) {
      const lines = {out: [], error: []};
      const other = await newProgram(shown, parts, (text) => lines.out.push(text), (text) => lines.error.push(text));
      for (const [path, bytes] of files) {
        other.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
        other.FS.writeFile(path, bytes);
      }
      const status = await other.execute(words);
      other.fibers.close();
      return {status, out: lines.out.join('\n'), error: lines.error.join('\n'), FS: other.FS};
    },
  };
  const opened = await withFetchedFiles(link, module, (text) => shown.say(text));
  const status = await module.execute(argumentsOf(opened, exists));
  shown.fail(`warpwalk ended with status ${status}`);
}
