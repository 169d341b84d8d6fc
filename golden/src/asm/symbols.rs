// SPDX-License-Identifier: Apache-2.0
//! Labels and constants, and expressions of them and of numbers.

use std::collections::HashMap;

/// A value in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub number: i64,
    /// Whether it is an address: that of a label, and what is added to one.
    pub is_address: bool,
}

/// Why an operand has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoValue {
    /// Neither a number nor an expression.
    Syntax,
    /// A name that no line defines.
    Unknown(String),
}

/// What names stand for: the value, and the line that says so.
#[derive(Debug, Default)]
pub(super) struct Symbols(HashMap<String, (Value, usize)>);

impl Symbols {
    /// Defines a name; the line where it has been defined before is the error.
    pub(super) fn define(&mut self, name: &str, value: Value, line: usize) -> Result<(), usize> {
        match self.0.insert(name.to_string(), (value, line)) {
            Some((_, before)) => Err(before),
            None => Ok(()),
        }
    }

    /// The value of an expression: numbers and names with `+`, `-` and `*` between them, and no white space.
    pub(super) fn evaluate(&self, text: &str) -> Result<Value, NoValue> {
        let mut sum = Value { number: 0, is_address: false };
        let mut rest = text;
        let mut sign = 1;
        if let Some(negated) = rest.strip_prefix('-') {
            (rest, sign) = (negated, -1);
        }
        loop {
            let end = rest.find(['+', '-']).unwrap_or(rest.len());
            let (term, behind) = rest.split_at(end);
            let term = self.product(term)?;
            let number = term.number.checked_mul(sign).and_then(|number| sum.number.checked_add(number));
            sum.number = number.ok_or(NoValue::Syntax)?;
            // An address and a number is an address, the difference of two is a number.
            sum.is_address = sum.is_address != term.is_address;
            let Some(operator) = behind.chars().next() else { return Ok(sum) };
            (rest, sign) = (&behind[1..], if operator == '-' { -1 } else { 1 });
        }
    }

    fn product(&self, text: &str) -> Result<Value, NoValue> {
        let mut factors = text.split('*');
        let first = self.factor(factors.next().unwrap_or_default())?;
        factors.try_fold(first, |product, factor| {
            let number = product.number.checked_mul(self.factor(factor)?.number).ok_or(NoValue::Syntax)?;
            Ok(Value { number, is_address: false })
        })
    }

    fn factor(&self, text: &str) -> Result<Value, NoValue> {
        if let Some(number) = number(text) {
            return Ok(Value { number, is_address: false });
        }
        if !is_name(text) {
            return Err(NoValue::Syntax);
        }
        self.0.get(text).map(|found| found.0).ok_or_else(|| NoValue::Unknown(text.to_string()))
    }
}

/// Whether it can be the name of a label or constant.
pub(super) fn is_name(text: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '.' | '$');
    text.starts_with(begins) && text.chars().all(|c| begins(c) || c.is_ascii_digit())
}

/// A number without a sign: decimal, `0x` or `0b`.
fn number(text: &str) -> Option<i64> {
    let (digits, radix) = match (text.strip_prefix("0x"), text.strip_prefix("0b")) {
        (Some(hex), _) => (hex, 16),
        (_, Some(binary)) => (binary, 2),
        _ => (text, 10),
    };
    // `from_str_radix` takes a sign of its own, which has no place here.
    let first_is_digit = digits.starts_with(|c: char| c.is_digit(radix));
    if first_is_digit { i64::from_str_radix(digits, radix).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols() -> Symbols {
        let mut symbols = Symbols::default();
        symbols.define("N", Value { number: 6, is_address: false }, 1).expect("new");
        symbols.define("a", Value { number: 0x100, is_address: true }, 2).expect("new");
        symbols.define("b", Value { number: 0x140, is_address: true }, 3).expect("new");
        symbols
    }

    #[test]
    fn numbers_in_every_base() {
        let value = |text| symbols().evaluate(text).ok().map(|value| value.number);
        assert_eq!(value("10"), Some(10));
        assert_eq!(value("-0x1F"), Some(-31));
        assert_eq!(value("0b1010"), Some(10));
        for text in ["", "-", "--1", "+1", "0x", "0x-1", "0b2", "1_000", "99999999999999999999", "1+", "2*", "x+-1"] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn an_address_and_a_number_is_an_address() {
        let value = |text| symbols().evaluate(text).map(|value| (value.number, value.is_address));
        assert_eq!(value("N*4-1"), Ok((23, false)));
        assert_eq!(value("a+N*2"), Ok((0x10c, true)));
        assert_eq!(value("b-a"), Ok((0x40, false)));
        assert_eq!(value("c+1"), Err(NoValue::Unknown("c".into())));
        assert_eq!(value("9223372036854775807+1"), Err(NoValue::Syntax));
        assert_eq!(symbols().define("N", Value { number: 1, is_address: false }, 9), Err(1));
    }
}
