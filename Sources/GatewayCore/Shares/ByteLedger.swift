import DocumentValues

/// Whose the bytes are that unfinished work takes, in memory or on the disk: how many there may be of all accounts
/// together, and of one. Pure.
///
/// An account holds no more than what it leaves for all others: one has at most a half, two have a third each. However
/// many there are, something is left for the next.
package struct ByteLedger: Sendable {
    /// Why bytes were not granted.
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

    /// Grants more to somebody who holds `held` bytes of the account so far. Who is alone gets all they ask for: one piece
    /// of work is bounded elsewhere, and refused here it would be refused each time.
    package mutating func take(_ bytes: Int, for account: Name, beyond held: Int) throws(Refusal) {
        guard taken(by: account) <= held || bytes <= roomInShare(of: account) else { throw .share }
        guard taken <= held || bytes <= roomBesideOthers(of: account) else { throw .total }
        add(bytes, to: account)
    }

    /// Notes what was taken without being asked for.
    package mutating func add(_ bytes: Int, to account: Name) {
        taken += bytes
        takenByAccount[account, default: 0] += bytes
    }

    /// How many bytes more an account may hold; less than none where it holds too many.
    package func room(of account: Name) -> Int { min(roomInShare(of: account), roomBesideOthers(of: account)) }

    private func roomInShare(of account: Name) -> Int { share - taken(by: account) }

    /// Each byte granted is also one less that is left.
    private func roomBesideOthers(of account: Name) -> Int { (total - taken - taken(by: account)) / 2 }

    package mutating func giveBack(_ bytes: Int, of account: Name) {
        taken -= bytes
        let rest = (takenByAccount[account] ?? 0) - bytes
        takenByAccount[account] = rest > 0 ? rest : nil
    }

    package func taken(by account: Name) -> Int { takenByAccount[account] ?? 0 }

    /// Of all accounts.
    package var all: Int { taken }
}
