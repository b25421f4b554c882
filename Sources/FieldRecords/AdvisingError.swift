import DocumentValues

/// An error for people that advises them.
public protocol AdvisingError: UserFacingError {
    var advised: AdvisedText { get }
}

extension AdvisingError {
    public var description: String { advised.text }
}
