import BLIPProtocol

/// A pushed revision that the session itself has refused before it came to the store, such as one whose attachment did not
/// come.
package struct RefusedRevision: Sendable, Equatable {
    package let collection: Int
    package let documentID: String
    package let revision: String
    package let error: BLIPErrorReply

    package init(collection: Int, documentID: String, revision: String, error: BLIPErrorReply) {
        self.collection = collection
        self.documentID = documentID
        self.revision = revision
        self.error = error
    }
}

extension PassiveContext {
    /// The revision is not stored: the driver drops the content that it has kept for it.
    mutating func refuse(_ pushed: PushedRevision, with error: BLIPErrorReply) {
        drop(pushed.handles)
        output.refuse(pushed.number, with: error)
    }

    /// Refuses a revision that the store has not seen or not answered, and notes the refusal.
    mutating func refuseAndNote(_ pushed: PushedRevision, with error: BLIPErrorReply) {
        let revision = pushed.revision
        noteRefusal(
            of: revision.documentID, revision: "\(revision.revision)", collection: pushed.collection, with: error)
        refuse(pushed, with: error)
    }

    /// Asks the driver to note the refusal, since the store has not seen the revision.
    mutating func noteRefusal(
        of documentID: String, revision: String, collection: Int, with error: BLIPErrorReply
    ) {
        output.append(
            .noteRefusal(
                RefusedRevision(collection: collection, documentID: documentID, revision: revision, error: error)))
    }
}
