//! Values of parameters, written and read.

use std::{
    ffi::CStr,
    ptr::NonNull,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{
    fake::{self, Effect, Host, Set, Shape, Value, call},
    probe::{Case, probe},
};
use crate::ofx::{
    Action, Choice, Clip, Components, Depth, EffectHandle, Error, Field, Image, Param, ParamValue, RenderArgs, Status,
    host::Host as Seen, plugin::next_id, property::PropertySet,
};

fn seen(host: &'static Host) -> Seen {
    // SAFETY: the host is leaked.
    unsafe { Seen::new(host.raw()) }.unwrap()
}

/// Runs `work` with a handle during `action`.
fn during<R>(action: Action, effect: &'static Effect, work: impl FnOnce(&EffectHandle<'_>) -> R) -> R {
    let host = seen(Host::new(Shape { name: c"org.test.Values", api: (1, 4), ..Shape::default() }));
    let posted = AtomicBool::new(false);
    let handle = NonNull::new(effect.handle().cast_mut().cast()).unwrap();
    // SAFETY: an effect of that host; used here alone.
    work(&unsafe { EffectHandle::new(&host, handle, next_id(), action, &posted) })
}

fn written_and_read<V: ParamValue + PartialEq + std::fmt::Debug>(kind: &CStr, value: V, at_2: V) {
    let effect = fake::leak::<Effect>();
    effect.add_param(c"p", kind, &[]);
    during(Action::InstanceChanged, effect, |handle| {
        let param: Param<V> = handle.param(c"p").unwrap();
        param.set(handle, &value).unwrap();
        assert_eq!(param.value_at(handle, 2.0).unwrap(), at_2, "{kind:?}");
    });
}

#[test]
fn every_type_goes_through_the_variadic_calls() {
    written_and_read(c"OfxParamTypeDouble", 0.25, 2.25);
    written_and_read(c"OfxParamTypeDouble2D", [0.5, -1.0], [2.5, 1.0]);
    written_and_read(c"OfxParamTypeRGB", [0.1, 0.2, 0.3], [2.1, 2.2, 2.3]);
    written_and_read(c"OfxParamTypeInteger", -7, -7);
    written_and_read(c"OfxParamTypeBoolean", true, true);
    written_and_read(c"OfxParamTypeChoice", Choice(3), Choice(3));
    written_and_read(c"OfxParamTypeString", "Fluß %s".to_owned(), "Fluß %s".to_owned());
    written_and_read(c"OfxParamTypeString", "a\0b".to_owned(), "a b".to_owned());
}

#[test]
fn parameters_of_another_type_or_name_are_errors() {
    let effect = fake::leak::<Effect>();
    let speed = effect.add_param(c"speed", c"OfxParamTypeRGB", &[1.0, 2.0, 3.0]);
    during(Action::CreateInstance, effect, |handle| {
        let error = handle.param::<f64>(c"speed").unwrap_err();
        assert!(matches!(&error, Error::ParamType { found, .. } if found == "OfxParamTypeRGB"), "{error}");
        let error = handle.param::<f64>(c"spede").unwrap_err();
        assert!(error.to_string().contains("spede"), "{error}");
        // Functions that the host lacks.
        let param = handle.param::<[f64; 3]>(c"speed").unwrap();
        speed.properties.ints(c"OfxParamPropIsAnimating", &[1]);
        assert_eq!(param.num_keys(handle).unwrap_err(), Error::MissingFunction("paramGetNumKeys"));
        assert_eq!(param.value(handle).unwrap_err(), Error::MissingFunction("paramGetValue"));
    });
}

#[test]
fn calls_that_a_host_may_lack_are_not_made() {
    let effect = fake::leak::<Effect>();
    effect.add_param(c"speed", c"OfxParamTypeDouble", &[1.0]);
    during(Action::CreateInstance, effect, |handle| {
        // The missing function is not called.
        assert_eq!(handle.param::<f64>(c"speed").unwrap().num_keys(handle).unwrap(), 0);
    });
    let suites = |name: &'static CStr, api| {
        let host = Host::new(Shape { name, api, ..Shape::default() });
        let seen = seen(host);
        assert_eq!(seen.processors(), None, "{name:?}");
        let persistent = seen.message_v2().is_some();
        let asked = host.asked.lock().unwrap().clone();
        (persistent, asked.iter().filter(|(suite, version)| suite != "OfxMessageSuite" && *version != 1).count(), asked)
    };
    let (persistent, others, asked) = suites(c"openfx-driver", (1, 4));
    assert!(!persistent && others == 0, "{asked:?}");
    assert!(!asked.iter().any(|(suite, version)| suite == "OfxMultiThreadSuite" || *version > 1), "{asked:?}");
    // A host with a credible claim, and a host known by name to claim too low a version.
    assert!(suites(c"org.example.Host", (1, 4)).0 && suites(c"uk.co.thefoundry.nuke", (1, 0)).0);
    assert!(!suites(c"org.example.Host", (1, 0)).0);
}

