/// What follows from the part of a record that the gateway refused: a row for each part, which all that depends on it reads.
///
/// `RefusalRule` has the gateway's reasons, with the part that each is about; `RefusalAdvice` explains them.
public struct RefusalMeaning: Sendable, Hashable {
    /// Who sends it if the gateway had this version, and has lost it; `nil` if it is the user's to settle even then.
    let resender: Resender?
    let retry: RetryStep
    let comeback: Comeback
    public let mending: Mending
    let offer: RetryOffer

    fileprivate init(
        resender: Resender? = nil, retry: RetryStep = .asItIs, comeback: Comeback = .overDeletion,
        mending: Mending = .edit,
        offer: RetryOffer = .again
    ) {
        self.resender = resender
        self.retry = retry
        self.comeback = comeback
        self.mending = mending
        self.offer = offer
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
    enum Comeback: Sendable, Hashable {
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
        case .review: RefusalMeaning(retry: .withoutReview, offer: .withoutReview)
        case .approval: RefusalMeaning(retry: .leaveApproved, mending: .none)
        case .creator: RefusalMeaning(resender: .creator, comeback: .asLost, mending: .none, offer: .asOwnIfLost)
        case .lastChange: RefusalMeaning(retry: .asOwn, comeback: .asLost, mending: .none, offer: .asOwn)
        case .otherChange: RefusalMeaning(resender: .lastWriter, comeback: .asChange, offer: .asChangeIfLost)
        case .deletion: RefusalMeaning(resender: .deleter, mending: .none)
        case .takeover: RefusalMeaning(retry: .leaveToCreator, mending: .none, offer: .leaveToCreator)
        case .version: RefusalMeaning(comeback: .withoutHistory, offer: .asOwnIfDeleted)
        case .stateByOthers: RefusalMeaning(retry: .putTogether, comeback: .asChange)
        case .office: RefusalMeaning(resender: .office)
        case .supervision, .other: RefusalMeaning()
        }
    }
}

extension RefusedRecord {
    /// What another laptop can send comes back in this way only where the gateway has lost it.
    var comeback: RefusalMeaning.Comeback {
        let meaning = subject.meaning
        return meaning.resender == nil || awaits == .anotherLaptop ? meaning.comeback : .overDeletion
    }
}
