import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Replication
import Testing

@testable import FieldShell
@testable import FieldSync

@Suite struct RenderingTests {
    private static let table = TextTable(
        columns: ["#", "ID", "DATE", "SITE"],
        rows: [["1", "a1b2c3d4e5", "2026-11-21", "The Old Mill at the Upper Bridge"], ["2", "f6", "2026-11-20", ""]])

    @Test func aNarrowTableCutsWhatIsLong() {
        #expect(
            Self.table.lines(width: 46) == [
                "#  ID          DATE        SITE", "1  a1b2c3d4e5  2026-11-21  The Old Mill at th…",
                "2  f6          2026-11-20",
            ])
    }

    @Test func aVeryNarrowTableBreaksItsRows() {
        #expect(
            Self.table.lines(width: 30) == [
                "1  a1b2c3d4e5  2026-11-21", "   The Old Mill at the Upper", "   Bridge", "2  f6  2026-11-20",
            ])
    }

    /// Without a heading a number has no meaning.
    @Test func aNumberOfABrokenRowIsNamed() {
        let table = TextTable(
            columns: ["#", "ID", "DATE", "STATUS", "SCORE", "FINDINGS"],
            rows: [["1", "a1b2c3d4e5", "2026-11-21", "submitted", "70", "1"]])
        #expect(
            table.lines(width: 40) == ["1  a1b2c3d4e5  2026-11-21  submitted", "   score 70  findings 1"])
    }

    /// What others wrote moves no cursor, turns no direction, and makes no rows of its own.
    @Test(
        arguments: [
            ("plain – ürsprünglich 🌊\n2", nil, nil, nil), ("a\u{1B}]0;OWNED\u{7}", "a?]0;OWNED?", nil, nil),
            ("a\u{9B}31m", "a?31m", nil, "a\\u009b31m"), ("x\r\ny", "x?\ny", "x?⏎y", nil),
            ("a\u{202E}gpj.exe", "a?gpj.exe", nil, "a\\u202egpj.exe"),
            ("a\u{2066}b\u{2069}\u{2028}\u{7F}", "a?b???", nil, "a\\u2066b\\u2069\\u2028\\u007f"),
            ("a\u{200E}b\u{200F}c\u{61C}d", "a?b?c?d", nil, "a\\u200eb\\u200fc\\u061cd"),
            ("a\u{200B}b\u{FEFF}c\u{2060}d", "a?b?c?d", nil, "a\\u200bb\\ufeffc\\u2060d"),
            ("\u{206E}\u{FFF9}x\u{1B}\u{301}", "??x?\u{301}", nil, "\\u206e\\ufff9x\\u001b\u{301}"),
            // What scripts need to join and to part letters stays.
            ("\u{915}\u{94D}\u{200D}\u{937}\u{200C}", nil, nil, nil),
            // Invisible characters would make two names of one.
            ("Mi\u{AD}ll\u{3164}\u{34F}\u{115F}\u{FFA0}\u{180B}", "Mi?ll?????", nil, nil),
            ("Mill\u{E0041}\u{E0100}", "Mill??", nil, #"Mill\udb40\udc41\udb40\udd00"#),
            // It is seen behind an emoji alone.
            ("\u{2600}\u{FE0F} \u{1F469}\u{200D}\u{2764}\u{FE0F}\u{200D}\u{1F469}", nil, nil, nil),
            ("Mill\u{FE0F}1\u{FE0F}\u{FE00}", "Mill?1??", nil, nil),
        ] as [(String, String?, String?, String?)])
    func textsOfOthersAreSafeToPrint(text: String, printable: String?, line: String?, json: String?) {
        #expect(Array(text.printable.utf8) == Array((printable ?? text).utf8))
        let expectedLine = line ?? (printable ?? text).replacing("\n", with: "⏎")
        #expect(Array(text.printableLine.utf8) == Array(expectedLine.utf8))
        if let json { #expect(Array(text.printableJSON.utf8) == Array(json.utf8)) }
    }

    @Test func notesAreSafeToPrint() throws {
        var groups = RecordGroups(empty: "")
        groups.notes = ["Inspection \u{202E}gnp"]
        let clock = LocalClock(now: Timestamp(secondsSince1970: 0), zone: .gmt)
        let renderer = TextRenderer(width: 80, numbersRows: false, clock: clock)
        #expect(try renderer.text(.groups(groups)) == "Inspection ?gnp")
    }

    @Test func aLineEndInACellMakesNoRow() {
        let table = TextTable(columns: ["ID", "SITE"], rows: [["a\n2  forged", "x\u{2028}y"]])
        for width in [10, 20, 80] {
            #expect(table.lines(width: width).allSatisfy { !$0.unicodeScalars.contains { $0.value < 32 } })
        }
        #expect(table.lines(width: 80).count == 2)
    }

    @Test func oneIsNotMany() {
        #expect(ImportText.heading(1, kind: .malformedRow) == "1 row with misplaced quotation marks:")
        #expect(ImportText.heading(1, kind: .sameFindingTwice) == "1 finding that is there twice:")
        #expect(ImportText.heading(1, kind: .bytesNotUTF8) == "1 row in another encoding than UTF-8:")
        #expect(ImportText.heading(2, kind: .fileIgnored) == "2 files passed over:")
    }

    @Test func whatIsSoonDoneShowsNoProgress() {
        var written = ""
        let meter = LineProgressMeter { written += $0 }
        meter.update("records", completed: 1, total: nil)
        meter.update("records", completed: 3, total: nil)
        meter.finish()
        #expect(written == "")
    }

    @Test func nothingIsExchangedThatWaits() {
        var status = SyncStatus()
        status.lastExchange = 0
        status.now = 7_200
        #expect(ServiceText.lines(status, unsent: 0).last == "everything was last exchanged 2 hours ago")
        #expect(ServiceText.lines(status, unsent: 1).last == "last sync 2 hours ago; 1 record waits to be sent")
        status.now = -7_200
        #expect(
            ServiceText.lines(status, unsent: 1).last
                == "last sync 2 hours from now, by this laptop's clock (is it right?); 1 record waits to be sent")
        status.service = .running(ServiceState(.idle))
        #expect(ServiceText.lines(status, unsent: 2) == ["the service runs; 2 records wait to be sent"])
    }

    @Test func progressWithoutATotalHasNoPercent() {
        #expect(ProgressBar.line("records", completed: 2_880, total: nil, width: 79) == "records: 2,880")
        #expect(ProgressBar.line("sites", completed: 1, total: 2, width: 20).contains("50 %"))
    }

    @Test(arguments: [
        (10_503, "disk full", "The gateway is there, but cannot take your records now (503): disk full. Your records"),
        (10_507, "Insufficient Storage", "The gateway has no room left (507): Insufficient Storage. Report"),
        (10_429, "Too many failed logins", "The gateway makes you wait (429): Too many failed logins. Your"),
        (10_403, "no access", "The gateway does not let you in (403): no access. Ask its administrator."),
    ])
    func anAnswerOfTheGatewayIsNotAnAbsence(code: Int, message: String, start: String) {
        let text = ErrorText.text(ReplicationError(code: code, message: message))
        #expect(text.hasPrefix(start), "\(text)")
        #expect(!text.contains("cannot be reached"))
    }

    /// Messages for people are shown as they are; messages for developers are not.
    @Test func errorsForPeopleAreShownAsTheyAre() {
        let errors: [any UserFacingError] = [
            UsageError("There is no number 9."), EditorError("The terminal cannot be edited in."),
            FieldProblem("score", message: "must be 0 to 100, but is 120"),
        ]
        for error in errors { #expect(ErrorText.text(error) == error.description) }
        #expect(ErrorText.text(JSONError(.notUTF8, offset: 3)) != JSONError(.notUTF8, offset: 3).description)
    }

    /// A certificate may have been renewed; a user who only syncs does not know that.
    @Test func anotherCertificateHasAWayOut() {
        let text = ErrorText.text(
            ReplicationError(code: 5_008, message: "It is not the pinned one."))
        #expect(text.hasPrefix("It is not the pinned one. ") && text.contains("sign in again: login"), "\(text)")
    }

    @Test func aMissingListenerIsNamed() {
        let error = ReplicationError(domain: ReplicationError.posixDomain, code: 111, message: "Connection refused")
        let text = ErrorText.text(GatewayUnreached(cause: error, advice: "Your records are safe here."))
        #expect(text == "The gateway cannot be reached: Connection refused. Your records are safe here.")
    }

    /// A gateway that says goodbye was there.
    @Test func theEndOfAConnectionIsNoAbsence() {
        let goodbye = ErrorText.text(ReplicationError(code: 14_001, message: "Sign in again"))
        #expect(goodbye == "The gateway has ended the connection: Sign in again.")
        let broken = ErrorText.text(ReplicationError(code: 11_006, message: "connection closed abnormally"))
        #expect(broken == "The connection to the gateway is broken.")
    }

    @Test func whatWasRefusedIsShownUntilItIsTaken() {
        var report = SyncReport()
        report.waiting.refused = 2
        #expect(SyncText.lines(report)[0].hasPrefix("2 records refused by the gateway earlier wait in the outbox;"))
        #expect(CommandResult.synced(report).exitStatus == 1)
        #expect(CommandResult.synced(SyncReport()).exitStatus == 0)
    }

    @Test func aSyncThatWasStoppedSaysSo() {
        var report = SyncReport()
        report.end = .stoppedOffline
        #expect(SyncText.lines(report) == ["Stopped. The gateway was not reached; your records are safe here."])
    }

    @Test(arguments: [
        ("ws://gateway.example:4984/field", true), ("wss://gateway.example/field", false),
        ("ws://127.0.0.1:4984/field", false), ("ws://localhost/field", false), ("ws://127.0.0.1.example/field", true),
        ("ws://[::1]:4984/field", false),
    ])
    func anUnprotectedConnectionIsWarnedOf(address: String, isWarned: Bool) throws {
        let url = try #require(URL(string: address))
        #expect((SecretWarnings.unprotected(url) != nil) == isWarned)
    }

    @Test(arguments: [(0o600, false), (0o400, false), (0o640, true), (0o644, true)])
    func aSecretThatOthersCanReadIsWarnedOf(mode: Int, isWarned: Bool) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("secret-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("secret\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        #expect((SecretWarnings.readable(file.path) != nil) == isWarned)
        // Others may always read where a link leads, which says nothing.
        let link = file.path + "-link"
        defer { try? FileManager.default.removeItem(atPath: link) }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
        #expect((SecretWarnings.readable(link) != nil) == isWarned)
    }
}
