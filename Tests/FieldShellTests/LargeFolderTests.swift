import FieldModels
import FieldRecords
import Foundation
import Testing
import WorkCount

@testable import FieldShell

/// Lists of a city's records: their beginning takes no more work than the rows that are shown. One test for all of them,
/// since making the folder takes most of the time.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LargeFolderTests {
    @Test func listsReadWhatTheyShow() async throws {
        let folder = try LargeFolder()
        try await theBeginningOfAListTakesNoneOfItsEnd(folder)
        try await aShortListReadsNoOtherRecords(folder)
        try await theNewestComesFirst(folder)
        try await sitesReadNoInspectionsThatTheyDoNotShow(folder)
        try await aSearchShowsSitesBeforeItReadsFindings(folder)
        try await aSearchIsReadAsItIsShown(folder)
    }

    private struct Beginning {
        /// Of SQLite, in hundreds, until the first rows were there.
        let steps: UInt64
        let lines: Portions<String>
    }

    private func beginning(of line: String, in folder: LargeFolder) async throws -> Beginning {
        let session = folder.session
        let command = try #require(try CommandParser.parse(line: line)).command
        let renderer = TextRenderer(
            width: 200, numbersRows: false, wraps: false, clock: session.environment.clock)
        let (steps, lines) = try await Growth.sqliteSteps {
            try renderer.lines(try await CommandRunner(session).run(command))
        }
        return Beginning(steps: steps, lines: lines)
    }

    /// At most so many take a portion of rows, with what is said of their sites, inspections and findings.
    private static let portion: UInt64 = 3_000

    private func theBeginningOfAListTakesNoneOfItsEnd(_ folder: LargeFolder) async throws {
        for (line, count) in [
            ("list inspections", LargeFolder.inspections), ("list findings", LargeFolder.findings),
            ("list findings --since 2000-01-01", LargeFolder.findings),
        ] {
            let list = try await beginning(of: line, in: folder)
            #expect(list.lines.first.count == 501 && list.steps < Self.portion, "\(line): \(list.steps)")
            let (steps, lines) = try await Growth.sqliteSteps { try list.lines.all() }
            #expect(lines.count == count + 1, "\(line)")
            // The later portions do what the first one has not done.
            #expect(steps > 10 * list.steps, "\(line): \(list.steps), \(steps)")
        }
    }

    private func aShortListReadsNoOtherRecords(_ folder: LargeFolder) async throws {
        for (line, count) in [
            ("list inspections --site site-7", 3), ("list findings --site site-7", 8),
            ("list inspections --since 2026-02-16 --until 2026-02-16", 14), ("list findings --since 2026-02-16", 40),
            ("list inspections --status draft --site site-7", 0), ("list forms", 0), ("list assignments", 0),
            ("list --deleted", 0), ("list --changed", 0), ("conflicts", 0), ("outbox", 0), ("quarantine", 0),
        ] {
            let list = try await beginning(of: line, in: folder)
            #expect(try list.lines.all().count == count + 1, "\(line): \(list.lines.first)")
            #expect(list.steps < Self.portion / 4, "\(line): \(list.steps)")
        }
    }

    private func theNewestComesFirst(_ folder: LargeFolder) async throws {
        let rows = try await beginning(of: "list findings", in: folder).lines.all().dropFirst()
        let keys = rows.map { row -> [Substring] in
            let cells = row.split(separator: " ", maxSplits: 2)
            return [cells[1], cells[0]]
        }
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $1.lexicographicallyPrecedes($0) })
    }

    /// Their order needs the names of all of them.
    private func sitesReadNoInspectionsThatTheyDoNotShow(_ folder: LargeFolder) async throws {
        let some = try await beginning(of: "sites taqueria", in: folder)
        #expect(try some.lines.all().count == 7, "\(some.lines.first)")
        let all = try await beginning(of: "sites", in: folder)
        #expect(all.lines.first.count == 501 && all.steps < some.steps + Self.portion, "\(all.steps), \(some.steps)")
        #expect(try all.lines.all().count == LargeFolder.sites + 1)
    }

    private func aSearchShowsSitesBeforeItReadsFindings(_ folder: LargeFolder) async throws {
        let few = try await beginning(of: "find taqueria", in: folder)
        #expect(try few.lines.all().count == 8, "\(few.lines.first)")
        let street = try await beginning(of: "find street", in: folder)
        #expect(street.lines.first.count == 502 && street.steps < Self.portion, "\(street.steps), \(few.steps)")
        // Each site has these terms, but none where they are looked for.
        let none = try await beginning(of: "find hill main", in: folder)
        #expect(try none.lines.all() == ["'hill main' is found nowhere."])
    }

    private func aSearchIsReadAsItIsShown(_ folder: LargeFolder) async throws {
        let clean = try await beginning(of: "find clean", in: folder)
        #expect(clean.lines.first.count == 502)
        let (steps, lines) = try await Growth.sqliteSteps { try clean.lines.all() }
        #expect(lines.count == LargeFolder.findings + 2 && steps > clean.steps, "\(clean.steps), \(steps)")
    }
}
