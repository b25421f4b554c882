import DocumentValues

/// Divides a limited number of things among accounts, such as bytes of unfinished work in memory or on the disk, or
/// connections. It limits all accounts together, and each one. Pure.
///
/// An account holds at most as much as it leaves for all others: one gets at most a half, two get a third each. So
/// there is always a rest for the next account.
package struct ShareLedger: Sendable {
    /// Why nothing was granted.
    package enum Refusal: Error, Hashable {
        /// The account has its share.
        case share
        /// All accounts together have used up the total.
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

    /// Grants more to a holder that has `held` of the account so far. The only holder of an account gets all that it
    /// requests: a single piece of work is limited elsewhere, and if it were refused here, it would be refused each time.
    ///
    /// - Parameter own: the account's share, if it is not the default.
    package mutating func take(
        _ count: Int, for account: Name, beyond held: Int, share own: Int? = nil
    ) throws(Refusal) {
        let left = (own ?? share) - taken(by: account)
        guard taken(by: account) <= held || count <= left else { throw .share }
        guard taken <= held || count <= roomBesideOthers(of: account) else { throw .total }
        add(count, to: account)
    }

    /// Notes an amount that was taken without a request.
    package mutating func add(_ count: Int, to account: Name) {
        taken += count
        takenByAccount[account, default: 0] += count
    }

    /// How many more an account may hold; negative if it holds too many.
    ///
    /// - Parameter own: the account's share, if it is not the default.
    package func room(of account: Name, share own: Int? = nil) -> Int {
        min((own ?? share) - taken(by: account), roomBesideOthers(of: account))
    }

    /// Each granted one also reduces the rest.
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
