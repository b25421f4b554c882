import Foundation
import Testing

/// Names and secrets on the command line are bytes.
@Suite struct LookAlikeCommandTests {
    private static let one = "r\u{E9}"
    private static let two = "re\u{301}"

    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("look-alike-\(UUID().uuidString)")

    private func file(_ name: String, _ text: String) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        return url.path
    }

    @Test(.timeLimit(.minutes(1))) func anAdministratorIsNotMadeByALookAlike() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let made = try Program.gateway.run(["init", "--no-tls", "--folder", folder.appendingPathComponent("g").path])
        #expect(made.status == 0, "\(made.err)")
        let password = ["password", "--config", folder.appendingPathComponent("g/gateway.yaml").path]
        #expect(try Program.gateway.run(password + ["--new", Self.one]).status == 0)
        let other = try Program.gateway.run(password + [Self.two])
        #expect(other.status != 0 && other.err.contains("There is no administrator"), "\(other.err)")
        #expect(try Program.gateway.run(password + [Self.one]).status == 0)
    }

    @Test(.timeLimit(.minutes(1))) func aDocumentIsSavedUnderTheIDThatItNames() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let database = folder.appendingPathComponent("db").path
        func put(_ id: String) throws -> Program.Output {
            try Program.fieldbook.run(
                ["db", "put", database, "field.notes", id], input: #"{"_id":"\#(Self.one)","n":1}"#)
        }
        #expect(try put(Self.two).status == 1)
        #expect(try put(Self.one).status == 0)
        // A value that begins with an accent: the comma before it still ends the file's name.
        let photo = try file("photo", "x")
        let blob = try Program.fieldbook.run(
            ["db", "put", database, "field.notes", "b", "--blob", "p=\(photo),\u{301}/x"], input: "{}")
        #expect(blob.status == 0, "\(blob.err)")
    }

    /// The line end of another system is not a part of the passphrase.
    @Test(.timeLimit(.minutes(1))) func aLineEndIsNoPartOfASecret() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = folder.appendingPathComponent("db").path
        let photo = try file("photo", "bytes")
        func run(_ secret: String, _ arguments: [String]) throws -> Program.Output {
            try Program.fieldbook.start(
                ["db"] + arguments, input: "{}", environment: ["FIELDBOOK_PASSPHRASE_FILE": try file("secret", secret)]
            ).finish(limit: 60)
        }
        let made = try run("correct horse\r\n", ["put", database, "field.notes", "a", "--blob", "p=\(photo),x/y"])
        #expect(made.status == 0, "\(made.err)")
        let read = try run("correct horse\n", ["get", database, "field.notes", "a", "--blob", "p"])
        #expect(read.status == 0 && read.out == "bytes", "\(read.err)")
    }
}
