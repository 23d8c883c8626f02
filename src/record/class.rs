//! What one replica needs, by what sort of program it is and how large the cloud is.

/// A sort of program.
#[derive(Debug)]
pub struct Class {
    pub name: &'static str,
    pub small: Needs,
    pub medium: Needs,
    pub large: Needs,
    pub xlarge: Needs,
}

/// What is set aside for a replica, and the memory it may use at most. No limit on processors: it
/// would slow down a burst of requests although processors stand idle.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    pub cpu: &'static str,
    pub memory: &'static str,
    pub most_memory: &'static str,
}

const fn needs(cpu: &'static str, memory: &'static str, most_memory: &'static str) -> Needs {
    Needs { cpu, memory, most_memory }
}

/// Memory of an `api` is that of its workers, 150 to 250 Mi each, and of what they cache.
const CLASSES: &[Class] = &[
    Class {
        name: "api",
        small: needs("100m", "512Mi", "1Gi"),
        medium: needs("250m", "1Gi", "2Gi"),
        large: needs("500m", "1Gi", "2Gi"),
        xlarge: needs("1", "2Gi", "4Gi"),
    },
    Class {
        name: "worker",
        small: needs("50m", "256Mi", "512Mi"),
        medium: needs("100m", "512Mi", "1Gi"),
        large: needs("250m", "1Gi", "2Gi"),
        xlarge: needs("500m", "2Gi", "4Gi"),
    },
    Class {
        name: "database",
        small: needs("250m", "1Gi", "2Gi"),
        medium: needs("1", "4Gi", "8Gi"),
        large: needs("2", "8Gi", "16Gi"),
        xlarge: needs("4", "16Gi", "32Gi"),
    },
    // A broker blocks its publishers when it nears its limit, so that all of it is set aside.
    Class {
        name: "broker",
        small: needs("250m", "1Gi", "1Gi"),
        medium: needs("500m", "2Gi", "2Gi"),
        large: needs("1", "4Gi", "4Gi"),
        xlarge: needs("2", "8Gi", "8Gi"),
    },
    Class {
        name: "cache",
        small: needs("50m", "256Mi", "512Mi"),
        medium: needs("100m", "512Mi", "1Gi"),
        large: needs("250m", "1Gi", "2Gi"),
        xlarge: needs("500m", "2Gi", "4Gi"),
    },
    Class {
        name: "proxy",
        small: needs("100m", "256Mi", "512Mi"),
        medium: needs("250m", "512Mi", "1Gi"),
        large: needs("500m", "1Gi", "2Gi"),
        xlarge: needs("1", "2Gi", "4Gi"),
    },
];

impl Class {
    pub fn named(name: &str) -> Option<&'static Class> {
        CLASSES.iter().find(|class| class.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::CLASSES;

    #[test]
    fn a_record_may_name_every_class_and_no_other() {
        let schema = include_str!("schema.yaml");
        let names: Vec<&str> = CLASSES.iter().map(|class| class.name).collect();
        let allowed = format!("enum: [{}]", names.join(", "));
        assert_eq!(schema.matches(&allowed).count(), 2, "`class` of a record and of a process");
    }
}
