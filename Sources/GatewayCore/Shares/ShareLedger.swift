import DocumentValues

/// Whose the things are of which there are only so many, such as bytes of unfinished work in memory or on the disk, or
/// connections: how many there may be of all accounts together, and of one. Pure.
///
/// An account holds no more than what it leaves for all others: one has at most a half, two have a third each. However
/// many there are, something is left for the next.
package struct ShareLedger: Sendable {
    /// Why nothing was granted.
    package enum Refusal: Error, Hashable {
        /// The account has its share.
        case share
        /// All accounts together have what there is.
        case total
    }

    private let total: Int
    private let share: Int
    private var taken = 0
    private var takenByAccount: [Name: Int] = [:]

    package init(total: Int, share: Int) {
        self.total = total
        self.share = share
    }

    /// Grants more to somebody who holds `held` of the account so far. A single one gets all that it asks for: one piece of
    /// work is bounded elsewhere, and refused here it would be refused each time.
    ///
    /// - Parameter own: the account's share where it is not the usual one.
    package mutating func take(
        _ count: Int, for account: Name, beyond held: Int, share own: Int? = nil
    ) throws(Refusal) {
        let left = (own ?? share) - taken(by: account)
        guard taken(by: account) <= held || count <= left else { throw .share }
        guard taken <= held || count <= roomBesideOthers(of: account) else { throw .total }
        add(count, to: account)
    }

    /// Notes what was taken without being asked for.
    package mutating func add(_ count: Int, to account: Name) {
        taken += count
        takenByAccount[account, default: 0] += count
    }

    /// How many more an account may hold; less than none where it holds too many.
    ///
    /// - Parameter own: the account's share where it is not the usual one.
    package func room(of account: Name, share own: Int? = nil) -> Int {
        min((own ?? share) - taken(by: account), roomBesideOthers(of: account))
    }

    /// Each that is granted is also one less that is left.
    private func roomBesideOthers(of account: Name) -> Int { (total - taken - taken(by: account)) / 2 }

    package mutating func giveBack(_ count: Int, of account: Name) {
        taken -= count
        let rest = (takenByAccount[account] ?? 0) - count
        takenByAccount[account] = rest > 0 ? rest : nil
    }

    package func taken(by account: Name) -> Int { takenByAccount[account] ?? 0 }

    /// Of all accounts.
    package var all: Int { taken }
}
