import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import BLIPTransport

/// What is reported of a host's two families of addresses, of which one is enough.
@Suite struct LookUpTests {
    private struct Missing: Error {}

    private static let found = LookUp(family: AF_INET, result: .success(["127.0.0.1"]))
    private static let missing = LookUp(family: AF_INET6, result: .failure(Missing()))

    @Test func oneFamilyIsEnough() {
        let late = LookUp.steps(host: "host", Self.missing, after: Self.found)
        #expect(late.map(\.description) == ["host has no IPv6 address"])
        #expect(LookUp.steps(host: "host", Self.missing, after: nil).isEmpty)
        let early = LookUp.steps(host: "host", Self.found, after: Self.missing)
        #expect(early.map(\.description) == ["host has the addresses 127.0.0.1", "host has no IPv6 address"])
        #expect((late + early).filter(\.isFailure).isEmpty)
    }

    @Test func noFamilyIsAFailureOnce() {
        let steps = LookUp.steps(host: "host", Self.missing, after: Self.missing)
        #expect(steps.count == 1 && steps.allSatisfy(\.isFailure), "\(steps)")
    }

    private func steps(_ host: String) async -> [ConnectionStep] {
        let steps = Mutex<[ConnectionStep]>([])
        let resolver = NameResolver(loop: MultiThreadedEventLoopGroup.singleton.next()) { step in
            steps.withLock { $0.append(step) }
        }
        _ = try? await resolver.initiateAQuery(host: host, port: 80).get()
        _ = try? await resolver.initiateAAAAQuery(host: host, port: 80).get()
        return steps.withLock { $0 }
    }

    @Test func anAddressOfOneFamilyIsFound() async {
        let steps = await steps("127.0.0.1")
        #expect(
            steps.map(\.description) == ["127.0.0.1 has the addresses 127.0.0.1", "127.0.0.1 has no IPv6 address"])
        #expect(steps.filter(\.isFailure).isEmpty)
    }

    @Test func aHostThatIsNowhereIsReportedOnce() async {
        let steps = await steps("nowhere.invalid")
        #expect(steps.count == 1 && steps.allSatisfy(\.isFailure), "\(steps)")
    }
}
