import DocumentStore
import DocumentValues
import FieldModels

/// A push that the gateway refused; the record stays here until a person has settled it.
public struct RefusedRecord: Sendable, Hashable, Identifiable {
    /// To refer to it; the same as long as it is refused.
    public let number: Int64
    /// `nil` for a document of another application in the same folder.
    public let kind: RecordKind?
    @Exact public private(set) var collection: String
    @Exact public private(set) var documentID: String
    /// Its title in lists; for a deleted record the last known one, or else its id.
    @Exact public private(set) var title: String
    public let change: Change
    /// The gateway's answer, such as 403.
    public let code: Int
    /// As text for the worker.
    public let reason: AdvisedText
    public let subject: Subject
    /// The creator; `nil` if none is named.
    @Exact public private(set) var creator: String?
    /// The user whose laptop can send it, if it waits for another laptop; `nil` if no user is named.
    @Exact public private(set) var sender: String?
    /// When the gateway refused it first.
    public let since: Timestamp
    /// When the gateway refused it last.
    public let last: Timestamp
    public let awaits: Awaited
    /// Whether it came back from the quarantine: the gateway has another version by now that this laptop may not get.
    public let isTakenAway: Bool

    public var id: Int64 { number }

    /// The user has decided to leave it as it is: no sync reminds of it.
    public var isKept: Bool { awaits == .nothing }

    public enum Awaited: Sendable, Hashable {
        /// The user has to settle it.
        case decision
        /// It is to stay as it is.
        case nothing
        /// The laptop of who made this version sends it: it was only received here, and the gateway has lost it.
        case anotherLaptop
    }

    /// The record's id as people see it.
    public var shortID: String { RecordReference.short(documentID, kind: kind) }

    /// `nil` if only the record's id is known.
    public var knownTitle: String? { title.isExactly(documentID) ? nil : title }

    /// The part of the record that the gateway refused.
    public enum Subject: Sendable, Hashable {
        /// The district that it is in.
        case district
        /// That it went to another district, although it is another user's.
        case move
        /// That it was given to another inspector.
        case handOver
        /// Its review by a supervisor, or a question to supervisors.
        case review
        /// That it is approved at the gateway, and not here.
        case approval
        /// Its creator, who is another user: the gateway does not have it, or not any more.
        case creator
        /// Who changed it last: the gateway does not have it, or not any more.
        case lastChange
        /// Who changed it last, or when: the gateway has another version of it.
        case otherChange
        /// That a user deletes it who does not own it.
        case deletion
        /// Its creator: the gateway has it as another user's.
        case takeover
        /// That the gateway has another version of it, or its deletion.
        case version
        /// Its state, which another user has set: handed in, approved or returned.
        case stateByOthers
        /// That only the office writes it: a form, a record that all users see, or a record of a register, which names no
        /// user.
        case office
        /// That only a supervisor writes it: an assignment, or an approved record.
        case supervision
        /// Anything else.
        case other
    }

    /// The kind of change that was sent.
    public enum Change: String, Sendable, Hashable, Codable {
        /// The gateway has no version of the record.
        case new
        case edit
        case deletion
        /// The deletion of a record that the gateway never had.
        case deletionOfNew

        public var isDeletion: Bool {
            switch self {
            case .deletion, .deletionOfNew: true
            case .new, .edit: false
            }
        }
    }
}
