// SPDX-License-Identifier: Apache-2.0
//! The book of the documents: its links, and in headless Chromium its search and its playground, which ask no network.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use crate::common::browser::{browse, measured};
use crate::markdown::{files, read};
use e2e::{root, stdout};
use serde_json::{Value, json};

/// What the test itself asks a network for.
const CONTROL: &str = "http://control.invalid/";

/// The book of this checkout, which all tests open.
static BOOK: LazyLock<Book> = LazyLock::new(Book::new);

/// The folder of a book.
struct Book(PathBuf);

impl Book {
    fn new() -> Book {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("site");
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        let model = folder.join("model.wasm");
        let built = Command::new("sh").arg(root().join("golden/web/build.sh")).arg(&model).output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        stdout("tensorload-site", &[folder.to_str().unwrap(), "--model", model.to_str().unwrap()]);
        let mdbook = root().join(".tools/bin/mdbook");
        let output = Command::new(mdbook).arg("build").arg(&folder).output().expect("run `make setup-site`");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !text.contains("WARN"), "{text}");
        Book(folder)
    }

    /// The folder of what a browser opens.
    fn pages(&self) -> PathBuf {
        self.0.join("book")
    }

    /// A copy of a page with a script at its end.
    fn with_script(&self, page: &str, name: &str, script: &str) -> PathBuf {
        let text = fs::read_to_string(self.pages().join(page)).unwrap();
        let (start, end) = text.rsplit_once("</body>").unwrap();
        let copy = self.pages().join(name);
        fs::write(&copy, format!("{start}<script>{script}</script></body>{end}")).unwrap();
        copy
    }

    /// Opens the page with the script at its end; gives what the script leaves. Nothing asks a network for anything.
    fn open(&self, page: &str, name: &str, script: &str, more: &[&str]) -> Vec<Value> {
        // One request, which shows that others would be seen.
        let script = format!("fetch('{CONTROL}').catch(() => 0);\n{script}");
        let tested = self.with_script(page, name, &script);
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let log_option = format!("--log-net-log={}", log.display());
        let options = ["--dump-dom", "--window-size=1500,900", "--host-resolver-rules=MAP * ~NOTFOUND", &log_option];
        let (left, errors) = measured(&browse(&tested, &folder.path().join("profile"), &[&options, more].concat()));
        let errors: Vec<_> = errors.iter().filter(|error| !error.contains(CONTROL)).collect();
        assert!(errors.is_empty(), "{errors:?}");
        let log = fs::read_to_string(log).unwrap();
        // What the browser asks for on its own account has no origin.
        let of_pages =
            log.lines().filter(|line| line.contains("\"initiator\":") && !line.contains("\"not an origin\""));
        let asked: BTreeSet<&str> = of_pages.flat_map(|line| quoted(line, "\"url\":\"")).collect();
        assert_eq!(asked, BTreeSet::from([CONTROL]), "{page}");
        left
    }
}

/// What stands between `before` and the next quotation mark, each time.
fn quoted<'a>(text: &'a str, before: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(before).skip(1).filter_map(|rest| rest.split('"').next())
}

#[test]
#[ignore = "needs mdbook: make test-all"]
fn links_of_the_book_lead_somewhere() {
    let book = &*BOOK;
    let mut names = Vec::new();
    below(&book.pages(), &mut names);
    let html: BTreeMap<&PathBuf, String> = names
        .iter()
        .filter(|name| name.extension().is_some_and(|extension| extension == "html"))
        .map(|name| (name, fs::read_to_string(name).unwrap()))
        .collect();
    let (mut count, mut complaints) = (0, Vec::new());
    for (page, text) in
        html.iter().filter(|(page, _)| !page.ends_with("404.html") && !page.to_string_lossy().contains("tested"))
    {
        for link in quoted(text, " href=\"").chain(quoted(text, " src=\"")).filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.to_path_buf() } else { page.parent().unwrap().join(file) };
            count += 1;
            let there = target.is_file() && {
                let target = target.canonicalize().unwrap();
                anchor.is_empty()
                    || anchor.starts_with("program=")
                    || html.get(&target).is_some_and(|text| text.contains(&format!(" id=\"{anchor}\"")))
            };
            if !there {
                complaints.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(count > 500, "{count} links");
    for page in files(Path::new("docs"), false).iter().filter(|path| path.extension().is_some_and(|e| e == "md")) {
        assert!(html.contains_key(&book.pages().join(page.with_extension("html"))), "{}", page.display());
    }
}

/// The files in a folder and in the folders in it.
fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder.canonicalize().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { below(&path, found) } else { found.push(path) }
    }
}

