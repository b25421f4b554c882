import DocumentValues
import Foundation
@testable import GatewayServer
import Logging
import SyncFunction
import Testing

/// The personal data in the log, and who may read them.
@Suite(.serialized) struct LogTests {
    private func log(
        _ format: LoggingConfiguration.Format, _ level: LoggingConfiguration.Redaction,
        _ body: (Logger) -> Void
    ) -> [String] {
        let lines = LogLines()
        let redaction = Redaction(level)
        body(
            Logger(label: "test") { label in
                ConsoleLogHandler(label: label, level: ConsoleLevel(.info), format: format, redaction: redaction) {
                    lines.add($0)
                }
            })
        return lines.all
    }

    @Test(arguments: [
        (LoggingConfiguration.Redaction.none, "zoë", "field"), (.partial, "<ud>zoë</ud>", "field"),
        (.full, "<ud>zoë</ud>", "<sd>field</sd>"),
    ])
    func peopleAreMarked(level: LoggingConfiguration.Redaction, user: String, database: String) throws {
        let lines = log(.json, level) { $0.info("Came", metadata: ["user": "zoë", "db": "field", "sent": "3"]) }
        let object = try JSONObject(parsing: Array(lines[0].utf8))
        #expect(object["user"]?.stringValue == user)
        #expect(object["db"]?.stringValue == database)
        #expect(object["sent"] == "3")
    }

    @Test func peopleHavePseudonymsWhereThatIsAskedFor() throws {
        let lines = log(.json, .hidden) { logger in
            for user in ["zoë", "zoë", "bob"] { logger.info("Came", metadata: ["user": "\(user)", "db": "field"]) }
        }
        let users = try lines.map { try JSONObject(parsing: Array($0.utf8))["user"]?.stringValue }
        #expect(users[0] == users[1])
        #expect(users[0] != users[2])
        #expect(!lines[0].contains("zoë") && !lines[0].contains("field"))
    }

    /// Beside a pseudonym the name of the laptop would say who it is.
    @Test func aLaptopsNameIsMarkedAndHidden() {
        let agent = "Fieldbook/1.0 (Swift; Linux; mara-thinkpad-k3m)"
        for level in LoggingConfiguration.Redaction.allCases {
            let lines = log(.text, level) { $0.info("Sync ended", metadata: ["agent": "\(agent)", "sent": "3"]) }
            #expect(lines.count == 1 && lines[0].contains("<ud") == (level != .none), "\(lines)")
            #expect(lines[0].contains("thinkpad") == (level != .hidden), "\(lines)")
        }
    }

    /// What a client names its documents and programs makes no line, moves no cursor and turns no direction of writing.
    @Test(
        arguments: [
            "\u{1B}[2J", "a\u{1B}]0;OWNED\u{7}", "a\nforged", "a\r\u{301}\nforged", "\u{9B}31m", "\u{202E}gpj",
            "\u{200E}",
            "\u{200F}", "\u{61C}", "\u{2066}x\u{2069}", "\u{2028}", "\u{85}", "\u{7F}", "\u{B}", "a\tb",
        ], [LoggingConfiguration.Format.text, .json])
    func whatOthersNameIsOneHarmlessLine(text: String, format: LoggingConfiguration.Format) throws {
        let lines = log(format, .partial) {
            $0.info("Refused \(text)", metadata: ["doc": "\(text)", "note": "\(text)"])
        }
        #expect(lines.count == 1 && lines[0].utf8.last == 0x0A)
        let line = String(decoding: lines[0].utf8.dropLast(), as: UTF8.self)
        #expect(line.printableLine.isExactly(line), "\(Array(line.unicodeScalars))")
        guard format == .json else { return }
        // It still says the same to a program.
        let object = try JSONObject(parsing: Array(line.utf8))
        #expect(object["note"]?.stringValue?.isExactly(text) == true)
    }

    /// What takes marked texts out of a log finds all of them.
    @Test func nothingEndsItsMarkEarly() throws {
        let lines = log(.text, .partial) { $0.info("Came", metadata: ["doc": "a</ud>b<\u{301}/ud>c"]) }
        #expect(lines[0].components(separatedBy: "</ud>").count == 2)
    }

    /// What a sync function writes is of documents.
    @Test(.timeLimit(.minutes(1)), arguments: [(LoggingConfiguration.Redaction.partial, true), (.hidden, false)])
    func aSyncFunctionsLinesHavePseudonyms(level: LoggingConfiguration.Redaction, shows: Bool) async throws {
        let lines = LogLines()
        let redaction = Redaction(level)
        let logger = Logger(label: "test") { label in
            ConsoleLogHandler(label: label, level: ConsoleLevel(.info), format: .text, redaction: redaction) {
                lines.add($0)
            }
        }
        let pool = SyncFunctionPool(executable: TestGateway.workerPath, logger: logger)
        defer { pool.close() }
        let body = "console.log('about ' + doc.name); console.error(doc.name); log(doc.name); channel('a');"
        let call = SyncFunctionCall(
            function: SyncFunctionSource("function (doc) { \(body) }"), document: Array(#"{"name":"zoë"}"#.utf8),
            oldDocument: nil, user: nil)
        _ = try await pool.run([call])
        #expect(lines.all.count == 3)
        for line in lines.all { #expect(line.contains("zoë") == shows, "\(line)") }
    }

    @Test func linesAreWholeInBothForms() throws {
        let text = log(.text, .none) { $0.warning("Two\nlines", metadata: ["reason": "a \"b\"\nlevel=info"]) }
        #expect(text.count == 1 && text[0].filter(\.isNewline).count == 1)
        #expect(text[0].contains("warning test:"))
        let json = log(.json, .none) { $0.warning("Two\nlines", metadata: ["level": "info", "x": "1"]) }
        let object = try JSONObject(parsing: Array(json[0].utf8))
        #expect(object["level"]?.stringValue == "warning")
        #expect(object["message"]?.stringValue == "Two\nlines")
        #expect(object["x"]?.stringValue == "1")
    }

    @Test(.timeLimit(.minutes(1))) func theAuditLogShowsWhoDidWhat() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            _ = try await team.admin("DELETE", "/db/_user/bob?reason=SECRETQUERY")
            _ = try await team.user("alice", "POST", "/db/_session")
            _ = try await team.user("alice", "GET", "/db/")
            _ = try await RawClient.request(
                "GET", "/db/", port: gateway.publicPort, headers: [TestTeam.basic("alice", "SECRETGUESS")])
            let file = gateway.folder.appendingPathComponent(AuditLog.fileName)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            #expect(!text.contains("SECRET") && !text.contains("pass\""))
            let events = try text.split(separator: "\n").map { try JSONObject(parsing: Array($0.utf8)) }
            #expect(
                events.contains {
                    $0["event"] == "admin" && $0["method"] == "DELETE" && $0["path"] == "/db/_user/bob"
                        && $0["status"] == 200 && $0["client"] == "127.0.0.1"
                })
            let logins = events.filter { $0["event"] == "login" }
            #expect(logins.map { $0["outcome"]?.stringValue } == ["accepted", "refused"])
            #expect(logins.allSatisfy { $0["user"] == "alice" && $0["db"] == "db" && $0["means"] == "password" })
        }
    }

    @Test(.timeLimit(.minutes(1))) func aMovedAuditLogIsBegunAgain() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let file = gateway.folder.appendingPathComponent(AuditLog.fileName)
            try FileManager.default.moveItem(at: file, to: file.appendingPathExtension("1"))
            gateway.server.reload()
            _ = try await team.admin("GET", "/db/_user/alice")
            #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self).contains("/db/_user/alice"))
        }
    }
}
