import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Tables with many rows, and with ids that a user has to read.
@Suite struct TableLayoutTests {
    private static func inspections(_ count: Int, site: String, id: String) -> [[String]] {
        (1...count).map {
            [String($0), id, "2026-03-04", site, "complaint", "submitted", "100", "12"]
        }
    }

    private static let columns = ["#", "ID", "DATE", "SITE", "VISIT", "STATUS", "SCORE", "FINDINGS"]

    @Test(arguments: [9, 99, 140, 1_000, 99_999]) func manyRowsStayATable(count: Int) {
        let rows = Self.inspections(count, site: "Beacon Bakery and Café", id: "k3m9x2pq7d !").suffix(3)
        let lines = TextTable(columns: Self.columns, rows: Array(rows)).lines(width: 80)
        #expect(lines.count == 4, "a row is a line: \(lines)")
        #expect(lines.allSatisfy { $0.displayWidth <= 80 && ($0.contains("k3m9x2pq7d !") || $0.hasPrefix("#")) })
    }

    @Test func thatSomethingIsOverdueIsCutLast() {
        let columns = ["#", "ID", "DUE", "WHO", "SITE", "STATUS", "WHAT"]
        let row = [
            "1", "k3m9x2pq7d", "2026-11-20, overdue", "mara", "Beacon Bakery and Café", "open",
            "routine, Kitchen hygiene of 2026",
        ]
        let lines = TextTable(columns: columns, rows: [row]).lines(width: 80)
        #expect(lines.count == 2 && lines[1].contains("2026-11-20, overdue  mara"), "\(lines)")
        #expect(TextTable(columns: columns, rows: [row]).lines(width: 64)[1].contains("2026-11-20,…"), "\(lines)")
    }

    /// A name may be as long as a record, and so may those of thousands of records.
    @Test func longCellsAreCutBeforeTheyAreMeasured() {
        let names = ["x" + String(repeating: "\u{301}\u{316}", count: 400_000), String(repeating: "L", count: 900_000)]
        let table = TextTable(columns: ["ID", "SITE"], rows: names.map { ["k3m9x2pq7d", $0] })
        for lines in [table.lines(width: 80), table.lines(width: 14)] {
            #expect(lines.allSatisfy { $0.utf8.count < 300 } && lines.count < 300, "\(lines.count)")
        }
        #expect(!table.isWhole(width: 80))
        #expect("e\u{301}界👍a".displayWidth == 6)
    }

    /// Those of an import begin alike.
    @Test func idsAreCutInTheMiddle() {
        for (width, id) in [(12, "sf-123…90305"), (13, "sf-1234…90305"), (17, "sf-123456…0190305")] {
            #expect("sf-1234567-20190305".cutInMiddle(to: width) == id && id.count == width)
        }
        for (width, id) in [(19, "sf-1234567-20190305"), (2, "s…"), (1, "…"), (0, "")] {
            #expect("sf-1234567-20190305".cutInMiddle(to: width) == id)
        }
        let rows = (1...2).map { ["sf-1234567-2019030\($0)", String(repeating: "Mill ", count: 10)] }
        let lines = TextTable(columns: ["ID", "SITE"], rows: rows).lines(width: 24)
        #expect(lines.dropFirst().map { $0.prefix(12) } == ["sf-123…90301", "sf-123…90302"], "\(lines)")
    }

    /// What a program reads is broken nowhere: it does not come the way of texts for people.
    @Test func jsonIsNotBrokenInTheShell() async throws {
        final class Screen: Dialogue {
            var completer = Completer()
            var lines = ["sites --json"]
            var whole: [String] = []
            var output = ""
            var isInteractive: Bool { true }
            var screenHeight: Int? { 2 }
            func ask(_ prompt: String) -> Reply { lines.isEmpty ? .end : .line(lines.removeFirst()) }
            func askSecret(_ prompt: String) -> Reply { .end }
            func show(_ text: String) { output += text }
            func showWhole(_ lines: [String]) { whole += lines }
        }
        let shell = try Shell()
        let screen = Screen()
        shell.use(screen)
        _ = await ShellLoop(shell.session) { [session = shell.session] in
            TextRenderer(width: 20, numbersRows: true, clock: session.environment.clock)
        }.run()
        #expect(screen.whole.count == 2 && screen.output.isEmpty)
        #expect(try screen.whole.map { try JSONValue(parsing: $0)["type"] } == ["site", "site"])
    }

    /// Outside of the shell a list is read by programs, and there are no numbers in it.
    @Test(arguments: [80, 40, 20]) func idsOfOneCommandStayWhole(width: Int) throws {
        let id = "import-2026-register-of-the-harbour-000017"
        let listing = Listing(
            kind: .inspection, columns: Array(Self.columns.dropFirst()),
            rows: Portions([
                Listing.Row(
                    reference: RecordReference(.inspection, id: id),
                    cells: [id, "2026-03-04", "Beacon Bakery and Café", "complaint", "submitted", "100", "12"],
                    object: [:])
            ]), unreadable: [])
        let clock = LocalClock(now: Timestamp(secondsSince1970: 0), zone: .gmt)
        let text = try TextRenderer(width: width, numbersRows: false, wraps: false, clock: clock)
            .text(.listing(listing))
        #expect(text.contains(id), "\(text)")
    }
}
