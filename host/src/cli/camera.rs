//! The camera of a node in a job or on the command line.

use std::collections::BTreeMap;
use std::path::Path;

use super::job::{key_time, value};
use crate::{Camera, Error, Result, Value};

/// Field of a job's camera that names a file; all others are knobs.
const FILE: &str = "file";

/// Adds a flag `--camera`: a `.chan` file, `KNOB=VALUE` or `KNOB@FRAME=VALUE`.
pub(super) fn add_flag(camera: &mut BTreeMap<String, toml::Value>, text: &str) -> Result<()> {
    let twice = || Err(Error::usage(format!("--camera {text}: given twice")));
    let Some((place, value)) = text.split_once('=') else {
        let file = camera.insert(FILE.to_owned(), toml::Value::String(text.to_owned()));
        return if file.is_some() { twice() } else { Ok(()) };
    };
    let value = toml::Value::String(value.to_owned());
    let Some((knob, frame)) = place.split_once('@') else {
        return if camera.insert(place.to_owned(), value).is_some() { twice() } else { Ok(()) };
    };
    let keys = camera.entry(knob.to_owned()).or_insert_with(|| toml::Value::Table(toml::Table::new()));
    let keys = keys.as_table_mut().ok_or_else(|| Error::usage(format!("--camera {text}: {knob} has a constant")))?;
    if keys.insert(frame.to_owned(), value).is_some() { twice() } else { Ok(()) }
}

/// The camera of a job; file names are relative to `folder`.
pub(super) fn camera(fields: &BTreeMap<String, toml::Value>, folder: &Path) -> Result<Camera> {
    let mut camera = Camera::new();
    // The aperture is that of the file's field of view.
    for first in ["vaperture", FILE] {
        if let Some(given) = fields.get(first) {
            camera = add(camera, first, given, folder)?;
        }
    }
    let others = fields.iter().filter(|(name, _)| !["vaperture", FILE].contains(&name.as_str()));
    others.into_iter().try_fold(camera, |camera, (name, given)| add(camera, name, given, folder))
}

fn add(camera: Camera, name: &str, given: &toml::Value, folder: &Path) -> Result<Camera> {
    match given {
        toml::Value::String(file) if name == FILE => camera.chan(&folder.join(file)),
        toml::Value::Table(keys) => keys.iter().try_fold(camera, |camera, (frame, given)| {
            camera.key(name, key_time(name, frame)?, &numbers(name, given)?)
        }),
        given => camera.set(name, &numbers(name, given)?),
    }
}

fn numbers(name: &str, given: &toml::Value) -> Result<Vec<f64>> {
    match value(name, given)? {
        Value::Text(text) => {
            let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
            numbers.ok_or_else(|| Error::usage(format!("{name} of the camera: '{text}' is no list of numbers")))
        }
        value => Ok(value.numbers()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_a_file_constants_and_keys() {
        let mut fields = BTreeMap::new();
        for text in ["focal=35", "translate@1=0,0,5", "translate@3=2,0,5"] {
            add_flag(&mut fields, text).expect(text);
        }
        let made = camera(&fields, Path::new("")).expect("a camera");
        assert_eq!(made.parameter("translate", 2.0), Some(vec![1.0, 0.0, 5.0]));
        assert_eq!(made.parameter("focal", 2.0), Some(vec![35.0]));
        for (text, phrase) in [("focal=36", "twice"), ("focal@2=36", "constant"), ("translate@1=1,1,1", "twice")] {
            let error = add_flag(&mut fields, text).expect_err(phrase).to_string();
            assert!(error.contains(phrase), "{error}");
        }
        let wrong = BTreeMap::from([("focal".to_owned(), toml::Value::String("wide".into()))]);
        let error = camera(&wrong, Path::new("")).expect_err("a word").to_string();
        assert!(error.contains("'wide'"), "{error}");
    }
}
