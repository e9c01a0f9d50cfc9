//! Dependencies between the modules point one way, and each outside package has one home.

use std::fs;
use std::path::{Path, PathBuf};

const MODULES: [&str; 6] = ["ofx", "nodes", "timeline", "sim", "compute", "picture"];

/// The modules that a module may use besides itself.
const ALLOWED: [(&str, &[&str]); 6] = [
    ("ofx", &[]),
    ("sim", &[]),
    ("compute", &["sim"]),
    ("picture", &["sim", "compute"]),
    ("timeline", &["sim", "compute"]),
    ("nodes", &["ofx", "timeline", "sim", "compute", "picture"]),
];

/// Packages that only one module may name.
const HOMES: [(&str, &str); 5] = [
    ("rayon", "compute"),
    ("wgpu", "compute"),
    ("flow_openfx", "ofx"),
    ("libloading", "ofx"),
    ("tracing_subscriber", "ofx"),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the source folder is there") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

/// The code of a file, without line comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("readable");
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// Modules that a piece of code names as `crate::module` or inside `use crate::{…}`.
fn named(code: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let group = rest.strip_prefix('{').map(|inner| inner.split('}').next().unwrap_or(""));
        let heads: Vec<&str> = group.map_or_else(|| vec![rest], |inner| inner.split(',').collect());
        for head in heads {
            let word: String = head.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.extend(MODULES.iter().find(|module| **module == word));
        }
    }
    found
}

fn uses_word(code: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        !code[..at].chars().next_back().is_some_and(part) && !code[at + word.len()..].chars().next().is_some_and(part)
    })
}

#[test]
fn dependencies_point_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut looked_at = 0;
    for (module, allowed) in ALLOWED {
        for path in sources(&root.join(module)) {
            looked_at += 1;
            let code = code(&path);
            for other in named(&code) {
                assert!(
                    other == module || allowed.contains(&other),
                    "{} uses {other}, which {module} may not",
                    path.display()
                );
            }
            for (package, home) in HOMES {
                assert!(
                    module == home || !uses_word(&code, package),
                    "{} uses {package}, whose home is {home}",
                    path.display()
                );
            }
            let stores = module == "timeline" || path.starts_with(root.join("nodes"));
            assert!(stores || !uses_word(&code, "flow_cache"), "{} uses flow_cache", path.display());
            let fenced = module == "ofx" || path.starts_with(root.join("compute/cpu"));
            assert!(fenced || !uses_word(&code, "unsafe"), "{} has unsafe code", path.display());
        }
    }
    assert!(looked_at > 20, "only {looked_at} files were found");
}

#[test]
fn tests_and_tools_have_no_unsafe_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // This file contains the word.
    let own = root.join("tests/architecture.rs");
    let folders = ["tests", "benches", "xtask", "host/tests", "cache/tests"];
    let paths: Vec<PathBuf> = folders.iter().flat_map(|folder| sources(&root.join(folder))).collect();
    assert!(paths.len() > 60, "only {} files were found", paths.len());
    for path in paths.iter().filter(|path| **path != own) {
        assert!(!uses_word(&code(path), "unsafe"), "{} has unsafe code", path.display());
    }
}

/// These macros panic where the stream cannot be written: a message on a full disk would end a render.
#[test]
fn no_message_is_printed_by_a_macro_that_panics() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "host/src", "cache/src"] {
        let paths = sources(&root.join(folder));
        assert!(paths.len() > 20, "only {} files were found", paths.len());
        // Tests print their results.
        let is_test =
            |path: &Path| path.ends_with("tests.rs") || path.components().any(|part| part.as_os_str() == "tests");
        for path in paths.into_iter().filter(|path| !is_test(path.strip_prefix(root).expect("inside"))) {
            let code = code(&path);
            for name in ["print", "println", "eprint", "eprintln", "dbg"] {
                assert!(!uses_word(&code, &format!("{name}!")), "{} uses {name}!", path.display());
            }
        }
    }
}

