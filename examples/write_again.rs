//! Reads a stream of objects and writes it as many times as the second argument says. What one more
//! time costs is what the bytes of a cloud cost by themselves: `cargo xtask bench` asks for it.

use std::hint::black_box;
use std::process::ExitCode;

use strata::value::Value;
use strata::yaml::read::read_bytes;
use strata::yaml::write::write;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (file, times) = (arguments.next().unwrap_or_default(), arguments.next());
    let (Ok(bytes), Some(Ok(times))) = (std::fs::read(file), times.map(|text| text.parse::<u32>()))
    else {
        return ExitCode::from(2);
    };
    let documents = read_bytes(&bytes).documents;
    let objects: Vec<Value> = documents.into_iter().map(|document| document.root.into()).collect();
    for _ in 0..times {
        let mut text = String::with_capacity(bytes.len());
        objects.iter().for_each(|object| write(object, &mut text));
        black_box(text);
    }
    ExitCode::SUCCESS
}
