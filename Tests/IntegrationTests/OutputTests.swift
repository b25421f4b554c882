import Foundation
import Testing

/// Readers that go away, and disks that are full.
@Suite struct OutputTests {
    /// Runs a line of bash in which `$fieldbook` is the program and `$folder` a database with 2,000 documents.
    private func bash(_ line: String) throws -> Program.Output {
        let laptop = try Laptop()
        try laptop.put((0..<2_000).map { ("d\($0)", #"{"n":\#($0)}"#) })
        defer { withExtendedLifetime(laptop) {} }
        let environment = ["fieldbook": Program.fieldbook.url.path, "folder": laptop.folder.path]
        return try RunningProgram(
            URL(fileURLWithPath: "/bin/bash"), ["-c", line], input: "", environment: environment
        ).finish(limit: 60)
    }

    @Test(.timeLimit(.minutes(1))) func aReaderMayLeave() throws {
        let list = #""$fieldbook" db ls "$folder" \#(Gateway.collection) --json"#
        let output = try bash(list + #" | head -n 1; echo "${PIPESTATUS[0]}""#)
        let lines = output.out.split(separator: "\n")
        #expect(lines.count == 2 && lines.first?.hasPrefix(#"{"_id":"d0""#) == true)
        #expect(lines.last == "141" && output.err.isEmpty, "\(output.err)")
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["db ls \"$folder\"", "status --folder \"$folder/records\""])
    func whatCannotBeWrittenIsReported(command: String) throws {
        let output = try bash(
            #""$fieldbook" init --key-file --folder "$folder/records" >/dev/null; "$fieldbook" \#(command) >/dev/full"#)
        #expect(output.status == 1)
        #expect(output.err == "Error: The output cannot be written: No space left on device.\n")
    }

    /// An option may be shortened, and the same word may be another option's value.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (["show", "nothing", "--js"], true), (["show", "nothing", "--json"], true), (["show", "nothing"], false),
            (["attach", "nothing", "door.jpg", "--caption", "--json"], false),
        ])
    func errorsAreWrittenAsResultsAre(arguments: [String], isJSON: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        let output = try Program.fieldbook.run(arguments + ["--folder", folder])
        #expect(output.status != 0 && output.err.hasPrefix("{") == isJSON, "\(output.err)")
    }

    /// The library's name of a level is as good as the programs'; of a word that is none nobody waits for lines in vain.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("debug", true, ""), ("verbose", true, ""), ("Verbose", true, ""), ("error", false, ""), ("", false, ""),
            ("none", false, ""), ("loud", false, "FIELDBOOK_LOG is 'loud', which is no level"),
        ])
    func whatIsLoggedIsAskedForByName(word: String, isVerbose: Bool, warning: String) throws {
        let output = try bash(
            #"FIELDBOOK_LOG=\#(word) "$fieldbook" db query "$folder" "SELECT COUNT(*) FROM \#(Gateway.collection)""#)
        #expect(output.status == 0 && output.err.contains("Verbose") == isVerbose, "\(output.err)")
        #expect(output.err.hasPrefix(warning) && output.err.contains("no level") == !warning.isEmpty, "\(output.err)")
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["ls", "push", "get", "rm"])
    func onlyWhatBringsDocumentsMakesADatabase(command: String) throws {
        let arguments = [
            "ls": "", "get": "field.notes a", "rm": "field.notes a", "push": "--url ws://127.0.0.1:1/db",
        ]
        let output = try bash(
            #"mkdir "$folder/empty"; "$fieldbook" db \#(command) "$folder/empty" \#(arguments[command] ?? ""); "#
                + #"status=$?; ls -A "$folder/empty"; exit $status"#)
        #expect(output.status == 1 && output.out.isEmpty)
        #expect(output.err.contains("There is no database in "), "\(output.err)")
    }
}
