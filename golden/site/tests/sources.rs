// SPDX-License-Identifier: Apache-2.0
//! What the sources of the book are.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use tensorload_site::sources;

/// The checkout has each page of `docs/` in its table of contents; otherwise this fails with the name of the page.
#[test]
fn every_page_is_in_the_book() {
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), b"model").unwrap();
    let is_there = |name: &str| sources.iter().any(|(path, _)| path == Path::new(name));
    for name in ["book.toml", "src/SUMMARY.md", "src/README.md", "src/docs/isa.md", "src/docs/images/report.png"] {
        assert!(is_there(name), "{name}");
    }
}

/// A checkout with these files.
fn checkout(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let parts = ["book.toml", "playground/playground.md", "playground/machine.js", "playground/page.js"];
    let parts = [&parts[..], &["playground/style.css", "playground/view.js"]].concat();
    let parts: Vec<_> = parts.into_iter().map(|part| (format!("golden/site/{part}"), "")).collect();
    let files = files.iter().map(|(name, text)| (name.to_string(), *text));
    for (name, text) in parts.into_iter().chain(files) {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

#[test]
fn a_page_that_the_table_of_contents_lacks_is_named() {
    let root = checkout(&[("golden/site/SUMMARY.md", "[A](docs/a.md)"), ("docs/a.md", "# A"), ("docs/b.md", "# B")]);
    let error = sources(root.path(), &[]).unwrap_err().to_string();
    assert_eq!(error, "golden/site/SUMMARY.md: docs/b.md is missing");
}

/// A page of documents as it is in the book.
fn in_book(page: &str) -> String {
    let summary = "[First](README.md)\n\n- [A](docs/a.md)";
    let files = [("golden/site/SUMMARY.md", summary), ("README.md", ""), ("docs/a.md", page), ("docs/ci/job.yml", "")];
    let sources = sources(checkout(&files).path(), &[]).unwrap();
    let found = sources.into_iter().find(|(path, _)| path == Path::new("src/docs/a.md"));
    String::from_utf8(found.unwrap().1).unwrap()
}

#[test]
fn a_link_out_of_the_book_becomes_its_text() {
    let page = "[a](a.md#x), [`main`](../src/main.rs), [ci](ci), [job](ci/job.yml), [w](https://a.example), [b](#x)";
    let expected = "[a](a.md#x), `main`, ci, [job](ci/job.yml), [w](https://a.example), [b](#x)";
    assert_eq!(in_book(page), expected);
}

#[test]
fn the_first_page_is_the_index_of_the_book() {
    assert_eq!(in_book("[it](../README.md), [part](../README.md#b)"), "[it](../index.md), [part](../index.md#b)");
}

#[test]
fn a_block_has_a_language_that_the_book_knows() {
    assert_eq!(in_book("```asm a.s\nnop\n```\n\n```sh\n```"), "```text\nnop\n```\n\n```sh\n```");
}

#[test]
fn an_example_has_a_link_with_what_its_command_names() {
    let page = "```text l1m\nold\n```\n\n```text l1m\nab c\n```\n\n```asm a.s\nnop # 1+1\n```\n\n```toml c.toml\nname = \"c\"\n```\n\n\
                ```console\n$ golden run a.s --config c.toml --l1m l1m --dump-l0m l0m\n```\n";
    let link = "[Step through a.s](../playground.md#program=nop%20%23%201%2B1%0A&config=name%20%3D%20%22c%22%0A&text=ab%20c%0A)";
    assert!(in_book(page).contains(&format!("nop # 1+1\n```\n\n{link}\n")), "{}", in_book(page));
    let named = "```asm a.s\nnop\n```\n\n```console\n$ golden run a.s --config tiny\n```\n";
    assert!(in_book(named).contains("(../playground.md#program=nop%0A&config=tiny)"), "{}", in_book(named));
    let plain = "```asm a.s\nnop\n```\n\n```console\n$ golden run a.s\n```\n";
    assert!(in_book(plain).contains("(../playground.md#program=nop%0A&config=w16)"), "{}", in_book(plain));
}
