//! A [`Table`] as a picture: a panel for each column, a line for each row, our numbers as dots
//! and the paper's as diamonds, on a logarithmic scale.
//!
//! Where both agree a dot sits in its diamond; where they do not, a bar joins the two. A
//! difference larger than expected is written beside them.

use std::fmt::Write;
use std::ops::Range;

use super::text::difference;
use super::{Cell, Counted, Row, Table};

const INK: &str = "#22313f";
const FAINT: &str = "#6b7a86";
const OURS: &str = "#1769aa";
const THEIRS: &str = "#d9661f";
/// For differences larger than expected.
const FAR: &str = "#a32020";

/// Where the first panel begins; names are to the left of it.
const LEFT: f64 = 150.0;
const TOP: f64 = 150.0;
const PANEL: f64 = 230.0;
const GAP: f64 = 26.0;
const LINE: f64 = 23.0;
/// Between what was counted first and what was counted then.
const BREAK: f64 = 34.0;
/// Inside a panel, left and right of the scale.
const MARGIN: f64 = 16.0;

impl Table {
    /// The table as an SVG picture.
    pub fn to_svg(&self) -> String {
        let mut picture = Picture::new(self);
        picture.heading();
        picture.names();
        for column in 0..self.columns.len() {
            picture.panel(column);
        }
        picture.finish()
    }
}

struct Picture<'a> {
    table: &'a Table,
    /// The height of each row on the page.
    lines: Vec<f64>,
    bottom: f64,
    svg: String,
}

impl<'a> Picture<'a> {
    fn new(table: &'a Table) -> Self {
        let mut y = TOP;
        let mut lines = Vec::new();
        let mut before = Counted::Nodes;
        for row in &table.rows {
            y += if row.counted == before { 0.0 } else { BREAK };
            before = row.counted;
            lines.push(y + LINE / 2.0);
            y += LINE;
        }
        Self {
            table,
            lines,
            bottom: y,
            svg: String::new(),
        }
    }

    fn width(&self) -> f64 {
        LEFT + self.table.columns.len() as f64 * (PANEL + GAP) + 4.0
    }

    fn heading(&mut self) {
        let table = self.table;
        let title = Text::new(24.0, 40.0, 22.0).bold();
        self.text(&title, &table.title);
        self.text(&Text::new(24.0, 64.0, 13.0).colour(FAINT), &table.source);
        let verdict = table.verdict();
        self.text(&Text::new(24.0, 84.0, 13.0).colour(FAINT), verdict.trim());
        let (x, y) = (self.width() - 232.0, 36.0);
        self.diamond(x, y);
        self.text(&Text::new(x + 14.0, y + 4.5, 13.0), "the paper's number");
        self.dot(x + 166.0, y);
        self.text(&Text::new(x + 177.0, y + 4.5, 13.0), "ours");
    }

    fn names(&mut self) {
        let mut before = None;
        for (row, y) in self.table.rows.iter().zip(self.lines.clone()) {
            if before.replace(row.counted) != Some(row.counted) {
                let label = Text::new(24.0, y - LINE / 2.0 - 8.0, 12.0).colour(FAINT);
                self.text(&label, row.counted.in_words());
            }
            let name = Text::new(LEFT - 14.0, y + 4.5, 14.0).anchored("end");
            self.text(&name, &row.name);
        }
    }

    fn panel(&mut self, index: usize) {
        let (table, lines) = (self.table, self.lines.clone());
        let left = LEFT + index as f64 * (PANEL + GAP);
        let heading = Text::new(left + PANEL / 2.0, TOP - 36.0, 14.0).bold();
        self.text(&heading.anchored("middle"), &table.columns[index].name);
        let cells = table
            .rows
            .iter()
            .filter_map(|row| row.cells[index].as_ref());
        let Some(scale) = Scale::around(cells, left + MARGIN, PANEL - 2.0 * MARGIN) else {
            return;
        };
        self.background(left, &scale);
        for (row, &y) in table.rows.iter().zip(&lines) {
            self.row(row, index, y, &scale);
        }
    }

    /// The ground of a panel, with a line for every power of ten.
    fn background(&mut self, left: f64, scale: &Scale) {
        let height = self.bottom - TOP + 8.0;
        let top = TOP - 4.0;
        self.add(format_args!(
            r##"<rect x="{left:.1}" y="{top:.1}" width="{PANEL}" height="{height:.1}" rx="6" fill="#ffffff" stroke="#dde3e8"/>"##
        ));
        for power in scale.powers() {
            let (x, bottom) = (scale.x(10f64.powi(power)), top + height);
            self.add(format_args!(
                r##"<line x1="{x:.1}" y1="{top:.1}" x2="{x:.1}" y2="{bottom:.1}" stroke="#e4e9ed"/>"##
            ));
            let label = Text::new(x, TOP - 12.0, 11.0).colour(FAINT);
            self.text(&label.anchored("middle"), &short(power));
        }
    }

