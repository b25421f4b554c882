import DocumentValues
import Testing

@testable import GatewayCore

/// The shares of the accounts in 100 bytes, of which one account may have 40.
@Suite struct ShareLedgerTests {
    private enum Step: Sendable {
        case take(Int, String, beyond: Int, ShareLedger.Refusal?)
        case giveBack(Int, String)
    }

    private static let histories: [(name: String, steps: [Step], left: Int)] = [
        (
            "one user cannot take all",
            [
                .take(20, "alice", beyond: 0, nil), .take(20, "alice", beyond: 0, nil),
                .take(1, "alice", beyond: 0, .share), .take(1, "alice", beyond: 30, .share),
                .take(30, "bob", beyond: 0, nil), .take(15, "carol", beyond: 0, nil),
            ], 85
        ),
        (
            "two users cannot take all either",
            [
                .take(40, "alice", beyond: 0, nil), .take(20, "bob", beyond: 0, nil), .take(10, "bob", beyond: 0, nil),
                .take(1, "bob", beyond: 0, .total), .take(15, "carol", beyond: 0, nil),
                .take(1, "carol", beyond: 0, .total), .take(7, "dave", beyond: 0, nil), .take(4, "eve", beyond: 0, nil),
            ], 96
        ),
        (
            "by small steps no more than at once",
            (0..<33).flatMap { _ -> [Step] in [.take(1, "alice", beyond: 0, nil), .take(1, "bob", beyond: 0, nil)] }
                + [.take(1, "alice", beyond: 0, .total), .take(1, "bob", beyond: 0, .total)], 66
        ),
        (
            "what is given back is there for others",
            [
                .take(40, "alice", beyond: 0, nil), .take(30, "bob", beyond: 0, nil), .giveBack(40, "alice"),
                .take(35, "carol", beyond: 0, nil), .take(18, "alice", beyond: 0, .total),
            ], 65
        ),
        (
            "one alone is let in whatever its size",
            [
                .take(50, "alice", beyond: 0, nil), .take(500, "alice", beyond: 50, nil),
                .take(1, "bob", beyond: 0, .total), .take(1, "alice", beyond: 0, .share), .giveBack(550, "alice"),
                .take(40, "bob", beyond: 0, nil),
            ], 40
        ),
        (
            "one that holds a part of its account is not alone",
            [
                .take(30, "alice", beyond: 0, nil), .take(5, "alice", beyond: 0, nil),
                .take(50, "alice", beyond: 30, .share),
            ], 35
        ),
        (
            "look-alikes are two",
            [
                .take(40, "caf\u{E9}", beyond: 0, nil), .take(30, "cafe\u{301}", beyond: 0, nil),
            ], 70
        ),
        (
            "a refusal takes nothing",
            [
                .take(40, "alice", beyond: 0, nil), .take(50, "alice", beyond: 0, .share),
                .take(30, "bob", beyond: 0, nil),
            ], 70
        ),
    ]

    @Test(arguments: histories.indices) func bytesAreGrantedAndRefused(index: Int) {
        let history = Self.histories[index]
        var ledger = ShareLedger(total: 100, share: 40)
        for (number, step) in history.steps.enumerated() {
            switch step {
            case .take(let bytes, let account, let held, let expected):
                var refusal: ShareLedger.Refusal?
                do throws(ShareLedger.Refusal) {
                    try ledger.take(bytes, for: Name(account), beyond: held)
                } catch {
                    refusal = error
                }
                #expect(refusal == expected, "\(history.name), step \(number)")
            case .giveBack(let bytes, let account): ledger.giveBack(bytes, of: Name(account))
            }
        }
        #expect(ledger.all == history.left, "\(history.name)")
    }

    /// The bytes that are available for one account, depending on the bytes that it and others hold.
    @Test(arguments: [
        (own: 0, others: 0, room: 40), (own: 10, others: 0, room: 30), (own: 40, others: 0, room: 0),
        (own: 50, others: 0, room: -10), (own: 0, others: 30, room: 35), (own: 20, others: 30, room: 15),
        (own: 30, others: 40, room: 0), (own: 0, others: 99, room: 0), (own: 30, others: 90, room: -25),
    ])
    func roomIsLeftForOthers(own: Int, others: Int, room: Int) {
        var ledger = ShareLedger(total: 100, share: 40)
        ledger.add(own, to: Name("alice"))
        ledger.add(others, to: Name("bob"))
        #expect(ledger.room(of: Name("alice")) == room)
    }

    @Test func whatIsNotAskedForIsNotedAll() {
        let shares = AccountShares(total: 100, share: 40)
        do {
            let holder = AccountShares.Holder(shares, account: Name("alice"))
            holder.hold(70)
            #expect(shares.taken == 70 && holder.room < 0)
            holder.hold(10)
            #expect(shares.taken == 10 && holder.room == 30)
        }
        #expect(shares.taken == 0)
    }

    @Test func theRoomOfAHolderIsThatOfItsOwnShare() throws {
        let shares = AccountShares(total: 100, share: 40)
        let holder = AccountShares.Holder(shares, account: Name("alice"), share: 10)
        #expect(holder.room == 10)
        try holder.take(4)
        #expect(holder.room == 6)
        #expect(AccountShares.Holder(shares, account: Name("alice")).room == 36)
    }

    @Test func whatAHolderHasIsGivenBackWithIt() throws {
        let shares = AccountShares(total: 100, share: 60)
        do {
            let holder = AccountShares.Holder(shares, account: Name("alice"))
            try holder.take(20)
            try holder.take(30)
            holder.giveBack(10)
            #expect(shares.taken == 40)
            let other = AccountShares.Holder(shares, account: Name("alice"))
            #expect(throws: ShareLedger.Refusal.share) { try other.take(30) }
            // For an account that holds nothing yet, the only limit is the rest that the others leave.
            for count in [29, 31] {
                let bob = AccountShares.Holder(shares, account: Name("bob"))
                var refusal: ShareLedger.Refusal?
                do throws(ShareLedger.Refusal) { try bob.take(count) } catch { refusal = error }
                #expect(refusal == (count == 29 ? nil : .total))
            }
        }
        #expect(shares.taken == 0)
    }

    @Test func aConnectionHasOneAccountForItsMessagesAndItsRevisions() {
        let shares = AccountShares(total: 1 << 20, share: 256 << 10)
        do {
            let other = AccountShares.Holder(shares, account: Name("alice"))
            try? other.take(64 << 10)
            let memory = ConnectionMemory(AccountShares.Holder(shares, account: Name("alice")))
            #expect(memory.hold(64 << 10))
            memory.holdRevisions(65_537) { Issue.record("refused") }
            #expect(shares.taken == (64 + 64 + 128) << 10)
            #expect(memory.refusal == nil)
            #expect(!memory.hold(128 << 10))
            #expect(memory.refusal == .share)
            // The bytes that it had before still count.
            #expect(shares.taken == (64 + 64 + 128) << 10)
            memory.holdRevisions(1) { Issue.record("refused") }
            #expect(memory.hold(128 << 10))
            var gaveUp = false
            memory.holdRevisions(1 << 20) { gaveUp = true }
            #expect(gaveUp)
        }
        #expect(shares.taken == 0)
    }
}
