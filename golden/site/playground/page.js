// SPDX-License-Identifier: Apache-2.0
// The playground: what is typed and pressed, and what of it is shown.
(() => {
  const $ = name => document.getElementById('tl-' + name);
  const root = document.getElementById('tl');
  const { make } = View;
  // Most instructions of a run; another one goes on.
  const RUN = 100000;
  // Bytes of L1M that count up.
  const COUNTED = 256;
  const KEYS = { n: 'step', b: 'back', r: 'run' };

  let request, state;

  // The contents of L1M as bytes.
  function l1m() {
    const typed = $('l1m').value;
    switch ($('l1m-kind').value) {
      case 'text': return [...new TextEncoder().encode(typed)];
      case 'hex': {
        const digits = typed.replace(/\s|0x/g, '');
        if (!/^([\da-f]{2})*$/i.test(digits)) throw new Error('L1M: allowed are pairs of hexadecimal digits');
        return (digits.match(/../g) ?? []).map(pair => parseInt(pair, 16));
      }
      default: return Array.from({ length: COUNTED }, (_, i) => i);
    }
  }

  function number(lines, marks) {
    const line = n => make('span', { textContent: n, className: marks[n] ?? '' });
    $('gutter').replaceChildren(...Array.from({ length: lines }, (_, i) => line(i + 1)));
  }

  function gutter(marks = {}) {
    const lines = $('program').value.split('\n').length;
    $('program').rows = Math.max(lines, 4);
    number(lines, marks);
  }

  function status(text, isBad = false) {
    $('status').textContent = text;
    $('status').className = isBad ? 'bad' : '';
  }

  function mistakes(list) {
    const place = ({ line, column }) => line ? `line ${line}, column ${column}: ` : '';
    const item = mistake => make('li', { textContent: place(mistake) + mistake.message });
    $('mistakes').replaceChildren(...list.map(item));
    $('mistakes').hidden = !list.length;
    gutter(Object.fromEntries(list.map(({ line }) => [line, 'wrong'])));
  }

  // What the last instruction did, and what is next.
  function told() {
    const { last, next, ending, retired, traps } = state;
    const count = `${retired} ${retired === 1 ? 'instruction' : 'instructions'}, ${traps.length} trapped`;
    const line = step => step.line ? `line ${step.line}, ` : '';
    const end = ending ? `The program has ended: ${ending}.` : `Next: ${line(next)}${next.text}.`;
    const trap = last?.trap ? `Trap in ${line(last)}${last.text}: ${last.trap}. ` : '';
    const printed = state.console ? ` Printed: ${state.console}` : '';
    status(`${trap}${count}. ${end}${printed}`, Boolean(trap));
  }

  function show() {
    const range = View.range(state), kind = $('show').value, written = state.last ? state.last.written : [];
    const marks = Object.fromEntries(state.traps.map(({ line }) => [line, 'wrong']));
    if (state.next?.line) marks[state.next.line] = 'next';
    gutter(marks);
    told();
    $('legend').hidden = false;
    $('low').textContent = '0x' + View.hex(range[0] === Infinity ? 0 : range[0]);
    $('high').textContent = '0x' + View.hex(range[1]);
    const byNumber = (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true });
    const blocks = [...state.blocks].sort(byNumber);
    const view = block => View.register(block, written.includes(block.name), kind, range);
    $('blocks').replaceChildren(...blocks.map(view));
    $('memories').replaceChildren(...View.memories(state, kind, range));
    $('csrs').replaceChildren(...View.registers(state));
    for (const button of root.querySelectorAll('button[data-do]')) {
      const isForward = ['step', 'run'].includes(button.dataset.do);
      button.disabled = isForward ? Boolean(state.ending) : !state.retired;
    }
  }

  function take(answer) {
    mistakes(answer.mistakes ?? []);
    state = answer.state;
    for (const part of ['blocks', 'memories', 'csrs']) $(part).replaceChildren();
    root.querySelectorAll('button[data-do]').forEach(button => { button.disabled = !state; });
    $('legend').hidden = true;
    if (state) show(); else status('The program has mistakes.', true);
  }

  async function assemble() {
    try {
      request = { program: $('program').value, config: $('config').value, l1m: l1m() };
    } catch (error) {
      return take({ mistakes: [{ message: error.message }] });
    }
    const fields = { program: request.program, config: request.config };
    const kind = $('l1m-kind').value;
    if (kind !== 'count') fields[kind] = $('l1m').value;
    const pairs = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    $('link').href = '#' + pairs.join('&');
    take(await Machine.open(request));
  }

  const actions = {
    step: async () => take(await Machine.step(1)),
    run: async () => take(await Machine.step(RUN)),
    reset: async () => take(await Machine.open(request)),
    async back() {
      const before = state.retired - 1;
      let answer = await Machine.open(request);
      // A step ends behind an instruction that traps.
      while (answer.state.retired < before) answer = await Machine.step(before - answer.state.retired);
      take(answer);
    },
  };

  async function act(name) {
    const button = root.querySelector(`button[data-do=${name}]`);
    if (button.disabled) return;
    try {
      await actions[name]();
    } catch (error) {
      status(`The model has failed: ${error.message}`, true);
    }
    // A button that is disabled has lost the focus.
    if (button.disabled && document.activeElement === document.body) root.querySelector('button').focus();
  }

  // The program of a link, or the one that is typed.
  function open() {
    const fields = new URLSearchParams(location.hash.slice(1));
    if (fields.has('program')) {
      $('program').value = fields.get('program');
      $('config').value = fields.get('config') ?? 'tiny';
      $('config').rows = $('config').value.split('\n').length;
      const kind = ['text', 'hex'].find(kind => fields.has(kind)) ?? 'count';
      $('l1m-kind').value = kind;
      $('l1m').value = fields.get(kind) ?? '';
      $('l1m').hidden = kind === 'count';
      if (kind === 'text') $('show').value = 'text';
    }
    return assemble();
  }

  root.addEventListener('submit', event => { event.preventDefault(); assemble(); });
  root.addEventListener('click', event => {
    const button = event.target.closest('button[data-do]');
    if (button) act(button.dataset.do);
  });
  root.addEventListener('keydown', event => {
    // The keys of the book turn its pages.
    event.stopPropagation();
    const isTyping = event.target.matches('textarea, select');
    if (isTyping && event.key === 'Enter' && event.ctrlKey) { event.preventDefault(); assemble(); }
    if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey && KEYS[event.key]) act(KEYS[event.key]);
  });
  $('program').addEventListener('input', () => gutter());
  $('l1m-kind').addEventListener('change', () => { $('l1m').hidden = $('l1m-kind').value === 'count'; });
  $('show').addEventListener('change', () => { if (state) show(); });
  addEventListener('hashchange', open);
  open();
})();