#[test]
fn nothing_is_set_in_a_render_nor_through_another_instance() {
    probe!(Probe);
    fake::set_host(plugin(), Host::new(Shape { name: c"org.test.Values", api: (1, 4), ..Shape::default() }));
    let effect = fake::leak::<Effect>();
    let number = effect.add_param(c"number", c"OfxParamTypeDouble", &[5.0]);
    assert_eq!(call(plugin(), c"OfxActionCreateInstance", Some(effect), None, None), Status::OK);
    let args = fake::leak::<Set>();
    args.doubles(c"OfxPropTime", &[1.0]).ints(c"OfxImageEffectPropRenderWindow", &[0, 0, 2, 2]);
    let render = || call(plugin(), c"OfxImageEffectActionRender", Some(effect), Some(args), None);
    LOG.set(Case::SetParam);
    assert_eq!(render(), Status::FAILED);
    assert_eq!(*number.numbers.lock().unwrap(), [5.0]);

    // The host uses the same handle again: the parameter of the previous instance is refused.
    let kept = during(Action::CreateInstance, effect, |handle| handle.param::<f64>(c"number").unwrap());
    *LOG.kept.lock().unwrap() = Some(kept);
    LOG.set(Case::Foreign);
    assert_eq!(render(), Status::OK);
    assert_eq!(LOG.take(), [r#"Err(Foreign("number"))"#]);
}

#[test]
fn missing_properties_of_the_host_have_defaults() {
    let bare = Host::new(Shape { name: c"", ..Shape::default() });
    bare.properties.remove(c"OfxPropName");
    bare.properties.put(c"OfxPropLabel", [Value::Pointer(0)]);
    let bare = seen(bare);
    assert_eq!((bare.name(), bare.label(), bare.info().api), ("", "the host", (1, 0)));
    assert!(!bare.info().temporal_access && bare.info().depths.is_empty());

    let full = Host::new(Shape { name: c"org.test.Full", api: (1, 5), ..Shape::default() });
    full.properties
        .texts(c"OfxPropLabel", &[c"Full"])
        .ints(c"OfxPropVersion", &[14, 1])
        .ints(c"OfxImageEffectPropTemporalClipAccess", &[1])
        .texts(c"OfxImageEffectPropSupportedPixelDepths", &[c"OfxBitDepthFloat", c"OfxBitDepthHalf"]);
    let full = seen(full);
    assert_eq!((full.label(), full.info().version), ("Full", [14, 1, 0]));
    assert!(full.info().temporal_access);
    assert_eq!(full.info().depths, ["OfxBitDepthFloat", "OfxBitDepthHalf"]);
}

#[test]
fn render_arguments_are_read_or_have_defaults() {
    let host = seen(Host::new(Shape { name: c"org.test.Args", ..Shape::default() }));
    let set = fake::leak::<Set>();
    set.doubles(c"OfxPropTime", &[-2.5]).ints(c"OfxImageEffectPropRenderWindow", &[-1, 2, 3, 4]);
    // SAFETY: a leaked set of that host.
    let args = unsafe { PropertySet::new(&host, set.handle(), "arguments") }.unwrap();
    let read = RenderArgs::read(Some(&args), false).unwrap();
    assert_eq!(
        (read.time, read.scale, read.field, read.draft, read.thumbnail),
        (-2.5, [1.0; 2], Field::None, false, false)
    );
    set.doubles(c"OfxImageEffectPropRenderScale", &[0.5, 0.25])
        .texts(c"OfxImageEffectPropFieldToRender", &[c"OfxFieldUpper"])
        .ints(c"OfxImageEffectPropRenderQualityDraft", &[1])
        .ints(c"OfxImageEffectPropThumbnailRender", &[1]);
    let read = RenderArgs::read(Some(&args), false).unwrap();
    assert_eq!((read.scale, read.field, read.draft, read.thumbnail), ([0.5, 0.25], Field::Upper, true, true));
    set.doubles(c"OfxImageEffectPropRenderScale", &[0.0, f64::NAN]);
    assert_eq!(RenderArgs::read(Some(&args), false).unwrap().scale, [1.0; 2]);
    set.doubles(c"OfxPropTime", &[f64::NAN]);
    assert!(RenderArgs::read(Some(&args), false).is_err());
}

#[test]
fn abort_and_project_are_read_from_the_host() {
    let effect = fake::leak::<Effect>();
    during(Action::Render, effect, |handle| {
        assert!(!handle.abort());
        effect.aborted.store(true, Ordering::Relaxed);
        assert!(handle.abort());
        // A render clone in Natron: all properties read 0.
        effect.properties.doubles(c"OfxImageEffectPropProjectSize", &[0.0, 0.0]);
        assert_eq!((handle.project(), handle.timeline_bounds()), (None, None));
        effect.properties.doubles(c"OfxImageEffectPropProjectSize", &[1920.0, 1080.0]);
        effect.properties.doubles(c"OfxImageEffectPropProjectOffset", &[10.0, 20.0]);
        let project = handle.project().unwrap();
        assert_eq!([project.x1, project.y1, project.x2, project.y2], [10.0, 20.0, 1930.0, 1100.0]);
    });
    assert_eq!(effect.properties.get("OfxImageEffectPropProjectSize", 0), Some(Value::Double(1920.0)));
}

#[test]
fn formats_are_known_by_their_names() {
    assert_eq!([Depth::Byte, Depth::Short, Depth::Half, Depth::Float].map(Depth::bytes), [1, 2, 2, 4]);
    assert_eq!(Components::parse("OfxImageComponentRGB"), Some(Components::Rgb));
}

/// Two impls apply to a type that is `Send`; naming the function then does not compile.
trait NotSend<A> {
    fn holds() {}
}
impl<T: ?Sized> NotSend<()> for T {}
impl<T: ?Sized + Send> NotSend<u8> for T {}

#[test]
fn the_host_is_called_on_the_thread_of_the_action_only() {
    fn shared<T: Send + Sync>() {}
    fn readable<T: Sync>() {}
    shared::<Param<f64>>();
    shared::<Clip>();
    shared::<Seen>();
    readable::<Image<'_>>();
    <EffectHandle<'_> as NotSend<_>>::holds();
    <&EffectHandle<'_> as NotSend<_>>::holds();
    <Image<'_> as NotSend<_>>::holds();
    <PropertySet<'_> as NotSend<_>>::holds();
}
