import DocumentValues
import FieldModels

/// Why nothing can be taken back.
public struct UndoError: AdvisingError, Sendable, Hashable {
    public enum Code: Sendable, Hashable {
        case nothing
        /// It was made without noting the former versions, such as an import.
        case notKept(title: String)
        /// It made a record that the gateway has already.
        case sent(RecordKind, String)
        /// The gateway has it already, and the filled form, or the inspection, also that of a finding, is handed in.
        ///
        /// - Parameter worker: whose it is, where that is not who made the change.
        case handedIn(RecordReference, of: String?)
        /// The same, of one that was approved.
        case approved(RecordReference)
        /// It gave an inspection or a filled form another state, as the gateway knows already.
        case step(RecordReference)
        /// This laptop has changed the record in no way that can be taken back.
        case nothingOf(RecordReference)
        /// The gateway has it already, and the file of a photo that would come back is not here.
        case photoMissing(String)
        /// Something else has happened to it since.
        case changedSince(RecordKind, String)
        /// Another change is the last one now.
        case otherChange
    }

    public let code: Code

    public var advised: AdvisedText {
        switch code {
        case .nothing: "There is nothing to be undone: no change of this laptop waits to be sent."
        case .notKept(let title):
            "The last change, \(title), cannot be undone, and neither can the changes before it."
        case .sent(let kind, let id):
            """
            The last change cannot be undone: the new \(kind.rawValue) \(kind.shortID(of: id)) has been sent. \
            Delete it\(with: .delete(kind.shortID(of: id)), or: ".")
            """
        case .nothingOf(let record):
            "No change of the \(record.kind.rawValue) \(record.shortID) waits here to be undone."
        case .step(let record):
            """
            The last change cannot be undone: it has been sent, and it changed the state of the \
            \(record.kind.rawValue) \(record.shortID).
            """
        case .handedIn(let record, let worker):
            """
            The last change cannot be undone: it has been sent, and the \(record.kind.rawValue) \
            \(record.shortID) is handed in. A supervisor can return it to \
            \(worker?.printableLine ?? "you")
            """
        case .approved(let record):
            """
            The last change cannot be undone: it has been sent, and the \(record.kind.rawValue) \
            \(record.shortID) is approved.
            """
        case .photoMissing(let name):
            "The last change cannot be undone: it has been sent, and the file of \(name.printableLine) is not on this laptop."
        case .changedSince(let kind, let id):
            """
            The last change cannot be undone: the \(kind.rawValue) \(kind.shortID(of: id)) has been changed since, by a \
            sync or by another command. See it\(with: .log(kind.shortID(of: id)), or: ".")
            """
        case .otherChange:
            "Something else has been changed since then. Nothing was undone; look again\(colon: .undoLast, or: ".")"
        }
    }
}
