// SPDX-License-Identifier: Apache-2.0
//! Tables and progress on the terminal.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::base::output;

/// As many threads as there are processors.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A table whose first `left` columns are text and the others numbers.
pub fn table(header: &[&str], left: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for (i, column) in table.column_iter_mut().enumerate() {
        let alignment = if i < left { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(alignment);
    }
    table
}

/// As [`table`], with these rows.
pub fn rows<const N: usize>(header: &[&str; N], left: usize, rows: impl IntoIterator<Item = [String; N]>) -> Table {
    let mut table = table(header, left);
    table.add_rows(rows);
    table
}

/// The same in Markdown. Cells are Markdown already.
pub fn markdown(header: &[impl AsRef<str>], left: usize, rows: &[impl AsRef<[String]>]) -> String {
    let header: Vec<String> = header.iter().map(|cell| cell.as_ref().to_owned()).collect();
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule: String = (0..header.len()).map(|i| if i < left { "---|" } else { "---:|" }).collect();
    let rows: String = rows.iter().map(|row| line(row.as_ref())).collect();
    format!("{}|{rule}\n{rows}", line(&header))
}

/// Text in Markdown, as a code block that nothing in it can end.
pub fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// Progress of long work: a bar on a terminal, a plain line now and then in a log.
pub struct Progress {
    bar: ProgressBar,
    label: String,
    length: u64,
    done: AtomicU64,
    /// When the latest line was written; `None` on a terminal.
    line: Option<Mutex<Instant>>,
}

/// Time between two lines in a log.
const PAUSE: Duration = Duration::from_secs(30);

/// Progress of `length` steps, shown on standard error.
pub fn progress(label: &str, length: u64) -> Progress {
    let terminal = std::io::stderr().is_terminal();
    let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    if let Ok(style) = ProgressStyle::with_template("{msg:18} [{bar:40}] {human_pos}/{human_len} {eta}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_message(label.to_owned());
    let line = (!terminal).then(|| Mutex::new(Instant::now()));
    Progress { bar, label: label.to_owned(), length, done: AtomicU64::new(0), line }
}

impl Progress {
    /// So many more are done.
    pub fn inc(&self, steps: u64) {
        self.bar.inc(steps);
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        // Whoever finds the lock taken leaves the line to the other.
        let Some(Ok(mut last)) = self.line.as_ref().map(Mutex::try_lock) else { return };
        if last.elapsed() >= PAUSE {
            *last = Instant::now();
            // Without an end in sight there is a time budget.
            let of = if self.length < 1 << 40 { format!(" of {}", self.length) } else { String::new() };
            output::log(&format!("{}: {done}{of}", self.label));
        }
    }

    /// The next step begins, which is called `what`.
    pub fn step(&self, what: &str) {
        self.bar.set_message(format!("{} {what}", self.label));
        self.inc(1);
    }

    /// All is done, or as much as will be.
    pub fn finish_and_clear(&self) {
        self.bar.finish_and_clear();
    }
}
