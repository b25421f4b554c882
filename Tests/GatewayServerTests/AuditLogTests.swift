import DocumentValues
import Foundation
import Logging
import Testing

@testable import GatewayServer

/// What becomes of the audit log on a disk that takes no more.
@Suite struct AuditLogTests {
    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("audit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private func note(_ log: AuditLog) {
        log.administration(actor: "admin", client: "127.0.0.1", method: "PUT", path: "/db/_user/x", status: 200)
    }

    @Test func whatCannotBeWrittenIsCounted() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(AuditLog.fileName)
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "/dev/full")
        let log = try AuditLog(folder: folder.path, logger: Logger(label: "test"))
        for _ in 0..<3 { note(log) }
        #expect(log.lines == AuditLog.Lines(written: 0, lost: 3))
        // Moved away, as logrotate does, and there is room.
        try FileManager.default.removeItem(at: file)
        try log.reopen()
        note(log)
        #expect(log.lines == AuditLog.Lines(written: 1, lost: 3))
    }

    /// Two administrators at once: neither is lost, and who is removed stays so.
    @Test func administratorsAreChangedOneAfterTheOther() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path
        try Administrators.set("admin", password: "one", storage: path)
        try Administrators.set("gone", password: "two", storage: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["a", "b", "c"] {
                group.addTask { try Administrators.set(name, password: "three", storage: path) }
            }
            group.addTask { try Administrators.remove("gone", storage: path) }
            try await group.waitForAll()
        }
        #expect(try Administrators.names(storage: path) == ["a", "admin", "b", "c"])
    }
}
