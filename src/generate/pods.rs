//! What a person says of pods goes where the record has a place for it.

use crate::object::Object;
use crate::record::{PodPlace, pods};
use crate::resolve::Hatches;
use crate::value::Value;

pub fn apply(object: &mut Object, places: &[PodPlace], hatches: &Hatches) {
    for place in places {
        if let Some(value) = said(hatches, &place.setting) {
            object.put(&place.path, &value);
        }
    }
}

/// What was written of a setting, or of a part of one.
pub fn said(hatches: &Hatches, setting: &str) -> Option<Value> {
    let marks = match setting {
        pods::LABELS => Some(&hatches.labels),
        pods::ANNOTATIONS => Some(&hatches.annotations),
        _ => None,
    };
    if let Some(marks) = marks {
        return (!marks.is_empty()).then(|| Value::Map(marks.clone()));
    }
    let mut steps = setting.split('.');
    let name = steps.next()?;
    let (_, value) = hatches.pods.iter().find(|(known, _)| known == name)?;
    let rest: Vec<&str> = steps.collect();
    value.at(&rest).cloned()
}
