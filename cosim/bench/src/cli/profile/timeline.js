// SPDX-License-Identifier: Apache-2.0
// Zoom of the timeline, and a bar at a time by keys or touch. Without this script bars have their texts for the pointer.
'use strict';
(() => {
  const tools = document.querySelector('.tools'), box = document.querySelector('.timeline .scroll');
  const svg = box && box.querySelector('svg');
  if (!tools || !svg) return;
  const said = tools.querySelector('output'), bars = [...svg.querySelectorAll('g')];
  const scaled = ['x', 'x1', 'x2', 'width'];
  const places = [svg, ...svg.querySelectorAll('rect, line, text')].map(e => [e,
    scaled.filter(name => e.hasAttribute(name)).map(name => [name, Number(e.getAttribute(name))])]);
  const height = svg.getAttribute('height');
  let zoom = 1, at = -1;
  const to = wanted => {
    const next = Math.max(1 / 64, Math.min(64, wanted)), middle = box.clientWidth / 2;
    const center = (box.scrollLeft + middle) / zoom;
    zoom = next;
    for (const [e, values] of places) for (const [name, value] of values) e.setAttribute(name, value * zoom);
    svg.setAttribute('viewBox', `0 0 ${svg.getAttribute('width')} ${height}`);
    svg.classList.toggle('far', zoom < 1);
    box.scrollLeft = center * zoom - middle;
  };
  const select = i => {
    if (i < 0 || i >= bars.length) return;
    if (bars[at]) bars[at].classList.remove('chosen');
    at = i;
    bars[at].classList.add('chosen');
    said.textContent = bars[at].querySelector('title').textContent;
    const rect = bars[at].querySelector('rect'), left = Number(rect.getAttribute('x'));
    const seen = left >= box.scrollLeft && left < box.scrollLeft + box.clientWidth;
    if (!seen) box.scrollLeft = left - box.clientWidth / 4;
  };
  const fit = () => to(zoom * box.clientWidth / Number(svg.getAttribute('width')));
  const act = { '+': () => to(zoom * 2), '=': () => to(zoom * 2), '-': () => to(zoom / 2), 0: fit,
    n: () => select(at + 1), p: () => select(at - 1) };
  tools.addEventListener('click', event => {
    const button = event.target.closest('button');
    if (button) act[button.dataset.key]();
  });
  box.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || !act[event.key]) return;
    act[event.key]();
    event.preventDefault();
  });
  box.addEventListener('wheel', event => {
    if (!event.ctrlKey) return;
    to(zoom * Math.exp(-event.deltaY / 100));
    event.preventDefault();
  }, { passive: false });
  svg.addEventListener('click', event => select(bars.indexOf(event.target.closest('g'))));
  tools.hidden = false;
})();
