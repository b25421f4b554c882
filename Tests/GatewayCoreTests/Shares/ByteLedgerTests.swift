import DocumentValues
import Testing

@testable import GatewayCore

/// Who gets how many of the bytes that there are: 100, of which one account may have 60.
@Suite struct ByteLedgerTests {
    private enum Step: Sendable {
        case take(Int, String, beyond: Int, ByteLedger.Refusal?)
        case giveBack(Int, String)
    }

    private static let histories: [(name: String, steps: [Step], left: Int)] = [
        (
            "one user cannot take all",
            [
                .take(30, "alice", beyond: 0, nil), .take(30, "alice", beyond: 0, nil),
                .take(1, "alice", beyond: 0, .share), .take(1, "alice", beyond: 30, .share),
                .take(40, "bob", beyond: 0, nil), .take(1, "carol", beyond: 0, .total),
            ], 100
        ),
        (
            "what is given back is there for others",
            [
                .take(60, "alice", beyond: 0, nil), .take(40, "bob", beyond: 0, nil), .giveBack(60, "alice"),
                .take(60, "carol", beyond: 0, nil), .take(1, "alice", beyond: 0, .total),
            ], 100
        ),
        (
            "one alone is let in whatever its size",
            [
                .take(50, "alice", beyond: 0, nil), .take(500, "alice", beyond: 50, nil),
                .take(1, "bob", beyond: 0, .total), .take(1, "alice", beyond: 0, .share), .giveBack(550, "alice"),
                .take(60, "bob", beyond: 0, nil),
            ], 60
        ),
        (
            "one that holds a part of its account is not alone",
            [
                .take(50, "alice", beyond: 0, nil), .take(5, "alice", beyond: 0, nil),
                .take(50, "alice", beyond: 50, .share),
            ], 55
        ),
        (
            "look-alikes are two",
            [
                .take(60, "caf\u{E9}", beyond: 0, nil), .take(40, "cafe\u{301}", beyond: 0, nil),
            ], 100
        ),
        (
            "a refusal takes nothing",
            [
                .take(60, "alice", beyond: 0, nil), .take(50, "alice", beyond: 0, .share),
                .take(40, "bob", beyond: 0, nil),
            ], 100
        ),
    ]

    @Test(arguments: histories.indices) func bytesAreGrantedAndRefused(place: Int) {
        let history = Self.histories[place]
        var ledger = ByteLedger(total: 100, share: 60)
        for (number, step) in history.steps.enumerated() {
            switch step {
            case .take(let bytes, let account, let held, let expected):
                var refusal: ByteLedger.Refusal?
                do throws(ByteLedger.Refusal) {
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

    @Test func whatAHolderHasIsGivenBackWithIt() throws {
        let shares = ByteShares(total: 100, share: 60)
        do {
            let holder = ByteShares.Holder(shares, account: Name("alice"))
            try holder.take(20)
            try holder.take(30)
            holder.giveBack(10)
            #expect(shares.taken == 40)
            let other = ByteShares.Holder(shares, account: Name("alice"))
            #expect(throws: ByteLedger.Refusal.share) { try other.take(30) }
            // Not alone, and more than its share.
            #expect(throws: ByteLedger.Refusal.total) {
                let bob = ByteShares.Holder(shares, account: Name("bob"))
                try bob.take(61)
            }
        }
        #expect(shares.taken == 0)
    }

    @Test func aConnectionHasOneAccountForItsMessagesAndItsRevisions() {
        let shares = ByteShares(total: 1 << 20, share: 256 << 10)
        do {
            let other = ByteShares.Holder(shares, account: Name("alice"))
            try? other.take(64 << 10)
            let memory = ConnectionMemory(ByteShares.Holder(shares, account: Name("alice")))
            #expect(memory.hold(64 << 10))
            memory.holdRevisions(65_537) { Issue.record("refused") }
            #expect(shares.taken == (64 + 64 + 128) << 10)
            #expect(memory.refusal == nil)
            #expect(!memory.hold(128 << 10))
            #expect(memory.refusal == .share)
            // What it had before counts on.
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
