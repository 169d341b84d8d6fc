// SPDX-License-Identifier: Apache-2.0
//! The book of the documents: its links, its search in headless Chromium, and that it asks no network for anything.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::browser::{browse, measured};
use crate::markdown::files;
use e2e::{root, stdout};
use serde_json::Value;

/// What the test itself asks a network for.
const CONTROL: &str = "http://control.invalid/";

/// A book of this checkout.
struct Book(tempfile::TempDir);

impl Book {
    fn new() -> Book {
        let folder = tempfile::tempdir().unwrap();
        stdout("tensorload-site", &[folder.path().to_str().unwrap()]);
        let mdbook = root().join(".tools/bin/mdbook");
        let output = Command::new(mdbook).arg("build").arg(folder.path()).output().expect("run `make setup-site`");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !text.contains("WARN"), "{text}");
        Book(folder)
    }

    /// The folder of what a browser opens.
    fn pages(&self) -> PathBuf {
        self.0.path().join("book")
    }

    /// Opens a page with a script at its end; gives what the script leaves. The page asks no network for anything.
    fn open(&self, page: &str, script: &str) -> Vec<Value> {
        let (path, log) = (self.pages().join(page), self.0.path().join("log"));
        let text = fs::read_to_string(&path).unwrap();
        let (start, end) = text.rsplit_once("</body>").unwrap();
        let tested = path.with_extension("tested.html");
        // One request, which shows that others would be seen.
        let script = format!("fetch('{CONTROL}').catch(() => 0);\n{script}");
        fs::write(&tested, format!("{start}<script>{script}</script></body>{end}")).unwrap();
        let log_option = format!("--log-net-log={}", log.display());
        let options = ["--dump-dom", "--window-size=1400,900", "--host-resolver-rules=MAP * ~NOTFOUND", &log_option];
        let (left, errors) = measured(&browse(&tested, &self.0.path().join("profile"), &options));
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
    let book = Book::new();
    let mut names = Vec::new();
    below(&book.pages(), &mut names);
    let html: BTreeMap<&PathBuf, String> = names
        .iter()
        .filter(|name| name.extension().is_some_and(|extension| extension == "html"))
        .map(|name| (name, fs::read_to_string(name).unwrap()))
        .collect();
    let (mut count, mut complaints) = (0, Vec::new());
    for (page, text) in html.iter().filter(|(page, _)| !page.ends_with("404.html")) {
        for link in quoted(text, " href=\"").chain(quoted(text, " src=\"")).filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.to_path_buf() } else { page.parent().unwrap().join(file) };
            count += 1;
            let there = target.is_file() && {
                let target = target.canonicalize().unwrap();
                anchor.is_empty() || html.get(&target).is_some_and(|text| text.contains(&format!(" id=\"{anchor}\"")))
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
    let found = Book::new().open("index.html", SEARCH);
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
    let pages = Book::new().open("index.html", FRAMES);
    assert!(pages.len() > 25, "{pages:?}");
}
