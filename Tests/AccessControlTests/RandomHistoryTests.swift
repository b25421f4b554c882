import AccessControl
import AccessModels
import DocumentValues
import Foundation
import SeededRandom
import Testing

/// Clients that follow the feed, with interruptions anywhere, must end up with exactly what they may see.
///
/// `FIELDBOOK_HISTORIES` runs so many times as many histories.
@Suite struct RandomHistoryTests {
    private struct Client {
        var since = SequenceID.zero
        var documents: [String: UInt64] = [:]

        /// Reads some of a pass, or all of it.
        mutating func read(_ gateway: ModelGateway, atMost limit: Int) {
            let view = gateway.view
            for row in gateway.feed(since: since, view).prefix(limit) {
                since = row.sequence
                // What is loaded is the current revision, if it is still visible.
                let isGone = row.isLost || !gateway.isVisible(row.id, view)
                documents[row.id] = isGone ? nil : gateway.facts.documents[row.id]?.sequence
            }
        }
    }

    private static let parts = 10
    private static let factor = ProcessInfo.processInfo.environment["FIELDBOOK_HISTORIES"].flatMap { Int($0) } ?? 1

    @Test(arguments: 0..<parts)
    func shortHistories(part: Int) { run(.short, part, count: 40_000) }

    @Test(arguments: 0..<parts)
    func longHistories(part: Int) { run(.long, part, count: 300) }

    private func run(_ size: AccessHistory.Size, _ part: Int, count: Int) {
        let share = count * Self.factor / Self.parts
        for seed in (part * share)..<((part + 1) * share) {
            guard let problem = Self.problem(AccessHistory(seed: UInt64(seed), size: size)) else { continue }
            Issue.record("seed \(seed): \(problem)")
            return
        }
    }

    /// What a client has after a whole pass and may not have, or the other way round.
    private static func problem(_ history: AccessHistory) -> String? {
        var history = history
        var gateway = ModelGateway()
        var clients = [Client](repeating: Client(), count: history.size.clients)
        for round in 0..<history.size.rounds {
            for _ in 0...history.random.number(below: history.size.changesPerRound) { gateway.apply(history.next()) }
            for index in clients.indices where history.random.number(below: 3) > 0 {
                let isInterrupted = history.random.number(below: 2) == 0
                clients[index].read(gateway, atMost: isInterrupted ? history.random.number(below: 5) : .max)
                if !isInterrupted, let problem = difference(clients[index], gateway) {
                    return "round \(round): \(problem)"
                }
            }
        }
        for var client in clients {
            client.read(gateway, atMost: .max)
            if let problem = difference(client, gateway) { return "at the end: \(problem)" }
        }
        return nil
    }

    private static func difference(_ client: Client, _ gateway: ModelGateway) -> String? {
        let visible = gateway.facts.visible
        guard client.documents != visible else { return nil }
        return "the client at \(client.since) has \(client.documents), but sees \(visible)"
    }
}
