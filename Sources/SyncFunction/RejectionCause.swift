import DocumentValues

extension SyncFunctionOutcome.Rejection {
    /// Which part refused the document.
    package enum Cause: Sendable, Hashable {
        /// The function threw it.
        case thrown
        /// The writer may not do what `require…` asks for.
        case access
        /// The function failed.
        case exception
        /// It took too long, or its result is invalid.
        case unusable
    }

    package var cause: Cause {
        if self == SyncFunctionReply.exception { return .exception }
        if status >= 500 || status == 413 { return .unusable }
        return status == 403 && Self.accessReasons.contains(Name(reason)) ? .access : .thrown
    }

    /// The texts that the prelude throws.
    private static let accessReasons: Set<Name> = [
        "sg missing role", "sg admin required", "sg wrong user", "sg missing channel access",
    ]
}
