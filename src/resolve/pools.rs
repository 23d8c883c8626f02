//! The pools a cloud consumes: each is there, once, and in the cloud's region.

use crate::finding::{Code, Findings, Path};
use crate::layers::Written;
use crate::pools::{Pool, Pools};
use crate::schema::nearest;
use crate::spec::ControlPlaneSpec;

/// Where virtual machines run and volumes lie. Empty lists leave that to settings of services.
#[derive(Debug, Default)]
pub struct Consumed<'a> {
    pub hypervisors: Vec<&'a Pool<'a>>,
    pub storage: Vec<&'a Pool<'a>>,
}

const HYPERVISORS: (&str, &str) = ("HypervisorCluster", "spec.compute.hypervisorClusters");
const STORAGE: (&str, &str) = ("StorageCluster", "spec.storage.storageClusters");

pub(super) fn consume<'a>(
    written: &Written,
    pools: &'a Pools<'a>,
    region: &str,
    findings: &mut Findings,
) -> Consumed<'a> {
    let ControlPlaneSpec { compute, storage, .. } = &written.spec;
    let hypervisors = compute.as_ref().and_then(|it| it.hypervisor_clusters.as_deref());
    let storage = storage.as_ref().and_then(|it| it.storage_clusters.as_deref());
    let mut choose = |what, names: Option<&[String]>, known| {
        chosen(what, names.unwrap_or_default(), known, written, region, findings)
    };
    Consumed {
        hypervisors: choose(HYPERVISORS, hypervisors, &pools.hypervisors),
        storage: choose(STORAGE, storage, &pools.storage),
    }
}

fn chosen<'a>(
    (kind, list): (&str, &str),
    names: &[String],
    known: &'a [Pool<'a>],
    written: &Written,
    region: &str,
    findings: &mut Findings,
) -> Vec<&'a Pool<'a>> {
    let mut pools = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let place = || written.place(&Path::from(list).index(index));
        let Some(pool) = known.iter().find(|pool| pool.name == *name) else {
            let near = nearest(name, known.iter().map(|pool| pool.name.as_str()));
            findings.push(
                Code::UnknownPool
                    .at(place())
                    .because(format!("there is no {kind} `{}` in the input", name.escape_debug()))
                    .remedy(match near {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("render it together with its {kind}, or remove the name"),
                    }),
            );
            continue;
        };
        if names[..index].contains(name) {
            findings.push(
                Code::PoolTwice
                    .at(place())
                    .because(format!("`{name}` is in this list already"))
                    .remedy("remove one of the two"),
            );
            continue;
        }
        if !pool.region.is_empty() && pool.region != region {
            findings.push(
                Code::PoolElsewhere
                    .at(place())
                    .because(format!("`{name}` is in {}, and the cloud in {region}", pool.region))
                    .remedy(format!(
                        "name a pool of {region}, or write {}: {}",
                        written.shown(&Path::from("spec.global.region")),
                        pool.region
                    )),
            );
        }
        pools.push(pool);
    }
    pools
}
