import Foundation
import Testing
import WireSupport

/// Replication through nginx, which knows two ways to one gateway.
@Suite(
    .serialized, .enabled(if: Balancer.program != nil, "nginx is not installed; it is no part of what a build needs."))
struct LoadBalancerTests {
    private static func documents(_ prefix: String, _ count: Int) -> [(id: String, body: String)] {
        (0..<count).map { ("\(prefix)\($0)", #"{"n":\#($0),"channels":["north"]}"#) }
    }

    private func gateway() throws -> Gateway {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: ["ann": ["north"], "ben": ["north"]])
        return gateway
    }

    @Test(.timeLimit(.minutes(2))) func aSyncGoesThroughWhicheverWayIsOpen() async throws {
        let gateway = try gateway()
        let other = try await HostileProxy.start(to: gateway.publicPort)
        let balancer = try Balancer([other.port, gateway.publicPort])
        let (ann, ben) = (try Laptop(), try Laptop())
        let picture = ann.folder.appendingPathExtension("bin")
        try Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }).write(to: picture)
        defer { try? FileManager.default.removeItem(at: picture) }
        try ann.put(Self.documents("d", 200))
        let put = try ann.db(
            "put", Gateway.collection, "pic", "--blob", "photo=\(picture.path),image/x",
            input: #"{"channels":["north"]}"#)
        try #require(put.status == 0, "\(put.err)")
        let push = try ann.sync("push", gateway, user: "ann", through: balancer.port)
        #expect(push.status == 0, "\(push.out.suffix(1_000)) \(push.err)")
        let pull = try ben.sync("pull", gateway, user: "ben", through: balancer.port)
        #expect(pull.status == 0, "\(pull.out.suffix(1_000)) \(pull.err)")
        #expect(other.connections > 0, "nginx takes turns")
        #expect(try ben.ids() == ann.ids() && ben.ids().count == 201)
        try await other.stop()
        for _ in 0..<2 {
            let again = try ben.sync("sync", gateway, user: "ben", ["--max-attempts", "1"], through: balancer.port)
            #expect(again.status == 0, "\(again.out.suffix(1_000)) \(again.err)")
        }
    }

    @Test(.timeLimit(.minutes(3))) func aContinuousSyncOutlivesTheBalancer() throws {
        let gateway = try gateway()
        let balancer = try Balancer([gateway.publicPort])
        let (ann, ben) = (try Laptop(), try Laptop())
        let syncs = try [(ann, "ann"), (ben, "ben")].map { laptop, user in
            try laptop.start(
                "sync", gateway, user: user, ["--continuous", "--max-attempt-wait", "0.5"], through: balancer.port)
        }
        try expectExchange("first", from: ann, by: syncs)
        let troubles: [(String, () throws -> Void)] = [
            ("reloaded", { balancer.reload() }), ("killed", { balancer.killWorker() }),
            (
                "restarted",
                {
                    balancer.stop()
                    #expect(Self.eventuallyOffline(syncs, times: 3))
                    try balancer.start()
                }
            ),
            // nginx is there, and has nobody to turn to: 502.
            (
                "without gateways",
                {
                    gateway.kill()
                    #expect(Self.eventuallyOffline(syncs, times: 4))
                    try gateway.start()
                }
            ),
        ]
        for (number, (name, trouble)) in troubles.enumerated() {
            try trouble()
            #expect(Self.eventuallyOffline(syncs, times: number + 1), "\(name)")
            try expectExchange(name, from: ann, by: syncs)
        }
        for sync in syncs {
            sync.signal(SIGTERM)
            let output = sync.finish(limit: 15)
            #expect(output.status == 0, "\(output.out.suffix(1_000)) \(output.err)")
        }
        #expect(try ben.ids() == ann.ids() && ben.ids().count == 100)
    }

    /// Until the other has what one has put, and neither has anything left to do: what is lost then is lost while idle.
    private func expectExchange(_ name: String, from ann: Laptop, by syncs: [RunningProgram]) throws {
        let id = name.replacing(" ", with: "-")
        try ann.put(Self.documents(id, 20))
        let hasArrived = eventually(within: 30) {
            let news = syncs[1].outputSoFar
            return (0..<20).allSatisfy { news.contains("\"\(id)\($0)\"") }
                && syncs.allSatisfy { Self.activities($0).last == "idle" }
        }
        #expect(hasArrived, "\(name)")
    }

    private static func activities(_ sync: RunningProgram) -> [String] {
        sync.outputSoFar.split(separator: "\n").compactMap { line in
            ["offline", "connecting", "busy", "idle"].first { line.contains(#""activity":"\#($0)""#) }
        }
    }

    /// Whether each of them has lost its connection so often.
    private static func eventuallyOffline(_ syncs: [RunningProgram], times: Int) -> Bool {
        eventually(within: 30) {
            syncs.allSatisfy { sync in
                let activities = activities(sync).filter { ["offline", "idle"].contains($0) }
                // Attempts in a row that fail are one loss.
                let losses = zip(activities, activities.dropFirst()).count { $0 == "idle" && $1 == "offline" }
                return losses >= times
            }
        }
    }
}
