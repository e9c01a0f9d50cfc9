//! Conversion of a [`Header`] to EXR attributes and back.

use std::collections::BTreeMap;
use std::path::Path;

use exr::meta::attribute::{AttributeValue, Text};

use crate::parts::Part;
use crate::shape::MOST_AXES;
use crate::{Header, Refusal};

/// Version of the file format.
pub(crate) const FORMAT: u32 = 2;
const PREFIX: &str = "flow.";
/// Limit of the stored parameters in bytes. Longer ones are truncated, so that a header always fits the limit of
/// `peek`.
pub(crate) const MOST_PARAMETERS: usize = 128 << 10;

/// Attributes of a header, in the order of writing.
pub(crate) fn write(header: &Header) -> Vec<(&'static str, AttributeValue)> {
    let Header {
        key,
        family,
        model,
        version,
        frame,
        index,
        shape,
        origin,
        cells_per_pixel,
        numbers,
        parameters,
        state,
    } = header;
    let text = |text: String| AttributeValue::Text(Text::from_slice_unchecked(text.as_bytes()));
    let key_text = |key: u128| text(format!("{key:032x}"));
    let numbers: Vec<String> = numbers.iter().map(|(name, bits)| format!("{name}={bits:016x}")).collect();
    let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
    let origin: Vec<String> = origin.iter().map(|value| format!("{value:?}")).collect();
    vec![
        ("flow.format", AttributeValue::I32(FORMAT as i32)),
        ("flow.model", text(model.clone())),
        ("flow.version", AttributeValue::I32(*version as i32)),
        ("flow.frame", text(frame.to_string())),
        ("flow.index", text(index.to_string())),
        ("flow.key", key_text(*key)),
        ("flow.family", key_text(*family)),
        ("flow.state", key_text(*state)),
        ("flow.shape", text(shape.join(" "))),
        ("flow.origin", text(origin.join(" "))),
        ("flow.cellsPerPixel", AttributeValue::F64(*cells_per_pixel)),
        ("flow.numbers", text(numbers.join(" "))),
        ("flow.parameters", text(shortened(parameters))),
    ]
}

fn shortened(parameters: &str) -> String {
    if parameters.len() <= MOST_PARAMETERS {
        return parameters.into();
    }
    let end = (0..=MOST_PARAMETERS).rev().find(|&end| parameters.is_char_boundary(end)).unwrap_or(0);
    format!("{}…", &parameters[..end])
}

/// The attributes of a header in a part, sorted by name: another program may have rewritten them in another order.
fn of(part: &Part) -> Vec<&crate::parts::Attribute> {
    let mut own: Vec<_> = part.attributes.iter().filter(|attribute| attribute.name.starts_with(PREFIX)).collect();
    own.sort_by_key(|attribute| &attribute.name);
    own
}

/// Reads the header, which all parts of a state file repeat.
pub(crate) fn read(path: &Path, parts: &[Part]) -> Result<Header, Refusal> {
    let first = &parts[0];
    let fields = Fields { path, part: first };
    let Some(format) = first.attribute("flow.format", "int") else {
        // A partial header is damage; no header means another program's file.
        return Err(if parts.iter().all(|part| of(part).is_empty()) {
            Refusal::NotOurs { path: path.into(), why: "Flow did not write it as a state".into() }
        } else {
            fields.bad("format")
        });
    };
    let found = fields.number(format, "format")?;
    if found != FORMAT {
        return Err(Refusal::OtherFormat { path: path.into(), found, expected: FORMAT });
    }
    if parts[1..].iter().any(|part| of(part) != of(first)) {
        return Err(Refusal::damaged(path, "the headers of its parts differ"));
    }
    let (shape, origin) =
        (fields.list("shape", usize::to_string)?, fields.list("origin", |at: &f64| format!("{at:?}"))?);
    if shape.len() != origin.len() || !origin.iter().all(|at| at.is_finite()) {
        return Err(fields.bad("origin"));
    }
    Ok(Header {
        key: fields.key("key")?,
        family: fields.key("family")?,
        model: fields.text("model")?.into(),
        version: fields.number(fields.value("version", "int")?, "version")?,
        frame: fields.decimal("frame")?,
        index: fields.decimal("index")?,
        shape,
        origin,
        cells_per_pixel: fields.float("cellsPerPixel")?,
        numbers: fields.numbers()?,
        parameters: fields.text("parameters")?.into(),
        state: fields.key("state")?,
    })
}

struct Fields<'a> {
    path: &'a Path,
    part: &'a Part,
}

impl<'a> Fields<'a> {
    fn bad(&self, name: &str) -> Refusal {
        Refusal::damaged(self.path, format!("its {PREFIX}{name} is missing or invalid"))
    }

    fn value(&self, name: &str, kind: &str) -> Result<&'a [u8], Refusal> {
        self.part.attribute(&format!("{PREFIX}{name}"), kind).ok_or_else(|| self.bad(name))
    }

    fn text(&self, name: &str) -> Result<&'a str, Refusal> {
        std::str::from_utf8(self.value(name, "string")?).map_err(|_| self.bad(name))
    }

    fn number(&self, bytes: &[u8], name: &str) -> Result<u32, Refusal> {
        bytes.try_into().map(u32::from_le_bytes).map_err(|_| self.bad(name))
    }

    /// A number is accepted only in the form that this crate writes.
    fn decimal<N: std::str::FromStr + ToString>(&self, name: &str) -> Result<N, Refusal> {
        let text = self.text(name)?;
        text.parse().ok().filter(|number: &N| number.to_string() == text).ok_or_else(|| self.bad(name))
    }

    fn key(&self, name: &str) -> Result<u128, Refusal> {
        let text = self.text(name)?;
        let key = u128::from_str_radix(text, 16).ok().filter(|key| format!("{key:032x}") == text);
        key.ok_or_else(|| self.bad(name))
    }

    fn float(&self, name: &str) -> Result<f64, Refusal> {
        self.value(name, "double")?.try_into().map(f64::from_le_bytes).map_err(|_| self.bad(name))
    }

    /// One number per axis, in the form that `text` produces.
    fn list<N: std::str::FromStr>(&self, name: &str, text: impl Fn(&N) -> String) -> Result<Vec<N>, Refusal> {
        let entries = self.text(name)?.split(' ').take(MOST_AXES + 1);
        let list: Option<Vec<N>> =
            entries.map(|entry| entry.parse().ok().filter(|number| text(number) == entry)).collect();
        list.filter(|list| list.len() <= MOST_AXES).ok_or_else(|| self.bad(name))
    }

    fn numbers(&self) -> Result<BTreeMap<String, u64>, Refusal> {
        let text = self.text("numbers")?;
        let entry = |entry: &str| {
            let (name, bits) = entry.split_once('=')?;
            let bits = u64::from_str_radix(bits, 16).ok().filter(|value| format!("{value:016x}") == bits)?;
            is_name(name).then(|| (name.to_owned(), bits))
        };
        let entries = text.split(' ').filter(|_| !text.is_empty());
        entries.map(entry).collect::<Option<_>>().ok_or_else(|| self.bad("numbers"))
    }
}

/// Whether a name is valid for an entry of [`Header::numbers`].
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '=')
}
