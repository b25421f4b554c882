/// What sending a refused record again means to the user.
public enum RetryOffer: Sendable, Hashable {
    /// It is sent as it is.
    case again
    /// The decision about its review is left to a supervisor, and the rest is sent.
    case withoutReview
    /// It stays its creator's, and what else was changed is sent.
    case leaveToCreator
    /// It comes back as a record of the user's.
    case asOwn
    /// The same once the user has said that its creator's laptop is lost, or that it was deleted.
    case asOwnIfLost
    /// It is sent as a change by the user, once they have said that the laptop is lost that has this version.
    case asChangeIfLost
    /// It comes back as a record of the user's, once they have said that others have deleted it.
    case asOwnIfDeleted
    /// The gateway has something else under its id.
    case underNewID
    /// The gateway has a version that this laptop may not get.
    case asOwnUnderNewID
}

extension RefusedRecord {
    /// By the part that was refused, and by who else can send the record.
    public var retryOffer: RetryOffer {
        let offer = subject.meaning.offer
        switch offer {
        case .asChangeIfLost: return awaits == .anotherLaptop ? offer : .again
        case .asOwnIfDeleted:
            if isNewWithTakenID { return .underNewID }
            if isTakenAway { return .asOwnUnderNewID }
            return hasContent ? offer : .again
        case .again, .withoutReview, .leaveToCreator, .asOwn, .asOwnIfLost, .underNewID, .asOwnUnderNewID: return offer
        }
    }

    /// The gateway never had it, and has something else under its id.
    public var isNewWithTakenID: Bool { change == .new && subject.meaning.isOtherVersion }

    /// Whether it is no deletion.
    public var hasContent: Bool { !change.isDeletion }
}
