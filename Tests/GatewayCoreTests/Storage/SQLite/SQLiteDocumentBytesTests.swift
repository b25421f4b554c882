import DocumentValues
import Testing

@testable import GatewayCore

/// How large documents are is known before they are read.
@Suite(.timeLimit(.minutes(1))) struct SQLiteDocumentBytesTests {
    /// The leaves of a conflict are read with the document.
    @Test func allLeavesCount() async throws {
        try await TestDatabase.run(["allow_conflicts": true]) { test in
            for revision in ["1-a", "1-b"] { try await test.push("d", revision, [], ["t": "0123456789"]) }
            let number = try test.database.documents.collection(TestDatabase.collection).number
            let lengths = try await test.database.store.read {
                try SQLiteDocumentRows(db: $0.db).lengths(of: ["d", "none"], in: number)
            }
            // Both bodies, the channels of both ("[]" each, see DocumentChannels), and the tree with two revisions.
            let state = try await test.database.store.read { store in
                var states: [DocumentState?] = []
                try await store.documents.forEachState(of: ["d"], in: number) { states.append($1) }
                return states[0]
            }
            let tree = try #require(state).stored.tree.text.utf8.count
            #expect(lengths == [2 * #"{"t":"0123456789"}"#.utf8.count + tree + 2 * "[]".utf8.count, nil])
        }
    }
}
