import DocumentValues

@testable import GatewayCore

/// What the tests ask of a store beside what a gateway does with it. Each engine of the tests does it by its own means.
protocol TestedStore: GatewayStore {
    /// Writes whose transaction has not begun.
    var waitingWrites: Int { get }

    func count(_ rows: CountedRows) async throws -> Int

    /// Makes a row unreadable, as damage of the disk or of a former program does; the structure of the data stays intact.
    func makeUnreadable(_ row: DamagedRow) async throws

    /// From now on writing a session fails as on a full disk, or succeeds again. Other writes have room.
    func setRoomForSessions(_ hasRoom: Bool) async throws
}

enum CountedRows: Sendable {
    case documents
    /// Entries of all channels' lists.
    case entries
    case branches
    case oldRevisions
    /// An attachment counts once, in however many pieces it is.
    case attachments
    case replacedAttachments
    /// What documents grant.
    case grants
    case sessions
}

enum DamagedRow: Sendable {
    /// The revision tree of a document.
    case tree(ofDocument: String)
    /// The body of a document is no UTF-8.
    case body(ofDocument: String)
    /// A new branch of a document, which may not exist yet.
    case branch(ofDocument: Int64)
    /// The stored state of a user, or of a role with `role:` before its name.
    case principal(Name, state: String)
}
