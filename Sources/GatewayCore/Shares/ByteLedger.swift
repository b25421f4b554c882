import DocumentValues

/// Whose the bytes are that unfinished work takes, in memory or on the disk: how many there may be of all accounts
/// together, and of one. Pure.
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

    /// Grants more to somebody who holds `held` bytes of his account so far. Whoever is alone gets all that he asks for:
    /// one piece of work is bounded elsewhere, and refused here it would be refused each time.
    package mutating func take(_ bytes: Int, for account: Name, beyond held: Int) throws(Refusal) {
        let ofAccount = takenByAccount[account] ?? 0
        guard ofAccount <= held || ofAccount + bytes <= share else { throw .share }
        guard taken <= held || taken + bytes <= total else { throw .total }
        taken += bytes
        takenByAccount[account] = ofAccount + bytes
    }

    package mutating func giveBack(_ bytes: Int, of account: Name) {
        taken -= bytes
        let rest = (takenByAccount[account] ?? 0) - bytes
        takenByAccount[account] = rest > 0 ? rest : nil
    }

    package func taken(by account: Name) -> Int { takenByAccount[account] ?? 0 }

    /// Of all accounts.
    package var all: Int { taken }
}
