//! A [`Table`] as a picture: a panel for each column, a line for each row, our numbers as dots
//! and the paper's as diamonds, on a logarithmic scale.
//!
//! Where both agree a dot sits in its diamond; where they do not, a bar joins the two. A
//! difference larger than expected is written beside them; beside a dot that has no diamond its
//! number.

use std::fmt::Write;
use std::ops::Range;

use super::table::{Cell, Column, Quantity, Row, Table};

const INK: &str = "#22313f";
const FAINT: &str = "#6b7a86";
const OURS: &str = "#1769aa";
const THEIRS: &str = "#d9661f";
/// For differences larger than expected.
const FAR: &str = "#a32020";

/// Where the first panel begins at the least; names are to the left of it.
const LEFT: f64 = 150.0;
/// About how wide a letter of a name is.
const LETTER: f64 = 8.0;
const TOP: f64 = 150.0;
/// All panels together, with the gaps right of each.
const PANELS: f64 = 1024.0;
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
        picture.notes();
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
        let mut before = table.rows.first();
        for row in &table.rows {
            let same = before.replace(row).map(|row| row.counted) == Some(row.counted);
            y += if same { 0.0 } else { BREAK };
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

    /// Where the first panel begins.
    fn left(&self) -> f64 {
        let names = self.table.rows.iter().map(|row| row.name.chars().count());
        (28.0 + LETTER * names.max().unwrap_or(0) as f64).max(LEFT)
    }

    fn width(&self) -> f64 {
        self.left() + PANELS + 4.0
    }

    fn panel_width(&self) -> f64 {
        PANELS / self.table.columns.len() as f64 - GAP
    }

    fn heading(&mut self) {
        let table = self.table;
        let title = Text::new(24.0, 40.0, 22.0).bold();
        self.text(&title, &table.title);
        self.text(&Text::new(24.0, 64.0, 13.0).colour(FAINT), &table.source);
        if let Some(verdict) = table.verdict() {
            self.text(&Text::new(24.0, 84.0, 13.0).colour(FAINT), &verdict);
        }
        let (x, y) = (self.width() - 232.0, 36.0);
        if table.has_theirs() {
            self.diamond(x, y);
            self.text(&Text::new(x + 14.0, y + 4.5, 13.0), "the paper's number");
        }
        self.dot(x + 166.0, y);
        self.text(&Text::new(x + 177.0, y + 4.5, 13.0), "ours");
    }

    fn names(&mut self) {
        let mut before = None;
        for (row, y) in self.table.rows.iter().zip(self.lines.clone()) {
            if let Some(counted) = row.counted
                && before.replace(counted) != Some(counted)
            {
                let label = Text::new(24.0, y - LINE / 2.0 - 8.0, 12.0).colour(FAINT);
                self.text(&label, counted.in_words());
            }
            let name = Text::new(self.left() - 14.0, y + 4.5, 14.0).anchored("end");
            self.text(&name, &row.name);
        }
    }

    fn panel(&mut self, index: usize) {
        let (table, lines) = (self.table, self.lines.clone());
        let (column, width) = (&table.columns[index], self.panel_width());
        let left = self.left() + index as f64 * (width + GAP);
        let heading = Text::new(left + width / 2.0, TOP - 36.0, 14.0).bold();
        // A count's unit is in the labels of its scale.
        let name = match column.quantity {
            Quantity::Count => column.name.clone(),
            Quantity::Seconds => format!("{}, {}", column.name, column.in_words()),
        };
        self.text(&heading.anchored("middle"), &name);
        let cells = table
            .rows
            .iter()
            .filter_map(|row| row.cells[index].as_ref());
        let (left_end, length) = (left + MARGIN, width - 2.0 * MARGIN);
        let Some(scale) = Scale::around(cells, least(column), left_end, length) else {
            return;
        };
        self.background(left, &scale);
        for (row, &y) in table.rows.iter().zip(&lines) {
            self.row(row, index, y, &scale);
        }
    }

    /// The ground of a panel, with a line for every power of ten.
    fn background(&mut self, left: f64, scale: &Scale) {
        let width = self.panel_width();
        let height = self.bottom - TOP + 8.0;
        let top = TOP - 4.0;
        self.add(format_args!(
            r##"<rect x="{left:.1}" y="{top:.1}" width="{width}" height="{height:.1}" rx="6" fill="#ffffff" stroke="#dde3e8"/>"##
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

    fn row(&mut self, row: &Row, index: usize, y: f64, scale: &Scale) {
        let (table, column) = (self.table, &self.table.columns[index]);
        let Some(cell) = &row.cells[index] else {
            return;
        };
        self.guide(y, scale);
        let ours = scale.x(cell.ours);
        let Some(theirs) = cell.theirs_in_full().map(|theirs| scale.x(theirs)) else {
            self.dot(ours, y);
            let number = column.print(cell.ours_in_units());
            return self.remark(ours..ours, y, scale, (&number, INK));
        };
        self.add(format_args!(
            r##"<line x1="{ours:.1}" y1="{y:.1}" x2="{theirs:.1}" y2="{y:.1}" stroke="#9fb0bd" stroke-width="3"/>"##
        ));
        self.diamond(theirs, y);
        self.dot(ours, y);
        let far = cell.difference.map_or(0.0, f64::abs) > table.tolerance.unwrap_or(0.0);
        if let Some(difference) = table.difference(cell).filter(|_| far) {
            let colour = table.tolerance.map_or(INK, |_| FAR);
            let range = ours.min(theirs)..ours.max(theirs);
            self.remark(range, y, scale, (&difference, colour));
        }
    }

    /// Sentences below the panels.
    fn notes(&mut self) {
        let notes = &self.table.notes;
        for note in notes {
            self.bottom += 19.0;
            self.text(
                &Text::new(24.0, self.bottom + 14.0, 13.0).colour(FAINT),
                note,
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

    /// Words beside what lies in a range: to the right if there is room, or to the left, or above.
    fn remark(
        &mut self,
        range: Range<f64>,
        y: f64,
        scale: &Scale,
        (words, colour): (&str, &'static str),
    ) {
        let (before, behind) = (
            range.start - scale.left,
            scale.left + scale.width - range.end,
        );
        let style = if behind > 60.0 {
            Text::new(range.end + 13.0, y + 4.0, 11.0)
        } else if before > 30.0 {
            Text::new(range.start - 13.0, y + 4.0, 11.0).anchored("end")
        } else {
            Text::new((range.start + range.end) / 2.0, y - 3.0, 11.0).anchored("middle")
        };
        self.text(&style.colour(colour), words);
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
    /// Numbers below stand where it does.
    least: f64,
}

impl Scale {
    /// A scale that shows all numbers of some cells; `None` without any.
    fn around<'a>(
        cells: impl Iterator<Item = &'a Cell>,
        least: f64,
        left: f64,
        width: f64,
    ) -> Option<Self> {
        let numbers = cells.flat_map(|cell| [Some(cell.ours), cell.theirs_in_full()]);
        let logs = numbers.flatten().map(|number| number.max(least).log10());
        let ends = logs.fold(None, |ends: Option<(f64, f64)>, log| {
            let (low, high) = ends.unwrap_or((log, log));
            Some((low.min(log), high.max(log)))
        })?;
        // At least two powers of ten, so that a column of near numbers does not look wild.
        let middle = (ends.0 + ends.1) / 2.0;
        let ends = (ends.0.min(middle - 1.0), ends.1.max(middle + 1.0));
        Some(Self {
            left,
            width,
            ends,
            least,
        })
    }

    fn x(&self, number: f64) -> f64 {
        let (low, high) = self.ends;
        self.left + (number.max(self.least).log10() - low) / (high - low) * self.width
    }

    /// The powers of ten on the scale.
    fn powers(&self) -> impl Iterator<Item = i32> + use<> {
        self.ends.0.ceil() as i32..=self.ends.1.floor() as i32
    }
}

/// The least number that a column tells from nothing.
fn least(column: &Column) -> f64 {
    match column.quantity {
        Quantity::Count => 1.0,
        Quantity::Seconds => 0.1f64.powi(column.places as i32),
    }
}

/// A power of ten in few letters: 0.01, 10k, 1G.
fn short(power: i32) -> String {
    if power < 0 {
        return format!("{:.*}", power.unsigned_abs() as usize, 10f64.powi(power));
    }
    let unit = ["", "k", "M", "G", "T", "P"]
        .get(power as usize / 3)
        .unwrap_or(&"E");
    format!("{}{unit}", 10u32.pow(power as u32 % 3))
}
