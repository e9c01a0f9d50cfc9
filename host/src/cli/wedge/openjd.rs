//! A wedge as a template of Open Job Description: one task for each combination, then the contact sheet.
//!
//! The template's job file has the lists of values, so that the last step is the whole wedge, whose combinations are
//! there. A task is the wedge of a single combination, and so has the same folder.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::{JOB, Wedge};
use crate::cli::stream::say;
use crate::{Error, Result, io};

/// Largest number of values of a task parameter, by the specification.
const MOST_VALUES: usize = 1024;

/// Largest number of task parameters, by the specification.
const MOST_AXES: usize = 16;

/// Writes the template and, into the wedge's folder, the job file.
pub(super) fn write(wedge: &Wedge, file: &Path, sheet_frame: Option<i64>) -> Result<()> {
    io::check_target(file)?;
    let folder = std::path::absolute(file).map_err(|error| Error::file(file, error))?;
    let folder = folder.parent().unwrap_or(Path::new("/"));
    let template = template(wedge, folder, sheet_frame)?;
    let mut job = wedge.job.clone();
    for axis in &wedge.axes {
        let values = axis.values.iter().map(|value| value.value.clone()).collect();
        job.nodes[axis.node].vary.insert(axis.parameter.clone(), toml::Value::Array(values));
    }
    io::write_whole(&wedge.out.join(JOB), job.to_text()?.as_bytes())?;
    let text = serde_json::to_string_pretty(&template).map_err(|error| Error::file(file, error))?;
    io::write_whole(file, (text + "\n").as_bytes())?;
    say(&format!("{}: {} tasks", file.display(), wedge.combinations.len()))
}

fn template(wedge: &Wedge, folder: &Path, sheet_frame: Option<i64>) -> Result<Value> {
    if wedge.axes.len() > MOST_AXES {
        return Err(Error::usage(format!("{} parameters vary; a template has at most {MOST_AXES}", wedge.axes.len())));
    }
    let mut names: Vec<String> = Vec::new();
    let mut parameters = Vec::new();
    let mut vary: Vec<String> = Vec::new();
    for axis in &wedge.axes {
        if axis.values.len() > MOST_VALUES {
            return Err(Error::usage(format!(
                "{} has {} values; a template has at most {MOST_VALUES}",
                axis.label,
                axis.values.len()
            )));
        }
        let name = identifier(&axis.label, &names);
        let texts: Vec<&str> = axis.values.iter().map(|value| &*value.text).collect();
        if let Some(text) = texts.iter().find(|text| text.contains([';']) || text.contains("{{") || text.is_empty()) {
            return Err(Error::usage(format!(
                "{}: '{text}' has no form in a template: leave out values that are empty or have ; or {{{{",
                axis.label
            )));
        }
        parameters.push(json!({ "name": name, "type": "STRING", "range": texts }));
        // A semicolon ends a value that may have commas.
        vary.extend(["--vary".to_owned(), format!("{}={{{{Task.Param.{name}}}}};", axis.label)]);
        names.push(name);
    }
    let command = |more: Vec<String>| {
        let plain = ["wedge", "--job", "{{Param.Job}}", "--out", "{{Param.Out}}"].map(str::to_owned);
        let args: Vec<String> = plain.into_iter().chain(more).collect();
        json!({ "actions": { "onRun": { "command": "{{Param.FlowHost}}", "args": args } } })
    };
    let mut sheet = vec!["--limit".to_owned(), wedge.combinations.len().to_string()];
    sheet.extend(sheet_frame.map(|frame| format!("--sheet-frame={frame}")));
    let tasks = vary.into_iter().chain(["--no-sheet".to_owned()]).collect();
    Ok(json!({
        "specificationVersion": "jobtemplate-2023-09",
        "name": "Flow wedge",
        "description": "Renders each combination of some values as a task, then draws the contact sheet and the table of times.",
        "parameterDefinitions": [
            parameter("FlowHost", Some("flow-host".into()), json!({
                "type": "STRING",
                "minLength": 1,
                "description": "The command flow-host, as the workers find it: a name on their PATH, or a whole path.",
                "userInterface": { "control": "LINE_EDIT", "label": "flow-host command" },
            })),
            parameter("Job", relative(folder, &wedge.out.join(JOB)), json!({
                "type": "PATH",
                "objectType": "FILE",
                "dataFlow": "IN",
                "description": "The job file, with the lists of values.",
                "userInterface": { "control": "CHOOSE_INPUT_FILE", "label": "Job file" },
            })),
            parameter("Out", relative(folder, &wedge.out), json!({
                "type": "PATH",
                "objectType": "DIRECTORY",
                "dataFlow": "INOUT",
                "description": "The wedge's folder, on a disk that all workers share.",
                "userInterface": { "control": "CHOOSE_DIRECTORY", "label": "Folder" },
            })),
        ],
        "steps": [
            {
                "name": "Render",
                "description": "Renders a combination.",
                "parameterSpace": { "taskParameterDefinitions": parameters, "combination": names.join(" * ") },
                "script": command(tasks),
            },
            {
                "name": "Sheet",
                "description": "Draws the contact sheet and writes the table of times.",
                "dependencies": [{ "dependsOn": "Render" }],
                "script": command(sheet),
            },
        ],
    }))
}

/// A path as a template names it: relative to the template's folder. Paths outside it have no form.
fn relative(folder: &Path, path: &Path) -> Option<String> {
    let path = path.strip_prefix(folder).ok()?.to_string_lossy().into_owned();
    Some(if path.is_empty() { ".".to_owned() } else { path })
}

/// A job parameter; one without a default must be given at submission.
fn parameter(name: &str, default: Option<String>, more: Value) -> Value {
    let mut all = Map::new();
    all.insert("name".into(), name.into());
    all.extend(default.map(|default| ("default".to_owned(), default.into())));
    all.extend(more.as_object().cloned().unwrap_or_default());
    all.into()
}

/// A parameter's name as the specification allows it: letters, digits and `_`, at most 64, and none twice.
fn identifier(label: &str, others: &[String]) -> String {
    let others: BTreeSet<&str> = others.iter().map(String::as_str).collect();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut name: String = label.chars().map(plain).take(56).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert(0, 'p');
    }
    match others.contains(&*name) {
        true => format!("{name}_{}", others.len()),
        false => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_plain_and_differ() {
        assert_eq!(identifier("rainDrops", &[]), "rainDrops");
        assert_eq!(identifier("water.rain", &["water_rain".into()]), "water_rain_1");
        assert_eq!(identifier("1st", &[]), "p1st");
        assert!(identifier(&"x".repeat(99), &["x".repeat(56)]).len() <= 64);
    }
}
