import DocumentStore
import DocumentValues
import Foundation
import NIOCore
import SeededRandom
import Synchronization
import SyncModels
import Testing
import WireSupport

@testable import Replication

/// A network that cuts, stalls and dribbles: what both sides have in the end.
@Suite struct HostileNetworkTests {
    /// Documents of either side; the last of each has a blob.
    private static let count = 15

    private static func noise(_ count: Int, seed: UInt64) -> Data {
        var random = SeededGenerator(seed: seed)
        return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    private static let photos = ["ours": noise(20_000, seed: 4), "theirs": noise(20_000, seed: 6)]

    private static func fill(_ laptop: Laptop, _ name: String) throws {
        try laptop.database.inBatch {
            for number in 0..<count { try laptop.put("\(name)\(number)", #"{"c":"north","n":\#(number)}"#) }
        }
        let document = MutableDocument(id: "\(name)-blob", data: ["c": "north"])
        document.setBlob(Blob(contentType: "image/x", data: photos[name] ?? Data()), forKey: "photo")
        document.setBlob(Blob(contentType: "image/x", data: noise(3_000, seed: 2)), forKey: "thumb")
        try laptop.collection.save(document: document)
    }

    /// One replication both ways over a network of this kind; `nil` means that it runs until it is stopped.
    ///
    /// - Returns: how many bytes the first connection has carried.
    @discardableResult
    private func exchange(
        from other: Laptop, isContinuous: Bool, certificate: TestCertificate? = nil, heartbeat: TimeInterval = 0,
        label: String = "",
        _ treatment: @escaping @Sendable (Int) -> HostileProxy.Treatment,
        _ check: (ReplicatorLog) -> Void = { _ in }
    ) async throws -> Int {
        let gateway = try await LoopbackGateway.start(tls: try certificate?.serverConfiguration())
        var supply = try other.configuration(gateway, .push, secure: certificate != nil)
        supply.acceptOnlySelfSignedServerCertificate = true
        try await ReplicatorLog(supply).runToEnd()
        let proxy = try await HostileProxy.start(to: gateway.port, treatment: treatment)
        let laptop = try Laptop()
        try Self.fill(laptop, "ours")
        var configuration = try laptop.configuration(gateway, secure: certificate != nil, through: proxy)
        configuration.acceptOnlySelfSignedServerCertificate = true
        configuration.continuous = isContinuous
        configuration.heartbeat = heartbeat
        configuration.maxAttempts = 10
        let environment = ReplicatorEnvironment(firstWait: 0.001, connectTimeout: .milliseconds(500))
        let log = ReplicatorLog(configuration, environment)
        log.replicator.start()
        let all = 2 * (Self.count + 1)
        try await log.wait {
            log.activities.last == .stopped
                || isContinuous && log.activities.last == .idle && laptop.collection.count == all
                    && gateway.state.withLock { $0.model.collections[0].count } == all
                    && log.documents.filter { !$0.isPush }.count == all / 2
        }
        #expect(log.error == nil, "\(label)")
        try compare(laptop, gateway, label)
        expectOnce(log, label)
        expectProgress(log, label)
        check(log)
        if isContinuous { try await log.stop() } else { log.close() }
        try await proxy.stop()
        try await gateway.stop()
        return proxy.passed(0)
    }

    private func compare(_ laptop: Laptop, _ gateway: LoopbackGateway, _ label: String) throws {
        let model = gateway.state.withLock { $0.model }
        let there = model.collections[0]
        #expect(laptop.collection.count == UInt64(there.count) && there.count == 2 * (Self.count + 1), "\(label)")
        for (id, document) in there {
            #expect(
                try laptop.collection.document(id: id.text)?.revisionID == document.current.id.description, "\(label)")
        }
        // Whatever was stored twice would have a higher number.
        #expect(there.values.map(\.sequence).max() == UInt64(there.count), "\(label)")
        for name in ["ours", "theirs"] {
            let blob = try laptop.collection.document(id: "\(name)-blob")?.blob(forKey: "photo")
            #expect(blob?.content == Self.photos[name], "\(label)")
            #expect(model.blobs[blob?.digest ?? ""]?.count == 20_000, "\(label)")
        }
    }

    private func expectOnce(_ log: ReplicatorLog, _ label: String) {
        for isPush in [true, false] {
            let reported = log.documents.filter { $0.isPush == isPush }.map(\.document)
            #expect(reported.allSatisfy { $0.error == nil }, "\(label)")
            #expect(Set(reported.map(\.id)).count == reported.count, "\(label)")
            // What the gateway has stored without being able to say so is not reported: it is there the next time.
            #expect(isPush ? reported.count <= Self.count + 1 : reported.count == Self.count + 1, "\(label)")
        }
    }

    /// It grows, and everything that is announced is done in the end, however many connections it took.
    private func expectProgress(_ log: ReplicatorLog, _ label: String) {
        let last = log.replicator.status.progress
        #expect(last.completed == last.total, "\(label)")
        let completed = log.progresses.map(\.completed)
        #expect(zip(completed, completed.dropFirst()).allSatisfy { $0 <= $1 }, "\(label)")
    }

    @Test(.timeLimit(.minutes(2)), arguments: [false, true])
    func cutsLoseNothingAndRepeatNothing(secure: Bool) async throws {
        let other = try Laptop()
        try Self.fill(other, "theirs")
        let certificate = secure ? try TestCertificate(name: "localhost") : nil
        let whole = try await exchange(from: other, isContinuous: false, certificate: certificate) { _ in .none }
        for seed in 0..<15 {
            var random = SeededGenerator(seed: UInt64(seed))
            let cuts = (0..<4).map { _ -> HostileProxy.Treatment in
                // One in four within what it takes to shake hands.
                let last = Int.random(in: 0..<4, using: &random) == 0 ? 2_000 : whole
                return HostileProxy.Treatment(
                    cut: Int.random(in: 0...last, using: &random), resets: Bool.random(using: &random))
            }
            try await exchange(
                from: other, isContinuous: seed.isMultiple(of: 2), certificate: certificate,
                label: "seed \(seed), cuts \(cuts.map(\.cut))"
            ) { $0 < cuts.count ? cuts[$0] : .none }
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [1, 2, 7])
    func bytesMayComeInAnyPortions(portion: Int) async throws {
        let other = try Laptop()
        try Self.fill(other, "theirs")
        try await exchange(
            from: other, isContinuous: portion == 2, { _ in .init(portion: portion) },
            { log in #expect(!log.activities.contains(.offline)) })
    }

    /// No more bytes arrive, and no side ends the connection: in the middle of the handshake, and of the work.
    @Test(.timeLimit(.minutes(1)), arguments: [(100, true), (100, false), (9_000, true), (40_000, false)])
    func aConnectionThatFallsSilentIsMadeAgain(position: Int, isContinuous: Bool) async throws {
        let other = try Laptop()
        try Self.fill(other, "theirs")
        try await exchange(
            from: other, isContinuous: isContinuous, heartbeat: 1.05,
            { connection in connection == 0 ? .init(stall: position) : .none },
            // A machine that is busy for a second may be taken for one more silence.
            { log in #expect(!log.errors.isEmpty && log.errors.allSatisfy { $0.code == CBLError.timeout }) })
    }

    /// Blobs that have come are not asked for again.
    @Test(.timeLimit(.minutes(1))) func anInterruptedDownloadDoesNotStartTheDocumentOver() async throws {
        let gateway = try await LoopbackGateway.start()
        let (first, second) = (try Laptop(), try Laptop())
        let sizes = [1_000, 2_000, 3_000, 300_000]
        let document = MutableDocument(id: "pic", data: ["c": "north"])
        for size in sizes {
            document.setBlob(
                Blob(contentType: "image/x", data: Self.noise(size, seed: UInt64(size))), forKey: "b\(size)")
        }
        try first.collection.save(document: document)
        try await ReplicatorLog(first.configuration(gateway, .push)).runToEnd()
        let proxy = try await HostileProxy.start(to: gateway.port) { $0 < 2 ? .init(cut: 150_000) : .none }
        var configuration = try second.configuration(gateway, .pull, through: proxy)
        configuration.maxAttempts = 10
        let log = ReplicatorLog(configuration, ReplicatorEnvironment(firstWait: 0.001))
        let error = try await log.runToEnd()
        #expect(error == nil && log.activities.filter { $0 == .offline }.count == 2)
        let pulled = try second.collection.document(id: "pic")
        for size in sizes {
            #expect(pulled?.blob(forKey: "b\(size)")?.content == Self.noise(size, seed: UInt64(size)))
        }
        let served = gateway.state.withLock { $0.servedBlobs }
        let large = try #require(pulled?.blob(forKey: "b300000")?.digest)
        #expect(served.count == 6 && served.filter { $0 == large }.count == 3)
        log.close()
        try await proxy.stop()
        try await gateway.stop()
    }

    /// Large blobs come one after the other: each connection brings as many as it lives for, instead of a part of each.
    @Test(.timeLimit(.minutes(1))) func everyInterruptedConnectionBringsWholeBlobs() async throws {
        let gateway = try await LoopbackGateway.start()
        let (first, second) = (try Laptop(), try Laptop())
        let document = MutableDocument(id: "album", data: ["c": "north"])
        for number in 0..<6 {
            document.setBlob(
                Blob(contentType: "image/x", data: Self.noise(300_000, seed: UInt64(number))), forKey: "p\(number)")
        }
        try first.collection.save(document: document)
        try await ReplicatorLog(first.configuration(gateway, .push)).runToEnd()
        let proxy = try await HostileProxy.start(to: gateway.port) { _ in .init(cut: 660_000) }
        var configuration = try second.configuration(gateway, .pull, through: proxy)
        configuration.maxAttempts = 4
        let log = ReplicatorLog(configuration, ReplicatorEnvironment(firstWait: 0.001))
        let error = try await log.runToEnd()
        #expect(error == nil && (3...4).contains(proxy.connections))
        let pulled = try second.collection.document(id: "album")
        for number in 0..<6 {
            #expect(
                pulled?.blob(forKey: "p\(number)")?.content == Self.noise(300_000, seed: UInt64(number)))
        }
        log.close()
        try await proxy.stop()
        try await gateway.stop()
    }
}
