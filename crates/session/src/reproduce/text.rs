//! A [`Table`] as text: in every column ours, theirs, and the difference.

use super::table::{Cell, Column, Counted, Quantity, Row, Table};

impl Table {
    /// The table for a terminal.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}: {}\n{}\n", self.name, self.title, self.source);
        text += match (self.has_theirs(), self.tolerance) {
            (false, _) => "In every column: ours\n",
            (true, Some(_)) => {
                "In every column: ours, theirs, and the difference (= if every digit agrees)\n"
            }
            (true, None) => {
                "In every column: ours, theirs, and how many times more (x) or less (/)\n"
            }
        };
        let same = |one: &Row, other: &Row| one.counted == other.counted;
        for rows in self.rows.chunk_by(same) {
            text += &self.part(rows);
        }
        let verdict = self.verdict();
        let notes = verdict.iter().chain(&self.notes);
        notes.fold(text + "\n", |text, note| text + note + "\n")
    }

    /// Rows in which the same was counted, with a heading.
    fn part(&self, rows: &[Row]) -> String {
        let names = rows.iter().map(|row| row.name.chars().count());
        let room = names.max().unwrap_or(0).max(15);
        let widths: Vec<_> = (self.columns.iter().enumerate())
            .map(|(index, column)| {
                let cells = rows.iter().filter_map(|row| row.cells[index].as_ref());
                self.widths(column, cells)
            })
            .collect();
        let counted = rows.first().and_then(|row| row.counted);
        let mut text = format!("\n{:<room$}", counted.map_or("", Counted::in_words));
        for (column, width) in self.columns.iter().zip(&widths) {
            let heading = format!("{}, {}", column.name, column.in_words());
            text += &format!("  {heading:>0$}", width.all());
        }
        for row in rows {
            text = text.trim_end().to_owned() + &format!("\n{:<room$}", row.name);
            for ((cell, width), column) in row.cells.iter().zip(&widths).zip(&self.columns) {
                let cell = cell.map(|cell| self.written(column, &cell));
                text += &format!("  {}", width.set(cell));
            }
        }
        text.trim_end().to_owned() + "\n"
    }

    fn widths<'a>(&self, column: &Column, cells: impl Iterator<Item = &'a Cell>) -> Widths {
        let mut widths = Widths([1, 0, 0]);
        for cell in cells {
            let written = self.written(column, cell).map(|text| text.chars().count());
            for (width, written) in widths.0.iter_mut().zip(written) {
                *width = written.max(*width);
            }
        }
        widths
    }

    /// Ours, theirs and the difference of a cell.
    fn written(&self, column: &Column, cell: &Cell) -> [String; 3] {
        let theirs = cell.theirs.map(|theirs| column.print(theirs));
        [
            column.print(cell.ours_in_units()),
            theirs.unwrap_or_default(),
            self.difference(cell).unwrap_or_default(),
        ]
    }

    /// How well it went, in a sentence; nothing where nothing has to agree.
    pub(super) fn verdict(&self) -> Option<String> {
        let tolerance = self.tolerance?;
        let far = |cell: &Cell| cell.difference.map_or(0.0, f64::abs);
        let compared = || self.cells().filter(|cell| cell.2.theirs.is_some());
        let cells = compared().count();
        let within = |limit: f64| compared().filter(|cell| far(cell.2) <= limit).count();
        let mut text = format!("{} of {cells} numbers agree in every digit", within(0.0));
        if tolerance > 0.0 {
            let (percent, near) = (tolerance * 100.0, within(tolerance));
            text += &format!(", {near} within the {percent:.0} % to be expected");
        }
        let farthest = compared().max_by(|a, b| far(a.2).total_cmp(&far(b.2)));
        if let Some((row, column, cell)) = farthest.filter(|cell| far(cell.2) > 0.0) {
            let mean = compared().map(|cell| far(cell.2)).sum::<f64>() / cells as f64;
            text += &format!(
                "; the mean difference is {:.1} %, the largest {} ({}{}, {})",
                mean * 100.0,
                self.difference(cell).unwrap_or_default(),
                row.counted.map_or(String::new(), |counted| format!(
                    "{} of ",
                    counted.in_words()
                )),
                row.name,
                column.name
            );
        }
        Some(text)
    }

    /// How ours compares: in per cent, or as a factor where it need not be near.
    pub(super) fn difference(&self, cell: &Cell) -> Option<String> {
        let difference = cell.difference?;
        Some(match self.tolerance {
            _ if difference == 0.0 => "=".to_owned(),
            Some(_) => format!("{:+.1} %", difference * 100.0),
            None if difference > 0.0 => format!("x {}", factor(1.0 + difference)),
            None => format!("/ {}", factor(1.0 / (1.0 + difference))),
        })
    }
}

