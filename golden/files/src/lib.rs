// SPDX-License-Identifier: Apache-2.0
//! Files that a user names, and text for the terminal: whatever they are, they do no harm.
//!
//! What is read has a limit, so that a device without an end takes no memory; what is written goes to a new name or an
//! ordinary file; what is shown has no control characters, and an end.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Most bytes of a program.
pub const PROGRAM: u64 = 16 << 20;
/// Most bytes of a configuration.
pub const CONFIGURATION: u64 = 1 << 16;
/// Most bytes of a table that one of the programs wrote.
pub const TABLE: u64 = 64 << 20;

/// Opens a file to read it. A device has no end, and a pipe with a name may have nobody who writes to it. A pipe of the
/// shell has no name, and is read once.
///
/// # Errors
/// When it cannot be opened, or is such a device or pipe.
pub fn open(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?;
    if !kind.is_file() && !kind.is_dir() && path.canonicalize().is_ok() {
        let message = "it is no ordinary file; allowed: a file, or a pipe of the shell such as /dev/stdin";
        return Err(io::Error::new(ErrorKind::InvalidInput, message));
    }
    File::open(path)
}

/// The contents of a file of at most `most` bytes.
///
/// # Errors
/// As [`open`], and when it cannot be read, or has more.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("more than {most} bytes, which is the limit")));
    }
    Ok(bytes)
}

/// As [`read`], for text.
///
/// # Errors
/// As [`read`], and when it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    text(read(path, most)?)
}

/// The text in `bytes`, without the mark that some editors put before it.
///
/// # Errors
/// When it is not UTF-8.
pub fn text(bytes: Vec<u8>) -> io::Result<String> {
    let text = String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "not text in UTF-8"))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The paths of what is in a folder, in their order.
///
/// # Errors
/// When it cannot be read.
pub fn in_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Whether a file can be made or replaced under this name without harm to anything else: there is none, or it is an
/// ordinary one that may be written. For programs that remove what has the name before they write.
///
/// # Errors
/// When it is a link, a device, a pipe or a folder, is read-only, or has no folder around it.
pub fn replaceable(path: &Path) -> io::Result<()> {
    let refused = |what: &str| {
        let message = format!("it is {what}; allowed: a new name, or an ordinary file that may be written");
        Err(io::Error::new(ErrorKind::InvalidInput, message))
    };
    match fs::symlink_metadata(path) {
        Ok(file) if file.is_symlink() => refused("a symbolic link"),
        Ok(file) if file.is_dir() => refused("a folder"),
        Ok(file) if !file.is_file() => refused("no ordinary file"),
        Ok(file) if file.permissions().readonly() => refused("read-only"),
        Ok(_) => File::options().append(true).open(path).map(drop),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            File::options().write(true).create_new(true).open(path)?;
            fs::remove_file(path)
        }
        Err(error) => Err(error),
    }
}

/// Writes a file that a user named, whole or not at all. A device is written to, and so is a pipe of the shell; a pipe
/// with a name may have nobody who reads it, and the program would wait for ever.
///
/// # Errors
/// When it cannot be written, or is such a pipe.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    #[cfg(unix)]
    if fs::metadata(path).is_ok_and(|file| std::os::unix::fs::FileTypeExt::is_fifo(&file.file_type()))
        && path.canonicalize().is_ok()
    {
        let message = "it is a pipe with a name; allowed: a file, a device, or a pipe of the shell such as /dev/stdout";
        return Err(io::Error::new(ErrorKind::InvalidInput, message));
    }
    match fs::symlink_metadata(path) {
        Ok(file) if file.is_file() => {
            // What may not be written is not replaced either.
            File::options().append(true).open(path)?;
            write_beside(path, bytes, Some(file.permissions()))
        }
        // Links, too: /dev/stdout is one to a file that the shell has open.
        Ok(_) => File::create(path)?.write_all(bytes),
        Err(_) => write_beside(path, bytes, None),
    }
}

