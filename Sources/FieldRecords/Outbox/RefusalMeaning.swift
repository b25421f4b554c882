/// What follows from the part of a record that the gateway refused: a row for each part, which all that depends on it reads.
///
/// `RefusalRule` has the gateway's reasons, with the part that each is about; `RefusalAdvice` explains them.
public struct RefusalMeaning: Sendable, Hashable {
    /// The explanation that counts where this laptop knows more than the gateway's reason says.
    let ownReason: OwnReason?
    /// Whether the gateway has another version of the record, or its deletion, under the same id.
    public let isOtherVersion: Bool
    public let writer: Writer
    /// Who sends it if the gateway had this version, and has lost it; `nil` if it is the user's to settle even then.
    let resender: Resender?
    let retry: RetryStep
    let restoration: Restoration
    public let mending: Mending
    let offer: RetryOffer

    fileprivate init(
        ownReason: OwnReason? = nil, isOtherVersion: Bool = false, writer: Writer = .user, resender: Resender? = nil,
        retry: RetryStep = .asItIs, restoration: Restoration = .overDeletion, mending: Mending = .edit,
        offer: RetryOffer = .again
    ) {
        self.ownReason = ownReason
        self.isOtherVersion = isOtherVersion
        self.writer = writer
        self.resender = resender
        self.retry = retry
        self.restoration = restoration
        self.mending = mending
        self.offer = offer
    }

    /// Whether the gateway has lost it, and its creator's laptop sends it again.
    public var isSentByCreator: Bool { resender == .creator }

    /// An explanation from what this laptop knows.
    enum OwnReason: Sendable, Hashable {
        /// The gateway has the record approved, as it was before it was brought back here.
        case approvedAgain
        /// The same of a returned one.
        case returnedAgain
        /// It came back from the quarantine.
        case takenAway
    }

    /// The users from whom the gateway takes a new record with such a part.
    public enum Writer: Sendable, Hashable {
        case user
        case supervisor
        case office
    }

    /// The person whose laptop has it as the gateway had it.
    enum Resender: Sendable, Hashable {
        case creator
        case lastWriter
        /// Of a deletion.
        case deleter
        /// Of anything else than a deletion.
        case office

        func sends(isDeletion: Bool) -> Bool {
            switch self {
            case .creator, .lastWriter: true
            case .deleter: isDeletion
            case .office: !isDeletion
            }
        }
    }

    /// The step before the record is sent again, where there is nothing to ask.
    enum RetryStep: Sendable, Hashable {
        case asItIs
        /// What only supervisors decide is left to them.
        case withoutReview
        /// The gateway's approved version counts.
        case leaveApproved
        case leaveToCreator
        /// With the version that the gateway has by now.
        case putTogether
        /// As a record that the user has changed.
        case asOwn
    }

    /// How it comes back as a record of the user's.
    enum Restoration: Sendable, Hashable {
        /// As an edit that a deletion has met: a person decides whether it stays.
        case overDeletion
        /// The gateway has lost it, and no person has deleted it as far as is known: nothing is asked.
        case asLost
        /// As a change by the user.
        case asChange
        /// As a new record: the gateway has a deletion that is not known here.
        case withoutHistory
    }

    /// What the user changes in the record, so that the gateway takes it.
    public enum Mending: Sendable, Hashable {
        /// Its district, to one of their own.
        case ownDistrict
        /// Its district, to the one in which the gateway has it.
        case oldDistrict
        /// Its inspector, to the one whom the gateway has.
        case oldInspector
        /// The values that are wrong.
        case edit
        /// Nothing.
        case none
    }
}

extension RefusedRecord.Subject {
    /// What follows from it.
    public var meaning: RefusalMeaning {
        switch self {
        case .district: RefusalMeaning(mending: .ownDistrict)
        case .move: RefusalMeaning(mending: .oldDistrict)
        case .handOver: RefusalMeaning(mending: .oldInspector)
        case .review:
            RefusalMeaning(ownReason: .returnedAgain, writer: .supervisor, retry: .withoutReview, offer: .withoutReview)
        case .approval: RefusalMeaning(ownReason: .approvedAgain, retry: .leaveApproved, mending: .none)
        case .creator: RefusalMeaning(resender: .creator, restoration: .asLost, mending: .none, offer: .asOwnIfLost)
        case .lastChange: RefusalMeaning(retry: .asOwn, restoration: .asLost, mending: .none, offer: .asOwn)
        case .otherChange: RefusalMeaning(resender: .lastWriter, restoration: .asChange, offer: .asChangeIfLost)
        case .deletion: RefusalMeaning(resender: .deleter, mending: .none)
        case .takeover: RefusalMeaning(retry: .leaveToCreator, mending: .none, offer: .leaveToCreator)
        case .version:
            RefusalMeaning(
                ownReason: .takenAway, isOtherVersion: true, restoration: .withoutHistory, offer: .asOwnIfDeleted)
        case .stateByOthers: RefusalMeaning(retry: .putTogether, restoration: .asChange)
        case .office: RefusalMeaning(writer: .office, resender: .office)
        case .supervision: RefusalMeaning(writer: .supervisor)
        case .other: RefusalMeaning()
        }
    }
}

extension RefusedRecord {
    /// What another laptop can send comes back in this way only where the gateway has lost it.
    var restoration: RefusalMeaning.Restoration {
        let meaning = subject.meaning
        return meaning.resender == nil || awaits == .anotherLaptop ? meaning.restoration : .overDeletion
    }
}
