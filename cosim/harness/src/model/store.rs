// SPDX-License-Identifier: Apache-2.0
//! What was compiled, by the contents of what it was made from: a folder for each key, which is complete or not there.
//! A stamp in each says that it is the store's; nothing else is removed or counted.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::product::Product;

/// Bytes that the store may keep; those that were not used for the longest time go first.
const KEPT: u64 = 2 << 30;

/// A folder that was left half-made is nobody's after this time.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// Characters of a key in the name of its folder.
const KEY: usize = 16;

/// What a folder was made from, and what is in it.
const STAMP: &str = "stamp.json";
const HALF_MADE: &str = "making-";

/// A folder in which models are kept, up to a size.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
    /// The variable that names another place.
    variable: String,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    /// Digest of what it was made from.
    key: String,
    /// Digest of its files; empty while they are made.
    contents: String,
}

impl Stamp {
    fn unfilled(key: &Key) -> Stamp {
        Stamp { key: key.0.clone(), contents: String::new() }
    }

    /// The stamp of a folder, if it has one; a link has none.
    fn read(folder: &Path) -> Option<Stamp> {
        let own = fs::symlink_metadata(folder).is_ok_and(|data| data.is_dir());
        own.then(|| serde_json::from_slice(&fs::read(folder.join(STAMP)).ok()?).ok())?
    }

    /// Whether the store has given the folder this name.
    fn names(&self, folder: &Path) -> bool {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        match self.contents.is_empty() {
            true => name.starts_with(HALF_MADE),
            false => self.key.get(..KEY).is_some_and(|key| name.ends_with(&format!("-{key}"))),
        }
    }
}

impl Store {
    /// The folder that the product's variable names, or the product's in the user's folder for caches.
    ///
    /// # Errors
    /// When no folder is known, or that of the variable is relative.
    pub fn find(product: &Product) -> Result<Store> {
        Store::named(product, |name| std::env::var_os(name))
    }

    /// As [`Store::find`], with these variables. The folder gets a subfolder when it holds anything else.
    fn named(product: &Product, value: impl Fn(&str) -> Option<OsString>) -> Result<Store> {
        let Product { folder: own, variable, .. } = product;
        let set = |name: &str| value(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let named = set(variable);
        if let Some(folder) = &named {
            let allowed = "the name of a folder that begins with /";
            ensure!(folder.is_absolute(), "{variable} is {folder:?}; allowed: {allowed}");
        }
        // The XDG Base Directory Specification says that a relative folder is ignored.
        let root = named
            .or_else(|| set("XDG_CACHE_HOME").filter(|folder| folder.is_absolute()).map(|folder| folder.join(own)))
            .or_else(|| set("HOME").filter(|home| home.is_absolute()).map(|home| home.join(".cache").join(own)))
            .with_context(|| format!("there is no place for models: name a folder in the variable {variable}"))?;
        let foreign = files::in_folder(&root).unwrap_or_default().iter().any(|path| !is_of_a_store(path));
        Ok(Store { root: if foreign { root.join(own) } else { root }, variable: variable.clone() })
    }

    #[cfg(test)]
    /// A store in the folder `root`.
    pub fn at(root: PathBuf) -> Store {
        Store { root, variable: "UNIT_MODELS".into() }
    }

    /// Its folder, which is made when it is not there, and how much is in it.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn describe(&self) -> Result<String> {
        fs::create_dir_all(&self.root).with_context(|| self.cannot("create the folder", &self.root))?;
        let bytes: u64 = self.folders().iter().map(|(path, _)| self.size(path)).sum();
        Ok(format!("{}, {} MiB of at most {}", self.root.display(), bytes >> 20, KEPT >> 20))
    }

