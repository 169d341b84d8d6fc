// SPDX-License-Identifier: Apache-2.0
//! Expected and actual elements, as rows and columns of the shape that they have.

use golden::decode::elements;

use super::provenance::Source;

/// How the elements of a register are indexed: row-major, the last index fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bits of an element.
    pub bits: u32,
    /// Names of the indices.
    pub names: Vec<&'static str>,
    /// Their ranges; one for each name, at least two.
    pub sizes: Vec<usize>,
    /// Position of the register's first element, when it is a part of something larger.
    pub first: usize,
}

impl Layout {
    /// Index of the element at `position`; `None` behind the end.
    pub fn index(&self, position: usize) -> Option<Vec<usize>> {
        index_of(position, &self.sizes)
    }
}

/// Index of the element at `position` of a tensor of these sizes; `None` behind the end.
pub fn index_of(position: usize, sizes: &[usize]) -> Option<Vec<usize>> {
    let mut rest = position;
    let mut index = Vec::new();
    for &size in sizes.iter().rev() {
        index.push(rest.checked_rem(size)?);
        rest /= size;
    }
    index.reverse();
    (rest == 0).then_some(index)
}

/// Both sides of a register, or of the bytes that a store takes out of one.
#[derive(Clone, Debug)]
pub struct Sides {
    /// What the model has; `None` for bytes that it leaves alone.
    pub expected: Vec<Option<u8>>,
    /// What the RTL has.
    pub actual: Vec<Option<u8>>,
    /// Addresses in memory, for those bytes that have one.
    pub addresses: Vec<Option<u32>>,
    /// Where each element comes from, if that is known.
    pub sources: Option<Vec<Source>>,
}

/// The datapath: how bytes of a register lie in rows.
#[derive(Clone, Copy, Debug)]
pub struct Datapath {
    /// Bytes of a row.
    pub lanes: usize,
    /// Bits of a granule, which has a lane of its own.
    pub granule: usize,
}

/// An element on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its number in the register, or in the memory.
    pub element: usize,
    pub expected: Option<u32>,
    pub actual: Option<u32>,
}

impl Cell {
    /// An element that both sides have.
    pub fn equal(element: usize, value: u32) -> Cell {
        Cell { element, expected: Some(value), actual: Some(value) }
    }

    pub fn wrong(&self) -> bool {
        self.expected != self.actual
    }
}

#[derive(Clone, Debug)]
pub struct Row {
    /// Its index.
    pub label: String,
    /// Its elements; `None` for those that are elsewhere.
    pub cells: Vec<Option<Cell>>,
}

/// Rows and columns: all elements that share the other indices.
#[derive(Clone, Debug)]
pub struct Plane {
    /// The other indices, or what it is.
    pub label: String,
    /// Name of the index of the rows, and of that of the columns.
    pub axes: [&'static str; 2],
    pub rows: Vec<Row>,
}

impl Plane {
    pub fn wrong(&self) -> usize {
        self.rows.iter().flat_map(|row| &row.cells).flatten().filter(|cell| cell.wrong()).count()
    }
}

/// A wrong element and everything about its place.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// Its index, such as `(1, 0, 3)`, or where it is when it has none.
    pub index: String,
    pub cell: Cell,
    /// Its number, from the first one that is compared.
    pub element: usize,
    /// The bytes of it, by their place in the register, that are wrong: first and last.
    pub bytes: [usize; 2],
    /// Row of the datapath.
    pub row: usize,
    /// The byte lanes of the wrong bytes, first and last.
    pub lanes: [usize; 2],
    /// First granule lane of the element.
    pub granule: usize,
    pub address: Option<u32>,
    pub source: Option<Source>,
}

impl Wrong {
    /// The bits in which the sides differ; `None` when one of them has no value.
    pub fn difference(&self) -> Option<u32> {
        Some(self.cell.expected? ^ self.cell.actual?)
    }

    /// [`Wrong::difference`] as a list of bits: `0, 3 to 7`.
    pub fn bits(&self) -> String {
        self.difference().map_or(String::new(), |difference| runs((0..32).filter(|bit| difference >> bit & 1 == 1)))
    }
}

/// `7`, or `6 to 7`.
pub fn span([first, last]: [usize; 2]) -> String {
    if first == last { first.to_string() } else { format!("{first} to {last}") }
}

/// Ascending numbers, with what follows each other in one piece: `0, 3 to 7`, or `none`.
pub fn runs(numbers: impl IntoIterator<Item = usize>) -> String {
    let mut runs: Vec<[usize; 2]> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some([_, last]) if *last + 1 == number => *last = number,
            _ => runs.push([number; 2]),
        }
    }
    let text = |&[first, last]: &[usize; 2]| {
        if first + 1 == last { format!("{first}, {last}") } else { span([first, last]) }
    };
    if runs.is_empty() { "none".into() } else { runs.iter().map(text).collect::<Vec<_>>().join(", ") }
}

