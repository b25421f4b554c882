import Synchronization

/// How many calls of one request took too long: a request of thousands of slow documents would keep a worker busy for hours,
/// also when nobody waits for its answer any more.
final class CutOffCalls: Sendable {
    /// `nil` where each call has to come to its end.
    private let limit: Int?
    private let count = Atomic(0)

    init(limit: Int?) { self.limit = limit }

    /// The others of the request are not looked at.
    var areTooMany: Bool { limit.map { count.load(ordering: .relaxed) >= $0 } ?? false }

    func note(_ ends: some Sequence<CallEnd>) {
        count.add(ends.count { $0 == .tooSlow }, ordering: .relaxed)
    }
}
