//! Reads the recipe out of the page.

const PAGE: &str = include_str!("../../CONTRIBUTING.md");
const HEADING: &str = "## Add an OpenStack service\n";

/// A block of YAML and the file that the text before it names.
pub struct Block {
    pub file: String,
    pub text: String,
}

/// The text from the heading to before the next one.
pub fn section() -> String {
    let (_, rest) = PAGE.split_once(HEADING).expect("CONTRIBUTING.md has the recipe");
    rest.split("\n## ").next().unwrap_or_default().to_owned()
}

/// The blocks of the recipe, in order.
pub fn recipe() -> Vec<Block> {
    let section = section();
    let mut blocks = Vec::new();
    let mut file = String::new();
    let mut open: Option<(usize, String)> = None;
    for line in section.lines() {
        let indent = line.len() - line.trim_start().len();
        match (&mut open, line.trim()) {
            (None, "```yaml") => open = Some((indent, String::new())),
            (None, _) => {
                let files = in_code_letters(line);
                let yaml = files.into_iter().find(|word| word.ends_with(".yaml"));
                file = yaml.unwrap_or(file);
            }
            (Some(_), "```") => {
                let (_, text) = open.take().unwrap();
                blocks.push(Block { file: std::mem::take(&mut file), text });
            }
            (Some((margin, text)), _) => {
                text.push_str(line.get(*margin..).unwrap_or_default());
                text.push('\n');
            }
        }
    }
    assert!(open.is_none(), "a block is never closed");
    blocks
}

/// What stands between single backquotes.
pub fn in_code_letters(text: &str) -> Vec<String> {
    let prose: String = text.split("```").step_by(2).collect();
    prose.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
