//! What people do by hand: look, ask for a rotation, pause, resume.

use kube::api::{ListParams, Patch, PatchParams};
use kube::{Api, Client, ResourceExt};
use serde_json::{Value, json};

use super::names::{MANAGER, ROTATE_NOW};
use super::outcome::Trouble;
use super::time;
use crate::api::CredentialRotation;

/// A table of all rotations of a namespace, one line each.
pub async fn status(client: Client, namespace: &str) -> Result<String, Trouble> {
    let rotations: Api<CredentialRotation> = Api::namespaced(client, namespace);
    let listed = rotations.list(&ListParams::default()).await;
    let listed = listed.map_err(|error| Trouble::of("list CredentialRotations", &error))?;
    let heading = ["NAME", "TYPE", "PHASE", "GENERATION", "LAST ROTATED", "NEXT", "REASON"];
    let heading = heading.map(str::to_owned);
    let mut rows = vec![heading];
    for rotation in listed {
        let status = rotation.status.clone().unwrap_or_default();
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        rows.push([
            rotation.name_any(),
            or_dash(json!(rotation.spec.rotation_type).as_str().map(str::to_owned)),
            or_dash(status.phase),
            or_dash(status.generation.map(|number| number.to_string())),
            or_dash(status.last_rotation_time.map(ago)),
            or_dash(status.next_rotation_time),
            or_dash(status.reason),
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..7).map(width).collect();
    let line = |row: &[String; 7]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    Ok(rows.iter().map(line).collect())
}

fn ago(moment: String) -> String {
    time::parse(&moment).map_or(moment, |moment| time::short(time::now().since(moment)))
}

async fn patch(client: Client, namespace: &str, name: &str, patch: Value) -> Result<(), Trouble> {
    let rotations: Api<CredentialRotation> = Api::namespaced(client, namespace);
    let parameters =
        PatchParams { field_manager: Some(MANAGER.to_owned()), ..PatchParams::default() };
    match rotations.patch(name, &parameters, &Patch::Merge(&patch)).await {
        Ok(_) => Ok(()),
        Err(kube::Error::Api(status)) if status.code == 404 => Err(Trouble::Unfit(format!(
            "there is no CredentialRotation {name} in namespace {namespace}; \
             `strata-operator status -n {namespace}` lists those that are there"
        ))),
        Err(error) => Err(Trouble::of(&format!("patch CredentialRotation {name}"), &error)),
    }
}

/// What was done, for whoever asked.
pub async fn rotate_now(client: Client, namespace: &str, name: &str) -> Result<String, Trouble> {
    let request = json!({"metadata": {"annotations": {ROTATE_NOW: time::text(time::now())}}});
    patch(client, namespace, name, request).await?;
    Ok(format!(
        "{name} is asked to rotate, and begins when nothing of it is under way; watch it: \
         strata-operator status -n {namespace}\n"
    ))
}

pub async fn pause(client: Client, namespace: &str, name: &str) -> Result<String, Trouble> {
    patch(client, namespace, name, json!({"spec": {"suspend": true}})).await?;
    Ok(format!(
        "{name} is paused, and what has begun stands still; go on: strata-operator resume -n {namespace} {name}\n"
    ))
}

pub async fn resume(client: Client, namespace: &str, name: &str) -> Result<String, Trouble> {
    // Away with the field, not `false`: where nobody writes it, nobody takes a later pause back.
    patch(client, namespace, name, json!({"spec": {"suspend": null}})).await?;
    Ok(format!("{name} goes on\n"))
}
