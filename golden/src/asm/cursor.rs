// SPDX-License-Identifier: Apache-2.0
//! Reads the operands of one line, left to right. Each method takes one operand or says what belongs there.

use super::error::Fault;
use super::lexer::Token;
use super::symbols::{NoValue, Symbols, Value, is_name};
use super::{data, pseudo, registers, rv32};
use crate::csr::Csr;
use crate::decode::{Host, Isa};
use crate::hart::HartCsr;
use crate::isa::{csr, matrix, tensor};

pub(crate) struct Cursor<'a> {
    tokens: &'a [Token<'a>],
    next: usize,
    end_column: usize,
    isa: Isa,
    symbols: &'a Symbols,
    /// Address of the line.
    here: u32,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tokens: &'a [Token<'a>], line: &str, isa: Isa, symbols: &'a Symbols, here: u32) -> Self {
        let after_last = tokens.last().map(|t| t.column + t.text.chars().count());
        Self { tokens, next: 0, end_column: after_last.unwrap_or(line.chars().count() + 1), isa, symbols, here }
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
    pub(super) fn mnemonic(&mut self) -> Option<&'a str> {
        let token = self.peek()?;
        self.next += 1;
        Some(token.text)
    }

    /// The error for a mnemonic that no family knows.
    pub(super) fn unknown(&self, mnemonic: &str) -> Fault {
        let matrix: &[&str] = if self.isa.matrix { &matrix::PATTERNS } else { &[] };
        let host = Host::all().map(Host::mnemonic).chain(csr::mnemonics());
        let unit = tensor::mnemonics().chain(matrix.iter().copied());
        let rest = rv32::mnemonics().chain(pseudo::MNEMONICS).chain(data::DIRECTIVES);
        let known: Vec<&str> = unit.chain(host).chain(rest).collect();
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
            let by_name = by_name.or_else(|| HartCsr::from_name(text).map(HartCsr::address));
            let number = |text| self.symbols.evaluate(text).ok().map(|value| value.number);
            by_name.or_else(|| number(text).and_then(|value| u16::try_from(value).ok()).filter(|&a| a < 0x1000))
        };
        let matrix = if isa.matrix { "mtilem, mtilen, mtilek, xtlenb, xtrlenb, xalenb, " } else { "" };
        let host: Vec<&str> = HartCsr::all().map(HartCsr::name).collect();
        let host = host.join(", ");
        let what = format!(
            "a CSR (ttype, tshape, tmask_load, tmask_store, tmask_concat_1, tmask_concat_2, tload_width, tstore_width, \
             tload_stride0 to tload_stride31, tstore_stride0 to tstore_stride31, tlenb, {matrix}one of their aliases, \
             {host}, or a number, 0 to 4095)"
        );
        self.take(&what, read)
    }

    /// An integer, `low` to `high`.
    pub(crate) fn integer(&mut self, what: &str, low: i64, high: i64) -> Result<i64, Fault> {
        let (start, value) = (self.next, self.value());
        match value {
            Ok(value) if (low..=high).contains(&value.number) => Ok(value.number),
            _ => {
                // What is wrong is wrong with the first token, where the value is one of several.
                self.next = start;
                let fault = self.expected(&format!("{what}, {low} to {high} (decimal, 0x or 0b)"));
                Err(self.with_unknown(fault))
            }
        }
    }

    /// An expression, or the upper or lower part of one: `%hi(label)`, `%lo(label)`.
    pub(super) fn value(&mut self) -> Result<Value, Fault> {
        let part = |value: Value, text| {
            let number = value.number as u32;
            let low = (number << 20) as i32 >> 20;
            let number = if text == "%hi" { i64::from(number.wrapping_add(0x800) >> 12) } else { i64::from(low) };
            Value { number, is_address: false }
        };
        match self.peek().map(|token| token.text) {
            Some(text @ ("%hi" | "%lo")) => {
                self.next += 1;
                self.take("`(`", |text| (text == "(").then_some(()))?;
                let value = self.value()?;
                self.take("`)`", |text| (text == ")").then_some(()))?;
                Ok(part(value, text))
            }
            text => match self.symbols.evaluate(text.unwrap_or_default()) {
                Ok(value) => {
                    self.next += 1;
                    Ok(value)
                }
                Err(_) => {
                    let fault = self.expected("a number, a constant or a label");
                    Err(self.with_unknown(fault))
                }
            },
        }
    }

    /// Says of a name that nothing defines that nothing does.
    fn with_unknown(&self, mut fault: Fault) -> Fault {
        let text = self.peek().map_or("", |token| token.text);
        let registers = [registers::tl, registers::gpr];
        if let Err(NoValue::Unknown(name)) = self.symbols.evaluate(text)
            && registers.iter().all(|register| register(&name).is_none())
        {
            fault.message += &format!("; nothing before or after defines `{name}`");
        }
        fault
    }

    /// The name of a constant, and its column.
    pub(super) fn name(&mut self) -> Result<(&'a str, usize), Fault> {
        let token = self.peek();
        match token.filter(|token| is_name(token.text)) {
            Some(token) => {
                self.next += 1;
                Ok((token.text, token.column))
            }
            None => Err(self.expected("a name: letters, digits, `_`, `.` and `$`, no digit first")),
        }
    }

    /// The bytes from here to a label.
    pub(super) fn from_here(&mut self) -> Result<i64, Fault> {
        let start = self.next;
        let value = self.value()?;
        if value.is_address {
            return Ok(value.number - i64::from(self.here));
        }
        self.next = start;
        Err(self.expected("a label"))
    }

    /// Where a branch goes.
    pub(super) fn near(&mut self) -> Result<i64, Fault> {
        self.target(4096, "; a branch over `j` reaches farther")
    }

    /// Where a jump goes.
    pub(super) fn far(&mut self) -> Result<i64, Fault> {
        self.target(1 << 20, "; `la` and `jr` reach farther")
    }

    /// A label, or the bytes from here to the target.
    fn target(&mut self, reach: i64, farther: &str) -> Result<i64, Fault> {
        let (start, value) = (self.next, self.value()?);
        let offset = if value.is_address { value.number - i64::from(self.here) } else { value.number };
        if (-reach..reach).contains(&offset) && offset % 2 == 0 {
            return Ok(offset);
        }
        self.next = start;
        let far = format!("a label, or an even number of bytes from here, {} to {}", -reach, reach - 2);
        let Fault { column, message } = self.expected(&far);
        let message =
            if value.is_address { format!("{message}, which is {offset} bytes away{farther}") } else { message };
        Err(Fault { column, message })
    }

    /// A signed 12-bit immediate.
    pub(super) fn imm12(&mut self) -> Result<i64, Fault> {
        self.integer("imm12", -2048, 2047)
    }

    /// The imm12 of `imm12(rs1)`, which can be left out when it is 0.
    pub(super) fn offset12(&mut self) -> Result<i64, Fault> {
        if self.looks_like(&[Some("(")]) { Ok(0) } else { self.imm12() }
    }

    /// Some of the letters of a fence, in their order.
    pub(super) fn fence_set(&mut self) -> Result<u8, Fault> {
        let read = |text: &str| {
            let set = rv32::FENCE.iter().fold(0, |set, &letter| set << 1 | u8::from(text.contains(letter)));
            let canonical: String =
                rv32::FENCE.iter().enumerate().filter(|(i, _)| set >> (3 - i) & 1 == 1).map(|(_, c)| c).collect();
            (set != 0 && canonical == text).then_some(set)
        };
        self.take("a set of accesses: some of the letters iorw, in this order", read)
    }

    /// Whether nothing follows.
    pub(super) fn at_end(&self) -> bool {
        self.peek().is_none()
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
