import DocumentStore
import DocumentValues
import Foundation
import NIOHTTP1
import SyncModels
import SyncProtocol
import Synchronization
import Testing
import WireSupport

@testable import Replication

/// The log of a replication shows why it fails.
@Suite struct ReplicationLogTests {
    /// The lines that name this test's gateway, its collection, or nothing.
    private final class Lines: Sendable {
        typealias Line = (level: LogLevel, domain: LogDomain, text: String)
        private let lines = Mutex<[Line]>([])
        private let token = Mutex<ListenerToken?>(nil)

        init() {
            let token = LogSinks.observe { level, domain, text in
                self.lines.withLock { $0.append((level, domain, text)) }
            }
            self.token.withLock { $0 = token }
        }

        func close() { token.withLock { $0.take()?.remove() } }

        var all: [Line] { lines.withLock { $0 } }

        func texts(_ level: LogLevel, _ domain: LogDomain, _ part: String) -> [String] {
            all.filter { $0.level == level && $0.domain == domain && $0.text.contains(part) }.map(\.text)
        }
    }

    private func run(_ configuration: ReplicatorConfiguration) async throws -> ReplicatorLog {
        let log = ReplicatorLog(configuration)
        try await log.runToEnd()
        log.close()
        return log
    }

    @Test(.timeLimit(.minutes(1))) func aFailedReplicationIsAnError() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.state.withLock { $0.refusals = [.unauthorized] }
        let lines = Lines()
        defer { lines.close() }
        _ = try await run(try laptop.configuration(gateway))
        let address = "127.0.0.1:\(gateway.port)/db"
        let stops = lines.texts(.error, .replicator, address)
        #expect(stops.count == 1 && stops[0].contains("10401") && stops[0].contains("because 401. Check"), "\(stops)")
        #expect(!lines.texts(.info, .network, "answered with 401").isEmpty)
        try await gateway.stop()
    }

    /// The first ones one by one, of the others their number.
    @Test(.timeLimit(.minutes(1))) func refusedDocumentsAreWarningsInBounds() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop("refused\(UInt32.random(in: 0 ... .max))")
        gateway.state.withLock { $0.known = [laptop.collection.fullName] }
        let count = ReplicationLimits.loggedRefusals + 15
        for number in 0..<count {
            try laptop.put("d\(number)", #"{"c":"north"}"#)
            gateway.state.withLock { $0.model.refusals["d\(number)"] = 403 }
        }
        let lines = Lines()
        defer { lines.close() }
        let log = try await run(try laptop.configuration(gateway))
        #expect(log.error == nil && log.documents.filter { $0.document.error != nil }.count == count)
        let refusals = lines.texts(.warning, .replicator, laptop.collection.fullName)
        #expect(refusals.count == ReplicationLimits.loggedRefusals)
        #expect(refusals.allSatisfy { $0.hasPrefix("Not pushed: 'd") && $0.contains("10403") }, "\(refusals)")
        #expect(lines.texts(.warning, .replicator, "15 more documents could not be replicated").count == 1)
        try await gateway.stop()
    }

    /// What is tried again by itself and refused again has a line for those who look closely, and an event when somebody has
    /// asked.
    @Test(.timeLimit(.minutes(1))) func aRepeatedRefusalHasALine() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop("again\(UInt32.random(in: 0 ... .max))")
        gateway.state.withLock {
            $0.known = [laptop.collection.fullName]
            $0.model.refusals["bad"] = 403
        }
        try laptop.put("bad", #"{"c":"north"}"#)
        let lines = Lines()
        defer { lines.close() }
        var events: [Int] = []
        for isAsked in [false, false, true] {
            if isAsked { try laptop.collection.offerAgain(id: "bad") }
            events.append(try await run(try laptop.configuration(gateway)).documents.count)
        }
        #expect(events == [1, 0, 1])
        let repeated = lines.texts(.verbose, .replicator, "\(laptop.collection.fullName): 'bad' is refused again: ")
        #expect(repeated.count == 1 && repeated[0].hasSuffix("(403)"), "\(repeated)")
        #expect(lines.texts(.warning, .replicator, "'bad' in \(laptop.collection.fullName)").count == 2)
        try await gateway.stop()
    }

    /// What others name is shown as it is, but moves no cursor and begins no line.
    @Test(.timeLimit(.minutes(1))) func aDocumentThatIsSkippedIsAWarningOnce() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop("skipped\(UInt32.random(in: 0 ... .max))")
        gateway.state.withLock { $0.known = [laptop.collection.fullName] }
        gateway.put("_\u{1B}[2Jx", #"{"c":"north"}"#)
        gateway.put("plain", #"{"c":"north"}"#)
        let lines = Lines()
        defer { lines.close() }
        for _ in 0..<2 {
            let log = try await run(try laptop.configuration(gateway))
            #expect(log.error == nil)
        }
        #expect(laptop.collection.count == 1)
        let warnings = lines.texts(.warning, .replicator, laptop.collection.fullName)
        #expect(warnings.count == 1, "\(warnings)")
        #expect(warnings.first?.contains(#"Not pulled: '_\u{1b}[2Jx' in"#) == true, "\(warnings)")
        try await gateway.stop()
    }

    /// A peer that announces without end is not kept up with, and a line says so.
    @Test func announcementsWithoutEndAreAWarning() throws {
        let lines = Lines()
        defer { lines.close() }
        SessionLog([]).note(.close(code: 4001, reason: "", .tooManyAnnounced), result: nil)
        #expect(!lines.texts(.warning, .replicator, "More than 100000 documents are announced").isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func certificatesAndTheirVerdictsAreNamed() async throws {
        let certificate = try TestCertificate(name: "localhost")
        let gateway = try await LoopbackGateway.start(tls: certificate.serverConfiguration())
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway, secure: true)
        let lines = Lines()
        defer { lines.close() }
        _ = try await run(configuration)
        #expect(!lines.texts(.info, .network, "is refused: selfSigned").isEmpty)
        #expect(!lines.texts(.info, .network, "No connection: The certificate of localhost:\(gateway.port)").isEmpty)
        configuration.acceptOnlySelfSignedServerCertificate = true
        _ = try await run(configuration)
        #expect(!lines.texts(.verbose, .network, "is accepted").isEmpty)
        #expect(!lines.texts(.verbose, .network, "answered with 101, protocol BLIP_3+CBMobile_3").isEmpty)
        #expect(!lines.texts(.verbose, .network, "localhost has the addresses").isEmpty)
        #expect(lines.texts(.info, .network, "localhost cannot be looked up").isEmpty)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aRunCanBeFollowedAndHoldsNoSecrets() async throws {
        let gateway = try await LoopbackGateway.start()
        let name = "followed\(UInt32.random(in: 0 ... .max))"
        let laptop = try Laptop(name)
        gateway.state.withLock { $0.known = [laptop.collection.fullName] }
        gateway.put("x", #"{"c":"north","n":"the content"}"#)
        var configuration = try laptop.configuration(gateway)
        configuration.authenticator = BasicAuthenticator(username: "ann", password: "correct horse")
        configuration.headers = ["X-Token": "the token"]
        let lines = Lines()
        defer { lines.close() }
        _ = try await run(configuration)
        try laptop.put("x", #"{"c":"north","n":"the content here"}"#)
        gateway.put("x", #"{"c":"north","n":"the content there"}"#)
        _ = try await run(configuration)
        let full = laptop.collection.fullName
        #expect(!lines.texts(.verbose, .replicator, "\(full): Stored 1 revisions").isEmpty)
        #expect(!lines.texts(.verbose, .replicator, "\(full): Checkpoint {").isEmpty)
        #expect(!lines.texts(.verbose, .replicator, "\(full): 1 changes to push").isEmpty)
        #expect(lines.texts(.info, .replicator, "Conflict of 'x' in \(full): ").count == 1)
        let secrets = ["correct horse", "the token", "the content", "Basic "]
        for line in lines.all { #expect(!secrets.contains { line.text.contains($0) }, "\(line.text)") }
        try await gateway.stop()
    }
}
