// SPDX-License-Identifier: Apache-2.0
//! Reads the operands of one line, left to right. Each method takes one operand or says what belongs there.

use super::error::Fault;
use super::lexer::Token;
use super::{pseudo, registers};
use crate::csr::Csr;
use crate::decode::{Host, Isa};
use crate::isa::{csr, matrix, tensor};

pub(crate) struct Cursor<'a> {
    tokens: &'a [Token<'a>],
    next: usize,
    end_column: usize,
    isa: Isa,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tokens: &'a [Token<'a>], line: &str, isa: Isa) -> Self {
        let after_last = tokens.last().map(|t| t.column + t.text.chars().count());
        Self { tokens, next: 0, end_column: after_last.unwrap_or(line.chars().count() + 1), isa }
    }

    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.next).copied()
    }

    /// Whether the tokens from here on begin with these; `None` stands for any one token.
    pub(crate) fn looks_like(&self, pattern: &[Option<&str>]) -> bool {
        pattern.iter().enumerate().all(|(i, expected)| {
            self.tokens.get(self.next + i).is_some_and(|token| expected.is_none_or(|text| text == token.text))
        })
    }

    /// The text of the token `offset` after this one, for messages.
    pub(crate) fn text_at(&self, offset: usize) -> &'a str {
        self.tokens.get(self.next + offset).map_or("", |token| token.text)
    }

    /// The text of the token `offset` before this one, for messages.
    pub(crate) fn text_before(&self, offset: usize) -> &'a str {
        let at = self.next.checked_sub(offset);
        at.and_then(|at| self.tokens.get(at)).map_or("", |token| token.text)
    }

    /// An error at the next token.
    pub(crate) fn fault(&self, message: impl Into<String>) -> Fault {
        Fault { column: self.peek().map_or(self.end_column, |token| token.column), message: message.into() }
    }

    fn expected(&self, what: &str) -> Fault {
        match self.peek() {
            Some(token) => self.fault(format!("expected {what}, found `{}`", token.text)),
            None => self.fault(format!("expected {what}, found the end of the line")),
        }
    }

    /// Takes the next token if `read` makes something of it.
    fn take<T>(&mut self, what: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, Fault> {
        let value = self.peek().and_then(|token| read(token.text)).ok_or_else(|| self.expected(what))?;
        self.next += 1;
        Ok(value)
    }

    /// The first word of the line, or `None` when the line is empty.
    pub(super) fn mnemonic(&mut self) -> Result<Option<&'a str>, Fault> {
        let Some(token) = self.peek() else { return Ok(None) };
        if token.text.ends_with(':') {
            return Err(self.fault("labels are not supported: programs are straight-line code"));
        }
        self.next += 1;
        Ok(Some(token.text))
    }

    /// The error for a mnemonic that no family knows.
    pub(super) fn unknown(&self, mnemonic: &str) -> Fault {
        let matrix: &[&str] = if self.isa.matrix { &matrix::PATTERNS } else { &[] };
        let host = Host::all().map(Host::mnemonic).chain(csr::mnemonics());
        let unit = tensor::mnemonics().chain(matrix.iter().copied());
        let known: Vec<&str> = unit.chain(host).chain(pseudo::MNEMONICS).collect();
        let lower = mnemonic.to_lowercase();
        let hint = if lower == mnemonic {
            format!("known are {}", known.join(", "))
        } else {
            format!("mnemonics are lower case: `{lower}`")
        };
        self.bad_mnemonic(mnemonic, &hint)
    }

    /// An error at the mnemonic.
    pub(crate) fn bad_mnemonic(&self, mnemonic: &str, hint: &str) -> Fault {
        let column = self.tokens.first().map_or(1, |token| token.column);
        Fault { column, message: format!("unknown instruction `{mnemonic}`; {hint}") }
    }

    pub(crate) fn comma(&mut self) -> Result<(), Fault> {
        self.take("`,`", |text| (text == ",").then_some(()))
    }

    /// A TLReg.
    pub(crate) fn tl(&mut self) -> Result<u8, Fault> {
        self.take("a TLReg (tl0 to tl31, also written tlr0 or t0)", registers::tl)
    }

    /// The number of a tile register.
    pub(crate) fn tr(&mut self) -> Result<u8, Fault> {
        self.take("a tile register (tr0 to tr3)", |text| registers::matrix(text, "tr"))
    }

    /// The number of an accumulation register.
    pub(crate) fn acc(&mut self) -> Result<u8, Fault> {
        self.take("an accumulation register (acc0 to acc3)", |text| registers::matrix(text, "acc"))
    }

    /// A host register.
    pub(crate) fn gpr(&mut self) -> Result<u8, Fault> {
        self.take("a host register (x0 to x31 or an ABI name)", registers::gpr)
    }

    /// A CSR name, or a number that is a CSR address.
    pub(crate) fn csr(&mut self) -> Result<u16, Fault> {
        let isa = self.isa;
        let read = |text: &str| {
            let by_name = Csr::from_name(text).filter(|&csr| isa.has(csr)).map(Csr::address);
            by_name.or_else(|| number(text).and_then(|value| u16::try_from(value).ok()).filter(|&a| a < 0x1000))
        };
        let matrix = if isa.matrix { "mtilem, mtilen, mtilek, xtlenb, xtrlenb, xalenb, " } else { "" };
        let what = format!(
            "a CSR (ttype, tshape, tmask_load, tmask_store, tmask_concat_1, tmask_concat_2, tload_width, tstore_width, \
             tload_stride0 to tload_stride31, tstore_stride0 to tstore_stride31, tlenb, {matrix}one of their aliases, \
             or a number, 0 to 4095)"
        );
        self.take(&what, read)
    }

    /// An integer, `low` to `high`.
    pub(crate) fn integer(&mut self, what: &str, low: i64, high: i64) -> Result<i64, Fault> {
        let in_range = |text: &str| number(text).filter(|value| (low..=high).contains(value));
        self.take(&format!("{what}, {low} to {high} (decimal, 0x or 0b)"), in_range)
    }

    /// A signed 8-bit immediate.
    pub(crate) fn imm8(&mut self) -> Result<i8, Fault> {
        self.integer("imm8", -128, 127).map(|value| value as i8)
    }

    /// The imm8 of `imm8(rs)`, which can be left out when it is 0.
    pub(crate) fn offset(&mut self) -> Result<i8, Fault> {
        if self.looks_like(&[Some("(")]) { Ok(0) } else { self.imm8() }
    }

    /// `(rs)`.
    pub(crate) fn base(&mut self) -> Result<u8, Fault> {
        self.take("`(`", |text| (text == "(").then_some(()))?;
        let rs = self.gpr()?;
        self.take("`)`", |text| (text == ")").then_some(()))?;
        Ok(rs)
    }

    /// Nothing may follow.
    pub(super) fn end(&self) -> Result<(), Fault> {
        if self.peek().is_none() { Ok(()) } else { Err(self.expected("the end of the line")) }
    }
}

/// A number: decimal, `0x` or `0b`, with an optional sign.
fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (digits, radix) = match (digits.strip_prefix("0x"), digits.strip_prefix("0b")) {
        (Some(hex), _) => (hex, 16),
        (_, Some(binary)) => (binary, 2),
        _ => (digits, 10),
    };
    // `from_str_radix` takes a sign of its own, which has no place after ours.
    let first_is_digit = digits.starts_with(|c: char| c.is_digit(radix));
    let value = if first_is_digit { i64::from_str_radix(digits, radix).ok()? } else { return None };
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_in_every_base() {
        assert_eq!(number("10"), Some(10));
        assert_eq!(number("-0x1F"), Some(-31));
        assert_eq!(number("0b1010"), Some(10));
        for text in ["", "-", "--1", "+1", "0x", "0x-1", "0b2", "1_000", "ten", "99999999999999999999"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