/// Types into the search, and leaves where its results lead.
const SEARCH: &str = "
addEventListener('load', () => {
  document.querySelector('#mdbook-search-toggle').click();
  const bar = document.querySelector('#mdbook-searchbar');
  const timer = setInterval(() => {
    bar.value = 'uninitialised';
    bar.dispatchEvent(new InputEvent('input', { bubbles: true }));
    bar.dispatchEvent(new KeyboardEvent('keyup', { key: 'd', bubbles: true }));
    const found = [...document.querySelectorAll('#mdbook-searchresults a')].map(a => a.getAttribute('href'));
    if (!found.length) return;
    clearInterval(timer);
    console.log('measured');
    document.body.innerHTML = `<pre>${btoa(JSON.stringify(found))}</pre>`;
  }, 200);
});";

#[test]
#[ignore = "needs Chromium: make test-all"]
fn the_book_is_searched_without_a_network() {
    let found = BOOK.open("index.html", "search.tested.html", SEARCH, &[]);
    assert!(found.iter().any(|link| link.as_str().unwrap().starts_with("docs/isa.html")), "{found:?}");
}

/// All pages in frames.
const FRAMES: &str = "
addEventListener('load', () => {
  const pages = [...document.querySelectorAll('#mdbook-sidebar ol.chapter a:not(.toggle)')].map(a => a.href);
  const frames = pages.map(page => Object.assign(document.createElement('iframe'), { src: page }));
  Promise.all(frames.map(frame => new Promise(done => { frame.onload = done; }))).then(() => setTimeout(() => {
    console.log('measured');
    document.body.innerHTML = `<pre>${btoa(JSON.stringify(pages))}</pre>`;
  }, 1000));
  document.body.append(...frames);
});";

#[test]
#[ignore = "needs Chromium: make test-all"]
fn no_page_of_the_book_asks_a_network() {
    let pages = BOOK.open("index.html", "frames.tested.html", FRAMES, &[]);
    assert!(pages.len() > 25, "{pages:?}");
}

/// Functions for scripts: those that measure pages, and those that use the playground.
const FUNCTIONS: &str = concat!(include_str!("page.js"), "onload = null;", include_str!("playground.js"));

/// Leaves a list.
const LEAVE: &str = "
function leave(list) {
  console.log('measured');
  document.body.innerHTML = `<pre>${btoa(unescape(encodeURIComponent(JSON.stringify(list))))}</pre>`;
}";

/// The page in frames of two widths; what they send is what is left.
const WIDTHS: &str = "
const found = [];
addEventListener('message', ({ data }) => { if (found.push(data) === 2) leave(found); });
for (const width of [390, 1440]) {
  const frame = Object.assign(document.createElement('iframe'), { src: 'steps.tested.html' });
  frame.style = `width: ${width}px; height: 900px; border: 0`;
  document.body.append(frame);
}";

