//! The graphics devices, for tools.

use super::json_text;
use crate::compute::gpu;
use crate::ofx::stay_loaded;

/// The graphics devices of the system as JSON: an array of objects with `name`, `type`, `backend`, `driver`,
/// `largestBinding` and `largestBuffer` (bytes), `chosen` and `chosenByAuto`. Loads the drivers, which may take a
/// second.
#[must_use]
pub fn devices() -> String {
    stay_loaded();
    let wanted = gpu::Options::from_env().adapter;
    let items: Vec<String> = gpu::list(wanted.as_deref())
        .into_iter()
        .map(|d| {
            let [name, backend, driver] = [&d.name, &d.backend, &d.driver].map(|text| json_text(text));
            let gpu::Listed { kind, largest_binding, largest_buffer, chosen, chosen_by_auto, .. } = d;
            format!(
                "{{\"name\":\"{name}\",\"type\":\"{kind}\",\"backend\":\"{backend}\",\"driver\":\"{driver}\",\
                 \"largestBinding\":{largest_binding},\"largestBuffer\":{largest_buffer},\"chosen\":{chosen},\
                 \"chosenByAuto\":{chosen_by_auto}}}"
            )
        })
        .collect();
    format!("[{}]", items.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_break_out_of_its_quotes() {
        assert_eq!(json_text("a \"b\" \\ \n c"), "a \\\"b\\\" \\\\   c");
    }
}
