//! A [`Table`] as text: in every column ours, theirs, and the difference.

use super::{Cell, Counted, Table};

impl Table {
    /// The table for a terminal.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}: {}\n{}\n", self.name, self.title, self.source);
        text +=
            "In every column: ours, the paper's, and the difference (= if every digit agrees)\n";
        for counted in [Counted::Nodes, Counted::Searches] {
            text += &self.part(counted);
        }
        text + "\n" + &self.verdict()
    }

    /// What was counted, with a heading; nothing if there are no such rows.
    fn part(&self, counted: Counted) -> String {
        let rows = || self.rows.iter().filter(|row| row.counted == counted);
        if rows().next().is_none() {
            return String::new();
        }
        let widths: Vec<_> = (0..self.columns.len())
            .map(|column| Widths::of(rows().filter_map(|row| row.cells[column].as_ref())))
            .collect();
        let mut text = format!("\n{:<15}", counted.in_words());
        for (column, width) in self.columns.iter().zip(&widths) {
            let heading = format!("{}, {}", column.name, in_powers(column.unit));
            text += &format!("  {heading:>0$}", width.all());
        }
        for row in rows() {
            text = text.trim_end().to_owned() + &format!("\n{:<15}", row.name);
            for (cell, width) in row.cells.iter().zip(&widths) {
                text += &format!("  {}", width.set(cell.as_ref()));
            }
        }
        text.trim_end().to_owned() + "\n"
    }

    /// How well it went, in a sentence.
    pub(super) fn verdict(&self) -> String {
        let cells = self.cells().count();
        let within = |limit: f64| {
            let near = self.cells().filter(|cell| cell.2.difference.abs() <= limit);
            near.count()
        };
        let mut text = format!("{} of {cells} numbers agree in every digit", within(0.0));
        if self.tolerance > 0.0 {
            let percent = self.tolerance * 100.0;
            let near = within(self.tolerance);
            text += &format!(", {near} within the {percent:.0} % to be expected");
        }
        let far = |cell: &Cell| cell.difference.abs();
        let farthest = self.cells().max_by(|a, b| far(a.2).total_cmp(&far(b.2)));
        if let Some((row, column, cell)) = farthest.filter(|cell| far(cell.2) > 0.0) {
            let mean = self.cells().map(|cell| far(cell.2)).sum::<f64>() / cells as f64;
            text += &format!(
                "; the mean difference is {:.1} %, the largest {} ({} of {}, {})",
                mean * 100.0,
                difference(cell),
                row.counted.in_words(),
                row.name,
                column.name
            );
        }
        text + "\n"
    }
}

/// How wide the numbers of a column are.
struct Widths {
    ours: usize,
    theirs: usize,
    difference: usize,
}

impl Widths {
    /// Room for a heading.
    const LEAST: usize = 22;

    fn of<'a>(cells: impl Iterator<Item = &'a Cell>) -> Self {
        let mut widths = Self {
            ours: 1,
            theirs: 1,
            difference: 1,
        };
        for cell in cells {
            widths.ours = widths.ours.max(cell.rounded().to_string().len());
            widths.theirs = widths.theirs.max(cell.theirs.to_string().len());
            widths.difference = widths.difference.max(difference(cell).len());
        }
        widths
    }

    fn all(&self) -> usize {
        (self.ours + self.theirs + self.difference + 4).max(Self::LEAST)
    }

    fn set(&self, cell: Option<&Cell>) -> String {
        let text = cell.map_or("-".to_owned(), |cell| {
            format!(
                "{:>ours$}  {:>theirs$}  {:>room$}",
                cell.rounded(),
                cell.theirs,
                difference(cell),
                ours = self.ours,
                theirs = self.theirs,
                room = self.difference
            )
        });
        format!("{text:>0$}", self.all())
    }
}

/// The difference of a cell in per cent.
pub(super) fn difference(cell: &Cell) -> String {
    if cell.difference == 0.0 {
        "=".to_owned()
    } else {
        format!("{:+.1} %", cell.difference * 100.0)
    }
}

/// A unit as a power of ten.
pub(super) fn in_powers(unit: u64) -> String {
    match unit.ilog10() {
        0 => "in full".to_owned(),
        3 => "thousands".to_owned(),
        6 => "millions".to_owned(),
        9 => "billions".to_owned(),
        power => format!("in 10^{power}"),
    }
}
