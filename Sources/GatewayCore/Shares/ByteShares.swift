import DocumentValues
import Synchronization

/// A `ByteLedger` that many connections use at the same time.
package final class ByteShares: Sendable {
    private let ledger: Mutex<ByteLedger>

    /// - Parameters:
    ///   - total: bytes of all accounts.
    ///   - share: bytes of one account.
    package init(total: Int, share: Int) { ledger = Mutex(ByteLedger(total: total, share: share)) }

    /// Bytes that are taken by all accounts.
    package var taken: Int { ledger.withLock { $0.all } }

    fileprivate func take(_ bytes: Int, for account: Name, beyond held: Int) throws(ByteLedger.Refusal) {
        try ledger.withLock { ledger throws(ByteLedger.Refusal) in
            try ledger.take(bytes, for: account, beyond: held)
        }
    }

    fileprivate func add(_ bytes: Int, to account: Name) { ledger.withLock { $0.add(bytes, to: account) } }

    fileprivate func room(of account: Name) -> Int { ledger.withLock { $0.room(of: account) } }

    fileprivate func giveBack(_ bytes: Int, of account: Name) { ledger.withLock { $0.giveBack(bytes, of: account) } }

    /// What one request or connection holds of an account. What is left of it is given back when it is let go.
    package final class Holder: Sendable {
        private let shares: ByteShares
        package let account: Name
        private let bytes = Mutex(0)

        package init(_ shares: ByteShares, account: Name) {
            self.shares = shares
            self.account = account
        }

        deinit { giveBackAll() }

        package func take(_ count: Int) throws(ByteLedger.Refusal) {
            try bytes.withLock { bytes throws(ByteLedger.Refusal) in
                try shares.take(count, for: account, beyond: bytes)
                bytes += count
            }
        }

        /// Holds so many bytes from now on, whether or not there is room: for what can be slowed down and not refused.
        package func hold(_ count: Int) {
            bytes.withLock { bytes in
                if count > bytes { shares.add(count - bytes, to: account) }
                if count < bytes { shares.giveBack(bytes - count, of: account) }
                bytes = count
            }
        }

        /// How many bytes more the account may hold; less than none where it holds too many.
        package var room: Int { shares.room(of: account) }

        package func giveBack(_ count: Int) {
            bytes.withLock { bytes in
                shares.giveBack(count, of: account)
                bytes -= count
            }
        }

        package func giveBackAll() {
            bytes.withLock { bytes in
                if bytes > 0 { shares.giveBack(bytes, of: account) }
                bytes = 0
            }
        }
    }
}
