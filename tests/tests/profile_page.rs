// SPDX-License-Identifier: Apache-2.0
//! The page of `cosim run --profile-html` in headless Chromium, in a narrow and in a wide window.
#![allow(clippy::unwrap_used)]

use crate::common::browser::browse;
use e2e::run;

const WIDTHS: [u32; 2] = [390, 1440];

/// For each frame: its width, that of the page in it, boxes that can be scrolled, bars with text for the pointer.
const MEASURE: &str = r#"
onload = () => {
  document.body.innerHTML = '<pre>' + [...document.querySelectorAll('iframe')].map(frame => {
    const root = frame.contentDocument.documentElement, all = s => [...root.querySelectorAll(s)];
    const sticking = all('body *').filter(e => !e.closest('.scroll') && e.getBoundingClientRect().right > root.clientWidth + 1);
    return [root.clientWidth, root.scrollWidth, sticking.length, all('.scroll').length, all('svg g title').length].join(' ');
  }).join(';') + '</pre>';
};
"#;

#[test]
#[ignore = "needs Chromium: make test-all"]
fn the_profile_fits_its_window() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("p.html");
    let program = "tests/programs/nhwc_to_nchw.s";
    let output = run("cosim", &["run", program, "--config", "tiny", "--profile-html", page.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let html = std::fs::read_to_string(&page).unwrap().replace('&', "&amp;").replace('"', "&quot;");
    let frame = |width| format!("<iframe style=\"border:0;width:{width}px;height:900px\" srcdoc=\"{html}\"></iframe>");
    let wrapper = folder.path().join("frames.html");
    let text = format!("<!doctype html><body>{}<script>{MEASURE}</script></body>", WIDTHS.map(frame).concat());
    std::fs::write(&wrapper, text).unwrap();
    let output = browse(&wrapper, &folder.path().join("profile"), &["--dump-dom", "--window-size=1500,900"]);
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let measured =
        dom.split_once("<pre>").and_then(|(_, rest)| rest.split_once("</pre>")).unwrap_or_else(|| panic!("{dom}")).0;
    let frames: Vec<Vec<u32>> =
        measured.split(';').map(|frame| frame.split(' ').map(|number| number.parse().unwrap()).collect()).collect();
    assert_eq!(frames.len(), WIDTHS.len());
    for (frame, width) in frames.iter().zip(WIDTHS) {
        assert!(frame[0] <= width && frame[0] > width - 20 && frame[1] <= frame[0], "{measured}");
        assert_eq!((frame[2], frame[3]), (0, 3), "{measured}");
        assert!(frame[4] > 20, "{measured}");
    }
}
