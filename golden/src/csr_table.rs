// SPDX-License-Identifier: Apache-2.0
//! CSRs that have an address and a name each, and nothing else.

/// The enum of the CSRs, by ascending address, and their table.
macro_rules! csrs {
    ($(#[$about:meta])* $csrs:ident { $($name:ident = $address:literal $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)] // Each variant is the CSR of that name.
        pub enum $csrs { $($name,)* }

        impl $csrs {
            const TABLE: &[(Self, u16, &'static str)] = &[$((Self::$name, $address, $text),)*];

            /// All of them, by ascending address.
            pub fn all() -> impl Iterator<Item = Self> {
                Self::TABLE.iter().map(|row| row.0)
            }

            /// The CSR at `address`, if it is one of these.
            pub fn from_address(address: u16) -> Option<Self> {
                Self::TABLE.iter().find(|row| row.1 == address).map(|row| row.0)
            }

            /// The CSR of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::TABLE.iter().find(|row| row.2 == name).map(|row| row.0)
            }

            /// The 12-bit CSR address.
            pub fn address(self) -> u16 {
                Self::TABLE[self as usize].1
            }

            /// The name in the specification.
            pub fn name(self) -> &'static str {
                Self::TABLE[self as usize].2
            }
        }
    };
}
pub(crate) use csrs;
