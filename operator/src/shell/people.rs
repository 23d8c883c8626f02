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
    let heading =
        ["NAME", "PHASE", "GENERATION", "LAST ROTATED", "NEXT", "REASON"].map(str::to_owned);
    let mut rows = vec![heading];
    for rotation in listed {
        let status = rotation.status.clone().unwrap_or_default();
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        rows.push([
            rotation.name_any(),
            or_dash(status.phase),
            or_dash(status.generation.map(|number| number.to_string())),
            or_dash(status.last_rotation_time),
            or_dash(status.next_rotation_time),
            or_dash(status.reason),
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    let line = |row: &[String; 6]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    Ok(rows.iter().map(line).collect())
}

async fn patch(client: Client, namespace: &str, name: &str, patch: Value) -> Result<(), Trouble> {
    let rotations: Api<CredentialRotation> = Api::namespaced(client, namespace);
    let parameters =
        PatchParams { field_manager: Some(MANAGER.to_owned()), ..PatchParams::default() };
    let answer = rotations.patch(name, &parameters, &Patch::Merge(&patch)).await;
    answer
        .map(drop)
        .map_err(|error| Trouble::of(&format!("patch CredentialRotation {name}"), &error))
}

pub async fn rotate_now(client: Client, namespace: &str, name: &str) -> Result<(), Trouble> {
    let request = json!({"metadata": {"annotations": {ROTATE_NOW: time::text(time::now())}}});
    patch(client, namespace, name, request).await
}

pub async fn suspend(
    client: Client,
    namespace: &str,
    name: &str,
    yes: bool,
) -> Result<(), Trouble> {
    patch(client, namespace, name, json!({"spec": {"suspend": yes}})).await
}
