//! The log, for those who look for the cause of something.
//!
//! Hosts show or swallow a plug-in's output as they please, so nothing is written unless asked for: `FLOW_LOG` holds a
//! filter such as `debug` or `flow_ofx::timeline=trace`, and `FLOW_LOG_FILE` the file that is appended to instead of the
//! standard error stream.

use std::{
    env,
    fs::OpenOptions,
    sync::{Mutex, Once},
};

use tracing_subscriber::{EnvFilter, fmt};

/// Switches the log on if the environment asks for it; does nothing from the second call on, nor where the process has a
/// subscriber already.
pub(super) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Some(wish) = env::var("FLOW_LOG").ok().filter(|wish| !wish.trim().is_empty()) else {
            return;
        };
        let (filter, complaint) = match EnvFilter::try_new(&wish) {
            Ok(filter) => (filter, None),
            Err(error) => (EnvFilter::new("info"), Some(format!("FLOW_LOG is '{wish}', which is no filter: {error}"))),
        };
        let builder = fmt().with_env_filter(filter).with_thread_ids(true).with_ansi(false);
        let installed = match env::var_os("FLOW_LOG_FILE").filter(|path| !path.is_empty()) {
            None => builder.with_writer(std::io::stderr).try_init(),
            Some(path) => match OpenOptions::new().create(true).append(true).open(&path) {
                Ok(file) => builder.with_writer(Mutex::new(file)).try_init(),
                Err(error) => {
                    let outcome = builder.with_writer(std::io::stderr).try_init();
                    tracing::warn!("FLOW_LOG_FILE '{}' cannot be written: {error}", path.display());
                    outcome
                }
            },
        };
        if installed.is_ok()
            && let Some(complaint) = complaint
        {
            tracing::warn!("{complaint}");
        }
    });
}
