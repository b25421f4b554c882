import DocumentValues

/// Failures that only the active side has.
extension SyncFailure {
    /// Listeners and the gateway get the number of a refusal, although no gateway has refused the revision.
    package static let rejectedByPullFilter = http(403, message: "rejected by the pull filter")

    /// For an announced document that is not requested.
    static let badDocumentID = SyncFailure(
        .liteCore, code: badDocumentIDCode,
        message:
            "Its id cannot be kept here: an id has 1 to \(DocumentIDRules.maximumReceivedLength) bytes, no control characters "
            + "and no '_' in front")

    /// For a document that is damaged on this side: it is neither requested nor sent.
    static func unreadable(_ reason: String) -> SyncFailure {
        SyncFailure(.liteCore, code: unreadableDocumentCode, message: reason)
    }

    /// The gateway announces more and more rows without waiting for an answer.
    package static let tooManyAnnounced = http(
        503, message: "More than \(ActiveLimits.announcedRows) documents are announced and not answered")

    /// For a continuous session: the next one requests the documents that this one could not request.
    package static let asksAgain = untilNextConnection(
        "The gateway has a version of a document that is not here: the next connection asks for it")

    /// A gateway has one feed of a collection at a time, and the earlier one had ended.
    static let feedStillOpen = untilNextConnection(
        "The gateway had not closed a feed yet: the next connection asks once more")
}
