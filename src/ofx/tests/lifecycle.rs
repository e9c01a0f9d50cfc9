//! Loading, instances and messages, with their failures.

use std::{
    ffi::CStr,
    ptr,
    sync::{Arc, atomic::Ordering},
};

use super::{
    fake::{self, Effect, Host, Set, Shape, Value, call},
    probe::{Case, Instance, probe},
};
use crate::ofx::{Status, entry};

const LOAD: &CStr = c"OfxActionLoad";
const UNLOAD: &CStr = c"OfxActionUnload";
const DESCRIBE: &CStr = c"OfxActionDescribe";
const DESCRIBE_IN_CONTEXT: &CStr = c"OfxImageEffectActionDescribeInContext";
const CREATE: &CStr = c"OfxActionCreateInstance";
const DESTROY: &CStr = c"OfxActionDestroyInstance";
const CHANGED: &CStr = c"OfxActionInstanceChanged";
const RENDER: &CStr = c"OfxImageEffectActionRender";
const FRAMES_NEEDED: &CStr = c"OfxImageEffectActionGetFramesNeeded";

fn modern() -> Shape {
    Shape { name: c"org.test.Modern", api: (1, 4), ..Shape::default() }
}

fn render_args() -> &'static Set {
    let args = fake::leak::<Set>();
    args.doubles(c"OfxPropTime", &[7.0]).ints(c"OfxImageEffectPropRenderWindow", &[0, 0, 4, 4]);
    args
}

fn changed_args(reason: &CStr) -> &'static Set {
    let args = fake::leak::<Set>();
    args.texts(c"OfxPropType", &[c"OfxTypeParameter"]).texts(c"OfxPropName", &[c"number"]);
    args.texts(c"OfxPropChangeReason", &[reason]);
    args
}

#[test]
fn loads_any_number_of_times_and_works_after_unload() {
    probe!(Probe);
    fake::set_host(plugin(), Host::new(modern()));
    for action in [LOAD, LOAD, UNLOAD, LOAD, UNLOAD, UNLOAD] {
        assert_eq!(call(plugin(), action, None, None, None), Status::OK);
    }
    assert_eq!(LOG.take(), ["unload"; 3]);
    let effect = fake::leak::<Effect>();
    assert_eq!(call(plugin(), CREATE, Some(effect), None, None), Status::OK);
    assert_eq!(call(plugin(), RENDER, Some(effect), Some(render_args()), None), Status::OK);
}

#[test]
fn another_host_replaces_the_first() {
    probe!(Probe);
    fake::set_host(plugin(), Host::new(modern()));
    let effect = fake::leak::<Effect>();
    let described = || call(plugin(), DESCRIBE, Some(effect), None, None);
    assert_eq!(described(), Status::OK);
    let other = Host::new(Shape { name: c"org.test.Other", ..modern() });
    // SAFETY: the host is leaked.
    assert_eq!(unsafe { entry::set_host(PLUGINS, other.raw()) }, Status::OK.0);
    assert_eq!(described(), Status::OK);
    // SAFETY: null is allowed.
    assert_eq!(unsafe { entry::set_host(PLUGINS, ptr::null_mut()) }, Status::ERR_BAD_HANDLE.0);
    // SAFETY: null is the case under test.
    unsafe { (*plugin().raw()).setHost.unwrap()(ptr::null_mut()) };
    assert_eq!(described(), Status::OK);
    assert_eq!(LOG.take(), ["Modern", "Other", "Other"].map(|host| format!("describe in org.test.{host}")));
}

#[test]
fn indices_give_the_listed_plugins_only() {
    probe!(Probe);
    assert_eq!(entry::number_of_plugins(PLUGINS), 1);
    assert_eq!(entry::plugin(PLUGINS, 0), plugin().raw());
    assert_eq!([-1, 1, i32::MAX].map(|index| entry::plugin(PLUGINS, index)), [ptr::null_mut(); 3]);
}

