//! One command, measured in different ways.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::failure::{Failure, While};

#[derive(Debug)]
pub struct Job {
    program: PathBuf,
    arguments: Vec<OsString>,
}

impl Job {
    pub fn new<'a>(program: &Path, arguments: impl IntoIterator<Item = &'a OsStr>) -> Self {
        let arguments = arguments.into_iter().map(OsStr::to_owned).collect();
        Self { program: program.to_owned(), arguments }
    }

    pub fn output(&self) -> Result<String, Failure> {
        let output = self.checked(Command::new(&self.program).args(&self.arguments))?;
        String::from_utf8(output.stdout).while_("reading what it printed")
    }

    /// The best of several runs: all that a busy machine can do is to make one slower.
    pub fn best_wall(&self, runs: usize) -> Result<Duration, Failure> {
        let mut best = Duration::MAX;
        for _ in 0..runs {
            let mut command = Command::new(&self.program);
            command
                .args(&self.arguments)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            let started = Instant::now();
            let status = command.status().while_(self.shown())?;
            best = best.min(started.elapsed());
            if !status.success() {
                return Err(Failure::new(format!("{} ended with {status}", self.shown())));
            }
        }
        Ok(best)
    }

    /// Counted by valgrind: the same on every run, whatever else the machine does.
    pub fn instructions(&self) -> Result<u64, Failure> {
        let mut valgrind = Command::new("valgrind");
        valgrind
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(&self.program)
            .args(&self.arguments);
        let output = self.checked(&mut valgrind)?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        collected(&said).ok_or_else(|| Failure::new(format!("callgrind gave no count:\n{said}")))
    }

    /// The most bytes that were in memory at once, as the kernel counts it. Its count is gone when the
    /// process is, so it is read after every piece of output: the process waits for us to take each.
    pub fn peak_memory(&self) -> Result<u64, Failure> {
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .while_(self.shown())?;
        let status = PathBuf::from(format!("/proc/{}/status", child.id()));
        let mut output = child.stdout.take().ok_or_else(|| Failure::new("no output to read"))?;
        let (mut peak, mut piece) = (0, vec![0; 1 << 16]);
        loop {
            peak = peak.max(high_water(&fs::read_to_string(&status).unwrap_or_default()));
            if output.read(&mut piece).while_(self.shown())? == 0 {
                break;
            }
        }
        let ended = child.wait().while_(self.shown())?;
        match ended.success() && peak > 0 {
            true => Ok(peak),
            false => Err(Failure::new(format!("{} ended with {ended}, peak {peak}", self.shown()))),
        }
    }

    /// One run of a command that prints nothing: how long it took and the most memory it held.
    pub fn watched(&self) -> Result<Watched, Failure> {
        let started = Instant::now();
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .while_(self.shown())?;
        let status = PathBuf::from(format!("/proc/{}/status", child.id()));
        let mut peak = 0;
        let ended = loop {
            peak = peak.max(high_water(&fs::read_to_string(&status).unwrap_or_default()));
            if let Some(ended) = child.try_wait().while_(self.shown())? {
                break ended;
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        match ended.success() && peak > 0 {
            true => Ok(Watched { wall: started.elapsed(), peak }),
            false => Err(Failure::new(format!("{} ended with {ended}, peak {peak}", self.shown()))),
        }
    }

    fn shown(&self) -> String {
        format!("{} {}", self.program.display(), self.arguments.join(OsStr::new(" ")).display())
    }

    fn checked(&self, command: &mut Command) -> Result<Output, Failure> {
        let output = command.stdin(Stdio::null()).output().while_(self.shown())?;
        if output.status.success() {
            return Ok(output);
        }
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(Failure::new(format!("{} ended with {}\n{complaint}", self.shown(), output.status)))
    }
}

/// What the times were taken on, and how busy it was with other things.
pub fn machine() -> String {
    let first = |file: &str, key: &str| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix(key).map(str::to_owned));
        line.unwrap_or_default().trim_matches([' ', ':', '\t']).to_owned()
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = first("/proc/loadavg", "");
    let load = load.split(' ').next().unwrap_or_default().to_owned();
    format!("machine: {}, {cores} cores, load {load}", first("/proc/cpuinfo", "model name"))
}

/// What a run took.
#[derive(Debug)]
pub struct Watched {
    pub wall: Duration,
    /// In bytes.
    pub peak: u64,
}

/// The latest time at which anything below a folder changed, as the kernel notes every change.
pub fn newest(folder: &Path) -> Result<(i64, i64), Failure> {
    use std::os::unix::fs::MetadataExt as _;
    let mut newest = (0, 0);
    for entry in walkdir::WalkDir::new(folder) {
        let metadata = entry.and_then(|entry| entry.metadata()).while_("looking at the tree")?;
        newest = newest.max((metadata.ctime(), metadata.ctime_nsec()));
    }
    Ok(newest)
}

pub fn require_valgrind() -> Result<(), Failure> {
    let answer = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    match answer.is_ok_and(|status| status.success()) {
        true => Ok(()),
        false => Err(Failure::new("valgrind, which counts instructions, does not run").remedy(
            "install it: apt install valgrind (Debian, Ubuntu), dnf install valgrind (Fedora)",
        )),
    }
}

/// From a line like `==4711== Collected : 123456`.
fn collected(said: &str) -> Option<u64> {
    said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
}

/// From a line like `VmHWM:     5432 kB`, in bytes.
fn high_water(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_what_valgrind_and_the_kernel_print() {
        assert_eq!(collected("==1== Events    : Ir\n==1== Collected : 2468\n"), Some(2468));
        assert_eq!(collected("==1== nothing\n"), None);
        assert_eq!(high_water("Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t 1 kB\n"), 2 << 20);
    }
}
