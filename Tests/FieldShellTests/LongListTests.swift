import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Synchronization
import Testing

@testable import FieldShell

/// A long list is read and laid out as it is shown.
@Suite struct LongListTests {
    private static let clock = LocalClock(now: Timestamp(secondsSince1970: 0), zone: .gmt)
    private static let plain = TextRenderer(width: 200, numbersRows: false, wraps: false, clock: clock)

    @Test func theFirstLineIsWrittenBeforeTheLastRowIsRead() throws {
        let rows = CountedRows()
        var written: [String] = []
        try Self.plain.lines(.listing(rows.listing(3_000))).forEach { lines in
            // Only the portion that is written was read.
            #expect(rows.read == min((written.count / CountedRows.size + 1) * CountedRows.size, 3_000))
            written += lines
        }
        #expect(written.count == 3_001 && written.first == "ID   DATE        FINDING")
        #expect(written.last == "2999  2026-03-04  Dust")
    }

    @Test(arguments: [3_000, 12_000]) func memoryDoesNotGrowWithTheList(count: Int) throws {
        let rows = CountedRows()
        try Self.plain.lines(.listing(rows.listing(count))).forEach { _ in }
        #expect(rows.read == count && rows.mostAlive <= 3 * CountedRows.size, "\(rows.mostAlive)")
        let json = CountedRows()
        let shell = try Shell()
        var lines = 0
        try JSONRenderer.portions(.listing(json.listing(count)), of: shell.session).forEach { portion in
            #expect(json.read <= lines + CountedRows.size)
            lines += portion.count
        }
        #expect(lines == count && json.mostAlive <= 3 * CountedRows.size, "\(json.mostAlive)")
    }

    @Test func groupsAreReadAsTheyAreShown() throws {
        let rows = CountedRows()
        let parts = try rows.portions(0..<2_000) { _ in "Dust" }.map { rows in
            [RecordGroups.Group(title: "Findings", columns: ["ID", "DATE", "FINDING"], rows: rows)]
        }
        let groups = RecordGroups(empty: "Nothing.", groups: parts)
        var written: [String] = []
        try Self.plain.lines(.groups(groups)).forEach { lines in
            #expect(rows.read <= written.count + CountedRows.size)
            written += lines
        }
        #expect(written.count == 2_002 && Array(written.prefix(2)) == ["Findings", "ID   DATE        FINDING"])
        #expect(rows.mostAlive <= 3 * CountedRows.size)
    }

    @Test func aShortListHasTheWidthsOfAllItsRows() throws {
        let rows = CountedRows().listing(300) { String(repeating: "x", count: $0 % 40) }
        let table = TextTable(columns: rows.columns, rows: rows.rows.first.map(\.cells), keepsIDs: true)
        #expect(try Self.plain.text(.listing(rows)) == table.lines(width: 200).joined(separator: "\n"))
    }

    // MARK: Columns

    private static func layout(width: Int) -> TableLayout {
        TableLayout(columns: ["ID", "SITE", "FINDING"], keepsIDs: true, width: width)
    }

    @Test func widthsOnlyGrow() {
        var layout = Self.layout(width: 60)
        #expect(layout.lines(of: [["a", "Mill", "dust"]]) == ["ID  SITE  FINDING", "a   Mill  dust"])
        #expect(layout.lines(of: [["b", "Old mill", "soot"]]) == ["b   Old mill  soot"])
        #expect(layout.lines(of: [["c", "Quay", "rust"]]) == ["c   Quay      rust"])
        #expect(layout.lines(of: []).isEmpty)
    }

    /// A column that is wider than before is cut first where there is no room, so that the others stay where they are.
    @Test func columnsStayWhereTheyAreIfThereIsNoRoom() {
        var layout = Self.layout(width: 30)
        let first = layout.lines(of: [["a", "Old mill", "dust on all of the shelves"]])
        #expect(first == ["ID  SITE      FINDING", "a   Old mill  dust on all of …"])
        #expect(layout.lines(of: [["b", "Old mill at the quay", "soot"]]) == ["b   Old mil…  soot"])
        // An id is never cut.
        let long = layout.lines(of: [["reg-17", "Old mill", "soot in the chimney"]])
        #expect(long.count == 1 && long[0] == "reg-17  Old mill  soot in the…", "\(long)")
    }

    @Test func aScreenThatBecomesTooNarrowHasRowsOfSeveralLines() {
        var layout = Self.layout(width: 30)
        #expect(layout.lines(of: [["a", "Mill", "dust"]]).count == 2)
        let id = "import-2026-register-of-the-harbour"
        let lines = layout.lines(of: [[id, "Old mill", "soot"]])
        #expect(lines == [id, "  Old mill  soot"])
        #expect(layout.lines(of: [["a", "Mill", "dust"]]) == ["a  Mill  dust"])
    }

    /// Accents and wide letters count as the cells that they take.
    @Test func cellsAreMeasuredAsTheyAreShown() {
        for (text, shown, width) in [
            ("plain", "plain", 5), ("", "", 0), ("Café", "Café", 4), ("a\nb", "a⏎b", 3), ("\u{1B}[m", "?[m", 3),
            ("東京", "東京", 4),
        ] {
            let cell = TableCell(text)
            #expect(cell.text == shown && cell.width == width, "\(text)")
        }
    }

    // MARK: Pages

    @Test func onlyThePagesThatAreShownAreRead() throws {
        let rows = CountedRows()
        let dialogue = ScriptedDialogue(lines: ["q"] + Array(repeating: "", count: 21) + ["q"])
        dialogue.screenHeight = 24
        let pager = Pager()
        let renderer = TextRenderer(width: 80, numbersRows: false, clock: Self.clock)
        #expect(try pager.show(renderer.lines(.listing(rows.listing(3_000))), on: dialogue) == nil)
        #expect(rows.read == CountedRows.size)
        #expect(dialogue.transcript.hasSuffix("\nEnter: more (478+), q Enter: stop: q\n"), "\(dialogue.transcript)")
        #expect(try pager.more(on: dialogue) == nil)
        // 23 lines a page: the second portion is needed for the last line of page 22.
        #expect(rows.read == 2 * CountedRows.size)
        #expect(dialogue.transcript.contains("\n499  ") && dialogue.transcript.contains("\n500  "))
    }

    @Test func everyLineOfALongListIsShownOnce() throws {
        let rows = CountedRows()
        let dialogue = ScriptedDialogue(lines: Array(repeating: "", count: 200))
        dialogue.screenHeight = 24
        let renderer = TextRenderer(width: 80, numbersRows: false, clock: Self.clock)
        _ = try Pager().show(renderer.lines(.listing(rows.listing(1_500))), on: dialogue)
        let shown = dialogue.transcript.split(separator: "\n").filter { $0.hasSuffix("  2026-03-04  Dust") }
        #expect(shown.map { Int($0.prefix { $0 != " " }) } == Array(0..<1_500))
        #expect(dialogue.transcript.contains("Enter: more (18+), q Enter: stop: "))
        #expect(!dialogue.transcript.contains("There is nothing more"))
    }
}
