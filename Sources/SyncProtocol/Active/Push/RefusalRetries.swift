/// The times at which a continuous session tries documents again: those that the gateway refused and may accept later, and
/// those that it could not take for now.
struct RefusalRetries: Sendable {
    /// Whether refused documents are tried again; postponed ones always are.
    private let isEnabled: Bool
    private let isContinuous: Bool
    /// False until the first retry of a run that begins from the start.
    private var isQuiet: Bool
    /// The next retry of refused documents.
    private var refusedTime: Instant?
    /// The next retry of postponed documents.
    private var postponedTime: Instant?

    init(_ configuration: ActiveConfiguration) {
        isEnabled = configuration.retriesRefusals
        isContinuous = configuration.isContinuous
        isQuiet = configuration.retriesQuietly
    }

    /// The next retry of a continuous session.
    var retryTime: Instant? { [refusedTime, postponedTime].compactMap { $0 }.min() }

    /// Begins a retry of the refused documents.
    ///
    /// - Returns: whether the refused documents are to be read.
    mutating func begin() -> Bool {
        refusedTime = nil
        return isEnabled
    }

    /// The refused documents have been read.
    ///
    /// - Returns: whether documents that are refused once more make no event.
    mutating func noteRead() -> Bool {
        defer { isQuiet = true }
        return isQuiet
    }

    func areRefusedDue(at now: Instant) -> Bool { refusedTime.map { $0 <= now } ?? false }

    /// - Returns: whether the postponed documents are to be proposed now.
    mutating func takePostponed(at now: Instant) -> Bool {
        guard let time = postponedTime, time <= now else { return false }
        postponedTime = nil
        return true
    }

    /// A document was refused that the gateway may accept later.
    mutating func scheduleRefused(at now: Instant) {
        guard isEnabled, isContinuous, refusedTime == nil else { return }
        refusedTime = now + ActiveLimits.refusalRetry
    }

    /// The gateway could not take a document for now.
    mutating func schedulePostponed(at now: Instant) {
        guard isContinuous, postponedTime == nil else { return }
        postponedTime = now + ActiveLimits.refusalRetry
    }
}
