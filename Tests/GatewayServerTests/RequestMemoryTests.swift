import DocumentValues
import Foundation
import GatewayCore
import NIOCore
import SeededRandom
import Testing

@testable import GatewayServer

/// What the bodies of many requests take together is bounded.
@Suite(.serialized) struct RequestMemoryTests {
    @Test(.timeLimit(.minutes(1))) func workWaitsForItsTurn() async throws {
        var bounds = GatewayBounds()
        bounds.working = 100
        let memory = RequestMemory(bounds)
        await memory.begin(80, of: "ann")
        let done = AsyncStream.makeStream(of: Int.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await memory.begin(1_000, of: "ann")
                done.continuation.yield(1_000)
                memory.end(1_000, of: "ann")
                await memory.begin(10, of: "bob")
                done.continuation.yield(10)
                done.continuation.finish()
            }
            memory.end(80, of: "ann")
        }
        #expect(await done.stream.reduce(into: []) { $0.append($1) } == [1_000, 10])
    }

    /// A user who sends many bodies that become large keeps nobody else waiting: they are read one after the other.
    @Test(.timeLimit(.minutes(1))) func largeBodiesOfOneAccountAreReadOneAfterTheOther() async throws {
        let memory = RequestMemory()
        func load(_ account: Name) -> RequestLoad { RequestLoad(memory, account: account) }
        let (first, second) = (load("eve"), load("eve"))
        try await first.beginReading(bytes: GatewayServerLimits.body)
        // What is read at once takes no thread for long.
        try await load("bob").beginReading(bytes: GatewayServerLimits.uncountedBody * 2)
        try await load("eve").beginReading(bytes: GatewayServerLimits.uncountedBody)
        let order = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await second.beginReading(bytes: GatewayServerLimits.body)
                order.continuation.yield("second")
                order.continuation.finish()
            }
            await first.begin(on: [UInt8](repeating: 0x20, count: 20_000))
            order.continuation.yield("first")
            first.endWork()
            try await group.waitForAll()
        }
        #expect(await order.stream.reduce(into: []) { $0.append($1) } == ["first", "second"])
        // A request that ends without having been answered has had its turn, too.
        second.end()
        let third = load("eve")
        try await third.beginReading(bytes: GatewayServerLimits.body)
        // Until what was read is stored, the account's next one waits.
        third.endWorkBeforeStoring()
        let later = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await RequestLoad(memory, account: "eve").beginReading(bytes: GatewayServerLimits.body)
                later.continuation.yield("fourth")
                later.continuation.finish()
            }
            later.continuation.yield("third")
            third.end()
            try await group.waitForAll()
        }
        #expect(await later.stream.reduce(into: []) { $0.append($1) } == ["third", "fourth"])
    }

    /// However many accounts bring bodies that are long to read: as many as there are cores, but one, are read at a time.
    @Test(.timeLimit(.minutes(1))) func oneThreadStaysForShortWork() async throws {
        let memory = RequestMemory()
        let cores = max(1, System.coreCount - 1)
        let first = (0..<cores).map { RequestLoad(memory, account: Name("a\($0)")) }
        for load in first { try await load.beginReading(bytes: GatewayServerLimits.body) }
        let order = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let load = RequestLoad(memory, account: "bob")
                try await load.beginReading(bytes: GatewayServerLimits.body)
                order.continuation.yield("bob")
                order.continuation.finish()
                load.end()
            }
            order.continuation.yield("a")
            first[0].endWorkBeforeStoring()
            try await group.waitForAll()
        }
        #expect(await order.stream.reduce(into: []) { $0.append($1) } == ["a", "bob"])
    }

    @Test func aCompressedBodyCountsAsWhatItMayBecome() throws {
        let most = [UInt8](repeating: 0x20, count: 4 << 20)
        let compressed = try gzipped(most)
        #expect(compressed.count * Gzip.mostInflation >= most.count)
    }

    /// Twenty connections that each bring as much as they may: some are asked to come back, none of it stays.
    @Test(.timeLimit(.minutes(3))) func manyLargeBodiesAtOnceAreTurnedAway() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let head =
                "PUT \(TestTeam.collection)/d HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\n"
                + "\(TestTeam.basic("alice").0): \(TestTeam.basic("alice").1)\r\n\r\n"
            // They stop before the end, so that all of them are there at the same time.
            let body = [UInt8](repeating: UInt8(ascii: " "), count: 19_000_000)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await RawClient.onSocket(port: gateway.publicPort, limit: 30) { socket in
                            try socket.send(Array(head.utf8) + body)
                            // Who is not turned away hears nothing before the end of its body.
                            return (try? socket.answer(isHead: false).status) ?? 0
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 0 } <= GatewayServerLimits.arrivingBytesOfOne / 19_000_000)
            #expect(statuses.count { $0 == 503 } >= 10, "\(statuses)")
            try team.expect(
                201, try await team.user("alice", "PUT", "\(TestTeam.collection)/e", ["channels": ["north"]]))
        }
    }

    /// A feed of alice's that waits, and has a long filter.
    private static let waitingFeed: [UInt8] = {
        let names = (0..<15_000).map { "channel\($0)" }.joined(separator: ",")
        let body =
            #"{"feed":"longpoll","heartbeat":30000,"since":"1000000","filter":"sync_gateway/bychannel","#
            + #""channels":"\#(names)"}"#
        let head =
            "POST \(TestTeam.collection)/_changes HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Content-Type: application/json\r\n\(TestTeam.basic("alice").0): \(TestTeam.basic("alice").1)\r\n\r\n"
        return Array((head + body).utf8)
    }()

    /// Only what is being worked on has a part of the memory that all wait for.
    @Test(.timeLimit(.minutes(1))) func whoWaitsOrReadsSlowlyHoldsUpNobodysWork() async throws {
        var bounds = GatewayBounds()
        bounds.working = 1_000
        try await TestGateway.run(bounds: bounds) { gateway in
            let team = try await TestTeam(gateway)
            let feed = try RawSocket(port: gateway.publicPort)
            try feed.send(Self.waitingFeed)
            #expect(try feed.head().status == 200)
            let rows: [JSONValue] = (0..<2_000).map { ["id": .string("missing \($0)")] }
            let wanted = JSONValue.object(["docs": .array(rows)]).bytes
            let head =
                "POST \(TestTeam.collection)/_bulk_get HTTP/1.1\r\nHost: x\r\nContent-Length: \(wanted.count)\r\n"
                + "\(TestTeam.basic("alice").0): \(TestTeam.basic("alice").1)\r\n\r\n"
            let reader = try RawSocket(port: gateway.publicPort)
            try reader.send(Array(head.utf8) + wanted)
            #expect(try reader.head().status == 200)
            let text = String(repeating: "x", count: 100_000)
            let put = try await team.admin("PUT", "\(TestTeam.collection)/d", ["text": .string(text)])
            #expect(put.status == 201)
            withExtendedLifetime((feed, reader)) {}
        }
    }

    /// What a list was asked for is on its reader's account until all of it is read.
    @Test(.timeLimit(.minutes(1)), arguments: ["_bulk_get", "_all_docs"])
    func whatIsAskedForIsCountedUntilTheAnswerIsRead(route: String) async throws {
        var bounds = GatewayBounds()
        bounds.arrivingOfOne = route == "_bulk_get" ? 20_000_000 : 8_000_000
        try await TestGateway.run(bounds: bounds) { gateway in
            _ = try await TestTeam(gateway)
            // What is made of these rows takes most of the share, and the answer is longer than a socket takes.
            let keys = (0..<60_000).map { "missing document \($0)" }
            let body: JSONObject =
                route == "_bulk_get"
                ? ["docs": .array(keys.map { ["id": .string($0)] })] : ["keys": .array(keys.map { .string($0) })]
            let head =
                "POST \(TestTeam.collection)/\(route) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.bytes.count)\r\n"
                + "\(TestTeam.basic("alice").0): \(TestTeam.basic("alice").1)\r\n\r\n"
            func ask() throws -> (socket: RawSocket, status: Int) {
                let socket = try RawSocket(port: gateway.publicPort, receives: 4_096)
                try socket.send(Array(head.utf8) + body.bytes)
                return (socket, try socket.head().status)
            }
            do {
                let slow = try ask()
                #expect(slow.status == 200)
                #expect(try ask().status == 503)
            }
            while try ask().status == 503 {}
        }
    }

    /// The filter of a feed that waits is on its reader's account until the feed ends.
    @Test(.timeLimit(.minutes(1))) func filtersOfFeedsAreCounted() async throws {
        var bounds = GatewayBounds()
        bounds.arrivingOfOne = 2_000_000
        try await TestGateway.run(bounds: bounds) { gateway in
            _ = try await TestTeam(gateway)
            func ask() throws -> (socket: RawSocket, status: Int) {
                let socket = try RawSocket(port: gateway.publicPort)
                try socket.send(Self.waitingFeed)
                return (socket, try socket.head().status)
            }
            do {
                let waiting = try (0..<2).map { _ in try ask() }
                #expect(waiting.map(\.status) == [200, 200])
                #expect(try ask().status == 503)
            }
            // The gateway notices soon that both clients are gone.
            while try ask().status == 503 {}
        }
    }

    @Test(.timeLimit(.minutes(1))) func whoIsNotKnownSendsLittle() async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            let body: JSONValue = ["name": .string(String(repeating: "x", count: GatewayServerLimits.openBody))]
            let answer = try await RawClient.request("POST", "/db/_session", port: gateway.publicPort, body: body.bytes)
            #expect(answer.status == 413)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["_bulk_docs", "_bulk_get"]) func rowsAreCounted(route: String)
        async throws
    {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let rows = [JSONValue](repeating: [:], count: GatewayServerLimits.bulkRows + 1)
            let path = "\(TestTeam.collection)/\(route)"
            let answer = try await team.user("alice", "POST", path, ["docs": .array(rows)])
            #expect(answer.status == 413, "\(answer.text.prefix(200))")
        }
    }

    /// Inflated while it comes: a small body that would become a large attachment is refused, a right one is stored.
    @Test(.timeLimit(.minutes(1))) func aCompressedAttachment() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let path = "\(TestTeam.collection)/d"
            for (size, status) in [(1_000_000, 201), (GatewayLimits.attachmentSize + 1, 413)] {
                let plain = [UInt8](repeating: 7, count: size)
                let answer = try await send(try gzipped(plain), "\(path)\(size)/f", gateway)
                #expect(answer.status == status, "\(answer.text)")
            }
            let stored = try await team.admin("GET", "\(path)1000000/f")
            #expect(stored.body == [UInt8](repeating: 7, count: 1_000_000))
            let cut = try await send(try gzipped([1, 2, 3]).dropLast(4), "\(path)cut/f", gateway)
            #expect(cut.status == 400)
        }
    }

    /// Of what does not get smaller by it, gzip makes a little more.
    @Test(.timeLimit(.minutes(1))) func whatIsCompressedCountsByItsContent() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let made = try await team.admin("PUT", "\(TestTeam.collection)/d", ["channels": ["north"]])
            let revision = made.json?["rev"]?.stringValue ?? ""
            try team.expect(201, try await team.admin("POST", "/db/_config", ["max_attachment_size_mb": 1]))
            var generator = SeededGenerator(seed: 5)
            let photo = (0..<(1 << 20)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            let packed = try gzipped(photo)
            #expect(packed.count > photo.count)
            try team.expect(201, try await send(packed, "\(TestTeam.collection)/d/photo?rev=\(revision)", gateway))
        }
    }

    private func send(_ body: [UInt8], _ path: String, _ gateway: TestGateway) async throws -> RawAnswer {
        try await RawClient.request(
            "PUT", path, port: gateway.publicPort,
            headers: [TestTeam.basic("alice"), ("Content-Encoding", "gzip")], body: body)
    }

    private func gzipped(_ bytes: [UInt8]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("plain-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bytes).write(to: file)
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/gzip")
        process.arguments = ["-c", file.path]
        process.standardOutput = output
        try process.run()
        let packed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Array(packed)
    }
}