/// A factor to two digits or so.
fn factor(factor: f64) -> String {
    if factor < 9.95 {
        format!("{factor:.1}")
    } else {
        format!("{factor:.0}")
    }
}

impl Counted {
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Searches => "table searches",
        }
    }
}

impl Column {
    /// What its numbers are multiples of.
    pub(super) fn in_words(&self) -> String {
        match (self.quantity, self.unit.ilog10()) {
            (Quantity::Seconds, _) => "seconds".to_owned(),
            (_, 0) => "in full".to_owned(),
            (_, 3) => "thousands".to_owned(),
            (_, 6) => "millions".to_owned(),
            (_, 9) => "billions".to_owned(),
            (_, power) => format!("in 10^{power}"),
        }
    }
}

/// How wide the numbers of a column are: ours, theirs, the difference.
struct Widths([usize; 3]);

impl Widths {
    /// Room for a heading.
    const LEAST: usize = 22;

    fn all(&self) -> usize {
        let between = self.0.iter().filter(|&&width| width > 0).count() - 1;
        (self.0.iter().sum::<usize>() + 2 * between).max(Self::LEAST)
    }

    fn set(&self, cell: Option<[String; 3]>) -> String {
        let text = cell.map_or("-".to_owned(), |cell| {
            let parts = cell.iter().zip(self.0).filter(|&(_, width)| width > 0);
            let parts = parts.map(|(part, width)| match part.as_str() {
                "" => format!("{:>width$}", "-"),
                part => format!("{part:>width$}"),
            });
            parts.collect::<Vec<_>>().join("  ")
        });
        format!("{text:>0$}", self.all())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(tolerance: Option<f64>) -> Table {
        let mut table = Table {
            name: "name".to_owned(),
            title: "title".to_owned(),
            source: "source".to_owned(),
            tolerance,
            columns: vec![Column::seconds("time"), Column::millions("nodes")],
            rows: Vec::new(),
            notes: vec!["A note.".to_owned()],
            stopped: None,
        };
        table.add_row(
            "slow",
            vec![(119.19, Some(39.73)), (46_355_001.0, Some(46.36))],
        );
        table.add_row("fast", vec![(0.05, None), (3e6, Some(46.36))]);
        table
    }

    fn differences(table: &Table) -> Vec<Option<String>> {
        let cells = table.cells();
        cells.map(|(_, _, cell)| table.difference(cell)).collect()
    }

    #[test]
    fn numbers_are_compared_as_printed() {
        let factors = [Some("x 3.0"), Some("="), None, Some("/ 15")];
        assert_eq!(
            differences(&table(None)),
            factors.map(|text| text.map(str::to_owned))
        );
        let percents = [Some("+200.0 %"), Some("="), None, Some("-93.5 %")];
        assert_eq!(
            differences(&table(Some(0.1))),
            percents.map(|text| text.map(str::to_owned))
        );
    }

    #[test]
    fn what_has_no_counterpart_stands_alone() {
        let table = table(None);
        let text = table.to_text();
        let lines: Vec<_> = text.lines().collect();
        let words = |line: usize| lines[line].split_whitespace().collect::<Vec<_>>();
        assert_eq!(words(4), ["time,", "seconds", "nodes,", "millions"]);
        assert_eq!(
            words(5),
            ["slow", "119.19", "39.73", "x", "3.0", "46.36", "46.36", "="]
        );
        assert_eq!(
            words(6),
            ["fast", "0.05", "-", "-", "3.00", "46.36", "/", "15"]
        );
        assert_eq!(*lines.last().expect("lines"), "A note.");
        let svg = table.to_svg();
        // Two rows of two numbers and the legend; all but one with a diamond.
        assert_eq!(svg.matches("<circle").count(), 5);
        assert_eq!(svg.matches("<path").count(), 4);
        assert!(svg.contains(">0.05</text>") && svg.contains("A note."));
    }

    #[test]
    fn only_where_numbers_should_agree_there_is_a_verdict() {
        assert_eq!(table(None).verdict(), None);
        let verdict = table(Some(0.0)).verdict().expect("a verdict");
        assert!(verdict.starts_with("1 of 3 numbers agree"), "{verdict}");
    }
}
