//! The messages quoted in the guide are those of the source code.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("the source folder is there").map(|entry| entry.expect("readable").path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

#[test]
fn every_message_in_the_guide_is_in_the_source_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| fs::read_to_string(path).expect("readable");
    // A text that continues on the next line, and escaped quotes, are joined.
    let code: String = sources(&root.join("src")).iter().map(|path| read(path)).collect();
    let lines: Vec<&str> = code.split("\\\n").collect();
    let code = std::iter::once(lines[0]).chain(lines[1..].iter().map(|line| line.trim_start())).collect::<String>();
    let code = code.replace("\\\"", "\"");
    // Most messages name no fluid.
    let code = code.replace("keys do not animate the {}", "keys do not animate the water");

    let guide = read(&root.join("docs/guide.md"));
    let quotes: Vec<&str> = guide.split('“').skip(1).map(|rest| rest.split('”').next().unwrap_or(rest)).collect();
    let mut found = 0;
    for quote in quotes.iter().filter(|quote| quote.len() > 10) {
        let parts = quote.split('…').map(|part| part.trim_matches([' ', '(', ')', '.']));
        for part in parts.filter(|part| part.len() > 4) {
            assert!(code.contains(part), "the guide quotes \"{quote}\", and no source has \"{part}\"");
            found += 1;
        }
    }
    assert!(found > 15, "only {found} parts of messages were found");
}