/// Writes a file under another name in its folder, and gives it its own when it is whole.
fn write_beside(path: &Path, bytes: &[u8], rights: Option<fs::Permissions>) -> io::Result<()> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let part = path.with_file_name(format!(".{}-{number}.part", std::process::id()));
    let mut file = File::options().write(true).create_new(true).open(&part)?;
    let written = file.write_all(bytes).and_then(|()| rights.map_or(Ok(()), |rights| file.set_permissions(rights)));
    let renamed = written.and_then(|()| fs::rename(&part, path));
    if renamed.is_err() {
        let _ = fs::remove_file(&part);
    }
    renamed
}

/// What is written below the folder that a user named stays there, and is written to files.
///
/// # Errors
/// When this is a link, a pipe or a device.
pub fn not_special(path: &Path) -> io::Result<()> {
    let what = match fs::symlink_metadata(path) {
        Ok(file) if file.is_symlink() => "a symbolic link, and nothing is written through one",
        Ok(file) if !file.is_file() && !file.is_dir() => "no ordinary file",
        _ => return Ok(()),
    };
    Err(io::Error::new(ErrorKind::InvalidInput, format!("{} is {what}; remove it", path.display())))
}

/// Makes a folder in one that a user named, where it is missing.
///
/// # Errors
/// When it cannot be made, or as [`not_special`].
pub fn create_inside(path: &Path) -> io::Result<()> {
    not_special(path)?;
    fs::create_dir_all(path)
}

/// Makes a folder whose files a program writes over and removes: a new one, an empty one, or one that it made so before.
///
/// # Errors
/// When it cannot be made, or holds anything else.
pub fn create_scratch(path: &Path) -> io::Result<()> {
    let mark = path.join(".scratch");
    fs::create_dir_all(path)?;
    if in_folder(path)?.is_empty() {
        fs::write(&mark, "TensorLoad writes over and removes what is in this folder.\n")?;
    }
    if !mark.is_file() {
        let message = "other files are in it, and would be written over; allowed: a new or an empty folder";
        return Err(io::Error::new(ErrorKind::InvalidInput, message));
    }
    Ok(())
}

/// Writes a file below a folder that a user named.
///
/// # Errors
/// When it cannot be written, or as [`not_special`].
pub fn write_inside(path: &Path, bytes: &[u8]) -> io::Result<()> {
    not_special(path)?;
    write(path, bytes)
}

/// Most characters of a line that is shown.
const LINE: usize = 1000;
/// Most lines that are shown.
const LINES: usize = 100;

/// `text` for a terminal: control characters as `\u{1b}`, long lines and many lines cut off, which it then says.
pub fn printable(text: &str) -> String {
    let mut shown: Vec<String> = text.lines().take(LINES).map(line).collect();
    let more = text.lines().skip(LINES).count();
    if more > 0 {
        shown.push(format!("... and {more} more lines"));
    }
    shown.join("\n")
}

