// SPDX-License-Identifier: Apache-2.0
//! The models of one unit: made when they are first needed, then kept.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use anyhow::Result;

use super::library::Library;
use super::make::{self, LIBRARY, Phase};
use super::product::Product;
use super::recipe::Recipe;
use super::store::Store;
use super::toolchain::Toolchain;
use crate::base::{output, table};

/// What makes models, looked for when the first is made.
#[derive(Clone, Debug)]
pub struct Makers {
    product: Arc<Product>,
    found: Arc<OnceLock<(Toolchain, Store)>>,
}

impl Makers {
    /// Those of a program.
    pub fn new(product: Product) -> Makers {
        Makers { product: Arc::new(product), found: Arc::default() }
    }

    /// The program that they are for.
    pub fn product(&self) -> &Product {
        &self.product
    }

    /// Verilator, the compiler, and the place for what they make.
    pub fn get(&self) -> Result<&(Toolchain, Store)> {
        if let Some(known) = self.found.get() {
            return Ok(known);
        }
        let store = Store::find(&self.product)?;
        let tools = Toolchain::find(&self.product, Some(&store))?;
        Ok(self.found.get_or_init(|| (tools, store)))
    }
}

/// The models of one unit by their kind `K`.
#[derive(Debug)]
pub struct OnDemand<K> {
    makers: Makers,
    /// Held while a model of a kind is made: whoever wants the same one waits.
    making: Mutex<BTreeMap<K, Arc<Mutex<()>>>>,
    made: Mutex<BTreeMap<K, PathBuf>>,
    loaded: Mutex<BTreeMap<K, Arc<Library>>>,
}

impl<K: Copy + Ord> OnDemand<K> {
    /// None is made yet.
    pub fn new(makers: &Makers) -> OnDemand<K> {
        OnDemand { makers: makers.clone(), making: Mutex::default(), made: Mutex::default(), loaded: Mutex::default() }
    }

    /// The model `kind`, made of `recipe` by as many compilers as there are processors, and loaded, if it is not there.
    pub fn get(&self, kind: K, recipe: impl FnOnce() -> Result<Recipe>) -> Result<Arc<Library>> {
        if let Some(library) = lock(&self.loaded).get(&kind) {
            return Ok(library.clone());
        }
        let path = self.make(kind, None, recipe)?;
        let library = Arc::new(Library::load(&path, &self.makers.product.variable)?);
        Ok(lock(&self.loaded).entry(kind).or_insert(library).clone())
    }

    /// As [`OnDemand::get`], with this number of compilers at a time if there is one, but not loaded: gives its file.
    pub fn make(&self, kind: K, jobs: Option<usize>, recipe: impl FnOnce() -> Result<Recipe>) -> Result<PathBuf> {
        let making = lock(&self.making).entry(kind).or_default().clone();
        let _alone = lock(&making);
        if let Some(path) = lock(&self.made).get(&kind) {
            return Ok(path.clone());
        }
        let (recipe, jobs) = (recipe()?, jobs.unwrap_or_else(table::processors));
        let (tools, store) = self.makers.get()?;
        let label = format!("{} {}", recipe.config, recipe.kind);
        let folder = store.get(&recipe.prefix, &make::key(tools, &recipe), |folder| {
            let bar = table::progress(&label, Phase::ALL.len() as u64);
            let begin = |phase: Phase| bar.step(phase.name());
            let times = make::make(tools, store, &recipe, folder, jobs, begin);
            bar.finish_and_clear();
            let text: Vec<String> =
                times?.iter().map(|(phase, time)| format!("{} {:.1} s", phase.name(), time.as_secs_f64())).collect();
            output::log(&format!("model {label}: {}", text.join(", ")));
            Ok(())
        });
        let path = folder?.join(LIBRARY);
        lock(&self.made).insert(kind, path.clone());
        Ok(path)
    }

    /// Another process has made this model.
    pub fn made_elsewhere(&self, kind: K, path: &Path) {
        lock(&self.made).entry(kind).or_insert_with(|| path.to_owned());
    }

    /// The models that are made so far, and their files.
    pub fn made(&self) -> Vec<(K, PathBuf)> {
        lock(&self.made).iter().map(|(kind, path)| (*kind, path.clone())).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
