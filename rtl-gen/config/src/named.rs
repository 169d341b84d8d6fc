// SPDX-License-Identifier: Apache-2.0
//! The named configurations, which are the files in configs/, and configurations from a user's file.

use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use thiserror::Error;

use crate::{Config, ConfigError};

/// The files are a part of the program, so that it needs none when it is installed.
static FOLDER: Dir = include_dir!("$CARGO_MANIFEST_DIR/configs");

/// The configuration that is meant where none is named.
const DEFAULT: &str = "w16";

/// After the default those that are named after their width, and short names first, so that w8 is before w32.
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let stem = |file: &'static include_dir::File| file.path().to_str()?.strip_suffix(".toml");
    let mut names: Vec<&str> = FOLDER.files().filter_map(stem).collect();
    names.sort_unstable_by_key(|name| (*name != DEFAULT, !name.starts_with('w'), name.len(), *name));
    names
});

/// An argument that gives no configuration.
#[derive(Debug, Error)]
pub enum LoadError {
    /// Not a name, and not a file either.
    #[error("no configuration `{name}`; allowed: {}, or a file FILE.toml", Config::names().join(", "))]
    Unknown {
        /// The argument.
        name: String,
    },
    /// The file cannot be read.
    #[error("cannot read {file}: {error}")]
    Read {
        /// The file.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// The file breaks a rule.
    #[error("{file}: {error}")]
    Illegal {
        /// The file.
        file: String,
        /// The rule.
        error: ConfigError,
    },
}

impl Config {
    /// The names of the built-in configurations, the default first.
    pub fn names() -> &'static [&'static str] {
        &NAMES
    }

    /// A built-in configuration; `None` also for one whose file is not legal, for which [`Config::load`] has the
    /// reason.
    pub fn named(name: &str) -> Option<Config> {
        built_in(name)?.ok()
    }

    /// What the built-in configuration `name` is for, in one line: the comment below the licence of its file.
    pub fn purpose(name: &str) -> &'static str {
        let line = text(name).and_then(|text| text.lines().nth(1));
        line.and_then(|line| line.strip_prefix("# ")).unwrap_or("")
    }

    /// The configuration that `argument` stands for: the name of a built-in one, or a file that ends in `.toml`.
    ///
    /// # Errors
    /// [`LoadError`]; the message says which names there are, or what is wrong with the file.
    pub fn load(argument: &str) -> Result<Config, LoadError> {
        let (file, config) = if let Some(config) = built_in(argument) {
            (format!("configs/{argument}.toml"), config)
        } else if argument.ends_with(".toml") {
            let file = argument.to_owned();
            match files::read_text(argument.as_ref(), files::CONFIGURATION) {
                Ok(text) => (file, Config::from_toml(&text).and_then(not_built_in)),
                Err(error) => return Err(LoadError::Read { file, error }),
            }
        } else {
            return Err(LoadError::Unknown { name: argument.to_owned() });
        };
        config.map_err(|error| LoadError::Illegal { file, error })
    }
}

/// The text of the file of a built-in configuration.
fn text(name: &str) -> Option<&'static str> {
    FOLDER.get_file(format!("{name}.toml"))?.contents_utf8()
}

/// A configuration of a user: models and folders are found by the name, so another one must not have that of a built-in
/// one.
fn not_built_in(config: Config) -> Result<Config, ConfigError> {
    if Config::named(&config.name).is_none_or(|named| named == config) {
        return Ok(config);
    }
    let allowed = "a name of its own: a built-in configuration with other fields is called so".into();
    Err(ConfigError::Value { field: "name", value: format!("{:?}", config.name), allowed })
}

/// A built-in configuration, which must have the name of its file.
fn built_in(name: &str) -> Option<Result<Config, ConfigError>> {
    let config = Config::from_toml(text(name)?);
    Some(config.and_then(|config| match config.name == name {
        true => Ok(config),
        false => {
            let (value, allowed) = (format!("{:?}", config.name), format!("{name:?}, as the file is called"));
            Err(ConfigError::Value { field: "name", value, allowed })
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_configuration_is_legal_and_has_a_purpose() {
        assert!(Config::names().starts_with(&[DEFAULT, "w8", "w32"]));
        for name in Config::names() {
            let config = Config::load(name).expect("legal");
            assert_eq!(Config::from_toml(&config.to_toml()), Ok(config));
            let purpose = Config::purpose(name);
            assert!(!purpose.is_empty() && purpose.len() < 100, "{name}: {purpose:?}");
            assert!(text(name).expect("text").starts_with("# SPDX-License-Identifier: Apache-2.0\n"), "{name}");
        }
    }

    #[test]
    fn a_file_has_the_name_of_a_built_in_configuration_for_the_same_fields_alone() {
        let config = Config::named("tiny").expect("legal");
        assert_eq!(not_built_in(config.clone()), Ok(config.clone()));
        let error = not_built_in(Config { queue_entries: 7, ..config }).expect_err("another one").to_string();
        assert!(error.contains("`name`: \"tiny\" is not allowed; allowed: a name of its own"), "{error}");
    }

    #[test]
    fn what_is_no_configuration_is_told_why() {
        for (argument, message) in [
            ("w17", "no configuration `w17`; allowed: w16, w8, w32, w64, "),
            ("", "no configuration ``; allowed: w16, "),
            ("../configs/w16", "no configuration `../configs/w16`; "),
            ("none.toml", "cannot read none.toml: "),
            ("Cargo.toml", "Cargo.toml: configuration: TOML parse error"),
        ] {
            let error = Config::load(argument).expect_err(argument).to_string();
            assert!(error.starts_with(message), "{argument}: {error}");
        }
        assert_eq!(Config::named("w17"), None);
    }
}
