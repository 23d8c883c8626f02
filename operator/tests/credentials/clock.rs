//! The operator's wall clock, which tests put forward: tokens live for an hour, and the operator adds
//! another.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::real;

#[derive(Debug)]
pub struct Clock {
    file: PathBuf,
    ahead: Mutex<i64>,
}

impl Clock {
    pub fn new() -> Self {
        let file = real::folder("clock").join("ahead");
        fs::write(&file, "0").unwrap();
        Self { file, ahead: Mutex::new(0) }
    }

    pub fn file(&self) -> String {
        self.file.display().to_string()
    }

    /// As the operator reads it.
    pub fn now(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        i64::try_from(since.as_secs()).unwrap() + *self.ahead.lock().unwrap()
    }

    pub fn forward(&self, seconds: i64) {
        let mut ahead = self.ahead.lock().unwrap();
        *ahead += seconds.max(0);
        // Never half a number.
        let new = self.file.with_extension("new");
        fs::write(&new, ahead.to_string()).unwrap();
        fs::rename(&new, &self.file).unwrap();
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.file.parent().unwrap());
    }
}
