// SPDX-License-Identifier: Apache-2.0
//! Coverage as one HTML page that needs nothing else.

use std::ops::Range;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::file::{Coverage, Covered};
use super::group::Group;
use super::report::Report;

const STYLE: &str = include_str!("style.css");

pub fn page(coverage: &Coverage) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Functional coverage" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                h1 { "Functional coverage" }
                p {
                    "Green: hit. Red: can occur and was not hit. Open a group for its bins, a cell for each, with the number of "
                    "hits. Grey: cannot occur; the reason is in its tooltip and in the list at the end."
                }
                p { label { input #only type="checkbox"; " only missing" } }
                @for covered in coverage.0.values() { (configuration(covered)) }
                }
            }
        }
    };
    page.into_string() + "\n"
}

fn configuration(covered: &Covered) -> Markup {
    let report = Report::new(covered);
    let mut groups: Vec<_> =
        covered.bins.groups().zip(&report.groups).filter(|(_, counts)| counts.possible > 0).collect();
    // What is missing first.
    groups.sort_by_key(|(_, counts)| counts.hit == counts.possible);
    html! {
        h2 { (report.headline()) }
        p.total { (bar(report.hit, report.possible)) }
        p { @if report.missing.is_empty() { "Every bin that can occur was hit." } @else { b.missing { (report.missing.len()) " bins not hit" } } }
        @for ((group, ids), counts) in groups {
            @let missing = counts.possible - counts.hit;
            details.whole[missing == 0] {
                summary {
                    b { (group.name) } " " (bar(counts.hit, counts.possible))
                    " " (counts.hit) " of " (counts.possible) @if missing > 0 { ", " b.missing { (missing) " missing" } } ": " (group.about)
                }
                (grid(covered, group, ids))
            }
        }
        @for (what, names) in [("not hit", &report.missing), ("hit although they cannot occur", &report.refuted)] {
            @if !names.is_empty() {
                details {
                    summary { b.missing { (names.len()) " bins " (what) } ": their names" }
                    ul { @for name in names { li { (name) } } }
                }
            }
        }
        details.whole {
            summary { b { "cannot occur" } " " (report.exclusions.iter().map(|left| left.count).sum::<usize>()) " bins" }
            div.scroll { table {
                thead { tr { @for head in ["group", "bins", "number", "because"] { th scope="col" { (head) } } } }
                tbody { @for left in &report.exclusions {
                    tr { td { (left.group) } td { (left.bins) } td.n { (left.count) } td { (left.reason) } }
                } }
            } }
        }
    }
}

fn bar(hit: usize, possible: usize) -> Markup {
    html! { span.bar role="img" aria-label=(format!("{hit} of {possible}")) { i style=(format!("width:{}%", 100 * hit / possible.max(1))) {} } }
}

/// The bins of a group: a column for each value of the last axis, a row for each combination of the others.
fn grid(Covered { bins, hits, .. }: &Covered, group: &Group, ids: Range<usize>) -> Markup {
    let columns = bins.columns(ids.start);
    let labels = group.cross.len().saturating_sub(1);
    html! {
        div.scroll { table {
            thead { tr {
                @for _ in 0..labels { td {} }
                @for column in columns { th scope="col" { (column.text()) } }
            } }
            tbody { @for row in ids.step_by(columns.len().max(1)) {
                @let values = bins.bin(row).map(|(_, cell)| cell.0).unwrap_or_default();
                // A row of which nothing can occur says nothing.
                @if (row..row + columns.len()).any(|id| !bins.is_excluded(id) || hits.count(id) > 0) {
                    @let missed = (row..row + columns.len()).any(|id| !bins.is_excluded(id) && hits.count(id) == 0);
                    tr.whole[!missed] {
                        @for value in values.iter().take(labels) { th scope="row" { (value.text()) } }
                        @for id in row..row + columns.len() {
                            @match (bins.exclusion(id), hits.count(id)) {
                                (None, 0) => td.n.miss { "0" },
                                (None, count) => td.n.hit { (count) },
                                (Some(never), 0) => td.never title=(never.reason) { "–" },
                                (Some(never), count) => td.n.miss title=(never.reason) { (count) " !" },
                            }
                        }
                    }
                }
            } }
        } }
    }
}
