// SPDX-License-Identifier: Apache-2.0
//! The text of a file with several mutants, of which a wire of the module selects one.

use super::mutant::Edit;
use crate::model::source::SourceFile;

/// Bits of the number that selects a mutant.
pub const BITS: u32 = 16;

/// A number that selects no mutant, above those of all mutants.
pub const NONE: u32 = (1 << BITS) - 1;

/// Wire of a module that carries the number.
pub const WIRE: &str = "active_mutant";

/// The module that drives it.
pub const SELECT: &str = "active_mutant_select";

/// The C function that it asks.
const NUMBER: &str = "active_mutant_number";

/// The head of this module.
fn head() -> String {
    format!("module {SELECT} (output logic [{}:0] sel_o);\n", BITS - 1)
}

/// The module without contents, for Yosys.
pub fn black_box() -> SourceFile {
    SourceFile { name: "active_mutant_box.sv".into(), text: format!("(* blackbox *)\n{}endmodule\n", head()) }
}

/// The module for Verilator. The bench sets the number once, before the first clock edge: a mutant lives from
/// power-up on.
pub fn number() -> SourceFile {
    let text = format!(
        "// The mutant that is active.\n{}  import \"DPI-C\" function int {NUMBER}();\n  \
         initial sel_o = {BITS}'({NUMBER}());\nendmodule\n",
        head()
    );
    SourceFile { name: format!("{SELECT}.sv"), text }
}

/// The C++ of the number, a variable called [`WIRE`], for the glue of the model.
pub fn variable() -> String {
    format!(
        "static thread_local std::uint32_t {WIRE};\n\
         extern \"C\" int {NUMBER}() {{ return static_cast<int>({WIRE}); }}\n"
    )
}

/// Marks the line with what a mutant has in the place of what was there.
const MARK: &str = "// mutant ";

/// An edit of the mutant of this number.
pub type Numbered<'a> = (u32, &'a Edit);

/// The text with all of these edits, each of which has its effect when its number is selected. An edit may be within
/// another one, but not partly. A module whose header ends at one of `headers` gets the wire, if there is an edit in
/// it.
pub fn with(text: &str, headers: &[usize], edits: &[Numbered]) -> String {
    let mut sorted = edits.to_vec();
    sorted.sort_by_key(|(number, edit)| (edit.range.start, usize::MAX - edit.range.end, !edit.statement, *number));
    let mut result = String::with_capacity(2 * text.len());
    let mut rest = &sorted[..];
    let ends = headers.iter().copied().chain([text.len()]);
    let mut start = 0;
    for (number, end) in ends.enumerate() {
        if number > 0 && rest.first().is_some_and(|(_, edit)| edit.range.end <= end) {
            let wire =
                format!("(* keep *) logic [{}:0] {WIRE};\n  {SELECT} u_mutant_select (.sel_o({WIRE}));", BITS - 1);
            result.push_str(&format!("\n  {wire}\n"));
        }
        write(text, start..end, &mut rest, &mut result);
        start = end;
    }
    result
}

/// Writes a part of the text, and takes the edits in it from `rest`.
fn write(text: &str, range: std::ops::Range<usize>, rest: &mut &[Numbered], result: &mut String) {
    let mut at = range.start;
    while let Some((&(number, edit), behind)) = rest.split_first().filter(|((_, edit), _)| edit.range.end <= range.end)
    {
        *rest = behind;
        let Edit { range: place, after, spelling, statement } = edit;
        let after = spelling.as_ref().unwrap_or(after);
        result.push_str(&text[at..place.start]);
        let (begin, between, end) = match statement {
            true => ("begin if ", ["begin", "end else begin"], " end end"),
            false => ("(", ["? (", ") : ("], "))"),
        };
        let [first, second] = between;
        result.push_str(&format!("{begin}({WIRE} == {BITS}'d{number}) {first}\n{after} {MARK}{number}\n{second} "));
        write(text, place.clone(), rest, result);
        result.push_str(end);
        at = place.end;
    }
    result.push_str(&text[at..range.end]);
}

/// The mutant that a line is the text of.
pub fn mutant_on(line: &str) -> Option<u32> {
    line.rsplit_once(MARK)?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(range: std::ops::Range<usize>, after: &str, statement: bool) -> Edit {
        Edit { range, after: after.into(), spelling: None, statement }
    }

    #[test]
    fn an_expression_within_another_one_is_changed_when_its_own_mutant_is_selected() {
        let (sum, number) = (edit(4..9, "a - 1", false), edit(8..9, "2", false));
        let text = with("x = a + 1;", &[], &[(2, &number), (1, &sum)]);
        let expected = "x = ((active_mutant == 16'd1) ? (\na - 1 // mutant 1\n) : ( a + ((active_mutant == 16'd2) ? (\n2 // mutant 2\n) : ( 1))));";
        assert_eq!(text, expected);
        assert_eq!(text.lines().filter_map(mutant_on).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn statements_stay_one_statement() {
        let text = with("if (a) x <= 1; else y <= 1;", &[], &[(7, &edit(7..14, "", true))]);
        let expected =
            "if (a) begin if (active_mutant == 16'd7) begin\n // mutant 7\nend else begin x <= 1; end end else y <= 1;";
        assert_eq!(text, expected);
    }
}
