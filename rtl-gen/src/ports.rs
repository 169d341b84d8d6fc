// SPDX-License-Identifier: Apache-2.0
//! The ports of a module, read from its text.

/// A port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port<'a> {
    /// Its name.
    pub name: &'a str,
    /// The module reads it.
    pub is_input: bool,
    /// Its type, without `tl_pkg::`.
    pub ty: String,
}

/// The ports that the text of one module declares, in order: a line for each, as Verible wants it.
pub fn ports(text: &str) -> Vec<Port<'_>> {
    let port = |line| {
        let code: &str = str::split(line, "//").next()?;
        let mut words = code.trim().trim_end_matches(',').split_whitespace();
        let direction = words.next()?;
        let name = words.next_back()?;
        let ty = words.collect::<Vec<_>>().join(" ").replace("tl_pkg::", "");
        ["input", "output"].contains(&direction).then(|| Port { name, is_input: direction == "input", ty })
    };
    text.lines().take_while(|line| *line != ");").filter_map(port).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_have_their_direction_type_and_name() {
        let text = "module m (\n  input  logic clk_i, // input\n\n  // input or output\n  output tl_pkg::a_t [3:0] b_o\n);\n\
                    function f(\n  input c\n);\n";
        let port = |name, is_input, ty: &str| Port { name, is_input, ty: ty.into() };
        assert_eq!(ports(text), [port("clk_i", true, "logic"), port("b_o", false, "a_t [3:0]")]);
    }
}
