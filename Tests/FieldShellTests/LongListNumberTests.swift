import FieldModels
import FieldRecords
import Testing

@testable import FieldShell

/// The numbers of a list that is read as it is shown.
@Suite struct LongListNumberTests {
    private static func text(_ number: Int) -> RecordReference { RecordReference(.finding, id: "finding-\(number)") }

    @Test func rowsAreNumberedAsTheyAreShown() throws {
        let shell = try Shell()
        shell.session.use = .shell(isAttended: true)
        let rows = CountedRows()
        let numbered = try shell.session.numbered(rows.portions(0..<1_200) { _ in "Dust" })
        let list = shell.session.shown.list
        #expect(list.rows == 500 && !list.isWhole && list[500] == Self.text(499) && list[501] == nil)
        #expect(
            UnknownNumber.inLastList("501", of: list).message
                == "The last list was read up to its row 500, and has no number '501' yet.")
        var numbers: [Int?] = []
        try numbered.forEach { numbers += $0.map(\.number) }
        #expect(numbers == Array(1...1_200))
        #expect(list.rows == 1_200 && list.isWhole && list[1_200] == Self.text(1_199))
        #expect(
            UnknownNumber.inLastList("1201", of: list).message
                == "There is no number '1201' in the last list; it has 1,200 rows.")
    }

    /// A record that was made while the list is shown has a number of its own, and so have the rows behind it.
    @Test func aNewRecordsNumberIsNoRows() throws {
        let shell = try Shell()
        shell.session.use = .shell(isAttended: true)
        let numbered = try shell.session.numbered(CountedRows().portions(0..<600) { _ in "Dust" })
        let new = RecordReference(.site, id: "site-new")
        #expect(shell.session.name(ofNew: new) == "501")
        var last: Listing.Row?
        try numbered.forEach { last = $0.last ?? last }
        #expect(last?.number == 601 && shell.session.shown.list[601] == last?.reference)
        #expect(shell.session.shown.list[501] == new && shell.session.shown.list.rows == 600)
    }

    @Test func oneCommandKeepsNoNumbers() throws {
        let shell = try Shell()
        shell.session.use = .command
        let rows = CountedRows()
        let listed = try shell.session.numbered(rows.portions(0..<2_000) { _ in "Dust" })
        try listed.forEach { #expect($0.allSatisfy { $0.number == nil }) }
        #expect(shell.session.shown.list.isEmpty && rows.mostAlive <= 3 * CountedRows.size)
    }

    @Test func groupsAreNumberedThrough() throws {
        let shell = try Shell()
        shell.session.use = .shell(isAttended: false)
        var groups = RecordGroups(empty: "Nothing.")
        let rows = CountedRows().portions(0..<500) { _ in "Dust" }.first
        groups.add("First", columns: ["ID", "DATE", "FINDING"], rows: Array(rows.prefix(2)))
        groups.add("None", columns: ["ID"], rows: [])
        groups.add("Second", columns: ["ID", "DATE", "FINDING"], rows: rows)
        let text = try TextRenderer(width: 80, numbersRows: true, clock: shell.session.environment.clock)
            .text(.groups(shell.session.numbered(groups)))
        let lines = text.split(separator: "\n")
        #expect(lines.count == 506 && lines[0] == "First" && lines[2].hasPrefix("1  0 ") && lines[4] == "Second")
        #expect(lines[6].hasPrefix("3    0 ") && lines[505].hasPrefix("502  499 "), "\(lines.suffix(3))")
        #expect(shell.session.shown.list[502] == Self.text(499) && shell.session.shown.list.isWhole)
    }
}