#[test]
#[ignore = "needs Chromium: make test-all"]
fn a_program_is_typed_and_stepped_in_the_playground() {
    let send = "sleep(500).then(steps).then(found => parent.postMessage({ ...found, ...looks() }, '*'));";
    BOOK.with_script("playground.html", "steps.tested.html", &format!("{FUNCTIONS}{send}"));
    for scheme in ["--blink-settings=preferredColorScheme=1", "--blink-settings=preferredColorScheme=0"] {
        let found = BOOK.open("index.html", "widths.tested.html", &format!("{LEAVE}{WIDTHS}"), &[scheme]);
        let widths: BTreeSet<_> = found.iter().map(|page| page["width"].as_u64().unwrap()).collect();
        assert_eq!(widths, BTreeSet::from([390, 1440]));
        for page in &found {
            let mistakes = page["mistakes"].as_array().unwrap();
            assert!(mistakes.len() == 2 && mistakes[0].as_str().unwrap().starts_with("line 2, column "), "{page:#}");
            assert_eq!((&page["wrong"], &page["fixed"]), (&json!(["2", "3"]), &json!(true)), "{page:#}");
            // `li` is two instructions, of which two steps are in line 1.
            assert_eq!((&page["next"], &page["back"]), (&json!("2"), &json!("7")), "{page:#}");
            let load: Vec<String> = (0..16).map(|n| n.to_string()).collect();
            assert_eq!(page["load"], json!(load), "{page:#}");
            assert!(page["shape"].as_str().unwrap().starts_with("tl1 [2, 2, 4] of int8"), "{page:#}");
            let concat = ["1", "3", "0", "0", "5", "7", "4", "0", "9", "11", "8", "0", "13", "15", "12", "0"];
            assert_eq!(page["concat"], json!(concat), "{page:#}");
            assert_eq!((&page["colours"], &page["distinct"]), (&json!(true), &json!(16)), "{page:#}");
            assert_eq!(page["origins"], json!(["0x1", "0x3", "0x0", "\u{2013}"]), "{page:#}");
            let trap = "Trap in line 7, tl.mload tl3, 0(x0): illegal instruction (cause 2, ";
            assert!(page["trap"].as_str().unwrap().starts_with(trap), "{page:#}");
            assert_eq!(page["csr"], "tshape0x20204131588", "{page:#}");
            let end = "9 instructions, 1 trapped. The program has ended: exit code 0.";
            assert_eq!((&page["end"], &page["disabled"]), (&json!(end), &json!(true)), "{page:#}");
            assert_eq!(page["sideways"], false, "{page:#}");
            for list in ["sticking", "pale", "unnamed"] {
                assert_eq!(page[list], json!([]), "{page:#}");
            }
        }
    }
}

/// As many as there are, and each of them runs as the page says.
#[test]
#[ignore = "needs Chromium: make test-all"]
fn examples_of_the_instruction_set_open_in_the_playground() {
    let page = fs::read_to_string(BOOK.pages().join("docs/isa.html")).unwrap().replace("&amp;", "&");
    let links: Vec<&str> = quoted(&page, " href=\"../playground.html").filter(|link| !link.is_empty()).collect();
    let blocks = read("docs/isa.md").blocks.iter().filter(|block| block.language == "asm").count();
    assert!(links.len() == blocks && blocks > 3, "{} links, {blocks} blocks", links.len());
    let script = format!("{FUNCTIONS}{LEAVE}sleep(500).then(() => examples({})).then(leave);", json!(links));
    let found = BOOK.open("playground.html", "examples.tested.html", &script, &[]);
    for example in &found {
        let status = example["status"].as_str().unwrap();
        let is_end = status.contains(" instructions, 0 trapped. The program has ended: exit code 0.");
        assert!(is_end && example["mistakes"] == "", "{example:#}");
    }
    let pitch = "ij\u{b7}\u{b7}pq\u{b7}\u{b7}wx\u{b7}\u{b7}bcdijkpqr";
    for l0m in ["ABCDEFGHIJKLMNOPabcdefghijklmnop0123456789:;<=>?................", pitch] {
        assert!(found.iter().any(|example| example["l0m"] == l0m), "{l0m}: {found:#?}");
    }
}
