//! Property sets: typed and checked; addresses of strings stay valid.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::{CStr, CString};
use std::os::raw::c_char;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Status;
use crate::ffi::handles::{HandleId, Object};
use crate::names::PropertyName;

/// The values of one property.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Values {
    Int(Vec<i32>),
    Double(Vec<f64>),
    /// Copies of a set share their strings, so that an address read from any of them stays valid.
    Text(Vec<Arc<CStr>>),
    Pointer(Vec<usize>),
}

impl Values {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Int(v) => v.len(),
            Self::Double(v) => v.len(),
            Self::Text(v) => v.len(),
            Self::Pointer(v) => v.len(),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Int(_) => "int",
            Self::Double(_) => "double",
            Self::Text(_) => "string",
            Self::Pointer(_) => "pointer",
        }
    }
}

/// One value, read or written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum One {
    Int(i32),
    Double(f64),
    Text(CString),
    Pointer(usize),
}

impl One {
    fn kind(&self) -> &'static str {
        match self {
            Self::Int(_) => "int",
            Self::Double(_) => "double",
            Self::Text(_) => "string",
            Self::Pointer(_) => "pointer",
        }
    }
}

#[derive(Clone, Debug)]
struct Property {
    values: Values,
    initial: Values,
    /// Number of values; `None` for any number.
    dimension: Option<usize>,
    read_only: bool,
}

/// The reason for a refused call on a property set.
#[derive(Debug, PartialEq)]
pub(crate) enum Refusal {
    Unknown,
    WrongType { has: &'static str, requested: &'static str },
    BadIndex { index: i32, dimension: usize },
    ReadOnly,
}

impl Refusal {
    pub(crate) fn status(&self) -> Status {
        match self {
            Self::Unknown => Status::ERR_UNKNOWN,
            Self::WrongType { .. } | Self::ReadOnly => Status::ERR_VALUE,
            Self::BadIndex { .. } => Status::ERR_BAD_INDEX,
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown => f.write_str("the host has no such property here"),
            Self::WrongType { has, requested } => write!(f, "it is of type {has}, not {requested}"),
            Self::BadIndex { index, dimension } => {
                write!(f, "index {index} of a property with {dimension} values")
            }
            Self::ReadOnly => f.write_str("it is read-only for a plug-in"),
        }
    }
}

type Properties = BTreeMap<Arc<str>, Property>;

#[derive(Default)]
struct Inner {
    /// Properties that a set shares with its copies. The parameters of a node are
    /// copies of thousands of properties, few of which are ever written.
    shared: Arc<Properties>,
    /// Properties defined or written since the copy; they take precedence over `shared`.
    own: Properties,
    /// Replaced strings whose addresses a plug-in may still hold.
    retired: VecDeque<Arc<CStr>>,
}

impl Inner {
    fn property(&self, name: &str) -> Option<&Property> {
        self.own.get(name).or_else(|| self.shared.get(name))
    }

    /// A property to be written, and the list for its replaced strings.
    fn property_mut(&mut self, name: &str) -> Option<(&mut Property, &mut VecDeque<Arc<CStr>>)> {
        if !self.own.contains_key(name) {
            let (name, property) = self.shared.get_key_value(name)?;
            self.own.insert(Arc::clone(name), property.clone());
        }
        Some((self.own.get_mut(name)?, &mut self.retired))
    }

    /// All properties, to be shared with a copy.
    fn share(&mut self) -> Arc<Properties> {
        if !self.own.is_empty() {
            Arc::make_mut(&mut self.shared).append(&mut self.own);
        }
        Arc::clone(&self.shared)
    }
}

/// Number of replaced strings that a set keeps alive.
const RETIRED: usize = 64;

/// A property set behind an `OfxPropertySetHandle`.
pub(crate) struct PropSet {
    /// Owner of the set, for reports: "clip Source", "Render arguments".
    pub(crate) label: String,
    id: HandleId,
    inner: Mutex<Inner>,
}

