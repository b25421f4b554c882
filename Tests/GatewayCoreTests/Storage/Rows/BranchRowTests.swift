import AccessControl
import DocumentValues
import Testing

@testable import GatewayCore

/// Leaves beside the current revision. The document itself is only named, and need not be stored.
@Suite(.timeLimit(.minutes(1))) struct BranchRowTests {
    typealias Rows = (read: any BranchRows, write: any BranchWrites)

    static let engines = RowEngine<Rows>.all { ($0.reader.branches, $0.branches) }

    private static func leaf(_ digest: String) -> RevisionID { .test(2, digest: digest) }

    /// A document whose current revision is 2-zz.
    private static func document(leaves: [String]) -> StoredDocument {
        var tree = RevisionTree()
        for digest in leaves + ["zz"] {
            tree.insert(leaf(digest), history: RevisionHistory([.test(1)]), isDeleted: false, limit: 100)
        }
        return StoredDocument(
            number: 5, id: "d",
            row: DocumentRow(
                sequence: 1, revision: leaf("zz"), isDeleted: false, channels: DocumentChannels(), tree: tree,
                expires: nil, grants: DocumentGrants(), attachments: nil, body: Array("{}".utf8)))
    }

    private static func branch(_ digest: String, channels: Set<Name> = []) -> StoredRevision {
        StoredRevision(
            revision: leaf(digest), isDeleted: false, channels: channels, sequence: 7, expires: 9, attachments: nil,
            body: Array(#"{"b":"x"}"#.utf8))
    }

    @Test(arguments: engines) func theyAreReadInTheirOrder(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            let document = Self.document(leaves: ["cc", "bb"])
            for digest in ["cc", "bb"] { try await rows.write.insert(Self.branch(digest, channels: ["x"]), of: 5) }
            #expect(try await rows.read.all(of: document).map(\.revision) == [Self.leaf("cc"), Self.leaf("bb")])
            let found = try await rows.read.find(Self.leaf("bb"), of: document)
            #expect(found?.channels == ["x"] && found?.sequence == 7 && found?.expires == 9)
            #expect(found?.body == Array(#"{"b":"x"}"#.utf8))
            #expect(try await rows.read.find(Self.leaf("zz"), of: document) == nil)
            #expect(try await rows.read.all(of: Self.document(leaves: [])).isEmpty, "of a line none is read")
        }
    }

    @Test(arguments: engines) func theyChangeAndEnd(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            let document = Self.document(leaves: ["bb", "cc"])
            for digest in ["bb", "cc"] { try await rows.write.insert(Self.branch(digest), of: 5) }
            try await rows.write.setChannels(["y", "z"], of: Self.leaf("bb"), document: 5)
            try await rows.write.setChannels(["y"], of: Self.leaf("none"), document: 5)
            #expect(try await rows.read.find(Self.leaf("bb"), of: document)?.channels == ["y", "z"])
            for _ in 0..<2 { try await rows.write.delete(Self.leaf("bb"), of: 5) }
            #expect(try await rows.read.all(of: document).map(\.revision) == [Self.leaf("cc")])
            try await rows.write.deleteAll(document: 6)
            #expect(try await rows.read.all(of: document).count == 1)
            try await rows.write.deleteAll(document: 5)
            #expect(try await rows.read.all(of: document).isEmpty)
        }
    }
}
