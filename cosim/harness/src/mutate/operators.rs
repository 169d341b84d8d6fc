// SPDX-License-Identifier: Apache-2.0
//! What takes the place of an operator or a number.

use super::mutant::Kind;

/// The operators that take the place of a binary one.
pub fn binary(operator: &str) -> (Kind, &'static [&'static str]) {
    match operator {
        "+" => (Kind::Operator, &["-"]),
        "-" | "*" => (Kind::Operator, &["+"]),
        "&" => (Kind::Operator, &["|"]),
        "|" => (Kind::Operator, &["&"]),
        "^" => (Kind::Operator, &["&", "|"]),
        "&&" => (Kind::Operator, &["||"]),
        "||" => (Kind::Operator, &["&&"]),
        "<<" => (Kind::Operator, &[">>"]),
        ">>" => (Kind::Operator, &["<<"]),
        "==" => (Kind::Comparison, &["!="]),
        "!=" => (Kind::Comparison, &["=="]),
        "<" => (Kind::Comparison, &["<=", ">="]),
        "<=" => (Kind::Comparison, &["<", ">"]),
        ">" => (Kind::Comparison, &[">=", "<="]),
        ">=" => (Kind::Comparison, &[">", "<"]),
        _ => (Kind::Operator, &[]),
    }
}

/// The operators that take the place of a unary one which makes one bit of many.
pub fn reduction(operator: &str) -> &'static [&'static str] {
    match operator {
        "&" => &["|"],
        "|" => &["&"],
        "^" => &["|"],
        _ => &[],
    }
}

/// A number, greater and less by one, as wide as it was and to the same base.
pub fn by_one(number: &str) -> Vec<String> {
    match number {
        "'0" => return vec!["'1".into()],
        "'1" => return vec!["'0".into()],
        _ => {}
    }
    let Some((width, digits)) = number.split_once('\'') else {
        let Ok(value) = number.replace('_', "").parse::<u32>() else { return Vec::new() };
        return [value.checked_add(1), value.checked_sub(1)]
            .into_iter()
            .flatten()
            .map(|value| value.to_string())
            .collect();
    };
    let (base, digits) = digits.split_at(digits.len().min(1));
    let radix = match base {
        "b" => 2,
        "o" => 8,
        "d" => 10,
        "h" => 16,
        _ => return Vec::new(),
    };
    let Ok(bits @ 1..=64) = width.trim().parse::<u32>() else { return Vec::new() };
    let Ok(value) = u64::from_str_radix(&digits.trim().replace('_', ""), radix) else { return Vec::new() };
    let most = u64::MAX >> (64 - bits);
    let shown = |value: u64| match base {
        "b" => format!("{width}'b{value:0width$b}", width = bits as usize),
        "o" => format!("{width}'o{value:o}"),
        "d" => format!("{width}'d{value}"),
        _ => format!("{width}'h{value:x}"),
    };
    let mut values = vec![value.wrapping_add(1) & most, value.wrapping_sub(1) & most];
    values.dedup();
    values.into_iter().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_change_by_one_and_keep_their_width() {
        assert_eq!(by_one("5'd0"), ["5'd1", "5'd31"]);
        assert_eq!(by_one("4'b0111"), ["4'b1000", "4'b0110"]);
        assert_eq!(by_one("1'b1"), ["1'b0"]);
        assert_eq!(by_one("32'hffff_ffff"), ["32'h0", "32'hfffffffe"]);
        assert_eq!(by_one("0"), ["1"]);
        assert_eq!(by_one("'0"), ["'1"]);
        assert!(by_one("4'bx01?").is_empty() && by_one("8'sd1").is_empty() && by_one("Width'd1").is_empty());
    }

    #[test]
    fn no_operator_takes_its_own_place() {
        for operator in ["+", "-", "*", "&", "|", "^", "&&", "||", "<<", ">>", "==", "!=", "<", "<=", ">", ">="] {
            let (_, others) = binary(operator);
            assert!(!others.is_empty() && others.iter().all(|other| *other != operator), "{operator}");
        }
    }
}
