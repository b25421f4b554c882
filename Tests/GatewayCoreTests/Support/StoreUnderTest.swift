import AccessControl
import DocumentValues
import Foundation
import Logging

@testable import GatewayCore

/// Opens the store that the tests of `Storage` ask, by its rows alone: they hold for any engine behind them. Another one is
/// opened here.
enum StoreUnderTest {
    static func run(_ body: (GatewayStore) async throws -> Void) async throws {
        try await inFolder { path in
            let store = try open(path)
            try await body(store)
            try store.close()
        }
    }

    /// For tests that open it more than once.
    static func inFolder(_ body: (_ path: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path + "/x")
    }

    static func open(_ path: String) throws -> GatewayStore {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return try GatewayStore(path: path, logger: logger)
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
