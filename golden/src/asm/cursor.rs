// SPDX-License-Identifier: Apache-2.0
//! Reads the operands of one line, left to right. Each method takes one operand or says what belongs there.

use std::ops::RangeInclusive;

use super::error::Fault;
use super::lexer::{Token, unescaped};
use super::registers;
use super::symbols::{NoValue, Place, Symbols, Value, is_name};
use crate::csr::{ADAPTER_CSRS, Csr};
use crate::decode::{CsrEncoding, Isa};
use crate::hart::{HartCsr, RAM_BYTES};

/// Addresses with an n, the field [27:20] of the unit's encoding: their low eight bits.
pub(super) const CSRS_WITH_N: [RangeInclusive<u16>; 2] = [0x800..=0x8BF, 0xCC0..=0xCFF];

pub(super) struct Cursor<'a> {
    tokens: &'a [Token<'a>],
    next: usize,
    isa: Isa,
    symbols: &'a Symbols,
    here: Place,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tokens: &'a [Token<'a>], isa: Isa, symbols: &'a Symbols, here: Place) -> Self {
        Self { tokens, next: 0, isa, symbols, here }
    }

    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.next).copied()
    }

    /// Whether the tokens from here on begin with these; `None` stands for any one token.
    pub(super) fn looks_like(&self, pattern: &[Option<&str>]) -> bool {
        pattern.iter().enumerate().all(|(i, expected)| {
            self.tokens.get(self.next + i).is_some_and(|token| expected.is_none_or(|text| text == token.text))
        })
    }

    /// The text of the token `offset` after this one, for messages.
    pub(super) fn text_at(&self, offset: usize) -> &'a str {
        self.tokens.get(self.next + offset).map_or("", |token| token.text)
    }

    /// The text of the token `offset` before this one, for messages.
    pub(super) fn text_before(&self, offset: usize) -> &'a str {
        let at = self.next.checked_sub(offset);
        at.and_then(|at| self.tokens.get(at)).map_or("", |token| token.text)
    }

    /// An error at the next token.
    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        let end = self.tokens.last().map_or(1, |last| last.column + last.text.chars().count());
        Fault::new(self.peek().map_or(end, |token| token.column), message)
    }

    fn expected(&self, what: &str) -> Fault {
        match self.peek() {
            Some(token) => self.fault(format!("expected {what}, found `{}`", token.text)),
            None => self.fault(format!("expected {what}, found the end of the line")),
        }
    }

    /// Takes the next token if `read` makes something of it.
    pub(super) fn take<T>(&mut self, what: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, Fault> {
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

    /// An error at the mnemonic.
    pub(super) fn bad_mnemonic(&self, mnemonic: &str, hint: &str) -> Fault {
        self.at_mnemonic(format!("unknown instruction `{mnemonic}`; {hint}"))
    }

    pub(super) fn at_mnemonic(&self, message: String) -> Fault {
        Fault::new(self.tokens.first().map_or(1, |token| token.column), message)
    }

    pub(super) fn comma(&mut self) -> Result<(), Fault> {
        self.take("`,`", |text| (text == ",").then_some(()))
    }

    /// A TLReg.
    pub(super) fn tl(&mut self) -> Result<u8, Fault> {
        self.take("a TLReg (tl0 to tl31, also written tlr0 or t0)", registers::tl)
    }

    /// The number of a tile register.
    pub(super) fn tr(&mut self) -> Result<u8, Fault> {
        self.take("a tile register (tr0 to tr3)", |text| registers::matrix(text, "tr"))
    }

    /// The number of an accumulation register.
    pub(super) fn acc(&mut self) -> Result<u8, Fault> {
        self.take("an accumulation register (acc0 to acc3)", |text| registers::matrix(text, "acc"))
    }

    /// A host register.
    pub(super) fn gpr(&mut self) -> Result<u8, Fault> {
        self.take("a host register (x0 to x31 or an ABI name)", registers::gpr)
    }

    /// A CSR name, or a number that is a CSR address: any in the standard encoding, one with an n in the unit's.
    pub(super) fn csr(&mut self, encoding: CsrEncoding) -> Result<u16, Fault> {
        let (isa, symbols, here) = (self.isa, self.symbols, self.here);
        let standard = encoding == CsrEncoding::Standard;
        let read = |text: &str| {
            let adapter = || ADAPTER_CSRS.iter().find(|csr| csr.1 == text).map(|csr| csr.0);
            let by_name = Csr::from_name(text).filter(|&csr| isa.has(csr)).map(Csr::address).or_else(adapter);
            let by_name = by_name.map(|address| if standard { isa.address(address) } else { address });
            let by_name = by_name.or_else(|| HartCsr::from_name(text).filter(|_| standard).map(HartCsr::address));
            let number = |text| symbols.evaluate(text, here).ok().map(|value| value.number);
            let allowed =
                |address: &u16| *address < 0x1000 && (standard || CSRS_WITH_N.iter().any(|n| n.contains(address)));
            by_name.or_else(|| number(text).and_then(|value| u16::try_from(value).ok()).filter(allowed))
        };
        let what = if standard { "0 to 4095" } else { "0x800 to 0x8bf or 0xcc0 to 0xcff" };
        self.take(&format!("a CSR, or its number, {what}"), read).map_err(|fault| {
            let pitch = if isa.pitch { "tload_pitch, tstore_pitch, " } else { "" };
            let init = if isa.mask_init { "tmask_init, " } else { "" };
            let matrix = if isa.matrix { "mtilem, mtilen, mtilek, xtlenb, xtrlenb, xalenb, " } else { "" };
            let host = HartCsr::all().filter(|_| standard).map(HartCsr::name);
            let others: Vec<&str> = ADAPTER_CSRS.iter().map(|csr| csr.1).chain(host).collect();
            let list = format!(
                "ttype, tshape, tmask_load, tmask_store, tmask_concat_1, tmask_concat_2, tload_width, tstore_width, \
                 {pitch}{init}tload_stride0 to tload_stride31, tstore_stride0 to tstore_stride31, tlenb, {matrix}their \
                 aliases, {}",
                others.join(", ")
            );
            Fault { list: Some(list), ..fault }
        })
    }

    /// An integer, `low` to `high`.
    pub(super) fn integer(&mut self, what: &str, low: i64, high: i64) -> Result<i64, Fault> {
        let (start, value) = (self.next, self.value());
        match value {
            Ok(value) if (low..=high).contains(&value.number) => Ok(value.number),
            // Inside of `%hi()`.
            Err(fault) if self.next > start => Err(fault),
            _ => {
                // What is wrong is wrong with the first token, where the value is one of several.
                self.next = start;
                let fault = self.expected(&format!("{what}, {low} to {high} (decimal, 0x, 0b or octal)"));
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
            text => {
                // With blanks around `+` and `-`, too.
                let mut text = text.unwrap_or_default().to_owned();
                let mut behind = self.next + 1;
                while let Some([sign, term]) = self.tokens.get(behind..behind + 2)
                    && matches!(sign.text, "+" | "-")
                {
                    text = text + sign.text + term.text;
                    behind += 2;
                }
                if let Ok(value) = self.symbols.evaluate(&text, self.here) {
                    self.next = behind;
                    Ok(value)
                } else {
                    let fault = self.expected("a number, a constant or a label");
                    Err(self.with_unknown(fault))
                }
            }
        }
    }

    /// Says of a name that nothing defines that nothing does.
    fn with_unknown(&self, mut fault: Fault) -> Fault {
        let text = self.peek().map_or("", |token| token.text);
        let registers = [registers::tl, registers::gpr];
        if let Err(NoValue::Unknown(name)) = self.symbols.evaluate(text, self.here)
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
    pub(super) fn distance(&mut self) -> Result<i64, Fault> {
        let start = self.next;
        let value = self.value()?;
        if value.is_address {
            return Ok(value.number - i64::from(self.here.address));
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
        let offset = if value.is_address { value.number - i64::from(self.here.address) } else { value.number };
        if (-reach..reach).contains(&offset) && offset % 2 == 0 {
            return Ok(offset);
        }
        self.next = start;
        let far = format!("a label, or an even number of bytes from here, {} to {}", -reach, reach - 2);
        let mut fault = self.expected(&far);
        if value.is_address {
            fault.message += &format!(", which is {offset} bytes away{farther}");
        }
        Err(fault)
    }

    /// A signed 12-bit immediate.
    pub(super) fn imm12(&mut self) -> Result<i64, Fault> {
        self.integer("imm12", -2048, 2047)
    }

    /// The imm12 of `imm12(rs1)`, which can be left out when it is 0.
    pub(super) fn offset12(&mut self) -> Result<i64, Fault> {
        if self.looks_like(&[Some("(")]) { Ok(0) } else { self.imm12() }
    }

    /// Whether nothing follows.
    pub(super) fn at_end(&self) -> bool {
        self.peek().is_none()
    }

    /// A signed 8-bit immediate.
    pub(super) fn imm8(&mut self) -> Result<i8, Fault> {
        self.integer("imm8", -128, 127).map(|value| value as i8)
    }

    /// The imm8 of `imm8(rs)`, which can be left out when it is 0.
    pub(super) fn offset(&mut self) -> Result<i8, Fault> {
        if self.looks_like(&[Some("(")]) { Ok(0) } else { self.imm8() }
    }

    /// `(rs)`.
    pub(super) fn base(&mut self) -> Result<u8, Fault> {
        self.take("`(`", |text| (text == "(").then_some(()))?;
        let rs = self.gpr()?;
        self.take("`)`", |text| (text == ")").then_some(()))?;
        Ok(rs)
    }

    /// Any word, or string.
    pub(super) fn word(&mut self, what: &str) -> Result<&'a str, Fault> {
        let token = self.peek();
        self.take(what, |text| (!text.starts_with([',', '(', ')', ':'])).then_some(()))?;
        Ok(token.map_or("", |token| token.text))
    }

    /// A power of two, 1 to `high`.
    pub(super) fn power_of_two(&mut self, what: &str, high: i64) -> Result<u32, Fault> {
        let start = self.next;
        let value = self.integer(what, 1, high)? as u32;
        if value.is_power_of_two() {
            return Ok(value);
        }
        self.next = start;
        Err(self.expected(&format!("{what}, a power of two up to {high}")))
    }

    /// `NAME, bytes`, or `NAME, bytes, alignment`: the name, its column, and the two numbers.
    pub(super) fn common(&mut self) -> Result<(&'a str, usize, usize, u32), Fault> {
        let (name, column) = self.name()?;
        self.comma()?;
        let bytes = self.integer("a number of bytes", 0, RAM_BYTES.into())? as usize;
        if self.at_end() {
            return Ok((name, column, bytes, 16));
        }
        self.comma()?;
        Ok((name, column, bytes, self.power_of_two("an alignment", 4096)?))
    }

    /// What `.option` may say: nothing that changes an instruction.
    pub(super) fn option(&mut self) -> Result<(), Fault> {
        let known = ["push", "pop", "pic", "nopic", "relax", "norelax", "norvc"];
        self.take(&known.join(" or "), |text| known.contains(&text).then_some(()))
    }

    /// Leaves out what is left.
    pub(super) fn skip(&mut self) {
        self.next = self.tokens.len();
    }

    /// Whether the operands of `jalr` begin with the register of the link: `rd, rs`, `rd, rs, imm12`, `rd, imm12(rs)`.
    pub(super) fn has_link(&self) -> bool {
        let second = registers::gpr(self.text_at(2)).is_some();
        self.looks_like(&[None, Some(",")]) && (second || self.tokens.last().is_some_and(|token| token.text == ")"))
    }

    /// Whether a host register comes next.
    pub(super) fn at_gpr(&self) -> bool {
        self.peek().is_some_and(|token| registers::gpr(token.text).is_some())
    }

    /// The bytes of a string.
    pub(super) fn string(&mut self) -> Result<Vec<u8>, Fault> {
        let read = |text: &str| unescaped(text.strip_prefix('"')?.strip_suffix('"')?);
        self.take("a string: `\"text\"`, with the escapes \\n, \\t, \\r, \\b, \\f, \\0, \\\\, \\\"", read)
    }

    /// Nothing may follow.
    pub(super) fn end(&self) -> Result<(), Fault> {
        if self.peek().is_none() { Ok(()) } else { Err(self.expected("the end of the line")) }
    }
}
