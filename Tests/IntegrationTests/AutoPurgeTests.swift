import DocumentStore
import Fieldbook
import Foundation
import Synchronization
import Testing

/// What becomes of documents to which a user loses access: the tables of the reference's documentation, against a real
/// gateway.
@Suite(.serialized) struct AutoPurgeTests {
    /// How access is lost.
    enum Loss: String, CaseIterable, Sendable {
        case channel, role, channelOfRole, document
    }

    /// What a laptop thinks of it.
    enum Attitude: String, CaseIterable, Sendable {
        case purging, keeping, vetoing
    }

    @Test(.timeLimit(.minutes(3)), arguments: Loss.allCases)
    func everyRowOfTheTables(loss: Loss) async throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: [:])
        for type in [ReplicatorType.pushAndPull, .pull, .push] {
            for attitude in Attitude.allCases {
                for isContinuous in attitude == .purging ? [false, true] : [false] {
                    let name = "\(loss.rawValue)\(type.rawValue)\(attitude.rawValue)\(isContinuous ? "c" : "o")"
                    let access = Access(gateway, name.lowercased(), loss)
                    try access.grant()
                    try await Case(type, attitude, isContinuous, name).play(access)
                }
            }
        }
    }

    /// A lost document is gone; what the user still has another channel for stays.
    private struct Case {
        let type: ReplicatorType
        let attitude: Attitude
        let isContinuous: Bool
        let name: String

        init(_ type: ReplicatorType, _ attitude: Attitude, _ isContinuous: Bool, _ name: String) {
            self.type = type
            self.attitude = attitude
            self.isContinuous = isContinuous
            self.name = name
        }

        func play(_ access: Access) async throws {
            let tablet = try Tablet()
            // Pulled or, where nothing is, made here.
            if type == .push { try access.documents.forEach { try tablet.put($0.id, $0.body) } }
            try await tablet.run(configuration(tablet, access))
            #expect(try tablet.ids() == access.documents.map(\.id), "\(name): at first")
            let watch = Watch(try configuration(tablet, access, isContinuous: isContinuous))
            if isContinuous { try await watch.start() }
            try access.lose()
            let expected = type == .push ? [] : [event]
            if isContinuous {
                try await watch.wait { $0.count >= expected.count }
                try await watch.stop()
            } else {
                try await watch.run()
            }
            #expect(watch.events == expected, "\(name)")
            let isPurged = type != .push && attitude == .purging
            #expect(try tablet.ids() == (isPurged ? ["both"] : ["both", "lost"]), "\(name): afterwards")
            guard access.loss != .document, type != .push else { return }
            try access.grant()
            try await tablet.run(configuration(tablet, access))
            #expect(try tablet.ids() == ["both", "lost"], "\(name): access regained")
        }

        private var event: Watch.Event {
            Watch.Event(id: "lost", isLost: true, code: attitude == .vetoing ? 10_403 : nil)
        }

        private func configuration(
            _ tablet: Tablet, _ access: Access, isContinuous: Bool = false
        ) throws -> ReplicatorConfiguration {
            var part = CollectionConfiguration(collection: tablet.collection)
            if attitude == .vetoing { part.pullFilter = { _, flags in !flags.contains(.accessRemoved) } }
            var configuration = ReplicatorConfiguration(
                collections: [part], target: URLEndpoint(url: try #require(URL(string: access.gateway.url))))
            configuration.authenticator = BasicAuthenticator(username: access.user, password: "secret")
            configuration.replicatorType = type
            configuration.continuous = isContinuous
            configuration.enableAutoPurge = attitude != .keeping
            return configuration
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: [Loss.channel, .role, .channelOfRole])
    func editsThatNoGatewayGotAreQuarantined(loss: Loss) async throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: [:])
        let access = Access(gateway, "ann", loss)
        try access.grant()
        let tablet = try Tablet()
        let configuration = try tablet.configuration(access, .pull)
        try await tablet.run(configuration)
        try tablet.put("lost", #"{"channels":["ann-one"],"typed":"by hand"}"#)
        try access.lose()
        try await tablet.run(configuration)
        #expect(try tablet.ids() == ["both"])
        let kept = try tablet.database.quarantinedDocuments()
        #expect(kept.map(\.documentID) == ["lost"])
        #expect(kept.allSatisfy { String(decoding: $0.body, as: UTF8.self).contains("by hand") })
    }

    /// The user may not see what the edit started from: it comes back with the access, and not by giving the edit up.
    @Test(.timeLimit(.minutes(2))) func whatWasTakenAwayIsNoVersionToGoBackTo() async throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: [:])
        let access = Access(gateway, "ann", .channel)
        try access.grant()
        let tablet = try Tablet()
        let configuration = try tablet.configuration(access, .pull)
        try await tablet.run(configuration)
        try tablet.put("lost", #"{"channels":["ann-one"],"typed":"by hand"}"#)
        try access.lose()
        try await tablet.run(configuration)
        let kept = try #require(try tablet.database.quarantinedDocuments().first)
        try tablet.database.restoreQuarantinedDocument(kept.id)
        #expect(try tablet.collection.revert(id: "lost") == .purgedToBeFetched)
        #expect(try tablet.ids() == ["both"])
        try await tablet.run(configuration)
        #expect(try tablet.ids() == ["both"])
        try access.grant()
        try await tablet.run(configuration)
        #expect(try tablet.ids() == ["both", "lost"])
    }

    @Test(.timeLimit(.minutes(2))) func chosenDocumentsAreNeverPurged() async throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: [:])
        let access = Access(gateway, "ann", .channel)
        try access.grant()
        let tablet = try Tablet()
        let configuration = try tablet.configuration(access, .pull) { $0.documentIDs = ["lost", "both"] }
        try await tablet.run(configuration)
        try access.lose()
        try await tablet.run(configuration)
        #expect(try tablet.ids() == ["both", "lost"])
    }
}

