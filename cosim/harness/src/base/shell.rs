// SPDX-License-Identifier: Apache-2.0
//! Commands as they are printed: to be copied into a shell as they are.

/// A command of these words.
pub fn command<T: AsRef<str>>(words: impl IntoIterator<Item = T>) -> String {
    words.into_iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./+:=,@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_gets_the_words_back() {
        let words = ["printf", "%s|", "a b", "$HOME", "it's", "", "--x=y", "a;b", "*"];
        let done = std::process::Command::new("sh").arg("-c").arg(command(words)).output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&done.stdout), words[2..].join("|") + "|");
    }
}