/// A comparison, laid out.
#[derive(Clone, Debug)]
pub struct Block {
    pub sides: [String; 2],
    pub layout: Layout,
    /// All planes, wrong or not.
    pub planes: Vec<Plane>,
    /// All wrong elements, in order.
    pub wrong: Vec<Wrong>,
    pub datapath: Datapath,
    /// For each byte of the register: it is wrong.
    pub map: Vec<bool>,
}

impl Block {
    pub fn new(layout: Layout, data: &Sides, datapath: Datapath) -> Block {
        let count = data.expected.len() * 8 / layout.bits as usize;
        let cells: Vec<Cell> = (0..count)
            .map(|element| Cell {
                element,
                expected: element_of(&data.expected, layout.bits, element),
                actual: element_of(&data.actual, layout.bits, element),
            })
            .collect();
        let mut block = Block {
            sides: ["expected (model)".into(), "actual (RTL)".into()],
            planes: planes(&layout, &cells),
            wrong: Vec::new(),
            datapath,
            map: data.expected.iter().zip(&data.actual).map(|(a, b)| a != b).collect(),
            layout,
        };
        block.planes.extend(block.behind(&cells));
        block.wrong = (0..count).filter(|&i| cells[i].wrong()).map(|i| block.place(i, cells[i], data)).collect();
        block
    }

    /// What is in the register behind the block, in rows of the datapath, when something there is wrong.
    fn behind(&self, cells: &[Cell]) -> Option<Plane> {
        let total: usize = self.layout.sizes.iter().product();
        let start = total.saturating_sub(self.layout.first).min(cells.len());
        if !cells[start..].iter().any(Cell::wrong) {
            return None;
        }
        let width = self.datapath.lanes * 8 / self.layout.bits as usize;
        let rows = (start / width..cells.len().div_ceil(width)).map(|row| {
            let cell = |i: usize| cells.get(i).copied().filter(|_| i >= start);
            Row { label: row.to_string(), cells: (row * width..(row + 1) * width).map(cell).collect() }
        });
        let label = "behind the block, by rows of the datapath".into();
        Some(Plane { label, axes: ["row", "element"], rows: rows.collect() })
    }

    fn place(&self, element: usize, cell: Cell, data: &Sides) -> Wrong {
        let (bit, lanes) = (element * self.layout.bits as usize, self.datapath.lanes);
        let byte = bit / 8;
        let of_it = byte..(byte + self.layout.bits as usize / 8).max(byte + 1);
        let wrong = || of_it.clone().filter(|&byte| self.map.get(byte) == Some(&true));
        let bytes = [wrong().next().unwrap_or(byte), wrong().next_back().unwrap_or(byte)];
        let index = match self.layout.index(self.layout.first + element) {
            Some(index) => tuple(&index),
            None => format!("element {element}, behind the block"),
        };
        let source = data.sources.as_ref().and_then(|sources| sources.get(element).copied());
        Wrong {
            index,
            cell,
            element,
            bytes,
            row: byte / lanes,
            lanes: bytes.map(|byte| byte % lanes),
            granule: bit % (8 * lanes) / self.datapath.granule,
            address: data.addresses.get(byte).copied().flatten(),
            source,
        }
    }

    /// Digits of an element in hexadecimal.
    pub fn digits(&self) -> usize {
        self.layout.bits as usize / 4
    }

    pub fn text(&self, value: Option<u32>) -> String {
        value.map_or("-".into(), |value| format!("{value:0width$x}", width = self.digits()))
    }

    /// What the wrong elements have in common: indices, rows and lanes of which only some are hit.
    pub fn pattern(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let indices: Vec<Vec<usize>> =
            self.wrong.iter().filter_map(|wrong| self.layout.index(self.layout.first + wrong.element)).collect();
        if self.wrong.len() > 1 && indices.len() == self.wrong.len() {
            for (axis, name) in self.layout.names.iter().enumerate() {
                lines.extend(some_of(name, indices.iter().map(|index| index[axis]), self.layout.sizes[axis]));
            }
        }
        if self.wrong.len() > 1 {
            // As the map has it: of an element of several bytes not all need be wrong.
            let lanes = self.datapath.lanes;
            let bytes = || (0..self.map.len()).filter(|&byte| self.map[byte]);
            lines.extend(some_of("row of the datapath", bytes().map(|byte| byte / lanes), self.map.len() / lanes));
            lines.extend(some_of("byte lane", bytes().map(|byte| byte % lanes), lanes));
            lines.extend(self.bits());
        }
        lines
    }

