import DocumentStore
import Foundation
import Glibc
import Synchronization
import Testing
import WireSupport

@testable import Replication

/// `stop()` ends in `stopped` at once, whatever is being waited for.
@Suite struct StopTests {
    /// A port that accepts no connection: others have filled its queue, which no process empties.
    private final class FullPort {
        let port: Int
        private var sockets: [Int32] = []

        init() throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutableBytes(of: &address) { bytes in
                let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
                _ = bind(listener, pointer, length)
                _ = listen(listener, 0)
                _ = getsockname(listener, pointer, &length)
            }
            port = Int(UInt16(bigEndian: address.sin_port))
            sockets = [listener]
            for _ in 0..<4 {
                let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
                withUnsafeBytes(of: &address) { bytes in
                    _ = connect(client, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, length)
                }
                sockets.append(client)
            }
        }

        deinit { for socket in sockets { close(socket) } }
    }

    private func configuration(_ laptop: Laptop, _ url: String) throws -> ReplicatorConfiguration {
        var configuration = ReplicatorConfiguration(
            collections: [CollectionConfiguration(collection: laptop.collection)],
            target: URLEndpoint(url: try #require(URL(string: url))))
        configuration.continuous = true
        return configuration
    }

    /// Far from the limits of connecting (15 s) and of closing (5 s), and far from what a busy machine takes.
    private func expectPromptEnd(
        _ log: ReplicatorLog, _ laptop: Laptop, while isWaiting: @Sendable () -> Bool
    ) async throws {
        log.replicator.start()
        try await log.wait(for: isWaiting)
        let began = ContinuousClock.now
        log.replicator.stop()
        try await log.stopped()
        #expect(ContinuousClock.now - began < .seconds(3))
        #expect(log.error == nil)
        log.close()
        // Nothing holds the database any more.
        try laptop.database.close()
    }

    @Test(.timeLimit(.minutes(1))) func whileNobodyTakesTheConnection() async throws {
        let (full, laptop) = (try FullPort(), try Laptop())
        let log = ReplicatorLog(try configuration(laptop, "ws://127.0.0.1:\(full.port)/db"))
        try await expectPromptEnd(log, laptop) { log.activities.last == .connecting }
    }

    /// The far side has the connection and says nothing: of TLS, of HTTP, as a proxy.
    @Test(.timeLimit(.minutes(1)), arguments: ["wss", "ws", "proxy"])
    func whileTheOtherSideSaysNothing(of kind: String) async throws {
        let (silent, laptop) = (try await TunnelProxy.start(.silent), try Laptop())
        var configuration = try configuration(
            laptop, "\(kind == "wss" ? "wss" : "ws")://127.0.0.1:\(silent.port)/db")
        if kind == "proxy" { configuration.proxy = ProxySettings(host: "127.0.0.1", port: UInt16(silent.port)) }
        let log = ReplicatorLog(configuration)
        try await expectPromptEnd(log, laptop) { log.activities.last == .connecting }
        try await silent.stop()
    }

    @Test(.timeLimit(.minutes(1))) func whileAConflictIsBeingResolved() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("x", #"{"c":"north","n":0}"#)
        try await Replicator(config: laptop.configuration(gateway)).run()
        gateway.put("x", #"{"c":"north","n":1}"#)
        let document = try #require(try laptop.collection.document(id: "x")?.toMutable())
        document.setInt(2, forKey: "n")
        try laptop.collection.save(document: document)
        let (asked, isDone) = (Asked(), DispatchSemaphore(value: 0))
        defer { isDone.signal() }
        var configuration = try laptop.configuration(gateway) {
            $0.conflictResolver = ConflictTests.Resolver { conflict in
                asked.isAsked.withLock { $0 = true }
                isDone.wait()
                return conflict.localDocument
            }
        }
        configuration.continuous = true
        let log = ReplicatorLog(configuration)
        log.replicator.start()
        while !asked.isAsked.withLock({ $0 }) { await Task.yield() }
        try await expectPromptEnd(log, laptop) { true }
        try await gateway.stop()
    }

    private final class Asked: Sendable {
        let isAsked = Mutex(false)
    }
}
