import DocumentValues

/// The last refusals of a database. If there are too many, the user with the most loses the oldest, so that no user can
/// flush out those of others.
struct RefusalHistory: Sendable {
    /// The refusals of one user, by their numbers; some of them may be gone, but never the first.
    private struct Share: Sendable {
        var numbers: ArraySlice<UInt64> = []
        var count = 0
    }

    /// A user's document, for any reason. A missing user means the admin port.
    private struct Sender: Sendable, Hashable {
        let user: Name?
        let collection: Name
        let document: Name
    }

    /// The common part of two refusals of which one repeats the other.
    private struct Subject: Sendable, Hashable {
        let sender: Sender
        let reason: Name
        let status: Int

        init(_ refused: RefusedDocument) {
            sender = Sender(
                user: refused.user.map { Name($0) }, collection: Name(refused.collection),
                document: Name(refused.document))
            reason = Name(refused.reason)
            status = refused.status
        }
    }

    /// A later refusal has a greater number.
    private var refusals: [UInt64: RefusedDocument] = [:]
    private var numbers: [Subject: UInt64] = [:]
    /// How many refusals each has.
    private var counts: [Sender: Int] = [:]
    private var shares: [Name?: Share] = [:]
    private var last: UInt64 = 0
    private let limit: Int

    init(limit: Int = GatewayLimits.refusals) { self.limit = limit }

    /// Oldest first.
    var entries: [RefusedDocument] { refusals.sorted { $0.key < $1.key }.map(\.value) }

    /// A repeated refusal moves to the end.
    mutating func add(_ refused: RefusedDocument) {
        let subject = Subject(refused)
        if let known = numbers[subject] { remove(known) }
        last += 1
        refusals[last] = refused
        numbers[subject] = last
        counts[subject.sender, default: 0] += 1
        shares[subject.sender.user, default: Share()].numbers.append(last)
        shares[subject.sender.user]?.count += 1
        if refusals.count > limit, let oldest = oldestOfTheLargestShare() { remove(oldest) }
    }

    /// Whether a user's document was refused lately, for any reason. It is checked for each pushed revision.
    func holds(document: String, collection: CollectionName, user: String?) -> Bool {
        let sender = Sender(
            user: user.map { Name($0) }, collection: Name("\(collection)"), document: Name(document))
        return counts[sender] != nil
    }

    /// Removes the refusals of purged documents.
    mutating func remove(where isGone: (RefusedDocument) -> Bool) {
        for (number, refused) in refusals where isGone(refused) { remove(number) }
    }

    private mutating func remove(_ number: UInt64) {
        guard let refused = refusals.removeValue(forKey: number) else { return }
        let subject = Subject(refused)
        numbers[subject] = nil
        let others = counts[subject.sender, default: 1] - 1
        counts[subject.sender] = others > 0 ? others : nil
        guard var share = shares.removeValue(forKey: subject.sender.user) else { return }
        share.count -= 1
        guard share.count > 0 else { return }
        // Numbers of removed refusals are deleted in one go, once they are as many as the others.
        if share.numbers.count > 2 * share.count { share.numbers.removeAll { refusals[$0] == nil } }
        while let first = share.numbers.first, refusals[first] == nil { share.numbers.removeFirst() }
        shares[subject.sender.user] = share
    }

    /// Among the largest shares, the one with the oldest entry.
    private func oldestOfTheLargestShare() -> UInt64? {
        let largest = shares.values.map(\.count).max()
        return shares.values.lazy.filter { $0.count == largest }
            .compactMap(\.numbers.first).min()
    }
}
