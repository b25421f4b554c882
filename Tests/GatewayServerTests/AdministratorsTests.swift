import Foundation
import Testing

@testable import GatewayServer

/// Who may use the admin port.
@Suite(.timeLimit(.minutes(1))) struct AdministratorsTests {
    @Test func oneIsRemovedAndTheLastStays() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("admins-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Administrators.set("admin", password: "one", storage: folder)
        // Two names, though they look the same.
        try Administrators.set("caf\u{E9}", password: "two", storage: folder)
        try Administrators.set("cafe\u{301}", password: "three", storage: folder)
        try Administrators.remove("caf\u{E9}", storage: folder)
        let names = try Administrators.names(storage: folder).map { Array($0.utf8) }
        #expect(names == [Array("admin".utf8), Array("cafe\u{301}".utf8)])
        let unknown = #expect(throws: ConfigurationError.self) { try Administrators.remove("carol", storage: folder) }
        #expect(unknown?.hint?.contains("admin") == true)
        try Administrators.remove("cafe\u{301}", storage: folder)
        let last = #expect(throws: ConfigurationError.self) { try Administrators.remove("admin", storage: folder) }
        #expect(last?.hint?.contains("password --new") == true)
        #expect(try Administrators.names(storage: folder) == ["admin"])
    }

    @Test func aNameThatNoLoginCarriesIsRefused() {
        for name in ["", "a:b", "a\u{200B}", " a"] { #expect(AdministratorName.problem(with: name) != nil, "\(name)") }
        #expect(AdministratorName.problem(with: "caf\u{E9}") == nil)
        #expect(AdministratorName.alike("Admin", among: ["admin", "Admin", "carol"]) == ["admin"])
    }

    /// The same file would work for a login by file, and the typed password never.
    @Test func aPasswordThatNobodyCanTypeIsRefused() {
        for password in ["\u{FEFF}secret", "secret ", "\tsecret", "secret\u{A0}", " "] {
            #expect(TypedPassword.problem(with: password) != nil, "\(password)")
        }
        #expect(TypedPassword.problem(with: "two words") == nil && TypedPassword.problem(with: "") == nil)
    }

    /// A file of another shape is not one without administrators, and nobody writes over it.
    @Test(arguments: [#"{"x":5}"#, #"{"admin":null}"#, "[]", "5", ""]) func aFileOfAnotherShapeIsNamed(text: String)
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("admins-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = "\(folder)/\(Administrators.fileName)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        let listed = #expect(throws: ConfigurationError.self) { try Administrators.names(storage: folder) }
        #expect(listed.map { "\($0)".contains(file) } == true)
        #expect(throws: ConfigurationError.self) {
            try Administrators.set("admin", password: "one", storage: folder)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(text.utf8))
    }
}
