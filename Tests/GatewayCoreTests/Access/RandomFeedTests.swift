import AccessModels
import DocumentValues
import Foundation
import SeededRandom
import Testing

@testable import GatewayCore

/// Runs the random histories of the access-control tests on the gateway's own tables and feeds.
///
/// `FIELDBOOK_HISTORIES` runs so many times as many.
@Suite(.timeLimit(.minutes(5))) struct RandomFeedTests {
    private static let factor = ProcessInfo.processInfo.environment["FIELDBOOK_HISTORIES"].flatMap { Int($0) } ?? 1
    private static let user = Requester.user(Name(AccessHistory.user))

    @Test(arguments: 0..<4)
    func shortHistories(part: Int) async throws { try await run(.short, part, count: 48 * Self.factor) }

    @Test(arguments: 0..<4)
    func longHistories(part: Int) async throws { try await run(.long, part, count: 2 * Self.factor) }

    private func run(_ size: AccessHistory.Size, _ part: Int, count: Int) async throws {
        for seed in (part * count)..<((part + 1) * count) {
            try await TestDatabase.run { test in
                var run = HistoryRun(test: test, history: AccessHistory(seed: UInt64(seed), size: size))
                if let problem = try await run.problem() { Issue.record("seed \(seed): \(problem)") }
            }
        }
    }

    private struct Client {
        var since = SequenceID.zero
        var documents: [String: UInt64] = [:]
    }

    /// One history on one database.
    private struct HistoryRun {
        let test: TestDatabase
        var history: AccessHistory
        /// The user and the roles take the first sequences.
        var facts = AccessFacts(sequence: 3)
        var clients: [Client]
        /// The positions from which a feed may be requested.
        var positions: [SequenceID] = [.zero]

        init(test: TestDatabase, history: AccessHistory) {
            self.test = test
            self.history = history
            clients = [Client](repeating: Client(), count: history.size.clients)
        }

        mutating func problem() async throws -> String? {
            try await test.putUser(AccessHistory.user)
            for role in AccessHistory.roles { try await test.putRole(role, channels: []) }
            for round in 0..<history.size.rounds {
                for _ in 0...history.random.number(below: history.size.changesPerRound) { try await change() }
                for index in clients.indices where history.random.number(below: 3) > 0 {
                    let isInterrupted = history.random.number(below: 2) == 0
                    try await read(index, atMost: isInterrupted ? history.random.number(below: 5) : .max)
                    if !isInterrupted, let problem = difference(index) { return "round \(round): \(problem)" }
                }
                if let problem = try await differenceOfPages() { return "round \(round): \(problem)" }
            }
            for index in clients.indices {
                try await read(index, atMost: .max)
                if let problem = difference(index) { return "at the end: \(problem)" }
            }
            return nil
        }

        private mutating func change() async throws {
            let change = history.next()
            facts.apply(change)
            switch change {
            case .write(let document): try await write(document)
            case .channels(let names, AccessHistory.user):
                try await test.grant(AccessHistory.user, channels: names.sorted())
            case .channels(let names, let role):
                try await test.putRole(String(role.dropFirst("role:".count)), channels: names.sorted())
            case .roles(let names): try await test.grant(AccessHistory.user, roles: names.sorted())
            }
            #expect(test.database.lastSequence == facts.sequence)
        }

        private func write(_ document: WrittenDocument) async throws {
            func list(_ names: Set<String>) -> JSONValue { .array(names.sorted().map { .string($0) }) }
            var body = JSONObject()
            body["channels"] = list(document.channels)
            body["_deleted"] = document.isDeleted ? true : nil
            let access = document.access.map { JSONObject.Member(key: $0.key, value: list($0.value)) }
            body["access"] = .object(JSONObject(members: access))
            body["roles"] = .object([AccessHistory.user: list(document.roles)])
            // Equal bodies would make equal revisions.
            body["n"] = .number(JSONNumber(facts.sequence))
            try await test.put(document.id, .object(body))
        }

        /// Acts as a client with auto-purge: it loads each announced document, unless the row reports a loss of access.
        private mutating func read(_ index: Int, atMost limit: Int) async throws {
            let request = ChangesRequest(
                collection: TestDatabase.collection, since: clients[index].since, revocations: true,
                reportsLossesInPlace: true)
            let rows = try await test.database.feeds.changes(request, as: user).next(limit: limit).rows
            let loaded = try await test.currentRevisions(rows.map(\.id), as: user)
            for (row, document) in zip(rows, loaded) {
                clients[index].since = try #require(SequenceID(parsing: row.sequence.description))
                let isLeft = row.isRemovedFromAll && !row.isDeleted
                if isLeft, !row.isRevoked, row.isVisibleOtherwise { continue }
                let isGone = row.isRevoked || isLeft || document.map { $0.isDeleted || $0.isRedacted } ?? true
                clients[index].documents[row.id] = isGone ? nil : document?.sequence
            }
        }

        /// Compares the rows that come at once with those that come in pages.
        private mutating func differenceOfPages() async throws -> String? {
            let request = ChangesRequest(
                collection: TestDatabase.collection, since: positions[history.random.number(below: positions.count)],
                channels: history.random.number(below: 4) == 0 ? ["a", "b"] : nil,
                revocations: history.random.number(below: 3) > 0,
                reportsLossesInPlace: history.random.number(below: 2) == 0, includesUser: true)
            let whole = try await test.changes(request, as: user)
            let limit = 1 + history.random.number(below: 4)
            let paged = try await test.pages(of: limit, request, as: user)
            positions += whole.map(\.sequence)
            positions.append(SequenceID(facts.sequence))
            return paged == whole ? nil : "\(request): pages of \(limit) are \(paged), in one go \(whole)"
        }

        private func difference(_ index: Int) -> String? {
            let (documents, visible) = (clients[index].documents, facts.visible)
            guard documents != visible else { return nil }
            return "the client at \(clients[index].since) has \(documents), but sees \(visible)"
        }
    }
}