    fn row(&mut self, row: &Row, column: usize, y: f64, scale: &Scale) {
        let Some(cell) = &row.cells[column] else {
            return;
        };
        self.guide(y, scale);
        let (ours, theirs) = (scale.x(cell.ours), scale.x(theirs(cell)));
        self.add(format_args!(
            r##"<line x1="{ours:.1}" y1="{y:.1}" x2="{theirs:.1}" y2="{y:.1}" stroke="#9fb0bd" stroke-width="3"/>"##
        ));
        self.diamond(theirs, y);
        self.dot(ours, y);
        if cell.difference.abs() > self.table.tolerance {
            self.remark(
                ours.min(theirs)..ours.max(theirs),
                y,
                scale,
                &difference(cell),
            );
        }
    }

    /// A dotted line that leads the eye from the row's name.
    fn guide(&mut self, y: f64, scale: &Scale) {
        let (left, right) = (scale.left - 8.0, scale.left + scale.width + 8.0);
        self.add(format_args!(
            r##"<line x1="{left:.1}" y1="{y:.1}" x2="{right:.1}" y2="{y:.1}" stroke="#d5dce1" stroke-dasharray="1 4"/>"##
        ));
    }

    /// Words beside what lies in a range: to the right, if there is room.
    fn remark(&mut self, range: Range<f64>, y: f64, scale: &Scale, words: &str) {
        let room = scale.left + scale.width - range.end;
        let style = if room > 60.0 {
            Text::new(range.end + 13.0, y + 4.0, 11.0)
        } else {
            Text::new(range.start - 13.0, y + 4.0, 11.0).anchored("end")
        };
        self.text(&style.colour(FAR), words);
    }

    fn dot(&mut self, x: f64, y: f64) {
        self.add(format_args!(
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="3.6" fill="{OURS}"/>"#
        ));
    }

    fn diamond(&mut self, x: f64, y: f64) {
        self.add(format_args!(
            r#"<path d="M{:.1} {y:.1}L{x:.1} {:.1}L{:.1} {y:.1}L{x:.1} {:.1}Z" fill="none" stroke="{THEIRS}" stroke-width="2"/>"#,
            x - 8.0,
            y - 8.0,
            x + 8.0,
            y + 8.0
        ));
    }

    fn text(&mut self, style: &Text, words: &str) {
        let words = words.replace('&', "&amp;").replace('<', "&lt;");
        self.add(format_args!(
            r#"<text x="{:.1}" y="{:.1}" font-size="{}" fill="{}" text-anchor="{}" font-weight="{}">{words}</text>"#,
            style.x, style.y, style.size, style.colour, style.anchor, style.weight
        ));
    }

    fn add(&mut self, element: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.svg, "{element}");
    }

    fn finish(self) -> String {
        let (width, height) = (self.width(), self.bottom + 24.0);
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif">
<rect width="100%" height="100%" fill="#f6f8f9"/>
{}</svg>
"##,
            self.svg
        )
    }
}

/// Where words stand and how they look.
struct Text {
    x: f64,
    y: f64,
    size: f64,
    colour: &'static str,
    anchor: &'static str,
    weight: &'static str,
}

impl Text {
    fn new(x: f64, y: f64, size: f64) -> Self {
        Self {
            x,
            y,
            size,
            colour: INK,
            anchor: "start",
            weight: "normal",
        }
    }

    fn bold(self) -> Self {
        let weight = "bold";
        Self { weight, ..self }
    }

    fn colour(self, colour: &'static str) -> Self {
        Self { colour, ..self }
    }

    fn anchored(self, anchor: &'static str) -> Self {
        Self { anchor, ..self }
    }
}

/// A logarithmic scale.
struct Scale {
    left: f64,
    width: f64,
    /// The logarithms at both ends.
    ends: (f64, f64),
}

impl Scale {
    /// A scale that shows all numbers of some cells; `None` without any.
    fn around<'a>(cells: impl Iterator<Item = &'a Cell>, left: f64, width: f64) -> Option<Self> {
        let logs = cells.flat_map(|cell| [cell.ours, theirs(cell)].map(|n| n.max(1.0).log10()));
        let ends = logs.fold(None, |ends: Option<(f64, f64)>, log| {
            let (low, high) = ends.unwrap_or((log, log));
            Some((low.min(log), high.max(log)))
        })?;
        // At least two powers of ten, so that a column of near numbers does not look wild.
        let middle = (ends.0 + ends.1) / 2.0;
        let ends = (ends.0.min(middle - 1.0), ends.1.max(middle + 1.0));
        Some(Self { left, width, ends })
    }

    fn x(&self, number: f64) -> f64 {
        let (low, high) = self.ends;
        self.left + (number.max(1.0).log10() - low) / (high - low) * self.width
    }

    /// The powers of ten on the scale.
    fn powers(&self) -> impl Iterator<Item = i32> + use<> {
        self.ends.0.ceil() as i32..=self.ends.1.floor() as i32
    }
}

/// The printed number in full.
fn theirs(cell: &Cell) -> f64 {
    cell.theirs as f64 * cell.unit as f64
}

/// A power of ten in few letters: 10k, 1G.
fn short(power: i32) -> String {
    let unit = ["", "k", "M", "G", "T", "P"]
        .get(power as usize / 3)
        .unwrap_or(&"E");
    format!("{}{unit}", 10u32.pow(power as u32 % 3))
}
