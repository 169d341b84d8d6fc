// SPDX-License-Identifier: Apache-2.0
function luminance(text) {
  const part = text.match(/[\d.]+/g).slice(0, 3).map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  return .2126 * part[0] + .7152 * part[1] + .0722 * part[2];
}
function ground(window, e) {
  for (; e; e = e.parentElement) {
    const color = window.getComputedStyle(e).backgroundColor;
    if (!color.endsWith(', 0)')) return color;
  }
  return 'rgb(255, 255, 255)';
}
function contrast(window, e) {
  const pair = [window.getComputedStyle(e).color, ground(window, e)].map(luminance).sort((a, b) => b - a);
  return (pair[0] + .05) / (pair[1] + .05);
}
function step(frame) {
  const document = frame.contentDocument, bar = document.querySelector('.stepper');
  if (!bar) return null;
  const shown = () => [...document.querySelectorAll('.step')].map((e, i) => e.hidden ? -1 : i).filter(i => i >= 0).join();
  const press = key => document.body.dispatchEvent(new frame.contentWindow.KeyboardEvent('keydown', { key, bubbles: true }));
  const click = go => bar.querySelector(`[data-go=${go}]`).click();
  const all = document.querySelectorAll('.step').length, seen = [shown()];
  click('first'); seen.push(shown());
  press('n'); seen.push(shown());
  press('ArrowRight'); seen.push(shown());
  press('p'); seen.push(shown());
  click('last'); seen.push(shown());
  return { all, seen, failed: [...document.querySelectorAll('.step')].findIndex(e => e.classList.contains('failed')), count: bar.querySelector('output').textContent };
}
function zoom(frame) {
  const document = frame.contentDocument, tools = document.querySelector('.tools'), box = document.querySelector('.timeline .scroll');
  if (!tools || tools.hidden) return null;
  const svg = box.querySelector('svg'), bars = [...svg.querySelectorAll('g')], width = () => Number(svg.getAttribute('width'));
  const press = key => box.dispatchEvent(new frame.contentWindow.KeyboardEvent('keydown', { key, bubbles: true }));
  const text = bar => bar.querySelector('title').textContent, said = () => tools.querySelector('output').textContent;
  const first = width();
  press('+'); const twice = width();
  press('-'); const back = width();
  press('n'); const key = said();
  const last = bars[bars.length - 1];
  last.querySelector('rect').dispatchEvent(new frame.contentWindow.MouseEvent('click', { bubbles: true })); const touch = said();
  tools.querySelector('[data-key="0"]').click();
  return { first, twice, back, fit: width(), key, bar: text(bars[0]), touch, last: text(last) };
}
function rows(frame) {
  const document = frame.contentDocument, only = document.querySelector('#only');
  if (!only) return null;
  const shown = () => [...document.querySelectorAll('main tr')].filter(e => e.getBoundingClientRect().height > 0).length, all = shown();
  only.click(); const missing = shown();
  only.click();
  return { all, missing, unscoped: document.querySelectorAll('th:not([scope])').length };
}
function measure(frame) {
  const window = frame.contentWindow, document = frame.contentDocument, room = document.documentElement.clientWidth, all = [...document.body.querySelectorAll('*')];
  const texts = all.filter(e => !e.closest('svg') && [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim()));
  const visible = e => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0; };
  const sticking = all.filter(e => visible(e) && !e.closest('.scroll') && e.getBoundingClientRect().right > room + 1);
  const boxes = [...document.querySelectorAll('.scroll')].filter(visible);
  return {
    page: frame.dataset.page,
    width: window.innerWidth,
    room,
    scrollWidth: document.documentElement.scrollWidth,
    sticking: sticking.map(e => e.outerHTML.slice(0, 80)),
    boxes: boxes.length,
    squeezed: boxes.filter(e => e.clientWidth < 60).length,
    headline: document.querySelector('h1').textContent,
    sections: document.querySelectorAll('section').length,
    wrong: [...document.querySelectorAll('td.wrong')].filter(visible).length,
    marked: [...document.querySelectorAll('td.wrong')].every(e => e.textContent.startsWith('≠')),
    distinct: (e => !e || ground(window, e) != ground(window, document.querySelector('.grid td:not(.wrong):not(.want)') || document.body))(document.querySelector('td.wrong')),
    pale: texts.filter(e => visible(e) && contrast(window, e) < 4.5).map(e => contrast(window, e).toFixed(2) + ' ' + e.outerHTML.slice(0, 80)),
    loads: document.querySelectorAll('script[src], link, img, iframe, [src]').length,
    clipped: [...document.querySelectorAll('table.list:not(.state)')].filter(t => visible(t) && (t.tHead ? t.tHead.rows[0].cells.length : 9) <= 4).map(t => t.parentElement).filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.outerHTML.slice(0, 200)),
    steps: step(frame),
    zoom: zoom(frame),
    rows: rows(frame),
    failing: (e => e && e.getBoundingClientRect())(document.querySelector('.now')),
    box: (e => e && e.getBoundingClientRect())(document.querySelector('.timeline .scroll')),
  };
}
onload = () => {
  console.log('measured');
  document.body.innerHTML = '<pre>' + btoa(unescape(encodeURIComponent(JSON.stringify([...document.querySelectorAll('iframe')].map(measure))))) + '</pre>';
};