impl PropSet {
    pub(crate) fn new(label: impl Into<String>) -> Arc<Self> {
        let label = label.into();
        Arc::new_cyclic(|weak| Self { label, id: HandleId::new(Object::Props(weak.clone())), inner: Mutex::default() })
    }

    /// A new set with the same properties and values.
    pub(crate) fn copy(&self, label: impl Into<String>) -> Arc<Self> {
        let copy = Self::new(label);
        let shared = self.lock().share();
        copy.lock().shared = shared;
        copy
    }

    pub(crate) fn handle<T>(&self) -> *mut T {
        self.id.pointer()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn define(&self, name: &str, values: Values, dimension: Option<usize>) {
        let property = Property { initial: values.clone(), values, dimension, read_only: false };
        self.lock().own.insert(name.into(), property);
    }

    /// Adds an integer property with as many values as given.
    pub(crate) fn ints(&self, name: &(impl PropertyName + ?Sized), values: &[i32]) -> &Self {
        self.define(name.text(), Values::Int(values.to_vec()), Some(values.len()));
        self
    }

    /// Adds a double property with as many values as given.
    pub(crate) fn doubles(&self, name: &(impl PropertyName + ?Sized), values: &[f64]) -> &Self {
        self.define(name.text(), Values::Double(values.to_vec()), Some(values.len()));
        self
    }

    /// Adds a string property with one value.
    pub(crate) fn text(&self, name: &(impl PropertyName + ?Sized), value: &str) -> &Self {
        self.define(name.text(), Values::Text(vec![c_string(value)]), Some(1));
        self
    }

    /// Adds a string property with any number of values.
    pub(crate) fn texts(&self, name: &(impl PropertyName + ?Sized), values: &[&str]) -> &Self {
        self.define(name.text(), Values::Text(values.iter().map(|v| c_string(v)).collect()), None);
        self
    }

    /// Adds a double property with any number of values.
    pub(crate) fn any_doubles(&self, name: &(impl PropertyName + ?Sized), values: &[f64]) -> &Self {
        self.define(name.text(), Values::Double(values.to_vec()), None);
        self
    }

    /// Adds a pointer property with one value.
    pub(crate) fn pointer(&self, name: &(impl PropertyName + ?Sized), value: usize) -> &Self {
        self.define(name.text(), Values::Pointer(vec![value]), Some(1));
        self
    }

    /// Makes all properties defined so far read-only for the plug-in.
    pub(crate) fn seal(&self) -> &Self {
        let mut inner = self.lock();
        inner.share();
        for property in Arc::make_mut(&mut inner.shared).values_mut() {
            property.read_only = true;
        }
        drop(inner);
        self
    }

    /// Makes these properties read-only for the plug-in.
    pub(crate) fn seal_some(&self, names: &[&str]) -> &Self {
        let mut inner = self.lock();
        for name in names {
            if let Some((property, _)) = inner.property_mut(name) {
                property.read_only = true;
            }
        }
        drop(inner);
        self
    }

    /// The values of the property, if the set has it.
    pub(crate) fn values(&self, name: &(impl PropertyName + ?Sized)) -> Option<Values> {
        self.lock().property(name.text()).map(|property| property.values.clone())
    }

    pub(crate) fn int(&self, name: &(impl PropertyName + ?Sized)) -> Option<i32> {
        match self.values(name)? {
            Values::Int(values) => values.first().copied(),
            _ => None,
        }
    }

    pub(crate) fn get_ints(&self, name: &(impl PropertyName + ?Sized)) -> Vec<i32> {
        match self.values(name) {
            Some(Values::Int(values)) => values,
            _ => Vec::new(),
        }
    }

    pub(crate) fn get_doubles(&self, name: &(impl PropertyName + ?Sized)) -> Vec<f64> {
        match self.values(name) {
            Some(Values::Double(values)) => values,
            _ => Vec::new(),
        }
    }

    pub(crate) fn get_text(&self, name: &(impl PropertyName + ?Sized)) -> Option<String> {
        self.get_texts(name).into_iter().next()
    }

    pub(crate) fn get_texts(&self, name: &(impl PropertyName + ?Sized)) -> Vec<String> {
        match self.values(name) {
            Some(Values::Text(values)) => values.iter().map(|value| value.to_string_lossy().into_owned()).collect(),
            _ => Vec::new(),
        }
    }

    /// The host's own write, without checks of type and dimension.
    pub(crate) fn put(&self, name: &(impl PropertyName + ?Sized), values: Values) {
        let mut inner = self.lock();
        if let Some((property, retired)) = inner.property_mut(name.text()) {
            let old = std::mem::replace(&mut property.values, values);
            retire(retired, old);
        }
    }

    /// Removes a property.
    pub(crate) fn remove(&self, name: &(impl PropertyName + ?Sized)) {
        let mut inner = self.lock();
        inner.share();
        let Inner { shared, retired, .. } = &mut *inner;
        if let Some(property) = Arc::make_mut(shared).remove(name.text()) {
            retire(retired, property.values);
        }
    }

    /// A plug-in's write of one value.
    pub(crate) fn set(&self, name: &str, index: i32, value: One) -> Result<(), Refusal> {
        let mut inner = self.lock();
        let (property, retired) = inner.property_mut(name).ok_or(Refusal::Unknown)?;
        if property.read_only {
            return Err(Refusal::ReadOnly);
        }
        let refusal = Refusal::BadIndex { index, dimension: property.dimension.unwrap_or(usize::MAX) };
        let at = match usize::try_from(index) {
            Ok(at) if at < property.dimension.unwrap_or(MOST_VALUES) => at,
            _ => return Err(refusal),
        };
        match (&mut property.values, value) {
            (Values::Int(values), One::Int(value)) => store(values, at, value),
            (Values::Double(values), One::Double(value)) => store(values, at, value),
            (Values::Pointer(values), One::Pointer(value)) => store(values, at, value),
            (Values::Text(values), One::Text(value)) => {
                if let Some(old) = values.get(at)
                    && **old == *value
                {
                    return Ok(());
                }
                if values.len() <= at {
                    values.resize(at + 1, c_string(""));
                }
                let old = std::mem::replace(&mut values[at], value.into());
                retire(retired, Values::Text(vec![old]));
            }
            (values, value) => {
                return Err(Refusal::WrongType { has: values.kind(), requested: value.kind() });
            }
        }
        Ok(())
    }

    /// A plug-in's read of one value.
    pub(crate) fn get(&self, name: &str, index: i32, like: &One) -> Result<OneRead, Refusal> {
        let inner = self.lock();
        let property = inner.property(name).ok_or(Refusal::Unknown)?;
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        let bad = Refusal::BadIndex { index, dimension: property.values.len() };
        match (&property.values, like) {
            (Values::Int(v), One::Int(_)) => v.get(at).map(|v| OneRead::Int(*v)).ok_or(bad),
            (Values::Double(v), One::Double(_)) => v.get(at).map(|v| OneRead::Double(*v)).ok_or(bad),
            (Values::Pointer(v), One::Pointer(_)) => v.get(at).map(|v| OneRead::Pointer(*v)).ok_or(bad),
            (Values::Text(v), One::Text(_)) => v.get(at).map(|v| OneRead::Text(v.as_ptr())).ok_or(bad),
            (values, like) => Err(Refusal::WrongType { has: values.kind(), requested: like.kind() }),
        }
    }

    pub(crate) fn dimension(&self, name: &str) -> Result<usize, Refusal> {
        let inner = self.lock();
        inner.property(name).map(|p| p.values.len()).ok_or(Refusal::Unknown)
    }

    pub(crate) fn reset(&self, name: &str) -> Result<(), Refusal> {
        let mut inner = self.lock();
        let (property, retired) = inner.property_mut(name).ok_or(Refusal::Unknown)?;
        if property.read_only {
            return Err(Refusal::ReadOnly);
        }
        let old = std::mem::replace(&mut property.values, property.initial.clone());
        retire(retired, old);
        Ok(())
    }
}

/// Far more than the number of values of any standard property.
const MOST_VALUES: usize = 1 << 20;

/// A value as it is returned; a string by its address, which outlives the call.
#[derive(Debug, PartialEq)]
pub(crate) enum OneRead {
    Int(i32),
    Double(f64),
    Pointer(usize),
    Text(*const c_char),
}

fn store<T: Clone + Default>(values: &mut Vec<T>, at: usize, value: T) {
    if values.len() <= at {
        values.resize(at + 1, T::default());
    }
    values[at] = value;
}

fn retire(retired: &mut VecDeque<Arc<CStr>>, old: Values) {
    if let Values::Text(strings) = old {
        retired.extend(strings);
        while retired.len() > RETIRED {
            retired.pop_front();
        }
    }
}

/// A C string, cut at the first NUL.
pub(crate) fn c_string(text: &str) -> Arc<CStr> {
    let head = text.split('\0').next().unwrap_or_default();
    CString::new(head).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_by_a_wrong_type_name_or_index_is_refused() {
        let set = PropSet::new("test");
        set.ints("size", &[1, 2]).texts("names", &[]).text("fixed", "x").seal_some(&["fixed"]);
        assert_eq!(set.set("nothing", 0, One::Int(1)), Err(Refusal::Unknown));
        assert_eq!(set.set("size", 2, One::Int(1)), Err(Refusal::BadIndex { index: 2, dimension: 2 }));
        assert_eq!(set.set("size", 0, One::Double(1.0)), Err(Refusal::WrongType { has: "int", requested: "double" }));
        assert!(matches!(set.set("size", -1, One::Int(1)), Err(Refusal::BadIndex { .. })));
        assert_eq!(set.set("fixed", 0, One::Text(c"y".into())), Err(Refusal::ReadOnly));
        assert_eq!(set.set("names", 1, One::Text(c"b".into())), Ok(()));
        assert_eq!(set.get_texts("names"), ["", "b"]);
        assert_eq!(set.dimension("names"), Ok(2));
    }

    #[test]
    fn a_replaced_string_keeps_its_address_for_readers() {
        let set = PropSet::new("test");
        set.text("name", "first");
        let Ok(OneRead::Text(address)) = set.get("name", 0, &One::Text(CString::default())) else { panic!("a string") };
        let kept: Vec<Arc<CStr>> = {
            set.set("name", 0, One::Text(c"second".into())).expect("writable");
            set.lock().retired.iter().cloned().collect()
        };
        assert_eq!(kept, [Arc::from(c"first")]);
        assert!(set.lock().retired.iter().any(|old| std::ptr::eq(old.as_ptr(), address)));
    }

    #[test]
    fn a_copy_and_its_original_change_independently() {
        let set = PropSet::new("test");
        set.text("name", "first").ints("size", &[1, 2]).ints("count", &[7]);
        let copy = set.copy("copy");
        copy.set("size", 1, One::Int(5)).expect("writable");
        set.set("name", 0, One::Text(c"second".into())).expect("writable");
        set.seal_some(&["count"]);
        copy.remove("count");
        assert_eq!((set.get_ints("size"), copy.get_ints("size")), (vec![1, 2], vec![1, 5]));
        assert_eq!((set.get_texts("name"), copy.get_texts("name")), (vec!["second".into()], vec!["first".into()]));
        assert_eq!(set.set("count", 0, One::Int(1)), Err(Refusal::ReadOnly));
        assert_eq!(copy.dimension("count"), Err(Refusal::Unknown));
        let third = copy.copy("third");
        assert_eq!(copy.reset("size"), Ok(()));
        assert_eq!((third.get_ints("size"), copy.get_ints("size")), (vec![1, 5], vec![1, 2]));
        third.seal();
        assert_eq!(third.set("size", 0, One::Int(1)), Err(Refusal::ReadOnly));
        assert_eq!(copy.set("size", 0, One::Int(1)), Ok(()));
    }
}