    /// The folder of `key`, filled by `make` when it is not there or damaged. Another process that makes the same is
    /// waited for.
    ///
    /// # Errors
    /// When the store cannot be written, and those of `make`.
    pub fn get(&self, name: &str, key: &Key, make: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
        let folder = self.folder(name, &key.0);
        if self.is_filled(&folder, key) {
            return Ok(folder);
        }
        fs::create_dir_all(&self.root).with_context(|| self.cannot("create the folder", &self.root))?;
        let path = folder.with_extension("lock");
        let lock = File::create(&path).with_context(|| self.cannot("create", &path))?;
        lock.lock().with_context(|| self.cannot("lock", &path))?;
        if self.is_filled(&folder, key) {
            return Ok(folder);
        }
        // As readable as other folders: the place may be shared.
        let readable = Permissions::from_mode(0o777);
        let half = tempfile::Builder::new().prefix(HALF_MADE).permissions(readable).tempdir_in(&self.root);
        let half = half.with_context(|| self.cannot("create a folder in", &self.root))?;
        self.stamp(&Stamp::unfilled(key), half.path())?;
        make(half.path())?;
        self.stamp(&Stamp { key: key.0.clone(), contents: self.contents(half.path())? }, half.path())?;
        self.remove(&folder)?;
        let half = half.keep();
        fs::rename(&half, &folder).with_context(|| self.cannot("create the folder", &folder))?;
        self.prune(&folder);
        Ok(folder)
    }

    /// Copies the files `names` into the folder `into`, each from the latest folder of this `name` that has it, whatever
    /// its key. What is damaged, or cannot be copied, is left out.
    pub fn reuse<'a>(&self, name: &str, names: impl Iterator<Item = &'a str> + Clone, into: &Path) {
        let mut earlier = self.folders();
        earlier.retain(|(path, stamp)| *path == self.folder(name, &stamp.key) && !stamp.contents.is_empty());
        earlier.sort_by_cached_key(|(path, _)| std::cmp::Reverse(modified(&path.join(STAMP))));
        for (path, stamp) in earlier {
            let wanted = names.clone().filter(|name| path.join(name).is_file() && !into.join(name).exists());
            let wanted: Vec<&str> = wanted.collect();
            if wanted.is_empty() || self.contents(&path).ok().as_deref() != Some(&*stamp.contents) {
                continue;
            }
            for name in wanted {
                if fs::copy(path.join(name), into.join(name)).is_err() {
                    let _ = fs::remove_file(into.join(name));
                }
            }
        }
    }

    /// The place of what has this name and this digest.
    fn folder(&self, name: &str, digest: &str) -> PathBuf {
        self.root.join(format!("{name}-{}", digest.get(..KEY).unwrap_or_default()))
    }

    /// The folders that the store has made, with their stamps.
    fn folders(&self) -> Vec<(PathBuf, Stamp)> {
        let paths = files::in_folder(&self.root).unwrap_or_default().into_iter();
        let stamped = paths.filter_map(|path| Some((Stamp::read(&path)?, path)));
        stamped.filter(|(stamp, path)| stamp.names(path)).map(|(stamp, path)| (path, stamp)).collect()
    }

    /// Removes what was not used for the longest time, and what was left half-made long ago.
    fn prune(&self, latest: &Path) {
        let now = SystemTime::now();
        let mut kept = Vec::new();
        for (path, stamp) in self.folders().into_iter().filter(|(path, _)| path != latest) {
            if !stamp.contents.is_empty() {
                kept.push((modified(&path.join(STAMP)).unwrap_or(now), self.size(&path), path));
            } else if modified(&path).is_some_and(|then| now.duration_since(then).is_ok_and(|age| age > ABANDONED)) {
                let _ = fs::remove_dir_all(&path);
            }
        }
        kept.sort_by_key(|(used, ..)| std::cmp::Reverse(*used));
        let mut sum = self.size(latest);
        for (_, size, path) in kept {
            sum += size;
            if sum > KEPT {
                // What cannot be removed is removed another time.
                let _ = fs::remove_dir_all(&path);
                let _ = fs::remove_file(path.with_extension("lock"));
            }
        }
    }

    fn stamp(&self, stamp: &Stamp, folder: &Path) -> Result<()> {
        let text = serde_json::to_string(stamp)?;
        fs::write(folder.join(STAMP), text).with_context(|| self.cannot("write to", folder))
    }

    /// Whether the folder has what `key` stands for, unchanged; notes that it is in use.
    fn is_filled(&self, folder: &Path, key: &Key) -> bool {
        let Some(stamp) = Stamp::read(folder) else { return false };
        let filled = stamp.key == key.0 && self.contents(folder).is_ok_and(|now| now == stamp.contents);
        if filled && let Ok(file) = File::options().append(true).open(folder.join(STAMP)) {
            let _ = file.set_modified(SystemTime::now());
        }
        filled
    }

    /// Digest of the files of a folder beside its stamp: names and contents.
    fn contents(&self, folder: &Path) -> Result<String> {
        let mut digest = Sha256::new();
        for path in self.files(folder)? {
            let bytes = fs::read(&path).with_context(|| self.cannot("read", &path))?;
            digest.update(path.file_name().unwrap_or_default().as_encoded_bytes());
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        }
        Ok(hex(&digest.finalize()))
    }

    fn files(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let mut paths = files::in_folder(folder).with_context(|| self.cannot("read the folder", folder))?;
        paths.retain(|path| path.file_name().is_some_and(|name| name != STAMP));
        Ok(paths)
    }

    fn size(&self, folder: &Path) -> u64 {
        self.files(folder).unwrap_or_default().iter().filter_map(|path| Some(fs::metadata(path).ok()?.len())).sum()
    }

    fn remove(&self, folder: &Path) -> Result<()> {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).with_context(|| self.cannot("remove", folder))
            }
            _ => Ok(()),
        }
    }

    fn cannot(&self, what: &str, path: &Path) -> String {
        format!("cannot {what} {} (the place of models; {} names another)", path.display(), self.variable)
    }
}

