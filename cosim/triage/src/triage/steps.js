// SPDX-License-Identifier: Apache-2.0
// One step of the program at a time. Without this script all of them are shown.
'use strict';
(() => {
  const steps = [...document.querySelectorAll('.step')];
  const bar = document.querySelector('.stepper');
  if (!bar || steps.length === 0) return;
  const count = bar.querySelector('output');
  const failed = steps.findIndex(step => step.classList.contains('failed'));
  let at = -1;
  const show = to => {
    at = Math.max(0, Math.min(steps.length - 1, to));
    steps.forEach((step, i) => { step.hidden = i !== at; });
    count.textContent = `${at + 1} of ${steps.length}`;
    for (const button of bar.querySelectorAll('button')) {
      button.disabled = button.dataset.go === 'failed' ? at === failed : at === target(button.dataset.go);
    }
  };
  const target = go => ({
    first: 0, previous: Math.max(0, at - 1), next: Math.min(steps.length - 1, at + 1), last: steps.length - 1, failed,
  })[go];
  bar.addEventListener('click', event => {
    const button = event.target.closest('button');
    if (button) show(target(button.dataset.go));
  });
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const scrolls = event.target.closest && event.target.closest('.scroll');
    const arrow = scrolls ? undefined : { ArrowRight: 'next', ArrowLeft: 'previous' }[event.key];
    const go = arrow || { n: 'next', p: 'previous' }[event.key];
    if (go) { show(target(go)); event.preventDefault(); }
  });
  // A link of the timeline.
  const follow = () => {
    const linked = steps.findIndex(step => `#${step.id}` === location.hash);
    if (linked < 0) return;
    show(linked);
    steps[linked].scrollIntoView();
  };
  window.addEventListener('hashchange', follow);
  bar.hidden = false;
  show(failed < 0 ? steps.length - 1 : failed);
  follow();
})();
