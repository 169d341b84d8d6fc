// SPDX-License-Identifier: Apache-2.0
//! Axes of the coverage table, made of the list in `values.rs`.

macro_rules! axes {
    ($($axis:ident $module:ident $title:literal { $($name:ident $text:literal $about:literal,)* })*) => {
        /// What is looked at when an instruction retires.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Axis { $($axis,)* }

        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct Value {
            pub axis: Axis,
            /// Number of the value on it, from 0.
            pub index: u8,
        }

        impl Axis {
            pub const ALL: &'static [Axis] = &[$(Axis::$axis,)*];

            /// What the axis is about.
            pub fn title(self) -> &'static str {
                match self { $(Axis::$axis => $title,)* }
            }

            /// Text and meaning of each value; empty for an axis whose values are numbered.
            pub fn named(self) -> &'static [(&'static str, &'static str)] {
                match self { $(Axis::$axis => &[$(($text, $about),)*],)* }
            }
        }

        $(
            // Only its numbers are used.
            #[allow(dead_code, non_camel_case_types, clippy::upper_case_acronyms)]
            mod $module { pub enum Index { $($name,)* } }
            $(
                #[doc = $about]
                pub const $name: Value = Value { axis: Axis::$axis, index: $module::Index::$name as u8 };
            )*
        )*
    };
}
pub(super) use axes;
