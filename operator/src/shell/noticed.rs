//! That a CredentialRotation is there or changed: no more is kept of it, because it is read again anyway.

use std::borrow::Cow;

use kube::Resource;
use kube::core::ObjectMeta;
use serde::Deserialize;

use crate::api::CredentialRotation;

#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Object")]
pub struct Noticed {
    metadata: ObjectMeta,
}

#[derive(Deserialize)]
struct Object {
    metadata: Identity,
}

/// What managers did to it is most of an object's metadata, what people noted may be long, and of a UID the queue would
/// keep four copies. A watch goes on from the version.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Identity {
    name: Option<String>,
    namespace: Option<String>,
    resource_version: Option<String>,
}

impl From<Object> for Noticed {
    fn from(object: Object) -> Self {
        let Identity { name, namespace, resource_version } = object.metadata;
        let metadata = ObjectMeta { name, namespace, resource_version, ..ObjectMeta::default() };
        Self { metadata }
    }
}

impl Resource for Noticed {
    type DynamicType = ();
    type Scope = <CredentialRotation as Resource>::Scope;

    fn kind(_: &()) -> Cow<'_, str> {
        CredentialRotation::kind(&())
    }

    fn group(_: &()) -> Cow<'_, str> {
        CredentialRotation::group(&())
    }

    fn version(_: &()) -> Cow<'_, str> {
        CredentialRotation::version(&())
    }

    fn plural(_: &()) -> Cow<'_, str> {
        CredentialRotation::plural(&())
    }

    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}