/// `text` with control characters as `\u{1b}`, but for tabs and ends of lines.
pub fn escaped(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        if !matches!(c, '\t' | '\n') && (c.is_control() || reorders(c)) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

fn line(text: &str) -> String {
    let end = text.char_indices().nth(LINE).map_or(text.len(), |(end, _)| end);
    let mut shown = escaped(&text[..end]);
    let more = text[end..].chars().count();
    if more > 0 {
        shown.push_str(&format!("... and {more} more characters"));
    }
    shown
}

/// Lets text appear in another order than it has.
fn reorders(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused_and_a_file_at_the_limit_is_read() {
        let folder = tempfile::tempdir().expect("folder");
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        for path in [Path::new("/dev/zero"), &pipe] {
            let error = read(path, 1000).expect_err("no end").to_string();
            assert!(error.starts_with("it is no ordinary file; allowed: a file, or a pipe of the shell"), "{error}");
        }
        assert!(write(&pipe, b"").expect_err("no reader").to_string().starts_with("it is a pipe with a name"));
        write(Path::new("/dev/null"), b"x").expect("a device");
        assert!(write_inside(&pipe, b"").expect_err("no reader").to_string().contains("pipe is no ordinary file"));
        let file = folder.path().join("file");
        fs::write(&file, [b'a'; 1000]).expect("written");
        assert_eq!(read_text(&file, 1000).expect("read").len(), 1000);
        assert_eq!(read(&file, 999).expect_err("too large").kind(), ErrorKind::FileTooLarge);
        fs::write(&file, "\u{feff}{}").expect("written");
        assert_eq!(read_text(&file, 1000).expect("read"), "{}");
        fs::write(&file, [0xff]).expect("written");
        assert_eq!(read_text(&file, 1000).expect_err("no text").to_string(), "not text in UTF-8");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_replaced_keeps_its_rights_and_a_link_stays_one() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("folder");
        let [file, link, new] = ["file", "link", "new"].map(|name| folder.path().join(name));
        fs::write(&file, "old").expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("rights");
        symlink(&file, &link).expect("link");
        write(&file, b"whole").expect("written");
        let inode = fs::metadata(&file).expect("there").ino();
        assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o640);
        // As /dev/stdout is one to a file that somebody else has open.
        write(&link, b"through").expect("written");
        assert_eq!(
            (fs::read(&file).expect("read"), fs::metadata(&file).expect("there").ino()),
            (b"through".into(), inode)
        );
        write(&new, b"new").expect("written");
        assert!(write(&folder.path().join("no/file"), b"").expect_err("no folder").raw_os_error().is_some());
        assert_eq!(in_folder(folder.path()).expect("folder"), [file, link, new]);
    }

    #[test]
    fn what_is_shown_has_no_control_characters_and_an_end() {
        assert_eq!(printable("a\u{1b}[2J\rb\tc\u{202e}\n\u{7}"), "a\\u{1b}[2J\\u{d}b\tc\\u{202e}\n\\u{7}");
        let long = printable(&"x".repeat(1_000_000));
        assert!(long.len() < 1100 && long.ends_with("x... and 999000 more characters"), "{}", long.len());
        let many = printable(&"line\n".repeat(1000));
        assert!(many.lines().count() == 101 && many.ends_with("line\n... and 900 more lines"));
        assert_eq!(printable("one\ntwo"), "one\ntwo");
    }

    #[test]
    fn a_scratch_folder_holds_nothing_else() {
        let folder = tempfile::tempdir().expect("folder");
        let [new, used] = ["new", "used"].map(|name| folder.path().join(name));
        fs::create_dir(&used).expect("created");
        fs::write(used.join("notes"), "").expect("written");
        assert!(create_scratch(&used).expect_err("used").to_string().starts_with("other files are in it"));
        for _ in 0..2 {
            create_scratch(&new).expect("its own");
            fs::write(new.join("model.log"), "").expect("written");
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_a_new_name_or_an_ordinary_file_is_replaced() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "kept").expect("written");
        fs::write(at("fixed"), "kept").expect("written");
        fs::set_permissions(at("fixed"), fs::Permissions::from_mode(0o444)).expect("read-only");
        symlink(at("file"), at("link")).expect("link");
        for (name, what) in [("link", "a symbolic link"), ("fixed", "read-only"), (".", "a folder")] {
            let error = replaceable(&at(name)).expect_err(name).to_string();
            assert!(error.starts_with(&format!("it is {what}; allowed: a new name")), "{error}");
        }
        assert!(replaceable(Path::new("/dev/null")).expect_err("device").to_string().starts_with("it is no ordinary"));
        assert_eq!(replaceable(&at("no/file")).expect_err("no folder").kind(), ErrorKind::NotFound);
        replaceable(&at("new")).expect("new");
        replaceable(&at("file")).expect("ordinary");
        assert!(!at("new").exists() && fs::read(at("file")).expect("there") == b"kept");
    }
}
