/// The times at which refused documents are tried again, if the gateway may accept them later.
struct RefusalRetries: Sendable {
    private let isEnabled: Bool
    private let isContinuous: Bool
    /// False until the first retry of a run that begins from the start.
    private var isQuiet: Bool
    private var openReads = 0
    /// The next retry of a continuous session.
    private(set) var retryTime: Instant?

    init(_ configuration: ActiveConfiguration) {
        isEnabled = configuration.retriesRefusals
        isContinuous = configuration.isContinuous
        isQuiet = configuration.retriesQuietly
    }

    var isReading: Bool { openReads > 0 }

    /// Begins a retry of the refused documents.
    ///
    /// - Returns: whether the refused documents are to be read.
    mutating func begin() -> Bool {
        guard isEnabled else { return false }
        retryTime = nil
        openReads += 1
        return true
    }

    /// The refused documents have been read.
    ///
    /// - Returns: whether documents that are refused once more make no event.
    mutating func wereRead() -> Bool {
        openReads -= 1
        defer { isQuiet = true }
        return isQuiet
    }

    func isDue(at now: Instant) -> Bool { retryTime.map { $0 <= now } ?? false }

    /// A document was refused that the gateway may accept later.
    mutating func schedule(at now: Instant) {
        guard isEnabled, isContinuous, retryTime == nil else { return }
        retryTime = now + ActiveLimits.refusalRetry
    }
}