#[test]
fn no_host_or_a_host_without_suites_is_an_ordinary_failure() {
    probe!(Probe);
    assert_eq!(call(plugin(), LOAD, None, None, None), Status::ERR_BAD_HANDLE);
    for suite in ["OfxPropertySuite", "OfxImageEffectSuite", "OfxParameterSuite"] {
        fake::set_host(plugin(), Host::new(Shape { missing: vec![suite], ..modern() }));
        assert_eq!(call(plugin(), LOAD, None, None, None), Status::ERR_MISSING_HOST_FEATURE, "{suite}");
    }
    assert_eq!(LOG.take(), [""; 0]);
    // The message suite is optional: without it a node fails without message.
    fake::set_host(plugin(), Host::new(Shape { missing: vec!["OfxMessageSuite"], ..modern() }));
    let effect = fake::leak::<Effect>();
    assert_eq!(call(plugin(), CREATE, Some(effect), None, None), Status::OK);
    LOG.set(Case::Fail);
    assert_eq!(call(plugin(), RENDER, Some(effect), Some(render_args()), None), Status::FAILED);
}

#[test]
fn version_2_suites_are_requested_from_hosts_that_have_them() {
    probe!(Probe);
    LOG.set(Case::Fail);
    let fail_in = |shape: Shape, natron: bool| {
        let host = Host::new(shape);
        if natron {
            host.properties.ints(c"NatronOfxHostIsNatron", &[1]);
        }
        fake::set_host(plugin(), host);
        let effect = fake::leak::<Effect>();
        assert_eq!(call(plugin(), CREATE, Some(effect), None, None), Status::OK);
        assert_eq!(call(plugin(), RENDER, Some(effect), Some(render_args()), None), Status::FAILED);
        let messages = (effect.messages.lock().unwrap().len(), effect.persistent.lock().unwrap().len());
        (host.asked.lock().unwrap().iter().any(|(_, version)| *version > 1), messages)
    };
    let old = Shape { name: c"org.test.Old", ..Shape::default() };
    assert_eq!(fail_in(old.clone(), false), (false, (1, 0)));
    assert_eq!(fail_in(Shape { api: (1, 0), ..old.clone() }, false), (false, (1, 0)));
    assert_eq!(fail_in(old, true), (true, (0, 1)));
    assert_eq!(fail_in(modern(), false), (true, (0, 1)));
    assert_eq!(fail_in(Shape { name: c"uk.co.thefoundry.nuke", ..Shape::default() }, false), (true, (0, 1)));
    assert_eq!(fail_in(Shape { no_persistent: true, ..modern() }, false), (true, (1, 0)));
}

#[test]
fn a_panic_fails_with_a_message_that_the_next_good_render_clears() {
    probe!(Probe);
    fake::set_host(plugin(), Host::new(modern()));
    let effect = fake::leak::<Effect>();
    assert_eq!(call(plugin(), CREATE, Some(effect), None, None), Status::OK);
    let render = || call(plugin(), RENDER, Some(effect), Some(render_args()), None);
    assert_eq!(render(), Status::OK);
    assert_eq!(effect.cleared.load(Ordering::Relaxed), 0, "there was nothing to clear");

    LOG.set(Case::Panic);
    assert_eq!(render(), Status::FAILED);
    let message = effect.persistent.lock().unwrap().pop().expect("a message");
    assert!(message.contains("the river is dry") && message.contains("FLOW_LOG"), "{message}");
    LOG.set(Case::PanicTwice);
    assert_eq!(render(), Status::FAILED);
    let message = effect.persistent.lock().unwrap().pop().expect("a message");
    assert!(message.contains("a panic without a text"), "{message}");
    LOG.set(Case::Fail);
    assert_eq!(render(), Status::FAILED);
    assert_eq!(effect.persistent.lock().unwrap().pop().unwrap(), "Terrain is too small: wire another.");
    assert_eq!(effect.cleared.load(Ordering::Relaxed), 0);

    LOG.set(Case::Nothing);
    assert_eq!((render(), render()), (Status::OK, Status::OK));
    assert_eq!(effect.cleared.load(Ordering::Relaxed), 1);
    assert_eq!(effect.messages.lock().unwrap().len(), 0);
}

