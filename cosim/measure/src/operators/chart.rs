// SPDX-License-Identifier: Apache-2.0
//! Shares as a picture of bars.

use std::fmt::Write;

/// A bar for each configuration: name of the configuration, share, what is written at its end.
pub type Bars = Vec<(String, f64, String)>;

const COLOURS: [&str; 4] = ["#3b6fb6", "#e08e2b", "#5a9a4a", "#8a5aa8"];
const LEFT: usize = 270;
const WIDTH: usize = 460;
const BAR: usize = 11;
const TOP: usize = 34;

/// The picture, as SVG. The line is a share of 1.
pub fn svg(title: &str, rows: &[(String, Bars)]) -> String {
    let height: usize = TOP + rows.iter().map(|(_, bars)| bars.len() * BAR + 8).sum::<usize>() + 8;
    let full = LEFT + WIDTH + 90;
    // Writing to a string cannot fail.
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{full}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let line = LEFT + WIDTH;
    let _ = writeln!(text, "<text x=\"{LEFT}\" y=\"14\">{title}</text>");
    for (i, (name, ..)) in
        rows.iter().flat_map(|(_, bars)| bars).take(rows.first().map_or(0, |r| r.1.len())).enumerate()
    {
        let (x, colour) = (LEFT + 260 + 70 * i, COLOURS[i % COLOURS.len()]);
        let _ = writeln!(text, "<rect x=\"{x}\" y=\"5\" width=\"10\" height=\"10\" fill=\"{colour}\"/>");
        let _ = writeln!(text, "<text x=\"{}\" y=\"14\">{name}</text>", x + 14);
    }
    let _ =
        writeln!(text, "<line x1=\"{line}\" y1=\"{}\" x2=\"{line}\" y2=\"{}\" stroke=\"#888\"/>", TOP - 10, height - 6);
    let mut y = TOP;
    for (name, bars) in rows {
        let middle = y + bars.len() * BAR / 2 + 4;
        let _ = writeln!(text, "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{name}</text>", LEFT - 8);
        for (i, (_, share, label)) in bars.iter().enumerate() {
            let (width, colour) = ((share * WIDTH as f64).round(), COLOURS[i % COLOURS.len()]);
            let _ = writeln!(
                text,
                "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{width}\" height=\"{}\" fill=\"{colour}\"/>\n\
                 <text x=\"{}\" y=\"{}\" font-size=\"9\">{label}</text>",
                BAR - 1,
                LEFT as f64 + width + 4.0,
                y + BAR - 2
            );
            y += BAR;
        }
        y += 8;
    }
    text + "</svg>\n"
}
