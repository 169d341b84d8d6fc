// SPDX-License-Identifier: Apache-2.0
const sleep = time => new Promise(done => setTimeout(done, time));
const $ = selector => document.querySelector(selector);
const cells = selector => [...document.querySelectorAll(`${selector} tbody td`)];
const texts = selector => cells(selector).map(cell => cell.textContent);

async function click(selector) {
  $(selector).click();
  await sleep(100);
}

async function press(key) {
  $('#tl-legend').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  await sleep(100);
}

async function type(program) {
  $('#tl-program').value = program;
  await click('#tl [type=submit]');
}

// What there is of a program that is stepped, with a block of [2, 2, 4] and one made of it.
async function steps() {
  const found = {};
  await type('nop\ntl.load tl1\nnope\n');
  found.mistakes = [...document.querySelectorAll('#tl-mistakes li')].map(item => item.textContent);
  found.wrong = [...document.querySelectorAll('#tl-gutter .wrong')].map(line => line.textContent);
  await type('li x5, 0x020204\ncsrrw x0, tshape, x5\ntl.load tl1, 0(x0)\ncsrrwi x0, tmask_concat_1, 0b1010\n' +
    'csrrwi x0, tmask_concat_2, 1\ntl.concat.2 tl2, tl1, tl1\ntl.mload tl3, 0(x0)\ntl.store tl2, 0(x0)\n');
  found.fixed = $('#tl-mistakes').hidden;
  await press('n');
  await click('[data-do=step]');
  found.next = $('#tl-gutter .next').textContent;
  await click('[data-do=step]');
  await click('[data-do=step]');
  found.load = texts('#tl-tl1');
  found.shape = $('#tl-tl1 summary').textContent;
  await click('[data-do=run]');
  found.concat = texts('#tl-tl2');
  const hue = cell => cell.style.getPropertyValue('--hue');
  const places = Object.fromEntries(cells('#tl-tl1').map(cell => [cell.textContent, hue(cell)]));
  // Each element has the colour that it has where it comes from, and no two places have the same one.
  const isRight = cell => cell.className ? hue(cell) === places[cell.textContent] : cell.textContent === '0';
  found.colours = cells('#tl-tl2').every(isRight);
  found.distinct = new Set(Object.values(places)).size;
  found.trap = $('#tl-status').textContent;
  await press('b');
  found.back = $('#tl-gutter .next').textContent;
  await press('r');
  await press('r');
  found.end = $('#tl-status').textContent;
  found.disabled = $('[data-do=step]').disabled;
  const csrs = [...document.querySelectorAll('#tl-csrs tr')].map(row => row.textContent);
  found.csr = csrs.find(text => text.startsWith('tshape'));
  $('#tl-show').value = 'origin';
  $('#tl-show').dispatchEvent(new Event('change', { bubbles: true }));
  found.origins = texts('#tl-tl2').slice(0, 4);
  return found;
}

// Whether the page fits its window and can be read.
function looks() {
  const all = [...$('#tl').querySelectorAll('*')];
  const visible = e => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0; };
  const hasText = e => [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim());
  const isOut = e => visible(e) && !e.closest('.planes, .editor') && e.getBoundingClientRect().right > innerWidth + 1;
  const isPale = e => visible(e) && hasText(e) && !e.disabled && contrast(window, e) < 4.5;
  const isUnnamed = e => !e.labels?.length && !e.getAttribute('aria-label') && !e.textContent.trim();
  const start = e => e.outerHTML.slice(0, 80);
  return {
    width: innerWidth,
    sideways: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    sticking: all.filter(isOut).map(start),
    pale: all.filter(isPale).map(start),
    unnamed: [...$('#tl').querySelectorAll('button, select, textarea, .planes')].filter(isUnnamed).map(start),
  };
}

// What the programs of links leave.
async function examples(links) {
  const found = [];
  for (const link of links) {
    location.hash = link;
    await sleep(200);
    await click('[data-do=run]');
    const l0m = texts('#tl-memories details + details').join('');
    found.push({ mistakes: $('#tl-mistakes').textContent, status: $('#tl-status').textContent, l0m });
  }
  return found;
}
