// SPDX-License-Identifier: Apache-2.0
//! The RTL of earlier commits, out of a git repository. Nothing in its working tree is changed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};

pub struct History {
    repository: PathBuf,
}

impl History {
    /// That of the folder `repository`.
    pub fn open(repository: &Path) -> Result<History> {
        let history = History { repository: repository.to_owned() };
        let top = history.text(&["rev-parse", "--show-toplevel"])?;
        Ok(History { repository: top.into() })
    }

    /// The hash of the commit that `revision` names.
    pub fn commit(&self, revision: &str) -> Result<String> {
        self.text(&["rev-parse", "--verify", "--end-of-options", &format!("{revision}^{{commit}}")])
            .with_context(|| format!("{revision:?} is no commit"))
    }

    /// Whether `old` is `new` or one of its ancestors.
    pub fn is_ancestor(&self, old: &str, new: &str) -> Result<bool> {
        let done = self.git(&["merge-base", "--is-ancestor", old, new])?;
        let code = done.status.code();
        ensure!(matches!(code, Some(0 | 1)), "git merge-base: {}", said(&done));
        Ok(code == Some(0))
    }

    /// The ancestors of `bad` that are none of `good`, and neither: those that halve what is left first.
    pub fn between(&self, good: &[String], bad: &str) -> Result<Vec<String>> {
        let good: Vec<String> = good.iter().map(|commit| format!("^{commit}")).collect();
        let mut arguments = vec!["rev-list", "--bisect-all", bad];
        arguments.extend(good.iter().map(String::as_str));
        let text = self.text(&arguments)?;
        let hashes = text.lines().filter_map(|line| line.split(' ').next());
        Ok(hashes.filter(|hash| *hash != bad).map(str::to_owned).collect())
    }

    /// Short hash and first line of the message.
    pub fn title(&self, commit: &str) -> Result<String> {
        let text = self.text(&["show", "--no-patch", "--format=%h %s", commit])?;
        // Whoever wrote it does not steer the terminal.
        Ok(text.chars().map(|c| if c.is_control() { '?' } else { c }).collect())
    }

    /// The files below the first part of `folder` that the commit changed, by name.
    pub fn changed(&self, commit: &str, folder: &str) -> Result<Vec<String>> {
        let arguments = ["diff-tree", "--no-commit-id", "--name-only", "-r", "-m", "--root", commit, "--", top(folder)];
        let mut names: Vec<String> = self.text(&arguments)?.lines().map(str::to_owned).collect();
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Writes the files of a commit that lie beside and below `folder`, a path in the repository, into the folder
    /// `into`; gives where `folder` is then.
    pub fn extract(&self, commit: &str, folder: &str, into: &Path) -> Result<PathBuf> {
        let archive = into.join("rtl.tar");
        let name = archive.to_str().context("the folder for temporary files has no name in UTF-8")?;
        self.text(&["archive", "--format=tar", "-o", name, commit, "--", top(folder)])?;
        let done =
            Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(into).output().context("cannot run tar")?;
        ensure!(done.status.success(), "tar: {}", said(&done));
        Ok(into.join(folder))
    }

    fn git(&self, arguments: &[&str]) -> Result<Output> {
        let mut git = Command::new("git");
        // They name another repository, or another state of this one, in a hook of git, say.
        let variables = std::env::vars_os().map(|(name, _)| name);
        for name in variables.filter(|name| name.as_encoded_bytes().starts_with(b"GIT_")) {
            git.env_remove(name);
        }
        git.current_dir(&self.repository).args(arguments).output().context("cannot run git")
    }

    fn text(&self, arguments: &[&str]) -> Result<String> {
        let done = self.git(arguments)?;
        ensure!(done.status.success(), "git {}: {}", arguments.first().unwrap_or(&""), said(&done));
        Ok(String::from_utf8_lossy(&done.stdout).trim_end().to_owned())
    }
}

/// The first part of a path: a list of files may name others beside its folder.
fn top(folder: &str) -> &str {
    folder.split('/').next().unwrap_or(folder)
}

/// The first line of what a program said on standard error.
fn said(done: &Output) -> String {
    String::from_utf8_lossy(&done.stderr).lines().next().unwrap_or("no reason given").to_owned()
}
