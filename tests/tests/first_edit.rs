// SPDX-License-Identifier: Apache-2.0
//! The tutorial and the demonstration of README say what happens: their commands are run, and print what stands there.

#[test]
#[ignore = "half a minute: make test-all"]
fn the_tutorial_says_what_happens() {
    crate::markdown::session::run("docs/first-edit.md", &[]);
}

#[test]
#[ignore = "half a minute: make test-all"]
fn the_readme_shows_the_demonstration() {
    crate::markdown::session::run("README.md", &[]);
}
