//! A node whose render does one of several test cases.

use std::sync::Mutex;

use crate::ofx::*;

/// The test case of the next render.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Case {
    /// Does nothing.
    #[default]
    Nothing,
    /// Panics with a text.
    Panic,
    /// Panics with a payload that panics again when dropped.
    PanicTwice,
    /// Fails.
    Fail,
    /// Copies `Source` to `Output`, row by row.
    Copy,
    /// Tries to set the parameter `number`.
    SetParam,
    /// Uses the handles of an earlier instance.
    Foreign,
    /// Reads parameters of the camera.
    Camera,
}

pub(super) struct Instance {
    pub(super) number: Option<Param<f64>>,
}

/// State that a test shares with its node.
#[derive(Default)]
pub(super) struct TestLog {
    pub(super) case: Mutex<Case>,
    pub(super) seen: Mutex<Vec<String>>,
    pub(super) kept: Mutex<Option<Param<f64>>>,
}

impl TestLog {
    pub(super) const fn new() -> Self {
        Self { case: Mutex::new(Case::Nothing), seen: Mutex::new(Vec::new()), kept: Mutex::new(None) }
    }

    pub(super) fn note(&self, what: impl Into<String>) {
        self.seen.lock().unwrap().push(what.into());
    }

    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.seen.lock().unwrap())
    }

    pub(super) fn set(&self, case: Case) {
        *self.case.lock().unwrap() = case;
    }
}

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("a panic in the payload of a panic");
    }
}

pub(super) fn create(effect: &EffectHandle<'_>) -> Result<Instance> {
    Ok(Instance { number: effect.param(c"number").ok() })
}

pub(super) fn render(log: &TestLog, instance: &Instance, effect: &EffectHandle<'_>, args: &RenderArgs) -> Result<()> {
    let case = *log.case.lock().unwrap();
    match case {
        Case::Nothing => Ok(()),
        Case::Panic => panic!("the river is dry"),
        Case::PanicTwice => std::panic::panic_any(Bomb),
        Case::Fail => Err(Error::message("Terrain is too small: wire another.")),
        Case::Copy => copy(effect, args),
        Case::SetParam => instance.number.as_ref().expect("a number").set(effect, &1.0),
        Case::Camera => {
            let Some(camera) = effect.camera(c"Camera") else {
                log.note("no input");
                return Ok(());
            };
            log.note(format!("{:?}", camera.parameter::<2>(effect, Camera::FOCAL, args.time)?));
            log.note(format!("{}", camera.parameter::<2>(effect, Camera::ROLL, args.time).is_err()));
            Ok(())
        }
        Case::Foreign => {
            let kept = log.kept.lock().unwrap().clone();
            log.note(format!("{:?}", kept.expect("a kept number").value_at(effect, args.time)));
            Ok(())
        }
    }
}

fn copy(effect: &EffectHandle<'_>, args: &RenderArgs) -> Result<()> {
    let (source, output) = (effect.clip(c"Source")?, effect.clip(c"Output")?);
    let rows: Vec<(i32, Vec<u8>)> = match source.image(effect, args.time)? {
        Some(image) => image.rows().map(|(y, row)| (y, row.to_vec())).collect(),
        None => Vec::new(),
    };
    let Some(mut image) = output.output_image(effect, args.time)? else { return Ok(()) };
    image.clear();
    std::thread::scope(|scope| {
        for row in image.rows_mut() {
            let rows = &rows;
            scope.spawn(move || {
                if let Some((_, source)) = rows.iter().find(|(y, _)| *y == row.y) {
                    row.bytes.copy_from_slice(source);
                }
            });
        }
    });
    Ok(())
}

/// Declares a node type for one test, with its state, log and plug-in.
macro_rules! probe {
    ($name:ident) => {
        struct $name;

        static LOG: $crate::ofx::tests::probe::TestLog = $crate::ofx::tests::probe::TestLog::new();

        $crate::plugins! {
            static PLUGINS = [$name];
        }

        impl $crate::ofx::Effect for $name {
            const IDENTIFIER: &'static std::ffi::CStr = c"org.flowofx.Probe";
            const LABEL: &'static std::ffi::CStr = c"Probe";
            const VERSION: (u32, u32) = (1, 2);
            type Instance = $crate::ofx::tests::probe::Instance;

            fn unload() {
                LOG.note("unload");
            }

            fn describe(
                host: &$crate::ofx::Host,
                descriptor: &mut $crate::ofx::EffectDescriptor<'_>,
            ) -> $crate::ofx::Result<()> {
                LOG.note(format!("describe in {}", host.name()));
                descriptor.label(c"Probe").supports_tiles(false).sequential_render(2);
                descriptor.depths(&[$crate::ofx::Depth::Float, $crate::ofx::Depth::Half, $crate::ofx::Depth::Byte]);
                Ok(())
            }

            fn describe_in_context(
                _: &$crate::ofx::Host,
                descriptor: &mut $crate::ofx::EffectDescriptor<'_>,
                context: $crate::ofx::Context,
            ) -> $crate::ofx::Result<()> {
                LOG.note(context.as_str());
                let _ = descriptor.clip(c"Source")?.optional(true).supports_tiles(false);
                let _ = descriptor
                    .double(c"number", 4.0, $crate::ofx::Bounds::new(0.0, 100.0).display(0.0, 10.0))?
                    .hint(c"A number.");
                Ok(())
            }

            fn create_instance(effect: &$crate::ofx::EffectHandle<'_>) -> $crate::ofx::Result<Self::Instance> {
                $crate::ofx::tests::probe::create(effect)
            }

            fn render(
                instance: &Self::Instance,
                effect: &$crate::ofx::EffectHandle<'_>,
                args: &$crate::ofx::RenderArgs,
            ) -> $crate::ofx::Result<$crate::ofx::Answer> {
                $crate::ofx::tests::probe::render(&LOG, instance, effect, args)?;
                Ok($crate::ofx::Answer::Done)
            }

            fn frames_needed(
                _: &Self::Instance,
                _: &$crate::ofx::EffectHandle<'_>,
                frames: &mut $crate::ofx::FramesNeeded<'_>,
            ) -> $crate::ofx::Result<$crate::ofx::Answer> {
                let (min, max) = (frames.time - 1.0, frames.time);
                frames.set(c"Source", &[$crate::ofx::RangeD { min, max }])?;
                Ok($crate::ofx::Answer::Done)
            }

            fn instance_changed(
                _: &Self::Instance,
                _: &$crate::ofx::EffectHandle<'_>,
                args: &$crate::ofx::ChangedArgs,
            ) -> $crate::ofx::Result<$crate::ofx::Answer> {
                LOG.note(format!("{:?} {} {:?}", args.kind, args.name, args.reason));
                Ok($crate::ofx::Answer::Done)
            }
        }

        fn plugin() -> &'static $crate::ofx::Plugin {
            &PLUGINS[0]
        }
    };
}

pub(super) use probe;
