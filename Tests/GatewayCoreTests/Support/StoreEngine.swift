import AccessControl
import DocumentValues
import Foundation
import Logging
import Testing

@testable import GatewayCore

/// An engine that the tests of the gateway's store run on. They take it as an argument, and use only the protocols of the store
/// and `TestedStore`. Each engine has a file beside this one; `allCases` lists them.
struct StoreEngine: Sendable, CustomTestStringConvertible {
    let storage: StorageEngine
    /// Whether the store reads small rows on the calling thread.
    let readsInPlace: Bool

    static let allCases = [sqlite, roundTrips]
    static let readingInPlace = allCases.filter(\.readsInPlace)

    var testDescription: String { storage.name }

    func run(_ body: (any TestedStore) async throws -> Void) async throws {
        try await inFolder { path in
            let store = try open(path)
            try await body(store)
            try await store.close()
        }
    }

    /// For tests that open it more than once.
    func inFolder(_ body: (_ path: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path + "/x")
    }

    func open(_ path: String) throws -> any TestedStore {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return try open(path, shortage: DiskShortage(), logger: logger)
    }

    func open(_ path: String, shortage: DiskShortage, logger: Logger) throws -> any TestedStore {
        let store = try storage.open(path, sharing: shortage, logger: logger)
        return try #require(store as? any TestedStore, "\(storage.name) has no store for tests")
    }
}

/// Short forms for the documents of tests.
extension DocumentWrites {
    /// Inserts a document with the entries of its channels.
    ///
    /// - Returns: the new row's number.
    @discardableResult
    func insert(_ row: DocumentRow, id: String, in collection: Int64) async throws -> Int64 {
        let entries = DocumentChannels.EntryChanges.test(entered: Set(row.channels.current.keys))
        return try await put([DocumentRowChange(target: .new(id: id), row: row, entries: entries)], in: collection)[0]
    }

    /// - Parameters:
    ///   - sequence: the document's sequence before the change.
    ///   - left: the channels that it leaves by the change.
    func replace(
        number: Int64, at sequence: UInt64, with row: DocumentRow, leaving left: Set<Name> = [], in collection: Int64
    ) async throws {
        let entries = DocumentChannels.EntryChanges.test(entered: Set(row.channels.current.keys), left: left)
        let target = DocumentRowChange.Target.row(number: number, sequence: sequence)
        _ = try await put([DocumentRowChange(target: target, row: row, entries: entries)], in: collection)
    }
}

extension DocumentChannels.EntryChanges {
    static func test(
        entered: Set<Name> = [], left: Set<Name> = [], replacedRemovals: [DocumentChannels.Removal] = []
    ) -> Self {
        var channels = DocumentChannels()
        var changes = channels.update(to: [], at: 0)
        changes.entered = entered
        changes.left = left
        changes.replacedRemovals = replacedRemovals
        return changes
    }
}

extension DocumentRow {
    /// A document of one revision, in some channels since its sequence.
    static func test(
        _ revision: RevisionID, at sequence: UInt64, channels: Set<Name> = [], isDeleted: Bool = false,
        expires: Int64? = nil, grants: DocumentGrants = DocumentGrants(), body: String = #"{"a":1}"#
    ) -> DocumentRow {
        var tree = RevisionTree()
        tree.insert(revision, history: RevisionHistory(), isDeleted: isDeleted, limit: 100)
        return DocumentRow(
            sequence: sequence, revision: revision, isDeleted: isDeleted,
            channels: DocumentChannels(current: Dictionary(uniqueKeysWithValues: channels.map { ($0, sequence) })),
            tree: tree, expires: expires, grants: grants, attachments: nil, body: Array(body.utf8))
    }
}

extension RevisionID {
    static func test(_ generation: UInt32, digest: String = "aa") -> RevisionID {
        RevisionID(generation: generation, digest: digest)
    }
}

extension ReadInPlace {
    /// `nil` if the rows are too large to be read in place.
    var value: Value? {
        switch self {
        case .found(let value): value
        case .tooLarge: nil
        }
    }
}
