// SPDX-License-Identifier: Apache-2.0
//! The pages of failures, runs and profiles in headless Chromium, in a narrow and in a wide window, light and dark.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use crate::common::browser::{browse, measured};
use e2e::run;
use serde_json::Value;

/// Beginnings of the headlines of the pages that are looked at, and whether such a page has wrong elements.
const KINDS: [(&str, bool); 6] = [
    ("# MISMATCH: contents of tl", true),
    ("# MISMATCH: contents of acc", true),
    ("# MISMATCH: value stored", true),
    ("# HANG", false),
    ("# MISMATCH: trap", false),
    ("# MISMATCH: CSR", false),
];
/// Planted faults that fail in these ways, or did before the random programs changed; then some others.
const FIRST: [u32; 7] = [38, 54, 52, 31, 41, 5, 24];
const OTHERS: std::ops::RangeInclusive<u32> = 1..=21;
const WIDTHS: [u32; 2] = [390, 1440];

/// The page of the failing case that a command leaves in a folder.
fn report(out: &Path, command: &str) -> PathBuf {
    let words: Vec<&str> = command.split(' ').chain(["--out", out.to_str().unwrap()]).collect();
    let output = run("cosim", &words);
    assert_ne!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    // Beside it is the empty folder of the cases that are running.
    let cases = std::fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path().join("report.html"));
    cases.into_iter().find(|page| page.exists()).unwrap()
}

/// A page of each kind: its name and file.
fn reports(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut found: [Option<PathBuf>; KINDS.len()] = Default::default();
    for fault in FIRST.into_iter().chain(OTHERS.filter(|fault| !FIRST.contains(fault))) {
        if found.iter().all(Option::is_some) {
            break;
        }
        let command = format!("random --config tiny --fault {fault} --count 30000");
        let page = report(&folder.join(fault.to_string()), &command);
        let text = std::fs::read_to_string(page.with_extension("md")).unwrap();
        if let Some(kind) = KINDS.iter().position(|(start, _)| text.starts_with(start)) {
            found[kind].get_or_insert(page);
        }
    }
    let named = KINDS.iter().zip(found);
    named
        .map(|((kind, _), page)| (kind.to_string(), page.unwrap_or_else(|| panic!("no fault gives {kind:?}"))))
        .collect()
}

/// Measures every page at every width, in frames of one document: what is in a frame sees the frame as its window.
const MEASURE: &str = include_str!("page.js");

/// A document with all pages in frames.
fn frames(pages: &[(String, PathBuf)]) -> String {
    let mut text = String::from("<!doctype html><meta charset=\"utf-8\"><body>\n");
    for (name, page) in pages {
        let html = std::fs::read_to_string(page).unwrap().replace('&', "&amp;").replace('"', "&quot;");
        for width in WIDTHS {
            text.push_str(&format!(
                "<iframe data-page=\"{name}\" style=\"border:0;width:{width}px;height:900px\" srcdoc=\"{html}\"></iframe>\n"
            ));
        }
    }
    text + "<script>" + MEASURE + "</script></body>"
}

#[test]
#[ignore = "needs Chromium: make test-all"]
fn pages_fit_their_window_and_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let pages = reports(folder.path());
    let wrapper = folder.path().join("frames.html");
    std::fs::write(&wrapper, frames(&pages)).unwrap();
    for scheme in ["preferredColorScheme=1", "preferredColorScheme=0"] {
        let settings = format!("--blink-settings={scheme}");
        let output =
            browse(&wrapper, &folder.path().join(scheme), &["--dump-dom", "--window-size=1500,900", &settings]);
        let (pages, errors) = measured(&output);
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(pages.len(), KINDS.len() * WIDTHS.len());
        for (n, page) in pages.iter().enumerate() {
            let what = format!("{scheme}: {page:#}");
            assert_eq!(page["width"], WIDTHS[n % 2], "{what}");
            assert!(page["scrollWidth"].as_u64() <= page["room"].as_u64(), "the page scrolls sideways, {what}");
            for list in ["sticking", "pale", "clipped"] {
                assert_eq!(page[list].as_array().map(Vec::len), Some(0), "{what}");
            }
            assert_eq!((&page["loads"], &page["squeezed"]), (&Value::from(0), &Value::from(0)), "{what}");
            assert!(page["sections"].as_u64() >= Some(7) && page["boxes"].as_u64() >= Some(4), "{what}");
            assert_eq!(page["wrong"].as_u64() > Some(0), KINDS[n / 2].1, "{what}");
            assert_eq!((&page["marked"], &page["distinct"]), (&Value::from(true), &Value::from(true)), "{what}");
            assert!(page["headline"].as_str().unwrap().starts_with(['M', 'H']), "{what}");
            steps(&page["steps"]);
            // The cycle of the failure is in view without scrolling.
            if let (Some(now), Some(right)) = (page["failing"]["left"].as_f64(), page["box"]["right"].as_f64()) {
                assert!(now >= page["box"]["left"].as_f64().unwrap() && now < right, "{what}");
            }
        }
    }
}

