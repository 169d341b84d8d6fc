// SPDX-License-Identifier: Apache-2.0
// The state of the machine as tables. Nothing here knows what instructions do.
const View = (() => {
  // Most elements of a register in the page.
  const MOST = 2048;
  const COLUMNS = 16;

  function make(name, properties = {}, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  }

  function hex(value, digits = 0) {
    return value.toString(16).padStart(digits, '0');
  }

  // The bytes of an element as text, where all of them can be printed.
  function characters(value, bits) {
    const bytes = Array.from({ length: Math.max(bits / 8, 1) }, (_, i) => value >>> (8 * i) & 0xff);
    return bytes.map(byte => byte > 32 && byte < 127 ? String.fromCharCode(byte) : '·').join('');
  }

  function text(show, value, origin, { bits, integer }) {
    if (show === 'origin') return origin < 0 ? '–' : '0x' + hex(origin);
    if (show === 'text') return characters(value, bits);
    return integer ? String(value) : hex(value, bits / 4);
  }

  // The colour of a place: its hue, from red to violet, between the first and the last place that is in use.
  function paint(cell, origin, range) {
    const [low, high] = range;
    if (origin < low || origin > high) return cell;
    cell.className = 'from';
    cell.style.setProperty('--hue', high > low ? 300 * (origin - low) / (high - low) : 0);
    return cell;
  }

  function cell(show, value, origin, kind, place, range) {
    const from = origin < 0 ? 'not from L1M' : `from L1M 0x${hex(origin)}`;
    const title = `${place}: ${text('value', value, origin, kind)}, ${from}`;
    return paint(make('td', { textContent: text(show, value, origin, kind), title }), origin, range);
  }

  function table(caption, columns, rows) {
    const heads = columns.map(column => make('th', { scope: 'col', textContent: column }));
    const head = make('thead', {}, make('tr', {}, make('td'), ...heads));
    const body = rows.map(([name, cells]) => make('tr', {}, make('th', { scope: 'row', textContent: name }), ...cells));
    const parts = caption ? [make('caption', { textContent: caption })] : [];
    return make('table', {}, ...parts, head, make('tbody', {}, ...body));
  }

  // The indices of element `n` of a block.
  function indices(n, sizes) {
    const found = [];
    for (const size of [...sizes].reverse()) {
      found.unshift(n % size);
      n = Math.floor(n / size);
    }
    return found;
  }

  // A block as planes: rows and columns are its two innermost dimensions.
  function planes(block, show, range) {
    const { sizes, first } = block;
    const [rows, columns] = [sizes[sizes.length - 2] ?? 1, sizes[sizes.length - 1]];
    const inner = rows * columns, size = sizes.reduce((a, b) => a * b, 1);
    const last = Math.min(size, first + block.values.length, first + MOST);
    const found = [];
    for (let start = first - first % inner; start < last; start += inner) {
      const body = [];
      for (let row = 0; row < rows; row++) {
        const cells = [];
        for (let column = 0; column < columns; column++) {
          const n = start + row * columns + column, at = n - first;
          const there = at >= 0 && n < last;
          const place = `(${indices(n, sizes).join(', ')})`;
          cells.push(there ? cell(show, block.values[at], block.origins[at], block, place, range) : make('td'));
        }
        body.push([row, cells]);
      }
      const outer = indices(start, sizes).slice(0, -2);
      found.push(table(outer.length ? `(${outer.join(', ')}, row, column)` : '', [...Array(columns).keys()], body));
    }
    return found;
  }

  // A box with a name, for what may be wider than the window.
  function scroll(label, content) {
    const box = make('div', { className: 'planes', tabIndex: 0, role: 'group' }, ...content);
    box.setAttribute('aria-label', label);
    return box;
  }

  function register(block, written, show, range) {
    const kind = (block.integer ? 'int' : 'float') + block.bits;
    const size = block.sizes.reduce((a, b) => a * b, 1);
    const part = size > block.values.length ? `, from element ${block.first}` : '';
    const isUsed = block.values.slice(Math.max(size - block.first, 0)).some(value => value);
    const behind = isUsed ? '; not zero behind it' : '';
    const shape = ` [${block.sizes.join(', ')}] of ${kind}${part}${behind}`;
    const name = make('strong', { textContent: block.name });
    const mark = written ? make('span', { className: 'new', textContent: 'written' }) : '';
    const summary = make('summary', {}, name, shape, mark);
    const content = scroll(block.name + shape, planes(block, show, range));
    const className = written ? 'block written' : 'block';
    return make('details', { open: true, id: `tl-${block.name}`, className }, summary, content);
  }

  function bytes(pieces, show, range) {
    const kind = { bits: 8, integer: false }, rows = [];
    for (const { address, values, origins } of pieces) {
      for (let at = 0; at < values.length; at += COLUMNS) {
        const row = values.slice(at, at + COLUMNS).map((value, i) =>
          cell(show, value, origins[at + i], kind, '0x' + hex(address + at + i), range));
        rows.push(['0x' + hex(address + at, 4), row]);
      }
    }
    return table('', [...Array(COLUMNS).keys()].map(i => hex(i)), rows);
  }

  function section(title, content) {
    const summary = make('summary', {}, make('strong', { textContent: title }));
    return make('details', { open: true }, summary, scroll(title, [content]));
  }

  function memories({ l1m, l0m }, show, range) {
    return [
      section('L1M', bytes([l1m], show, range)),
      ...l0m.length ? [section('L0M, as far as it is written', bytes(l0m, show, range))] : [],
    ];
  }

  function values(rows, written) {
    const row = ([name, value, more]) => make('tr', { className: written.includes(name) ? 'written' : '' },
      make('th', { scope: 'row', textContent: name }),
      make('td', { textContent: '0x' + hex(value) }), make('td', { textContent: more ?? value }));
    return make('table', {}, make('tbody', {}, ...rows.map(row)));
  }

  // CSRs without the strides that have their reset values, and host registers that are not 0.
  function registers({ csrs, x, last }) {
    const written = last ? last.written : [];
    const shown = csrs.filter(csr => !(csr.reset && /stride\d/.test(csr.name)));
    const rows = shown.map(csr => [csr.name, csr.value, csr.initialised === false ? 'not initialised' : undefined]);
    const host = x.map((value, i) => [`x${i}`, value]).filter(([, value]) => value);
    return [section('CSRs', values(rows, written)),
      ...host.length ? [section('Host registers', values(host, written))] : []];
  }

  // The first and the last place in L1M that anything comes from.
  function range({ l1m, blocks, l0m }) {
    const used = [...blocks, ...l0m].flatMap(part => part.origins.filter(origin => origin >= 0));
    const all = used.length ? used : l1m.origins;
    return all.reduce(([low, high], at) => [Math.min(low, at), Math.max(high, at)], [Infinity, 0]);
  }

  return { make, hex, register, memories, registers, range };
})();
