import AccessControl
import AccessModels
import DocumentValues
import Foundation
import SeededRandom
import Testing

/// However many rows a reader takes at once, a feed is the same.
///
/// `FIELDBOOK_HISTORIES` runs so many times as many histories.
@Suite struct PageTests {
    private static let factor = ProcessInfo.processInfo.environment["FIELDBOOK_HISTORIES"].flatMap { Int($0) } ?? 1
    private static let count = 300 * factor

    private static let requests = [true, false].flatMap { revocations in
        [nil, ["a"], ["*"], ["b", "c"]].flatMap { (channels: Set<Name>?) in
            [true, false].map {
                ModelGateway.Request(wantsRevocations: revocations, reportsLossesInPlace: $0, channels: channels)
            }
        }
    }

    @Test func pagesOfAnySizeAreOneFeed() {
        for seed in 0..<Self.count {
            guard let problem = Self.problem(AccessHistory(seed: UInt64(seed), size: .long)) else { continue }
            Issue.record("seed \(seed): \(problem)")
            return
        }
    }

    /// The REST feed gives a reader who takes every feed to its end, in pages, all that the reader has to know, and no
    /// row twice.
    @Test func readersOfPagesEndRight() {
        for seed in 0..<Self.count {
            var reader = PageReader(AccessHistory(seed: UInt64(seed), size: .long))
            guard let problem = reader.problem() else { continue }
            Issue.record("seed \(seed): \(problem)")
            return
        }
    }

    private static func problem(_ history: AccessHistory) -> String? {
        var history = history
        var gateway = ModelGateway()
        var positions: [SequenceID] = [.zero]
        for _ in 0..<10 {
            for _ in 0...history.random.number(below: history.size.changesPerRound) { gateway.apply(history.next()) }
            let request = requests[history.random.number(below: requests.count)]
            let since = positions[history.random.number(below: positions.count)]
            let view = gateway.view
            let whole = gateway.feed(since: since, view, request)
            for limit in [1, 2, 3, 7] {
                let paged = pages(of: limit, since, gateway, view, request)
                guard paged != whole else { continue }
                return "\(request) since \(since): pages of \(limit) are \(paged), in one go \(whole)"
            }
            positions += whole.map(\.sequence)
            positions.append(SequenceID(gateway.facts.sequence))
        }
        return nil
    }

    static func pages(
        of limit: Int, _ since: SequenceID, _ gateway: ModelGateway, _ view: AccessView,
        _ request: ModelGateway.Request
    ) -> [ModelGateway.Row] {
        var rows: [ModelGateway.Row] = []
        var since = since
        while true {
            let page = gateway.feed(since: since, view, request).prefix(limit)
            guard let last = page.last else { return rows }
            rows += page
            since = last.sequence
        }
    }

    /// A reader as of Sync Gateway's REST feed.
    private struct PageReader {
        var history: AccessHistory
        var gateway = ModelGateway()
        var since = SequenceID.zero
        var documents: [String: UInt64] = [:]
        var reported: Set<ModelGateway.Row> = []

        init(_ history: AccessHistory) { self.history = history }

        mutating func problem() -> String? {
            for _ in 0..<history.size.rounds {
                for _ in 0...history.random.number(below: history.size.changesPerRound) {
                    gateway.apply(history.next())
                }
                if let problem = read() { return problem }
            }
            return nil
        }

        private mutating func read() -> String? {
            let view = gateway.view
            let limit = 1 + history.random.number(below: 5)
            for row in pages(of: limit, since, gateway, view, ModelGateway.Request(reportsLossesInPlace: false)) {
                since = row.sequence
                guard reported.insert(row).inserted else { return "reported twice: \(row)" }
                let isGone = row.isLost || !gateway.isVisible(row.id, view)
                documents[row.id] = isGone ? nil : gateway.facts.documents[row.id]?.sequence
            }
            let visible = gateway.facts.visible
            return documents == visible ? nil : "at \(since) there is \(documents), but to be seen \(visible)"
        }
    }
}