/// Whether an entry is what a store has in its folder; half-made folders of earlier versions have no stamp.
fn is_of_a_store(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let of_a_process = name.starts_with(HALF_MADE) || path.extension().is_some_and(|end| end == "lock");
    of_a_process || Stamp::read(path).is_some_and(|stamp| stamp.names(path))
}

/// Digest of everything that a folder is made from.
#[derive(Clone, Debug)]
pub struct Key(String);

impl Key {
    /// The digest of these parts, in their order.
    pub fn digest<'a>(parts: impl IntoIterator<Item = &'a str>) -> Key {
        let mut digest = Sha256::new();
        for part in parts {
            // With its length, so that two parts are not one.
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        Key(hex(&digest.finalize()))
    }

    /// Its beginning, for names.
    pub fn short(&self) -> &str {
        &self.0[..KEY]
    }
}

/// When something was last changed. For the stamp of a folder: when that was last used.
fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use anyhow::bail;

    use super::*;

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("folder");
        let store = Store::at(folder.path().join("models"));
        (folder, store)
    }

    fn write(text: &str) -> impl FnOnce(&Path) -> Result<()> {
        let text = text.to_owned();
        move |folder| Ok(fs::write(folder.join("model.so"), text)?)
    }

    fn refuse(_: &Path) -> Result<()> {
        bail!("made again")
    }

    #[test]
    fn what_was_made_is_kept_and_another_key_is_another_folder() {
        let (_folder, store) = store();
        let [one, other] = [Key::digest(["a", "b"]), Key::digest(["ab", ""])];
        let first = store.get("V", &one, write("1")).expect("made");
        assert_eq!(store.get("V", &one, refuse).expect("kept"), first);
        let second = store.get("V", &other, write("2")).expect("made");
        assert_ne!(first, second);
        assert_eq!(fs::read_to_string(first.join("model.so")).expect("file"), "1");
    }

    /// A file that was cut off, changed, added or removed, a stamp that is damaged or missing: made again.
    #[test]
    fn a_damaged_folder_is_made_again() {
        let damages: [fn(&Path) -> std::io::Result<()>; 6] = [
            |folder| fs::write(folder.join("model.so"), ""),
            |folder| fs::write(folder.join("model.so"), "x"),
            |folder| fs::remove_file(folder.join("model.so")),
            |folder| fs::write(folder.join("more.o"), "x"),
            |folder| fs::write(folder.join(STAMP), "{\"key\":\""),
            |folder| fs::remove_file(folder.join(STAMP)),
        ];
        for damage in damages {
            let (_folder, store) = store();
            let key = Key::digest(["k"]);
            let folder = store.get("V", &key, write("right")).expect("made");
            damage(&folder).expect("damaged");
            assert!(store.get("V", &key, refuse).is_err());
            let again = store.get("V", &key, write("right")).expect("made");
            assert_eq!(fs::read_to_string(again.join("model.so")).expect("file"), "right");
            assert_eq!(fs::read_dir(&again).expect("folder").count(), 2);
        }
    }

    /// Files of other keys with the same name, the latest first; not those of a damaged folder, nor of another name.
    #[test]
    fn files_are_taken_out_of_whole_folders_of_the_same_name() {
        let (folder, store) = store();
        let fill = |name: &str, key: &str, text: &'static str, files: &'static [&'static str]| {
            let make = |folder: &Path| Ok(files.iter().try_for_each(|file| fs::write(folder.join(file), text))?);
            store.get(name, &Key::digest([key]), make).expect("made")
        };
        let old = fill("V", "1", "old", &["a.o", "b.o"]);
        let past = SystemTime::now() - Duration::from_secs(60);
        let stamp = File::options().append(true).open(old.join(STAMP)).expect("stamp");
        stamp.set_modified(past).expect("older");
        let new = fill("V", "2", "new", &["a.o"]);
        fill("V_x", "3", "other", &["c.o"]);
        let taken = |into: &str| {
            let into = folder.path().join(into);
            fs::create_dir(&into).expect("folder");
            store.reuse("V", ["a.o", "b.o", "c.o"].into_iter(), &into);
            ["a.o", "b.o", "c.o"].map(|file| fs::read_to_string(into.join(file)).unwrap_or_default())
        };
        assert_eq!(taken("both"), ["new", "old", ""]);
        fs::write(new.join("a.o"), "n").expect("cut off");
        assert_eq!(taken("one"), ["old", "old", ""]);
        fs::write(old.join("more"), "").expect("damaged");
        assert_eq!(taken("none"), ["", "", ""]);
    }

    #[test]
    fn what_fails_half_way_leaves_nothing_that_could_be_used() {
        let (_folder, store) = store();
        let key = Key::digest(["k"]);
        let half = |folder: &Path| {
            fs::write(folder.join("model.so"), "half")?;
            bail!("the disk is full")
        };
        assert!(store.get("V", &key, half).expect_err("fails").to_string().contains("the disk is full"));
        let left: Vec<_> = fs::read_dir(&store.root).expect("folder").map(|e| e.expect("entry").path()).collect();
        assert!(left.iter().all(|path| path.extension().is_some_and(|e| e == "lock")), "{left:?}");
        // Killed half-way: the folder that was being filled stays, and is nobody's.
        fs::create_dir(store.root.join("making-left")).expect("folder");
        store.get("V", &key, write("whole")).expect("made");
    }

    /// Whatever else is in the folder, and was put there later, stays and does not count.
    #[test]
    fn only_what_the_store_has_made_is_removed_and_counted() {
        let (folder, store) = store();
        let [foreign, elsewhere] = ["models/thesis", "elsewhere"].map(|name| folder.path().join(name));
        let old = SystemTime::now() - 2 * ABANDONED;
        let abandoned = store.root.join("making-left");
        let copied = store.root.join("copied");
        for place in [&foreign, &elsewhere, &store.root.join("making-of"), &abandoned, &copied] {
            fs::create_dir_all(place).expect("folder");
            File::create(place.join("data")).and_then(|file| file.set_len(3 * KEPT)).expect("a large file");
        }
        // A stamp beside a name that is not its own, and a link to a folder that has one.
        let made = store.get("V", &Key::digest(["first"]), write("1")).expect("made");
        for place in [&copied, &elsewhere] {
            fs::copy(made.join(STAMP), place.join(STAMP)).expect("copied");
        }
        let link = store.root.join(made.file_name().expect("name").to_string_lossy().replace("V-", "link-"));
        std::os::unix::fs::symlink(&elsewhere, link).expect("link");
        store.stamp(&Stamp::unfilled(&Key::digest(["left"])), &abandoned).expect("written");
        for path in fs::read_dir(&store.root).expect("folder").map(|entry| entry.expect("entry").path()) {
            File::open(&path).and_then(|file| file.set_modified(old)).expect("old");
        }
        store.get("V", &Key::digest(["second"]), write("2")).expect("made");
        let mut left: Vec<_> = files::in_folder(&store.root).expect("folder");
        left.retain(|path| path.is_dir());
        let names = left.iter().map(|path| path.file_name().expect("name").to_string_lossy().into_owned());
        let names: Vec<_> = names.map(|name| name.split('-').next().unwrap_or_default().to_owned()).collect();
        assert_eq!(names, ["V", "V", "copied", "link", "making", "thesis"]);
        assert!(store.describe().expect("usable").contains(", 0 MiB of at most"));
    }

    #[test]
    fn the_place_of_models_is_absolute_and_holds_nothing_else() {
        let folder = tempfile::tempdir().expect("folder");
        let home = folder.path().to_str().expect("name");
        let place = |values: &[(&str, &str)]| {
            let set = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
            Store::named(&Product::named("unit"), set).map(|store| store.root)
        };
        for relative in [".", "models"] {
            let error = place(&[("UNIT_MODELS", relative), ("HOME", home)]).expect_err(relative).to_string();
            assert_eq!(error, format!("UNIT_MODELS is {relative:?}; allowed: the name of a folder that begins with /"));
        }
        let usual = folder.path().join(".cache/unit");
        assert_eq!(place(&[("XDG_CACHE_HOME", "cache"), ("HOME", home)]).expect("HOME"), usual);
        assert_eq!(place(&[("XDG_CACHE_HOME", "/cache"), ("HOME", home)]).expect("XDG"), Path::new("/cache/unit"));
        // With models of its own alone it is taken as it is.
        let named = || place(&[("UNIT_MODELS", home)]).expect("named");
        Store::at(named()).get("V", &Key::digest(["k"]), write("1")).expect("made");
        assert_eq!(named(), folder.path());
        fs::write(folder.path().join("notes"), "").expect("written");
        assert_eq!(named(), folder.path().join("unit"));
    }

    #[test]
    fn one_makes_it_and_the_others_wait() {
        let (_folder, store) = store();
        let made = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let make = |folder: &Path| {
                        made.fetch_add(1, Ordering::SeqCst);
                        std::thread::sleep(Duration::from_millis(50));
                        Ok(fs::write(folder.join("model.so"), "1")?)
                    };
                    store.get("V", &Key::digest(["k"]), make).expect("made");
                });
            }
        });
        assert_eq!(made.into_inner(), 1);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named_and_how_to_choose_another() {
        let folder = tempfile::tempdir().expect("folder");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("written");
        let error = format!("{:#}", Store::at(file).get("V", &Key::digest(["k"]), refuse).expect_err("a file"));
        assert!(error.contains("/file (the place of models; UNIT_MODELS names another)"), "{error}");
    }
}
