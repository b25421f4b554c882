import AccessControl
import DocumentValues
import GatewayCore
import Logging
import Synchronization

/// How many connections, or requests in flight, there may be at once: of all, of one user, and of one address for those
/// without a sign-in. So no account can take all of a port. The log names the refused account, once a minute.
final class EntryShares: Sendable {
    private let shares: AccountShares
    private let shareOfUser: Int
    private let shareOfAddress: Int
    /// The name of the counted things, as in "Too many …".
    private let things: String
    private let logger: Logger
    private let pace = Mutex(LogPace(limit: 1))
    private let start = ContinuousClock.now

    init(of things: String, total: Int, ofUser: Int, ofAddress: Int, logger: Logger) {
        shares = AccountShares(total: total, share: ofUser)
        (shareOfUser, shareOfAddress) = (ofUser, ofAddress)
        self.things = things
        self.logger = logger
    }

    /// How many there are.
    var taken: Int { shares.taken }

    fileprivate func holder(_ account: Name, isAddress: Bool) -> AccountShares.Holder {
        AccountShares.Holder(shares, account: account, share: isAddress ? shareOfAddress : shareOfUser)
    }

    fileprivate func refusal(_ refusal: ShareLedger.Refusal, account: Name, isAddress: Bool) -> GatewayError {
        let seconds = start.duration(to: .now).components.seconds
        switch pace.withLock({ $0.note(account, at: seconds) }) {
        case .listed:
            logger.warning(
                "Too many \(things) at once: some are refused",
                metadata: ["account": "\(account)", "bound": refusal == .share ? "of one account" : "of all"])
        case .firstCounted, .counted: break
        }
        switch refusal {
        case .share:
            return GatewayError.tooMany(things, ofOne: isAddress ? "address" : "user")
        case .total: return GatewayError.tooMany(things)
        }
    }
}

/// One entry of an `EntryShares`: first of the address, then of the user who has signed in. It is given back when it is
/// released, however the connection or the request ends.
final class EntryPass: Sendable {
    private let entries: EntryShares
    private let address: Name
    private let holder: Mutex<AccountShares.Holder>

    /// 503 if the address has its share, or if all entries are taken.
    init(_ entries: EntryShares, address: Name) throws(GatewayError) {
        self.entries = entries
        self.address = address
        let holder = entries.holder(address, isAddress: true)
        self.holder = Mutex(holder)
        try Self.take(holder, of: entries, isAddress: true)
    }

    /// Counts the entry on this account from now on. 503 if this account has used its share or no entry is left; the
    /// entry then stays on the former account.
    func charge(to account: Name) throws(GatewayError) {
        try holder.withLock { holder throws(GatewayError) in
            guard holder.account != account else { return }
            let isAddress = account == address
            let next = entries.holder(account, isAddress: isAddress)
            holder.giveBackAll()
            do throws(GatewayError) {
                try Self.take(next, of: entries, isAddress: isAddress)
            } catch {
                holder.hold(1)
                throw error
            }
            holder = next
        }
    }

    private static func take(
        _ holder: AccountShares.Holder, of entries: EntryShares, isAddress: Bool
    ) throws(GatewayError) {
        do throws(ShareLedger.Refusal) {
            try holder.take(1)
        } catch {
            throw entries.refusal(error, account: holder.account, isAddress: isAddress)
        }
    }
}