/// One user's access to two documents, of which she will lose one.
private struct Access {
    let gateway: Gateway
    let user: String
    let loss: AutoPurgeTests.Loss

    init(_ gateway: Gateway, _ user: String, _ loss: AutoPurgeTests.Loss) {
        self.gateway = gateway
        self.user = user
        self.loss = loss
    }

    private var one: String { "\(user)-one" }
    private var two: String { "\(user)-two" }

    /// `both` is in a channel that the user keeps, too.
    var documents: [(id: String, body: String)] {
        [("both", #"{"channels":["\#(one)","\#(two)"]}"#), ("lost", #"{"channels":["\#(one)"]}"#)]
    }

    func grant() throws {
        switch loss {
        case .channel, .document: try setUser(channels: [one, two], roles: [])
        case .role, .channelOfRole:
            try setRole(channels: [one])
            try setUser(channels: [two], roles: [role])
        }
        for document in documents {
            let path = "/db.\(Gateway.collection)/\(document.id)"
            let current = try gateway.admin("GET", path).object["_rev"] as? String
            let answer = try gateway.admin("PUT", path + (current.map { "?rev=\($0)" } ?? ""), document.body)
            guard answer.status == 201 else { throw Gateway.Failure(text: "PUT answered \(answer.status)") }
        }
    }

    func lose() throws {
        switch loss {
        case .channel: try setUser(channels: [two], roles: [])
        case .role: try setUser(channels: [two], roles: [])
        case .channelOfRole: try setRole(channels: [])
        case .document:
            let path = "/db.\(Gateway.collection)/lost"
            let current = try gateway.admin("GET", path).object["_rev"] as? String ?? ""
            let answer = try gateway.admin("PUT", path + "?rev=\(current)", #"{"channels":[]}"#)
            guard answer.status == 201 else { throw Gateway.Failure(text: "PUT answered \(answer.status)") }
        }
    }

    private var role: String { "\(user)-role" }

    private func setUser(channels: [String], roles: [String]) throws {
        // Hashing a password takes its time, so it is set once.
        let isThere = try gateway.admin("GET", "/db/_user/\(user)").status == 200
        let password = isThere ? "" : #""password":"secret","#
        try put("_user/\(user)", #"\#(password)"admin_roles":\#(Self.list(roles)),"#, channels: channels)
    }

    private func setRole(channels: [String]) throws { try put("_role/\(role)", "", channels: channels) }

    private func put(_ path: String, _ more: String, channels: [String]) throws {
        let access = #"{"field":{"inspections":{"admin_channels":\#(Self.list(channels))}}}"#
        let answer = try gateway.admin("PUT", "/db/\(path)", #"{\#(more)"collection_access":\#(access)}"#)
        guard [200, 201].contains(answer.status) else {
            throw Gateway.Failure(text: "PUT \(path) answered \(answer.status)")
        }
    }

    private static func list(_ names: [String]) -> String {
        "[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }
}

/// A database in this process.
private final class Tablet {
    let database: Database
    let collection: DocumentStore.Collection
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tablet-\(UUID().uuidString)")
        database = try Database.open(folder: folder.path)
        collection = try database.createCollection(name: "inspections", scope: "field")
    }

    deinit {
        // A test that fails may leave a replicator running, which keeps the database open.
        try? database.close()
        try? FileManager.default.removeItem(at: folder)
    }

    func put(_ id: String, _ json: String) throws {
        let document = try collection.document(id: id)?.toMutable() ?? MutableDocument(id: id)
        try document.setJSON(json)
        try collection.save(document: document)
    }

    func ids() throws -> [String] { try ["both", "lost"].filter { try collection.document(id: $0) != nil } }

    func configuration(
        _ access: Access, _ type: ReplicatorType, _ change: (inout CollectionConfiguration) -> Void = { _ in }
    ) throws -> ReplicatorConfiguration {
        var part = CollectionConfiguration(collection: collection)
        change(&part)
        var configuration = ReplicatorConfiguration(
            collections: [part], target: URLEndpoint(url: try #require(URL(string: access.gateway.url))))
        configuration.authenticator = BasicAuthenticator(username: access.user, password: "secret")
        configuration.replicatorType = type
        return configuration
    }

    func run(_ configuration: ReplicatorConfiguration) async throws {
        try await Replicator(config: configuration).run()
    }
}

/// A replicator, and what it says of documents that were pulled or lost.
private final class Watch: Sendable {
    struct Event: Hashable, Sendable {
        var id: String
        var isLost: Bool
        var code: Int?
    }

    private let replicator: Replicator
    private let seen = Mutex<[Event]>([])
    private let changes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let tokens = Mutex<[ListenerToken]>([])

    init(_ configuration: ReplicatorConfiguration) {
        replicator = Replicator(config: configuration)
        (changes, continuation) = AsyncStream.makeStream()
        let documents = replicator.addDocumentReplicationListener { [self] replication in
            guard !replication.isPush else { return }
            let events = replication.documents.map { document in
                Event(
                    id: document.id, isLost: document.flags.contains(.accessRemoved),
                    code: (document.error as? ReplicationError)?.code)
            }
            seen.withLock { $0 += events }
            continuation.yield()
        }
        let status = replicator.addChangeListener { [continuation] _ in continuation.yield() }
        tokens.withLock { $0 = [documents, status] }
    }

    var events: [Event] { seen.withLock { $0 } }

    func wait(_ condition: @Sendable ([Event]) -> Bool) async throws {
        if condition(events) { return }
        for await _ in changes where condition(events) { return }
    }

    private func wait(for level: Replicator.ActivityLevel) async throws {
        let replicator = replicator
        try await wait { _ in replicator.status.activity == level }
    }

    func start() async throws {
        replicator.start()
        try await wait(for: .idle)
    }

    func run() async throws {
        try await replicator.run()
        close()
    }

    func stop() async throws {
        replicator.stop()
        try await wait(for: .stopped)
        close()
    }

    /// Breaks the cycle between the replicator's listeners and this.
    private func close() { for token in tokens.withLock({ $0 }) { token.remove() } }
}
