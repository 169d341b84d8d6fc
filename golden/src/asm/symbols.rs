// SPDX-License-Identifier: Apache-2.0
//! Labels and constants, and expressions of them and of numbers.

use std::collections::HashMap;

use super::lexer::unescaped;

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

/// A place in a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// From 1.
    pub line: usize,
    /// Of the statement among all of them, in the order of the source.
    pub number: usize,
    pub address: u32,
}

/// What names stand for.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    /// The value, and the line that says so.
    names: HashMap<String, (Value, usize)>,
    /// Labels that are numbers, which may be used many times.
    numbers: HashMap<String, Vec<Place>>,
}

impl Symbols {
    /// Defines a name; the line where it has been defined before is the error.
    pub(super) fn define(&mut self, name: &str, value: Value, line: usize) -> Result<(), usize> {
        match self.names.insert(name.to_string(), (value, line)) {
            Some((_, before)) => Err(before),
            None => Ok(()),
        }
    }

    /// Defines a label that is a number.
    pub(super) fn define_number(&mut self, digits: &str, place: Place) {
        self.numbers.entry(digits.to_string()).or_default().push(place);
    }

    /// The value of an expression at a place: numbers and names with `+`, `-` and `*` between them, and no white space.
    pub(super) fn evaluate(&self, text: &str, place: Place) -> Result<Value, NoValue> {
        if text.starts_with('\'') {
            return self.factor(text, place);
        }
        let mut sum = Value { number: 0, is_address: false };
        let mut rest = text;
        let mut sign = 1;
        if let Some(negated) = rest.strip_prefix('-') {
            (rest, sign) = (negated, -1);
        }
        loop {
            let end = rest.find(['+', '-']).unwrap_or(rest.len());
            let (term, behind) = rest.split_at(end);
            let term = self.product(term, place)?;
            let number = term.number.checked_mul(sign).and_then(|number| sum.number.checked_add(number));
            sum.number = number.ok_or(NoValue::Syntax)?;
            // An address and a number is an address, the difference of two is a number.
            sum.is_address = sum.is_address != term.is_address;
            let Some(operator) = behind.chars().next() else { return Ok(sum) };
            (rest, sign) = (&behind[1..], if operator == '-' { -1 } else { 1 });
        }
    }

    fn product(&self, text: &str, place: Place) -> Result<Value, NoValue> {
        let mut factors = text.split('*');
        let first = self.factor(factors.next().unwrap_or_default(), place)?;
        factors.try_fold(first, |product, factor| {
            let number = product.number.checked_mul(self.factor(factor, place)?.number).ok_or(NoValue::Syntax)?;
            Ok(Value { number, is_address: false })
        })
    }

    fn factor(&self, text: &str, place: Place) -> Result<Value, NoValue> {
        let address = |address: u32| Value { number: address.into(), is_address: true };
        if let Some(number) = number(text) {
            return Ok(Value { number, is_address: false });
        }
        if text == "." {
            return Ok(address(place.address));
        }
        if let Some(label) = self.numbered(text, place) {
            return label.map(address).ok_or_else(|| NoValue::Unknown(text.to_string()));
        }
        if !is_name(text) {
            return Err(NoValue::Syntax);
        }
        self.names.get(text).map(|found| found.0).ok_or_else(|| NoValue::Unknown(text.to_string()))
    }

    /// The address of `1b`, the last label `1:` up to here, or of `1f`, the next one; `None` when it is neither.
    fn numbered(&self, text: &str, here: Place) -> Option<Option<u32>> {
        let (digits, direction) = text.split_at_checked(text.len().checked_sub(1)?)?;
        if !is_label_number(digits) || !matches!(direction, "b" | "f") {
            return None;
        }
        let places = self.numbers.get(digits).into_iter().flatten();
        let found = match direction {
            "b" => places.filter(|place| place.number <= here.number).max_by_key(|place| place.number),
            _ => places.filter(|place| place.number > here.number).min_by_key(|place| place.number),
        };
        Some(found.map(|place| place.address))
    }
}

/// Whether it can be a label that is a number.
pub(super) fn is_label_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

/// Whether it can be the name of a label or constant.
pub(super) fn is_name(text: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '.' | '$');
    text.starts_with(begins) && text.chars().all(|c| begins(c) || c.is_ascii_digit())
}

/// A number without a sign: decimal, `0x`, `0b`, octal behind a 0, or a character.
fn number(text: &str) -> Option<i64> {
    if let Some(character) = text.strip_prefix('\'') {
        let inner = character.strip_suffix('\'').filter(|inner| !matches!(*inner, "" | "\\")).unwrap_or(character);
        return match unescaped(inner)?[..] {
            [byte] => Some(byte.into()),
            _ => None,
        };
    }
    let (digits, radix) = match text.get(..2) {
        Some("0x" | "0X") => (&text[2..], 16),
        Some("0b" | "0B") => (&text[2..], 2),
        Some(_) if text.starts_with('0') => (text, 8),
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
        let value = |text| symbols().evaluate(text, Place::default()).ok().map(|value| value.number);
        assert_eq!(value("10"), Some(10));
        assert_eq!(value("-0x1F"), Some(-31));
        assert_eq!((value("0b1010"), value("0B11"), value("0X1f")), (Some(10), Some(3), Some(31)));
        assert_eq!((value("010"), value("-017"), value("0")), (Some(8), Some(-15), Some(0)));
        let characters = ["'a'", "'a", r"'\n'", r"'\''", r"'\\'", "' '", "'-'"];
        assert_eq!(characters.map(value), [97, 97, 10, 39, 92, 32, 45].map(Some));
        for text in [
            "",
            "-",
            "--1",
            "+1",
            "0x",
            "0x-1",
            "0b2",
            "1_000",
            "99999999999999999999",
            "1+",
            "2*",
            "x+-1",
            "08",
            "'",
            "'ab'",
            "'é'",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn an_address_and_a_number_is_an_address() {
        let value = |text| symbols().evaluate(text, Place::default()).map(|value| (value.number, value.is_address));
        assert_eq!(value("N*4-1"), Ok((23, false)));
        assert_eq!(value("a+N*2"), Ok((0x10c, true)));
        assert_eq!(value("b-a"), Ok((0x40, false)));
        assert_eq!(value("c+1"), Err(NoValue::Unknown("c".into())));
        assert_eq!(value("9223372036854775807+1"), Err(NoValue::Syntax));
        assert_eq!(symbols().define("N", Value { number: 1, is_address: false }, 9), Err(1));
    }
}