#[test]
fn a_users_edit_clears_the_message_and_the_plugins_does_not() {
    probe!(Probe);
    fake::set_host(plugin(), Host::new(modern()));
    let effect = fake::leak::<Effect>();
    assert_eq!(call(plugin(), CREATE, Some(effect), None, None), Status::OK);
    LOG.set(Case::Fail);
    assert_eq!(call(plugin(), RENDER, Some(effect), Some(render_args()), None), Status::FAILED);
    for (reason, cleared) in [(c"OfxChangePluginEdited", 0), (c"OfxChangeTime", 0), (c"OfxChangeUserEdited", 1)] {
        assert_eq!(call(plugin(), CHANGED, Some(effect), Some(changed_args(reason)), None), Status::OK);
        assert_eq!(effect.cleared.load(Ordering::Relaxed), cleared, "{reason:?}");
    }
    assert_eq!(LOG.take(), ["Param number PluginEdited", "Param number Time", "Param number UserEdited"]);
}

#[test]
fn unknown_instances_and_null_handles_are_ordinary_failures() {
    probe!(Probe);
    fake::set_host(plugin(), Host::new(modern()));
    let (effect, stranger) = (fake::leak::<Effect>(), fake::leak::<Effect>());
    // As after the copy of a node in Natron: the instance data of another instance.
    effect.properties.put(c"OfxPropInstanceData", [Value::Pointer(0xbad)]);
    assert_eq!(call(plugin(), CREATE, Some(effect), None, None), Status::OK);
    assert_eq!(call(plugin(), DESTROY, None, None, None), Status::ERR_BAD_HANDLE);
    assert_eq!(call(plugin(), DESTROY, Some(stranger), None, None), Status::REPLY_DEFAULT);
    assert_eq!(call(plugin(), RENDER, Some(stranger), Some(render_args()), None), Status::ERR_BAD_HANDLE);
    assert_eq!(call(plugin(), CHANGED, Some(stranger), Some(changed_args(c"")), None), Status::REPLY_DEFAULT);
    assert_eq!(call(plugin(), RENDER, None, Some(render_args()), None), Status::ERR_BAD_HANDLE);
    assert_eq!(call(plugin(), RENDER, Some(effect), None, None), Status::ERR_BAD_HANDLE);
    assert_eq!(call(plugin(), c"OfxActionOfTomorrow", Some(effect), None, None), Status::REPLY_DEFAULT);
    // SAFETY: null is the case under test.
    let null =
        unsafe { (*plugin().raw()).mainEntry.unwrap()(ptr::null(), ptr::null(), ptr::null_mut(), ptr::null_mut()) };
    assert_eq!(Status(null), Status::ERR_VALUE);
    assert_eq!(LOG.take(), [""; 0]);
    assert_eq!(plugin().state().instance_count(), 1);
    assert_eq!(call(plugin(), DESTROY, Some(effect), None, None), Status::OK);
    assert_eq!(call(plugin(), DESTROY, Some(effect), None, None), Status::REPLY_DEFAULT);
    assert_eq!(plugin().state().instance_count(), 0);
}

#[test]
fn instances_outlive_a_destroy_during_their_actions() {
    probe!(Probe);
    fake::set_host(plugin(), Host::new(modern()));
    let effect = fake::leak::<Effect>();
    assert_eq!(call(plugin(), CREATE, Some(effect), None, None), Status::OK);
    let address = effect.handle().addr();
    let running = plugin().state().find::<Instance>(address).expect("an instance");
    assert_eq!(call(plugin(), DESTROY, Some(effect), None, None), Status::OK);
    assert_eq!(Arc::strong_count(&running), 1);
    assert_eq!(plugin().state().instance_count(), 0);
    // A host may use the handle again at once, also for a descriptor (MLT).
    assert_eq!(call(plugin(), DESCRIBE, Some(effect), None, None), Status::OK);
    for _ in 0..2 {
        assert_eq!(call(plugin(), CREATE, Some(effect), None, None), Status::OK);
    }
    assert_eq!(plugin().state().instance_count(), 1);
    assert_ne!(plugin().state().find::<Instance>(address).unwrap().id, running.id);
}

