/// When documents are tried again that the gateway has refused and may accept another time.
struct RefusalRetries: Sendable {
    private let isEnabled: Bool
    private let isContinuous: Bool
    /// False until the first retry of a run that begins from the start.
    private var isQuiet: Bool
    private var openReads = 0
    /// When to try again while the session goes on.
    private(set) var retryTime: Instant?

    init(_ configuration: ActiveConfiguration) {
        isEnabled = configuration.retriesRefusals
        isContinuous = configuration.isContinuous
        isQuiet = configuration.retriesQuietly
    }

    var isReading: Bool { openReads > 0 }

    /// What was refused gets another chance.
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
    /// - Returns: whether those that are refused once more make no event.
    mutating func wereRead() -> Bool {
        openReads -= 1
        defer { isQuiet = true }
        return isQuiet
    }

    func isDue(at now: Instant) -> Bool { retryTime.map { $0 <= now } ?? false }

    /// Something was refused that may be accepted another time.
    mutating func schedule(at now: Instant) {
        guard isEnabled, isContinuous, retryTime == nil else { return }
        retryTime = now + ActiveLimits.refusalRetry
    }
}
