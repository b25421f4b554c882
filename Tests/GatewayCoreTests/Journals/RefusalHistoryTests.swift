import DocumentValues
import Foundation
@testable import GatewayCore
import Glibc
import Logging
import SeededRandom
import Testing

/// The refusals that a database remembers.
@Suite struct RefusalHistoryTests {
    private let logger = Logger(label: "test")

    private func refused(_ user: String?, _ document: String, _ reason: String = "no", at time: Int64 = 0)
        -> RefusedDocument
    {
        RefusedDocument(
            time: time, user: user, collection: "field.sites", document: document, status: 403, reason: reason)
    }

    @Test func theNewestComesLastAndARepetitionOnce() {
        var history = RefusalHistory(limit: 10)
        history.add(refused("ann", "a", at: 1))
        history.add(refused("ann", "b", at: 2))
        history.add(refused("ann", "a", at: 3))
        history.add(refused("bob", "a", at: 4))
        history.add(refused(nil, "a", at: 5))
        #expect(history.entries.map(\.time) == [2, 3, 4, 5])
    }

    @Test func whatIsKeptIsFound() throws {
        let sites = try CollectionName(scope: "field", name: "sites")
        var history = RefusalHistory(limit: 3)
        func found(_ user: String?, of document: String = "a") -> Bool {
            history.holds(document: document, collection: sites, user: user)
        }
        for reason in ["no", "never", "no"] { history.add(refused("ann", "a", reason)) }
        history.add(refused(nil, "a"))
        #expect(found("ann") && found(nil) && !found("bob") && !found("ann", of: "b"))
        history.remove { $0.reason == "no" }
        #expect(found("ann") && !found(nil))
        history.remove { $0.reason == "never" }
        #expect(!found("ann"))
        for document in ["a", "b", "c", "d"] { history.add(refused("ann", document)) }
        #expect(!found("ann", of: "a") && found("ann", of: "d"))
    }

    /// Names that look alike are two names.
    @Test func namesAreBytes() {
        var history = RefusalHistory(limit: 10)
        history.add(refused("Jose\u{301}", "a"))
        history.add(refused("Jos\u{e9}", "a"))
        #expect(history.entries.count == 2)
    }

    @Test func nobodyFlushesOutOthers() {
        var history = RefusalHistory(limit: 20)
        for number in 0..<5 { history.add(refused("ann", "a\(number)")) }
        history.add(refused(nil, "admin"))
        for number in 0..<500 { history.add(refused("mallory", "m\(number)")) }
        #expect(history.entries.count == 20)
        #expect(history.entries.filter { $0.user == "ann" }.count == 5)
        #expect(history.entries.contains { $0.user == nil })
        #expect(history.entries.last?.document == "m499")
    }

    /// A repeated refusal only moves within its share. A refusal that is taken out is removed from every count.
    @Test func sharesKeepTheirCounts() {
        var history = RefusalHistory(limit: 6)
        for number in 0..<3 { history.add(refused("ann", "a\(number)")) }
        for number in 0..<1_000 { history.add(refused("ann", "a\(1 + number % 2)")) }
        for number in 0..<3 { history.add(refused("bob", "b\(number)")) }
        history.add(refused("bob", "b3"))
        #expect(history.entries.map(\.document) == ["a0", "a1", "a2", "b1", "b2", "b3"])
        history.remove { $0.user == "ann" }
        #expect(history.entries.map(\.document) == ["b1", "b2", "b3"])
        for number in 4..<8 { history.add(refused("bob", "b\(number)")) }
        #expect(history.entries.map(\.document) == ["b2", "b3", "b4", "b5", "b6", "b7"])
    }

    @Test func longTextsAreCutBetweenCharacters() {
        let long = refused("ann", String(repeating: "é", count: 500), String(repeating: "x", count: 5_000))
        #expect(long.document.utf8.count <= GatewayLimits.reportedID)
        #expect(long.document.dropLast().allSatisfy { $0 == "é" })
        #expect(long.reason.utf8.count == GatewayLimits.refusalReason)
    }

    /// Its permissions are right from its first moment, so nothing about them is changed later.
    @Test func nobodyElseReadsTheFileWhileItIsWritten() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("refusals-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let watch = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        defer { close(watch) }
        #expect(inotify_add_watch(watch, folder.path, UInt32(IN_ATTRIB | IN_MOVED_TO)) >= 0)
        try KeptFile(folder: folder.path, name: "list.json").save([["a": 1]])
        var events: [UInt32] = []
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(watch, &bytes, bytes.count)
        var rest = bytes[..<max(0, count)]
        while rest.count >= 16 {
            let numbers = stride(from: rest.startIndex, to: rest.startIndex + 16, by: 4).map { start in
                rest[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            events.append(numbers[1])
            rest = rest.dropFirst(16 + Int(numbers[3]))
        }
        #expect(events == [UInt32(IN_MOVED_TO)])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["list.json"])
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("refusals-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func theFileBringsThemBack() throws {
        try withFolder { folder in
            let record = try RefusalRecord(folder: folder.path, logger: logger)
            _ = record.add(refused("ann", "a\"\u{0}", at: 1_700_000_000))
            _ = record.add(refused(nil, "b", "Exception: x is undefined", at: 1_700_000_001))
            try record.save()
            #expect(record.entries.count == 2)
            #expect(try RefusalRecord(folder: folder.path, logger: logger).entries == record.entries)
        }
    }

    @Test func nobodyElseReadsTheFile() throws {
        try withFolder { folder in
            let record = try RefusalRecord(folder: folder.path, logger: logger)
            _ = record.add(refused("ann", "a"))
            try record.save()
            let file = folder.appendingPathComponent(RefusalRecord.fileName)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    /// An existing file that cannot be read must not count as empty: it would be overwritten.
    @Test func aFileThatCannotBeReadIsAnError() throws {
        try withFolder { folder in
            for (name, open) in [
                (RefusalRecord.fileName, { _ = try RefusalRecord(folder: $0, logger: logger) }),
                (SignInRecord.fileName, { _ = try SignInRecord(folder: $0, logger: logger) }),
            ] as [(String, (String) throws -> Void)] {
                try FileManager.default.createDirectory(
                    at: folder.appendingPathComponent(name), withIntermediateDirectories: false)
                let error = #expect(throws: GatewayError.self) { try open(folder.path) }
                #expect(error?.reason.contains("cannot be read: ") == true)
                #expect(error?.reason.contains(folder.path) == true)
            }
        }
    }

    @Test func aDamagedFileIsPutAside() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent(RefusalRecord.fileName)
            let damaged = Data("[{\"at\":1},7,{\"at\":\"2026-01-01T00:00:00Z\"},".utf8)
            try damaged.write(to: file)
            #expect(try RefusalRecord(folder: folder.path, logger: logger).entries.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: file.path))
            #expect(try Data(contentsOf: URL(fileURLWithPath: file.path + ".damaged")) == damaged)
        }
    }
}