    /// The bits in which the wrong elements differ: in all of them, and in some.
    fn bits(&self) -> Option<String> {
        let differences: Vec<u32> = self.wrong.iter().filter_map(Wrong::difference).collect();
        let (all, any) =
            (differences.iter().fold(u32::MAX, |all, d| all & d), differences.iter().fold(0, |any, d| any | d));
        let (width, list) = (self.layout.bits, |word: u32| runs((0..32).filter(|bit| word >> bit & 1 == 1)));
        match differences.len() {
            0 => None,
            _ if all == any => Some(format!("bit {} of {width} in each", list(any))),
            _ if all == 0 => Some(format!("bit {} of {width} in some", list(any))),
            _ => Some(format!("bit {} of {width} in each, {} in some", list(all), list(any & !all))),
        }
    }
}

/// `(1, 2, 3)`.
pub fn tuple(index: &[usize]) -> String {
    let parts: Vec<String> = index.iter().map(usize::to_string).collect();
    format!("({})", parts.join(", "))
}

/// Which of `size` values occur, when not all do and that can be said in few words.
fn some_of(name: &str, values: impl Iterator<Item = usize>, size: usize) -> Option<String> {
    let mut values: Vec<usize> = values.collect();
    values.sort_unstable();
    values.dedup();
    let list = match values.len() {
        0..=16 => values.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
        _ => runs(values.iter().copied()),
    };
    (size > 1 && values.len() < size && list.len() <= 80).then(|| format!("{name} {list} of {size}"))
}

/// Element `element`; `None` when none of its bytes has a value. Missing bytes count as 0.
fn element_of(bytes: &[Option<u8>], bits: u32, element: usize) -> Option<u32> {
    let start = element * bits as usize / 8;
    let bytes = &bytes[start..start + (bits as usize).div_ceil(8)];
    if bytes.iter().all(Option::is_none) {
        return None;
    }
    let values: Vec<u8> = bytes.iter().map(|byte| byte.unwrap_or(0)).collect();
    elements(&values, bits).get(if bits == 4 { element % 2 } else { 0 }).copied()
}

