import Foundation
import Testing

@testable import FieldShell

/// Passphrases and passwords come from the first line of a file.
@Suite struct SecretLineTests {
    private static func line(_ text: String) throws -> SecretLine {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("secret-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        return try SecretLine(file: file.path)
    }

    @Test(arguments: ["letmein", "letmein\n", "letmein\r\nmore", " letmein "])
    func theFirstLineCounts(text: String) throws {
        let line = try Self.line(text)
        #expect(line.text == (text.hasPrefix(" ") ? text : "letmein") && line.warning == nil)
    }

    @Test func oneThatIsNoneIsRefused() throws {
        let longest = String(repeating: "x", count: ShellLimits.secretFile)
        #expect(try Self.line(longest).text == longest)
        // The beginning of it would be another secret.
        for text in ["", "\nletmein", longest + "x"] {
            #expect(throws: SecretError.self) { try Self.line(text) }
        }
        let marked = #expect(throws: SecretError.self) { try Self.line("\u{FEFF}letmein\n") }
        #expect(marked?.description.contains("begins with a byte order mark") == true)
    }

    @Test(arguments: [
        ("/nowhere/secret", "there is no such file"), ("/", "it is a folder"), ("/dev/null/x", "there is no such file"),
    ])
    func aFileThatCannotBeReadIsNamedWithTheReason(path: String, reason: String) {
        let error = #expect(throws: SecretError.self) { try SecretLine(file: path) }
        #expect(error?.description == "The file \(path) cannot be read: \(reason).")
    }
}
