// SPDX-License-Identifier: Apache-2.0
//! Which lines and bits of the RTL no case has reached, and why.

use std::collections::BTreeMap;

use super::rtl_points::Point;
use super::rtl_reasons::Reasons;

/// What was reached.
#[derive(Debug)]
pub struct RtlReport {
    /// Lines and branches.
    pub lines: Part,
    /// Bits that change.
    pub toggles: Part,
}

/// Points of one kind.
#[derive(Debug, Default)]
pub struct Part {
    /// All points.
    all: usize,
    /// Those that were not reached, with the reason if there is one.
    missing: Vec<(String, Option<String>)>,
    /// Those that were reached although there is a reason why they never are.
    refuted: Vec<(String, String)>,
}

impl RtlReport {
    /// The report on points with their counts.
    pub fn new(reasons: &Reasons, places: &BTreeMap<Point, u64>) -> RtlReport {
        let mut report = RtlReport { lines: Part::default(), toggles: Part::default() };
        for (point, &count) in places {
            let part = if point.toggle { &mut report.toggles } else { &mut report.lines };
            let because = reasons.because(point).map(str::to_owned);
            let place = format!("{}:{}: {}", point.file, point.line, point.what);
            part.all += 1;
            match (count, because) {
                (0, because) if point.toggle => part.missing.push((place, because)),
                (0, because) => part.missing.push((format!("{place}: {}", reasons.text(point)), because)),
                (_, Some(because)) => part.refuted.push((place, because)),
                (_, None) => {}
            }
        }
        report
    }

    /// In a few lines, for configuration `name`.
    pub fn summary(&self, name: &str) -> String {
        let part = |part: &Part, what| {
            let (missing, open) = (part.missing.len(), part.unexplained());
            format!("{name}: RTL: {} of {} {what}; {missing} not, {open} without a reason", part.hit(), part.all)
        };
        let refuted = self.lines.refuted.iter().chain(&self.toggles.refuted).map(|(place, because)| {
            format!("\n{name}: RTL: {place} was reached, and the reason against it is wrong: {because}")
        });
        let parts = [part(&self.lines, "lines and branches reached"), part(&self.toggles, "bits changed")];
        parts.join("\n") + &refuted.collect::<String>()
    }
}

impl Part {
    fn hit(&self) -> usize {
        self.all - self.missing.len()
    }

    fn unexplained(&self) -> usize {
        self.missing.iter().filter(|(_, because)| because.is_none()).count()
    }

    /// What was not reached: first what has no reason, then each reason with its points.
    pub fn text(&self) -> String {
        let mut groups: BTreeMap<Option<&str>, Vec<&str>> = BTreeMap::new();
        for (place, because) in &self.missing {
            groups.entry(because.as_deref()).or_default().push(place);
        }
        let group = |(because, places): (Option<&str>, Vec<&str>)| {
            let title = because.unwrap_or("NOT EXPLAINED");
            format!("{title} ({})\n    {}\n", places.len(), places.join("\n    "))
        };
        groups.into_iter().map(group).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of `tiny`, whose addresses have 12 bits on ports of 8 bytes.
    fn report(counts: [u64; 4]) -> RtlReport {
        let target = crate::unit::testing::target("tiny");
        let reasons = Reasons::new(&target).expect("table");
        let source =
            target.models.files().expect("files").into_iter().find(|file| file.name == "tl_addi_row.sv").expect("file");
        let line = 1 + source.text.lines().position(|line| line.contains("default: addend")).expect("line");
        let point =
            |file: &str, line, toggle, what: &str| Point { file: file.to_owned(), line, toggle, what: what.to_owned() };
        let points = [
            point("tl_addi_row.sv", line, false, "case"),
            point("tl_addi_row.sv", 1, false, "if"),
            point("tl_load.sv", 32, true, "l1m_addr_o[12]"),
            point("tl_load.sv", 32, true, "l1m_addr_o[11]"),
        ];
        RtlReport::new(&reasons, &points.into_iter().zip(counts).collect())
    }

    #[test]
    fn what_is_missing_has_its_reason_or_is_marked() {
        let report = report([0, 0, 0, 0]);
        let summary = report.summary("tiny");
        assert!(summary.contains("0 of 2 lines and branches reached; 2 not, 1 without a reason"), "{summary}");
        assert!(summary.contains("0 of 2 bits changed; 2 not, 1 without a reason"), "{summary}");
        let text = report.lines.text();
        assert!(text.starts_with("NOT EXPLAINED (1)\n    tl_addi_row.sv:1: if"), "{text}");
        assert!(text.contains("case: default: addend = '0;"), "{text}");
        assert!(report.toggles.text().starts_with("NOT EXPLAINED (1)\n    tl_load.sv:32: l1m_addr_o[11]"));
    }

    #[test]
    fn what_was_reached_against_a_reason_is_reported() {
        let summary = report([1, 1, 1, 1]).summary("tiny");
        assert!(summary.contains("2 of 2 lines and branches reached; 0 not, 0 without a reason"), "{summary}");
        assert_eq!(summary.matches("the reason against it is wrong").count(), 2, "{summary}");
        let summary = report([0, 1, 0, 1]).summary("tiny");
        assert!(!summary.contains("wrong"), "{summary}");
    }
}
