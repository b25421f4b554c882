/// A revision as it came from a remote, taken apart and ready to be stored.
package struct PulledRevision: Sendable, Hashable {
    @Exact package private(set) var documentID: String
    package let revision: RevisionID
    package let history: RevisionHistory
    package let isDeleted: Bool
    package var body: DocumentBody

    package init(
        documentID: String, revision: RevisionID, history: RevisionHistory, isDeleted: Bool, body: DocumentBody
    ) {
        self.documentID = documentID
        self.revision = revision
        self.history = history
        self.isDeleted = isDeleted
        self.body = body
    }
}

/// How the storing of a pulled revision has ended.
///
/// - Parameter Failure: the store's errors, or the session's form of them.
package enum InsertOutcome<Failure: Error>: Sendable {
    case inserted
    case alreadyThere
    /// The local revision stays: it has this content under another id.
    case sameContent
    /// Kept beside the local revision until it is resolved.
    case conflict
    /// A blob that it names is not here, or not any more.
    case missingBlob(Failure)
    case failed(Failure)

    /// The same with another type of error.
    package func mapFailure<Other: Error>(_ transform: (Failure) -> Other) -> InsertOutcome<Other> {
        switch self {
        case .inserted: .inserted
        case .alreadyThere: .alreadyThere
        case .sameContent: .sameContent
        case .conflict: .conflict
        case .missingBlob(let failure): .missingBlob(transform(failure))
        case .failed(let failure): .failed(transform(failure))
        }
    }
}

extension InsertOutcome: Equatable where Failure: Equatable {}
