import DocumentValues

/// An error for people that says what they can do.
public protocol AdvisingError: UserFacingError {
    var advised: AdvisedText { get }
}

extension AdvisingError {
    public var description: String { advised.text }
}
