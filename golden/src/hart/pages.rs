// SPDX-License-Identifier: Apache-2.0
//! Program memory. It is large and hardly used, so a page is there from the first write to it on.

use std::ops::Range;

/// Bytes of a page; no access of an instruction crosses its end.
const PAGE: usize = 4096;

type Page = [u8; PAGE];

static ZEROS: Page = [0; PAGE];

/// A byte memory from address 0, zero where nothing was written.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    pages: Vec<Option<Box<Page>>>,
}

impl Pages {
    /// A memory of `size` bytes, a multiple of 4096.
    pub fn new(size: u32) -> Self {
        Self { pages: vec![None; size as usize / PAGE] }
    }

    /// Whether it has no bytes, as before a program is loaded.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The `len` bytes at `address`; `None` when one of them is outside of the memory, or of the page of the first.
    pub fn get(&self, address: u32, len: u32) -> Option<&[u8]> {
        let (page, bytes) = place(address, len);
        self.pages.get(page)?.as_deref().unwrap_or(&ZEROS).get(bytes)
    }

    /// As [`Pages::get`], to write them.
    pub fn get_mut(&mut self, address: u32, len: u32) -> Option<&mut [u8]> {
        let (page, bytes) = place(address, len);
        self.pages.get_mut(page)?.get_or_insert_with(|| Box::new(ZEROS)).get_mut(bytes)
    }

    /// Writes any number of bytes; `None`, and nothing has changed, when one of them is outside of the memory.
    pub fn write(&mut self, address: u32, bytes: &[u8]) -> Option<()> {
        let end = (address as usize).checked_add(bytes.len()).filter(|&end| end <= self.pages.len() * PAGE)?;
        let mut at = address as usize;
        while at < end {
            let len = (PAGE - at % PAGE).min(end - at);
            let from = at - address as usize;
            self.get_mut(at as u32, len as u32)?.copy_from_slice(&bytes[from..from + len]);
            at += len;
        }
        Some(())
    }

    /// A copy of these bytes; `None` when one of them is outside of the memory.
    pub fn read(&self, range: Range<usize>) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(range.len());
        let mut at = range.start;
        while at < range.end {
            let len = (PAGE - at % PAGE).min(range.end - at);
            bytes.extend_from_slice(self.get(u32::try_from(at).ok()?, len as u32)?);
            at += len;
        }
        Some(bytes)
    }

    /// The pages that were written, by ascending address, with the address of the first byte.
    pub fn written(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let pages = self.pages.iter().enumerate();
        pages.filter_map(|(i, page)| Some(((i * PAGE) as u32, &page.as_deref()?[..])))
    }

    /// Bytes up to the last one that is not zero.
    pub fn used(&self) -> usize {
        let end =
            |(address, page): (u32, &[u8])| Some(address as usize + page.iter().rposition(|&byte| byte != 0)? + 1);
        self.written().filter_map(end).max().unwrap_or(0)
    }

    /// The address of the first byte in which two memories differ, and what each has there.
    pub fn difference(&self, other: &Self) -> Option<(u32, [u8; 2])> {
        let addresses = self.written().chain(other.written()).map(|(address, _)| address);
        let differs = |&address: &u32| self.get(address, PAGE as u32) != other.get(address, PAGE as u32);
        let page = addresses.filter(differs).min()?;
        let byte = |memory: &Self, i: u32| memory.get(page + i, 1).map_or(0, |byte| byte[0]);
        let bytes = (0..PAGE as u32).map(|i| (page + i, [byte(self, i), byte(other, i)]));
        bytes.into_iter().find(|(_, [one, two])| one != two)
    }
}

/// The page of an address, and the place of `len` bytes in it.
fn place(address: u32, len: u32) -> (usize, Range<usize>) {
    let start = address as usize % PAGE;
    (address as usize / PAGE, start..start + len as usize)
}

impl PartialEq for Pages {
    fn eq(&self, other: &Self) -> bool {
        self.pages.len() == other.pages.len() && self.difference(other).is_none()
    }
}

impl Eq for Pages {}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: u32 = 16 * PAGE as u32;

    #[test]
    fn what_is_written_is_read_over_the_end_of_a_page() {
        let mut memory = Pages::new(SIZE);
        assert_eq!(memory.write(PAGE as u32 - 2, &[1, 2, 3, 4]), Some(()));
        assert_eq!(memory.read(PAGE - 3..PAGE + 3), Some(vec![0, 1, 2, 3, 4, 0]));
        assert_eq!(memory.written().map(|(address, _)| address).collect::<Vec<_>>(), [0, PAGE as u32]);
    }

    #[test]
    fn outside_is_nothing() {
        let mut memory = Pages::new(SIZE);
        assert_eq!(memory.get(SIZE - 4, 4), Some(&[0; 4][..]));
        assert_eq!(memory.get(SIZE, 1), None);
        assert_eq!(memory.get_mut(SIZE, 1), None);
        assert_eq!((memory.write(SIZE - 1, &[7, 7]), memory.read(0..SIZE as usize + 1)), (None, None));
        assert_eq!(memory, Pages::new(SIZE));
    }

    #[test]
    fn a_page_of_zeros_is_as_none() {
        let [mut one, mut two] = [(); 2].map(|()| Pages::new(SIZE));
        one.write(5000, &[0]);
        assert_eq!(one, two);
        assert_eq!((one.used(), Pages::default().used()), (0, 0));
        two.write(9000, &[3]);
        assert_eq!((one.difference(&two), two.difference(&one)), (Some((9000, [0, 3])), Some((9000, [3, 0]))));
        assert_eq!(two.used(), 9001);
        one.write(9000, &[3]);
        one.write(100, &[8]);
        assert_eq!(one.difference(&two), Some((100, [8, 0])));
        assert_ne!(one, two);
    }
}
