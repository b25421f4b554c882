import DocumentValues
import FieldModels
import Foundation
import FieldRecords
import Testing

@testable import FieldShell

/// Text on a screen of some width.
@Suite struct LayoutTests {
    @Test(arguments: [
        ("short", 40, ["short"]), ("", 40, [""]), ("one two three", 7, ["one two", "three"]),
        ("one  two three", 8, ["one  two", "three"]), ("  one two three", 9, ["  one two", "  three"]),
        ("sign in again with your name", 14, ["sign in again", "with your name"]),
        ("abcdefghij k", 4, ["abcd", "efgh", "ij k"]), ("東京都の台所の検査", 6, ["東京都", "の台所", "の検査"]),
        ("a\nb c d", 3, ["a", "b c", "d"]), ("on list|open|save", 10, ["on", "list|open|", "save"]),
        ("a|bcdefg|h", 4, ["a|", "bcde", "fg|h"]),
    ])
    func textBreaksAtItsSpaces(text: String, width: Int, lines: [String]) {
        #expect(text.wrapped(to: width) == lines)
    }

    @Test(
        arguments: [
            ("fieldbook> ", 40, nil, "fieldbook> "), ("Date [2026-03-04]: ", 40, nil, "Date [2026-03-04]: "),
            (
                "Delete the inspection of Old mill, with 2 findings? y or n [n] ", 40,
                "Delete the inspection of Old\nmill, with 2 findings?", "y or n [n] "
            ),
        ] as [(String, Int, String?, String)])
    func aLongQuestionBreaksAtItsSpaces(prompt: String, columns: Int, above: String?, line: String) {
        let parts = PromptLayout.split(prompt, columns: columns)
        #expect(parts.above == above && parts.line == line)
    }

    /// A text of several lines stays below its label.
    @Test func linesOfANoteKeepTheirOrder() throws {
        let detail = Detail(
            title: "Old mill", reference: RecordReference(.site, id: "site-mill"),
            fields: [Detail.Field(label: "Notes", value: "two doors\nthe back one is broken since spring")],
            sections: [Detail.Section(title: "Findings", lines: ["dust\nsoot"])], object: [:])
        let clock = LocalClock(now: Timestamp(secondsSince1970: 0), zone: .gmt)
        let text = try TextRenderer(width: 30, numbersRows: true, clock: clock).text(.detail(detail))
        #expect(
            text == """
                Old mill
                  Notes  two doors
                         the back one is
                         broken since spring
                  Findings
                    dust
                    soot
                """)
    }

    /// A long label leaves the others' column where it can be.
    @Test func whatIsBesideALongLabelKeepsTheColumn() throws {
        let detail = Detail(
            title: "Old mill", reference: RecordReference(.site, id: "site-mill"),
            fields: [
                Detail.Field(label: "Where were pests seen", value: "in the cellar and behind it"),
                Detail.Field(label: "Notes", value: "the back door is broken since spring\nand open"),
            ], sections: [], object: [:])
        let clock = LocalClock(now: Timestamp(secondsSince1970: 0), zone: .gmt)
        let text = try TextRenderer(width: 30, numbersRows: true, clock: clock).text(.detail(detail))
        #expect(
            text == """
                Old mill
                  Where were pests seen  in
                               the cellar and
                               behind it
                  Notes        the back door
                               is broken since
                               spring
                               and open
                """)
    }

    @Test func whatFollowsABreakHangsBelowTheText() {
        #expect(
            "  Why   you may not write this".wrapped(to: 20, hanging: 6) == [
                "  Why   you may not", "        write this",
            ])
    }

    /// Commands are typed as they are read.
    @Test func noWordOfAUsageIsCut() {
        func parts(_ lines: [String]) -> [Substring] {
            lines.flatMap { line in line.split { character in character == " " || character == "|" } }
        }
        for specification in CommandCatalogue.all {
            let usage = specification.usageLine
            #expect(parts(usage.wrapped(to: 40)) == parts([usage]), "\(usage)")
            let indented = "  " + specification.nameAndUsage
            #expect(parts(indented.wrapped(to: 40, hanging: 4)) == parts([indented]), "\(usage)")
        }
    }

    @Test func noLineIsWiderThanTheScreen() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let parts = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
                String(repeating: "x", count: Int.random(in: 0..<15, using: &generator))
            }
            let text = parts.joined(separator: " "), width = Int.random(in: 1..<20, using: &generator)
            let lines = text.wrapped(to: width)
            #expect(lines.allSatisfy { $0.displayWidth <= width }, "'\(text)' at \(width): \(lines)")
            #expect(lines.joined().filter { $0 == "x" } == text.filter { $0 == "x" })
        }
    }

    @Test(arguments: [
        (0, "10:15 today"), (3_600, "11:15 today"), (9 * 3_600, "19:15 today"), (-11 * 3_600, "2026-03-03 23:15"),
    ])
    func timesAreThoseOfTheLaptop(offset: Int, text: String) throws {
        let moment = try #require(Timestamp("2026-03-04T10:15:00Z"))
        // Noon and a half in Greenwich.
        let now = try #require(Timestamp("2026-03-04T12:30:00Z"))
        let clock = LocalClock(now: now, zone: try #require(TimeZone(secondsFromGMT: offset)))
        #expect(clock.text(moment) == text)
    }

    @Test(arguments: [
        (["HOME": "/home/mara"], "/home/mara/.local/share/fieldbook/records"),
        (["HOME": "relative"], "~/.local/share/fieldbook/records"),
        (["HOME": "/home/mara", "XDG_DATA_HOME": "/data"], "/data/fieldbook/records"),
        (["HOME": "/home/mara", "FIELDBOOK_FOLDER": "/records"], "/records"),
    ])
    func theFolderIsWhereTheEnvironmentSays(variables: [String: String], path: String) {
        var environment = ShellEnvironment.current
        environment.variables = variables
        #expect(environment.folderPath(nil) == path)
    }

    @Test func summerTimeIsThatOfTheMomentShown() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let clock = LocalClock(now: try #require(Timestamp("2026-07-01T12:00:00Z")), zone: zone)
        #expect(clock.text(try #require(Timestamp("2026-07-01T10:00:00Z"))) == "12:00 today")
        #expect(clock.text(try #require(Timestamp("2026-01-01T10:00:00Z"))) == "2026-01-01 11:00")
    }
}
