import DocumentValues
import Synchronization

/// A `ShareLedger` that many connections use at the same time, of bytes or of the connections themselves.
package final class AccountShares: Sendable {
    private let ledger: Mutex<ShareLedger>

    /// - Parameters:
    ///   - total: of all accounts.
    ///   - share: of one account.
    package init(total: Int, share: Int) { ledger = Mutex(ShareLedger(total: total, share: share)) }

    /// The amount taken by all accounts.
    package var taken: Int { ledger.withLock { $0.all } }

    func taken(by account: Name) -> Int { ledger.withLock { $0.taken(by: account) } }

    /// The amount taken by all others.
    func taken(besides account: Name) -> Int { ledger.withLock { $0.all - $0.taken(by: account) } }

    fileprivate func take(
        _ count: Int, for account: Name, beyond held: Int, share: Int?
    ) throws(ShareLedger.Refusal) {
        try ledger.withLock { ledger throws(ShareLedger.Refusal) in
            try ledger.take(count, for: account, beyond: held, share: share)
        }
    }

    fileprivate func add(_ count: Int, to account: Name) { ledger.withLock { $0.add(count, to: account) } }

    fileprivate func room(of account: Name, share: Int?) -> Int {
        ledger.withLock { $0.room(of: account, share: share) }
    }

    fileprivate func giveBack(_ count: Int, of account: Name) { ledger.withLock { $0.giveBack(count, of: account) } }

    /// The amount that one request or connection holds of an account. It is given back when the holder is released.
    package final class Holder: Sendable {
        private let shares: AccountShares
        package let account: Name
        private let share: Int?
        private let held = Mutex(0)

        /// - Parameter share: of this account, if it is not the default.
        package init(_ shares: AccountShares, account: Name, share: Int? = nil) {
            self.shares = shares
            self.account = account
            self.share = share
        }

        deinit { giveBackAll() }

        package func take(_ count: Int) throws(ShareLedger.Refusal) {
            try held.withLock { held throws(ShareLedger.Refusal) in
                try shares.take(count, for: account, beyond: held, share: share)
                held += count
            }
        }

        /// Holds so many from now on, whether or not there is room: for work that can be slowed down, but not refused.
        package func hold(_ count: Int) {
            held.withLock { held in
                if count > held { shares.add(count - held, to: account) }
                if count < held { shares.giveBack(held - count, of: account) }
                held = count
            }
        }

        /// How many more the account may hold; negative if it holds too many.
        package var room: Int { shares.room(of: account, share: share) }

        package func giveBack(_ count: Int) {
            held.withLock { held in
                shares.giveBack(count, of: account)
                held -= count
            }
        }

        package func giveBackAll() {
            held.withLock { held in
                if held > 0 { shares.giveBack(held, of: account) }
                held = 0
            }
        }
    }
}