/// The elements from the first one of `layout` on, as planes.
pub fn planes(layout: &Layout, cells: &[Cell]) -> Vec<Plane> {
    let depth = layout.sizes.len() - 2;
    let (rows, columns) = (layout.sizes[depth], layout.sizes[depth + 1]);
    let size = rows * columns;
    let total: usize = layout.sizes.iter().product();
    let end = (layout.first + cells.len()).min(total);
    if size == 0 || layout.first >= end {
        return Vec::new();
    }
    let cell = |position: usize| position.checked_sub(layout.first).and_then(|i| cells.get(i).copied());
    let plane = |number: usize| {
        let index = layout.index(number * size).unwrap_or_default();
        let outer: Vec<String> = (0..depth).map(|axis| format!("{} = {}", layout.names[axis], index[axis])).collect();
        let row = |r: usize| {
            let start = number * size + r * columns;
            Row { label: r.to_string(), cells: (start..start + columns).map(cell).collect() }
        };
        Plane {
            label: outer.join(", "),
            axes: [layout.names[depth], layout.names[depth + 1]],
            rows: (0..rows).map(row).filter(|row| row.cells.iter().any(Option::is_some)).collect(),
        }
    };
    (layout.first / size..end.div_ceil(size)).map(plane).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(bytes: usize, wrong: &[usize]) -> Sides {
        let expected: Vec<_> = (0..bytes).map(|i| Some(i as u8)).collect();
        let mut actual = expected.clone();
        wrong.iter().for_each(|&i| actual[i] = actual[i].map(|byte| byte ^ 0xf0));
        Sides { expected, actual, addresses: vec![None; bytes], sources: None }
    }

    fn layout(bits: u32, sizes: &[usize], first: usize) -> Layout {
        Layout { bits, names: ["a", "i", "j", "k"][4 - sizes.len()..].to_vec(), sizes: sizes.to_vec(), first }
    }

    const TINY: Datapath = Datapath { lanes: 8, granule: 4 };

    #[test]
    fn a_wrong_byte_has_its_index_row_and_lanes() {
        let block = Block::new(layout(16, &[2, 3, 4], 0), &data(64, &[27]), TINY);
        assert_eq!(block.wrong.len(), 1);
        let wrong = &block.wrong[0];
        // Element 13 of 16 bits is (1, 0, 1).
        assert_eq!(
            (wrong.index.as_str(), wrong.bytes, wrong.row, wrong.lanes, wrong.granule),
            ("(1, 0, 1)", [27, 27], 3, [3, 3], 4)
        );
        assert_eq!((wrong.difference(), wrong.bits().as_str()), (Some(0xf000), "12 to 15"));
        assert_eq!((wrong.cell.expected, wrong.cell.actual), (Some(0x1b1a), Some(0xeb1a)));
        assert_eq!(block.planes.iter().map(Plane::wrong).collect::<Vec<_>>(), [0, 1]);
        assert_eq!((block.planes[1].rows.len(), block.planes[1].rows[0].cells.len()), (3, 4));
        assert_eq!(block.planes[1].label, "i = 1");
    }

    #[test]
    fn a_high_nibble_is_one_element() {
        let block = Block::new(layout(4, &[1, 4, 32], 0), &data(64, &[5]), TINY);
        let wrong: Vec<_> = block.wrong.iter().map(|wrong| (wrong.index.as_str(), wrong.granule)).collect();
        assert_eq!(wrong, [("(0, 0, 11)", 11)]);
    }

    #[test]
    fn bytes_behind_the_block_are_shown_when_they_are_wrong() {
        assert_eq!(Block::new(layout(8, &[1, 2, 5], 0), &data(64, &[9]), TINY).planes.len(), 1);
        let block = Block::new(layout(8, &[1, 2, 5], 0), &data(64, &[10, 63]), TINY);
        assert_eq!((block.planes.len(), block.planes[1].wrong()), (2, 2));
        assert_eq!(block.wrong[0].index, "element 10, behind the block");
        assert_eq!(block.planes[1].rows[0].cells[1], None);
    }

    #[test]
    fn half_of_a_tensor_keeps_the_indices_of_the_whole() {
        let block = Block::new(layout(32, &[1, 2, 4, 4], 16), &data(64, &[0]), TINY);
        assert_eq!(block.planes.len(), 1);
        assert_eq!((block.wrong[0].index.as_str(), block.planes[0].label.as_str()), ("(0, 1, 0, 0)", "a = 0, i = 1"));
        // A plane that lies in both registers shows the rows that are in this one.
        let block = Block::new(layout(32, &[1, 1, 8, 4], 16), &data(64, &[0]), TINY);
        assert_eq!((block.planes[0].rows.len(), block.planes[0].rows[0].label.as_str()), (4, "4"));
    }

    #[test]
    fn the_pattern_names_what_is_hit_and_not_what_everything_is() {
        let block = Block::new(layout(8, &[4, 4, 4], 0), &data(64, &[3, 19, 35, 51]), TINY);
        let pattern = block.pattern();
        assert!(pattern.contains(&"j 0 of 4".to_owned()) && pattern.contains(&"k 3 of 4".to_owned()), "{pattern:?}");
        assert!(pattern.contains(&"byte lane 3 of 8".to_owned()), "{pattern:?}");
        assert!(!pattern.iter().any(|line| line.starts_with("i ")), "{pattern:?}");
        assert!(pattern.contains(&"bit 4 to 7 of 8 in each".to_owned()), "{pattern:?}");
    }

    /// The high bytes of elements of 16 bits: the lanes that are said are those of the crosses.
    #[test]
    fn the_lanes_of_the_pattern_are_those_of_the_map() {
        let wrong: Vec<usize> = (0..32).map(|element| 2 * element + 1).collect();
        let block = Block::new(layout(16, &[2, 4, 4], 0), &data(64, &wrong), TINY);
        let crosses: std::collections::BTreeSet<usize> =
            (0..64).filter(|&byte| block.map[byte]).map(|byte| byte % TINY.lanes).collect();
        assert_eq!(crosses.into_iter().collect::<Vec<_>>(), [1, 3, 5, 7]);
        assert!(block.pattern().contains(&"byte lane 1, 3, 5, 7 of 8".to_owned()), "{:?}", block.pattern());
        assert!(block.wrong.iter().all(|wrong| wrong.lanes[0] % 2 == 1 && wrong.lanes[0] == wrong.lanes[1]));
    }

    /// Two elements of 4 bits share a byte: only the upper ones are wrong.
    #[test]
    fn the_pattern_is_of_wrong_nibbles_and_not_of_their_neighbours() {
        let block = Block::new(layout(4, &[2, 8, 8], 0), &data(64, &[0, 5, 34]), TINY);
        assert_eq!(block.pattern()[..2], ["j 0, 1 of 8", "k 1, 3, 5 of 8"]);
    }

    #[test]
    fn a_range_is_never_all_there_is() {
        let all: Vec<usize> = (0..64).collect();
        let pattern = Block::new(layout(8, &[1, 2, 32], 0), &data(64, &all), TINY).pattern();
        assert_eq!(pattern, ["bit 4 to 7 of 8 in each"]);
        let most: Vec<usize> = (0..64).filter(|byte| byte % 32 < 20).collect();
        let pattern = Block::new(layout(8, &[1, 2, 32], 0), &data(64, &most), TINY).pattern();
        assert!(pattern.contains(&"k 0 to 19 of 32".to_owned()), "{pattern:?}");
    }

    #[test]
    fn numbers_that_follow_each_other_are_one_piece() {
        assert_eq!([runs([0, 1]), runs([0, 1, 2, 7]), runs([])], ["0, 1", "0 to 2, 7", "none"]);
    }
}
