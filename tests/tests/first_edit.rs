// SPDX-License-Identifier: Apache-2.0
//! The tutorial says what happens: its commands are run, and print what stands there.

#[test]
#[ignore = "half a minute: make test-all"]
fn the_tutorial_says_what_happens() {
    crate::markdown::session::run("docs/first-edit.md", &[]);
}
