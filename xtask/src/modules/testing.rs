//! Crates for tests.

use std::fs;

use super::Tree;

/// The modules of a crate of these files, the first of which is its root.
pub(crate) fn tree(files: &[(&str, &str)]) -> Tree {
    let names: String = files.iter().map(|file| file.1.len().to_string()).collect();
    let folder = std::env::temp_dir().join(format!("modules-{}-{names}", std::process::id()));
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let tree = Tree::read(&folder.join(files[0].0));
    fs::remove_dir_all(&folder).unwrap();
    tree.unwrap()
}