#[test]
fn descriptions_continue_if_the_host_lacks_properties() {
    probe!(Probe);
    fake::set_host(plugin(), Host::new(modern()));
    let effect = fake::leak::<Effect>();
    effect.properties.closed.store(true, Ordering::Relaxed);
    effect.properties.ints(c"OfxImageEffectPropSupportsTiles", &[1]);
    assert_eq!(call(plugin(), DESCRIBE, Some(effect), None, None), Status::OK);
    assert_eq!(effect.properties.get("OfxImageEffectPropSupportsTiles", 0), Some(Value::Int(0)));
    assert_eq!(effect.properties.get("OfxPropLabel", 0), None);

    let args = fake::leak::<Set>();
    args.texts(c"OfxImageEffectPropContext", &[c"OfxImageEffectContextGeneral"]);
    assert_eq!(call(plugin(), DESCRIBE_IN_CONTEXT, Some(effect), Some(args), None), Status::OK);
    assert_eq!(LOG.take(), ["describe in org.test.Modern", "OfxImageEffectContextGeneral"]);
    let param = effect.params.lock().unwrap()[c"number"];
    for (name, value) in [("Min", 0.0), ("Max", 100.0), ("DisplayMin", 0.0), ("DisplayMax", 10.0), ("Default", 4.0)] {
        assert_eq!(param.properties.get(&format!("OfxParamProp{name}"), 0), Some(Value::Double(value)), "{name}");
    }
    let text = |name: &str| param.properties.get(name, 0);
    assert_eq!(text("OfxParamPropHint"), Some(Value::Text(c"A number.".to_owned())));
    assert_eq!(text("OfxParamPropScriptName"), Some(Value::Text(c"number".to_owned())));
    assert_eq!(text("OfxParamPropAnimates"), Some(Value::Int(1)));
    let clip = effect.clips.lock().unwrap()[c"Source"];
    assert_eq!(clip.properties.get("OfxImageEffectPropSupportsTiles", 0), Some(Value::Int(0)));

    args.texts(c"OfxImageEffectPropContext", &[c"OfxImageEffectContextDream"]);
    assert_eq!(call(plugin(), DESCRIBE_IN_CONTEXT, Some(effect), Some(args), None), Status::ERR_UNSUPPORTED);
}

#[test]
fn frames_needed_answers_per_clip_and_never_fails() {
    probe!(Probe);
    fake::set_host(plugin(), Host::new(modern()));
    let effect = fake::leak::<Effect>();
    assert_eq!(call(plugin(), CREATE, Some(effect), None, None), Status::OK);
    let out = fake::leak::<Set>();
    assert_eq!(call(plugin(), FRAMES_NEEDED, Some(effect), Some(render_args()), Some(out)), Status::OK);
    let times = [0, 1, 2].map(|index| out.get("OfxImageClipPropFrameRange_Source", index));
    assert_eq!(times, [Some(Value::Double(6.0)), Some(Value::Double(7.0)), None]);
    let closed = fake::leak::<Set>();
    closed.closed.store(true, Ordering::Relaxed);
    for out in [None, Some(closed)] {
        assert_eq!(call(plugin(), FRAMES_NEEDED, Some(effect), Some(render_args()), out), Status::REPLY_DEFAULT);
    }
    assert_eq!(effect.persistent.lock().unwrap().len(), 0);
}

#[test]
fn depths_are_those_that_the_host_offers() {
    probe!(Probe);
    let declared = |offered: &[&CStr]| {
        let host = Host::new(modern());
        host.properties.texts(c"OfxImageEffectPropSupportedPixelDepths", offered);
        fake::set_host(plugin(), host);
        let effect = fake::leak::<Effect>();
        assert_eq!(call(plugin(), DESCRIBE, Some(effect), None, None), Status::OK);
        let depth = |index| effect.properties.get("OfxImageEffectPropSupportedPixelDepths", index);
        (0..4).map_while(depth).collect::<Vec<_>>()
    };
    let texts = |texts: &[&CStr]| texts.iter().map(|&text| Value::Text(text.to_owned())).collect::<Vec<_>>();
    let all = [c"OfxBitDepthFloat", c"OfxBitDepthHalf", c"OfxBitDepthByte"];
    assert_eq!(declared(&[c"OfxBitDepthByte", c"OfxBitDepthFloat"]), texts(&[all[0], all[2]]));
    assert_eq!(declared(&[]), texts(&all));
    assert_eq!(declared(&[c"OfxBitDepthDouble"]), texts(&all));
}
