// SPDX-License-Identifier: Apache-2.0
//! The tutorial, the demonstration of README and other pages say what happens: their commands are run, and print what
//! stands there.

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

#[test]
#[ignore = "a minute: make test-all"]
fn the_pages_on_coverage_and_profiles_say_what_happens() {
    crate::markdown::session::run("docs/coverage.md", &[]);
    crate::markdown::session::run("docs/profile.md", &[]);
}
