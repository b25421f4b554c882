/// One pass over the documents whose time has come, in parts. A document that cannot expire stays due; the parts behind it
/// pass it over, so that it keeps none of the others from their end.
struct ExpiryPass: Sendable {
    /// The last document that could not expire.
    private(set) var lastFailed: DueDocument?
    /// The error of the first one.
    private(set) var failure: (any Error)?

    mutating func failed(_ document: DueDocument, error: any Error) {
        lastFailed = document
        failure = failure ?? error
    }
}
