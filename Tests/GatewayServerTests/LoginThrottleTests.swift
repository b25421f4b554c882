import DocumentValues
import GatewayCore
@testable import GatewayServer
import Testing

/// How long a guesser has to wait, with the time given by hand.
@Suite struct LoginThrottleTests {
    private let ann = LoginThrottle.Key(database: "db", name: "ann", address: "192.0.2.1")

    private func failing(
        _ times: Int, at now: Duration = .zero, in throttle: LoginThrottle = LoginThrottle()
    ) -> LoginThrottle {
        var throttle = throttle
        for _ in 0..<times { throttle.failed(ann, now: now) }
        return throttle
    }

    @Test func aFewMistakesCostNothing() {
        #expect(failing(LoginLimits.freeFailures - 1).wait(ann, now: .zero) == nil)
        #expect(failing(LoginLimits.freeFailures).wait(ann, now: .zero) == LoginLimits.firstPause)
    }

    @Test func eachFurtherMistakeDoublesTheWaitUpToALimit() {
        for extra in 0..<8 {
            let wait = failing(LoginLimits.freeFailures + extra).wait(ann, now: .zero)
            #expect(wait == .seconds(1 << extra))
        }
        #expect(failing(1_000).wait(ann, now: .zero) == LoginLimits.longestPause)
    }

    @Test func theWaitPasses() {
        let throttle = failing(LoginLimits.freeFailures + 3)
        #expect(throttle.wait(ann, now: .seconds(7)) == .seconds(1))
        #expect(throttle.wait(ann, now: .seconds(8)) == nil)
    }

    @Test func successAndTimeForgive() {
        var throttle = failing(50)
        throttle.succeeded(ann)
        #expect(throttle.wait(ann, now: .zero) == nil)
        throttle = failing(50)
        let later = LoginLimits.memory + .seconds(1)
        throttle.failed(ann, now: later)
        #expect(throttle.wait(ann, now: later) == nil)
    }

    /// An administrator has given a new password: guesses at the one before do not count any more.
    @Test func whoIsForgivenDoesNotWaitAnywhere() {
        let device = LoginThrottle.Key(database: "db", name: "ann", address: "192.0.2.1", device: "laptop")
        let bob = LoginThrottle.Key(database: "db", name: "bob", address: "192.0.2.1")
        let other = LoginThrottle.Key(database: "other", name: "ann", address: "192.0.2.1")
        var throttle = failing(50)
        for key in [device, bob, other] {
            for _ in 0..<50 { throttle.failed(key, now: .zero) }
        }
        throttle.forgive("ann", of: "db")
        #expect(throttle.wait(ann, now: .zero) == nil && throttle.wait(device, now: .zero) == nil)
        #expect(throttle.wait(bob, now: .zero) != nil && throttle.wait(other, now: .zero) != nil)
    }

    @Test func othersDoNotWait() {
        let throttle = failing(50)
        for key in [
            LoginThrottle.Key(database: "db", name: "bob", address: "192.0.2.1"),
            LoginThrottle.Key(database: "db", name: "ann", address: "192.0.2.2"),
            LoginThrottle.Key(database: "other", name: "ann", address: "192.0.2.1"),
            LoginThrottle.Key(database: nil, name: "ann", address: "192.0.2.1"),
        ] {
            #expect(throttle.wait(key, now: .zero) == nil)
        }
    }

    /// A laptop that signed in before, wherever it is taken, does not wait for those who guess beside it.
    @Test func aKnownDeviceHasItsOwnCount() {
        func device(_ device: String?, at address: String) -> LoginThrottle.Key {
            LoginThrottle.Key(database: "db", name: "ann", address: address, device: device)
        }
        var throttle = failing(50)
        #expect(throttle.wait(device("laptop", at: "192.0.2.1"), now: .zero) == nil)
        for _ in 0..<50 { throttle.failed(device("laptop", at: "192.0.2.1"), now: .zero) }
        #expect(throttle.wait(device("laptop", at: "198.51.100.1"), now: .zero) != nil)
        #expect(throttle.wait(device("tablet", at: "192.0.2.1"), now: .zero) == nil)
        #expect(throttle.wait(device(nil, at: "198.51.100.1"), now: .zero) == nil)
    }

    /// Wrong passwords hear 429 where many others wait to be refused; right ones get through all the same.
    @Test(arguments: [401, 429]) func aRefusalCountsAsATry(status: Int) async {
        let guardian = LoginGuard()
        var checks = 0
        for _ in 0..<(LoginLimits.freeFailures + 5) {
            await #expect(throws: (any Error).self) {
                try await guardian.attempt(ann) {
                    checks += 1
                    throw GatewayError(status, reason: "")
                }
            }
        }
        #expect(checks == LoginLimits.freeFailures)
    }

    @Test func aFloodOfNamesFreesNobody() {
        var throttle = failing(50, in: LoginThrottle(remembered: 500))
        for index in 0..<2_000 {
            throttle.failed(.init(database: "db", name: Name("n\(index)"), address: "192.0.2.1"), now: .seconds(1))
        }
        #expect(throttle.wait(ann, now: .seconds(1)) != nil)
    }

    /// A header of 60 KB is no name to be remembered, or written into a log, as a whole.
    @Test func longNamesAreCountedByTheirBeginning() {
        let long = Name(String(repeating: "é", count: 30_000))
        let key = LoginThrottle.Key(database: "db", name: long, address: "192.0.2.1")
        #expect(key.name.text.utf8.count < LoginLimits.name + 8)
        #expect(LoginThrottle.Key(database: "db", name: long, address: "192.0.2.1") == key)
    }
}