/// The code after each mention of a module.
fn mentions<'a>(code: &'a str, module: &'a str) -> impl Iterator<Item = &'a str> {
    code.match_indices(module).map(move |(at, _)| &code[at + module.len()..])
}

/// Files at the root of a layer, and in the folders that models share there.
fn shared_sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let models = ["water", "smoke", "particles", "volume"];
    let mut paths = Vec::new();
    for layer in ["sim", "compute", "compute/cpu", "compute/gpu"] {
        paths.extend(sources(&root.join(layer)));
    }
    paths.retain(|path| !path.components().any(|part| models.iter().any(|model| part.as_os_str() == *model)));
    paths
}

#[test]
fn the_root_modules_of_models_and_devices_name_no_model() {
    let paths = shared_sources();
    assert!(paths.len() > 30, "only {} files were found", paths.len());
    for path in paths {
        let code = code(&path);
        for model in ["water", "smoke", "particles", "volume"] {
            assert!(!code.contains(&format!("{model}::")), "{} uses the model {model}", path.display());
        }
    }
}

#[test]
fn code_shared_by_models_has_no_locks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sim");
    let paths: Vec<PathBuf> = shared_sources().into_iter().filter(|path| path.starts_with(&folder)).collect();
    assert!(paths.len() > 8, "only {} files were found", paths.len());
    for path in paths {
        for word in ["Mutex", "RwLock", "Condvar"] {
            assert!(!uses_word(&code(&path), word), "{} uses {word}", path.display());
        }
    }
}

#[test]
fn code_shared_by_nodes_names_no_model() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/nodes");
    let names = fs::read_dir(&root).expect("readable").map(|entry| entry.expect("readable"));
    let nodes: Vec<String> = names
        .filter(|entry| entry.path().is_dir() && entry.file_name() != "common")
        .map(|entry| entry.file_name().into_string().expect("ASCII"))
        .collect();
    assert!(nodes.iter().any(|node| node == "water"));
    let paths = sources(&root.join("common"));
    assert!(paths.len() > 10, "only {} files were found", paths.len());
    for path in paths {
        let code = code(&path);
        for rest in mentions(&code, "crate::sim") {
            // Fingerprints and requests for memory know no model either.
            let allowed = ["::grid::Grid", "::fingerprint::", "::request"].iter().any(|part| rest.starts_with(part));
            assert!(allowed, "{} uses more of sim than rasters, fingerprints and requests for memory", path.display());
        }
        // Nor in a group of `use`, where the module does not follow `crate`.
        assert!(!code.contains("crate::{"), "{} hides what it uses", path.display());
        for node in &nodes {
            for rest in mentions(&code, "nodes::").chain(mentions(&code, "super::super::")) {
                assert!(!rest.starts_with(&format!("{node}::")), "{} uses {node}", path.display());
            }
        }
        let text = fs::read_to_string(&path).expect("readable").to_lowercase();
        assert!(!text.contains("water") && !text.contains("smoke"), "{} speaks of one fluid", path.display());
    }
}

#[test]
fn the_cache_names_no_model_and_no_host() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("cache/Cargo.toml")).expect("readable");
    assert!(!manifest.contains("flow-ofx") && !manifest.contains("flow-host") && !manifest.contains("openfx"));
    let paths = sources(&root.join("cache/src"));
    assert!(paths.len() > 10, "only {} files were found", paths.len());
    for path in paths {
        assert!(!uses_word(&code(&path), "unsafe"), "{} has unsafe code", path.display());
    }
}

#[test]
fn the_source_reader_finds_modules_and_unsafe_code() {
    assert_eq!(named("use crate::{sim::grid, ofx};\nlet x = crate::nodes::y;"), ["sim", "ofx", "nodes"]);
    assert!(uses_word("use rayon::prelude", "rayon") && !uses_word("crayons", "rayon"));
}
