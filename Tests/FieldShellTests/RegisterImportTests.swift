import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// No laptop knows whether its user is the office: who imports records under a register's ids reads who may send them.
@Suite struct RegisterImportTests {
    private static let header = "business_id,name,address,city,state,postal_code\n"

    private func imported(_ rows: String, _ options: String = "", shell: Shell) async throws -> String {
        let file = shell.root.appendingPathComponent("sites.csv")
        try (Self.header + rows).write(to: file, atomically: true, encoding: .utf8)
        return try await shell.type("import \(file.path) \(options)", width: 200)
    }

    @Test(arguments: ["", "--preview"])
    func theImportNamesWhoMaySendThem(options: String) async throws {
        let shell = try Shell()
        let one = try await imported("4711,Mill,,,,70112\n", options, shell: shell)
        #expect(
            one.contains("1 new record has an id that no laptop makes. The gateway takes it from the office only."),
            "\(one)")
        let more = try await imported("4712,Mill,,,,70112\n4713,Quay,,,,70112\n", options, shell: shell)
        #expect(
            more.contains("2 new records have ids that no laptop makes. The gateway takes them from the office only."),
            "\(more)")
        let json = try await imported("4714,Mill,,,,70112\n", options + " --json", shell: shell)
        #expect(json.contains(#""addedForOffice":1"#), "\(json)")
    }

    /// A script is to hear of a file of which nothing was of use.
    @Test func aFileThatIsLeftOutAsAWholeIsNoSuccess() throws {
        let shell = try Shell()
        let file = shell.root.appendingPathComponent("sites.csv")
        for (rows, status) in [("4711,,,,,70112\n", 1), ("4711,,,,,70112\n4712,Mill,,,,70112\n", 0), ("", 0)] {
            try (Self.header + rows).write(to: file, atomically: true, encoding: .utf8)
            let report = try RecordImport(into: shell.field).run([file.path])
            #expect(CommandResult.imported(report, reportFile: nil).exitStatus == Int32(status), "\(rows)")
        }
    }

    @Test func whatIsHereAlreadyNeedsNoOffice() async throws {
        let shell = try Shell()
        _ = try await imported("4711,Mill,,,,70112\n", shell: shell)
        let again = try await imported("4711,Mill,,,,70112\n", shell: shell)
        #expect(!again.contains("office"), "\(again)")
    }

    @Test func recordsOfLaptopsNeedNoOffice() async throws {
        let shell = try Shell()
        let file = shell.root.appendingPathComponent("sites.jsonl")
        let line =
            #"{"_id":"site-k3m9x2pq7d","type":"site","name":"Mill","district":"hill","channels":["district.hill"]}"#
        try line.write(to: file, atomically: true, encoding: .utf8)
        let transcript = try await shell.type("import \(file.path)", width: 200)
        #expect(transcript.contains("1 new") && !transcript.contains("office"), "\(transcript)")
    }
}
