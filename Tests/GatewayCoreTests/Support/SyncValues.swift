import DocumentValues

@testable import SyncProtocol

extension RevisionRequest {
    static func test(_ id: String, from source: RevisionID) -> RevisionRequest {
        RevisionRequest(documentID: id, revision: "", deltaSource: source)
    }
}

extension DeltaSource {
    static func test(_ id: String, _ revision: RevisionID) -> DeltaSource {
        DeltaSource(documentID: id, revision: revision)
    }
}

extension IncomingRevision {
    static func test(_ id: String, _ revision: String, _ body: String, after parent: RevisionID? = nil) -> Self {
        IncomingRevision(
            documentID: id, revision: RevisionID(revision) ?? RevisionID(generation: 1, digest: "?"),
            history: RevisionHistory(parent.map { [$0] } ?? []), isDeleted: false, body: Array(body.utf8))
    }
}