/// The steps begin with the one that failed; buttons and keys go on and back, one at a time and not beyond the ends.
fn steps(page: &Value) {
    let all = page["all"].as_i64().unwrap();
    let last = all - 1;
    let to = |step: i64| Value::from(step.min(last).to_string());
    let failed = page["failed"].as_i64().filter(|&failed| failed >= 0).unwrap_or(last);
    let back = Value::from((2.min(last) - 1).max(0).to_string());
    assert_eq!(page["seen"], Value::from(vec![to(failed), to(0), to(1), to(2), back, to(last)]), "{page:#}");
    assert_eq!(page["count"], format!("{all} of {all}"), "{page:#}");
}

/// The page of a run: its buckets, as wide as the window, with links to the pages of the cases.
#[test]
#[ignore = "needs Chromium: make test-all"]
fn the_page_of_a_run_fits_its_window() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("failures");
    let arguments =
        ["random", "--config", "tiny", "--fault", "28,38,66,41,5", "--count", "4000", "--max-failures", "20"];
    let output = run("cosim", &[&arguments[..], &["--out", out.to_str().unwrap()]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    for page in measure_one(folder.path(), "run", out.join("index.html")) {
        assert_eq!(page["pale"].as_array().map(Vec::len), Some(0), "{page:#}");
        assert!(page["headline"].as_str().unwrap().contains("failing cases in") && page["loads"] == 0, "{page:#}");
        assert!(page["sections"].as_u64() >= Some(5), "{page:#}");
    }
}

/// The page of `cosim run --profile-html`, with bars that have a text for the pointer.
#[test]
#[ignore = "needs Chromium: make test-all"]
fn the_profile_fits_its_window() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("p.html");
    let program = "tests/programs/nhwc_to_nchw.s";
    let output = run("cosim", &["run", program, "--config", "tiny", "--profile-html", page.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(std::fs::read_to_string(&page).unwrap().matches("<g><title>").count() > 20);
    for page in measure_one(folder.path(), "profile", page) {
        assert_eq!(page["boxes"], 3, "{page:#}");
        // Twice as wide, back, as wide as the window; a bar by a key and one by touch, and what is said of them.
        let zoom = &page["zoom"];
        let [first, twice, back, fit] = ["first", "twice", "back", "fit"].map(|width| zoom[width].as_f64().unwrap());
        assert!(twice == 2.0 * first && back == first && fit < first, "{page:#}");
        assert_eq!(zoom["key"], zoom["bar"], "{page:#}");
        assert_eq!(zoom["touch"], zoom["last"], "{page:#}");
    }
}

/// The page of `cosim random --coverage-html`, with bins that are missing: also those alone.
#[test]
#[ignore = "needs Chromium: make test-all"]
fn the_coverage_fits_its_window_and_shows_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("c.html");
    let arguments = ["random", "--config", "tiny", "--count", "20000", "--coverage-html", page.to_str().unwrap()];
    let output = run("cosim", &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // As open as it gets.
    let text = std::fs::read_to_string(&page).unwrap().replace("<details", "<details open");
    std::fs::write(&page, text).unwrap();
    for page in measure_one(folder.path(), "coverage", page) {
        let [whole, missing] = ["all", "missing"].map(|rows| page["rows"][rows].as_u64().unwrap());
        assert!(0 < missing && missing < whole, "{page:#}");
        assert_eq!(page["rows"]["unscoped"], 0, "{page:#}");
    }
}

/// What is measured of one page, which nowhere scrolls sideways.
fn measure_one(folder: &Path, name: &str, page: PathBuf) -> Vec<Value> {
    let wrapper = folder.join("frames.html");
    std::fs::write(&wrapper, frames(&[(name.to_owned(), page)])).unwrap();
    let more = ["--dump-dom", "--window-size=1500,900"];
    let (pages, errors) = measured(&browse(&wrapper, &folder.join("browser"), &more));
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(pages.iter().map(|page| page["width"].as_u64().unwrap() as u32).collect::<Vec<_>>(), WIDTHS);
    for page in &pages {
        assert!(page["scrollWidth"].as_u64() <= page["room"].as_u64(), "{page:#}");
        assert_eq!(page["sticking"].as_array().map(Vec::len), Some(0), "{page:#}");
    }
    pages
}

/// The picture in the documents, written anew by `make picture`; otherwise only that there is something in it.
#[test]
#[ignore = "needs Chromium: make test-all"]
fn picture() {
    let folder = tempfile::tempdir().unwrap();
    let page = report(folder.path(), "demo-fault");
    let file = std::env::var_os("PICTURE").map(|name| e2e::root().join(name));
    let file = file.unwrap_or_else(|| folder.path().join("report.png"));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let shot = format!("--screenshot={}", file.display());
    browse(&page, &folder.path().join("profile"), &[&shot, "--window-size=1100,1500", "--hide-scrollbars"]);
    let bytes = std::fs::read(&file).unwrap();
    assert!(bytes.starts_with(b"\x89PNG") && (20_000..250_000).contains(&bytes.len()), "{} bytes", bytes.len());
}
