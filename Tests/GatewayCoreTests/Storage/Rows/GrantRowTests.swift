import AccessControl
import DocumentValues
import Testing

@testable import GatewayCore

/// The grants of documents, and what principals hold.
@Suite(.timeLimit(.minutes(1))) struct GrantRowTests {
    typealias Rows = (read: any GrantRows, write: any GrantWrites, principals: any PrincipalWrites)

    static let engines = RowEngine<Rows>.all { ($0.reader.grants, $0.grants, $0.principals) }

    private static let channel = GrantItem.channel("x", in: 1)
    private static let role = GrantItem.role("r")

    @Test(arguments: engines) func holdingsHaveTheirTimes(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            try await rows.write.begin(Self.channel, of: "ann", at: 5)
            try await rows.write.begin(Self.role, of: "ann", at: 6)
            try await rows.write.end(Self.role, of: "ann", history: [SequenceSpan(start: 6, end: 9)])
            #expect(try await rows.read.since(Self.channel, of: "ann") == 5)
            #expect(try await rows.read.ended(Self.role, of: "ann") == [SequenceSpan(start: 6, end: 9)])
            #expect(try await rows.read.held(by: "ann") == [Self.channel])
            #expect(try await rows.read.stays(of: "ann", upTo: 10) == 2)
            #expect(try await rows.read.stays(of: "ann", upTo: 1) == 1)
            #expect(try await rows.read.items(of: "ann") == [Self.channel, Self.role])
            #expect(try await rows.read.since(Self.channel, of: "ANN") == nil)
            #expect(try await rows.read.since(.channel("x", in: 2), of: "ann") == nil)
            var holdings: [String] = []
            try await rows.read.forEachHolding(of: "ann") { item, start, end in
                holdings.append("\(item.name.text) \(start) \(end ?? 0)")
            }
            #expect(holdings.sorted() == ["r 6 9", "x 5 0"])
        }
    }

    @Test(arguments: engines) func whatBeginsAgainKeepsItsHistory(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            let spans = [SequenceSpan(start: 6, end: 9), SequenceSpan(start: 2, end: 3)]
            try await rows.write.end(Self.role, of: "ann", history: spans)
            for start in [12, 14] as [UInt64] { try await rows.write.begin(Self.role, of: "ann", at: start) }
            #expect(try await rows.read.since(Self.role, of: "ann") == 14)
            #expect(try await rows.read.ended(Self.role, of: "ann") == spans.reversed(), "the earliest first")
            try await rows.write.end(Self.role, of: "ann", history: [SequenceSpan(start: 1, end: 20)])
            #expect(try await rows.read.since(Self.role, of: "ann") == nil)
            #expect(try await rows.read.ended(Self.role, of: "ann") == [SequenceSpan(start: 1, end: 20)])
        }
    }

    @Test(arguments: engines) func documentsGrantByThoseWhoWroteThem(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            for document in [1, 2] as [Int64] {
                try await rows.write.insert(Self.channel, to: "ann", by: document, giver: "eve")
                try await rows.write.count(1, begun: document == 1 ? 1 : 0, by: "eve", to: "ann")
            }
            try await rows.write.insert(Self.channel, to: "ann", by: 2, giver: "bob")
            #expect(try await rows.read.giver(of: Self.channel, to: "ann", by: 2) == "eve", "the first one stays")
            try await rows.write.delete(Self.channel, to: "ann", by: 1)
            try await rows.write.count(-1, by: "eve", to: "ann")
            let share = try await rows.read.share(of: "eve", to: "ann")
            #expect(share.count == 1 && share.begun == 1)
            #expect(try await rows.read.count(to: "ann") == 1)
            #expect(try await rows.read.isGrantedByDocument(Self.channel, to: "ann"))
            #expect(try await rows.read.giver(of: Self.channel, to: "ann", by: 1) == nil)
            #expect(try await rows.read.granted(to: "ann") == [Self.channel])
            try await rows.write.delete(Self.channel, to: "ann", by: 2)
            #expect(try await !rows.read.isGrantedByDocument(Self.channel, to: "ann"))
        }
    }

    @Test(arguments: engines) func whatIsErasedHoldsNothing(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            for name in ["ann", "bob"] as [Name] {
                try await rows.write.begin(Self.channel, of: name, at: 5)
                try await rows.write.end(Self.role, of: name, history: [SequenceSpan(start: 6, end: 9)])
            }
            try await rows.write.insert(Self.role, to: "ann", by: 2, giver: "bob")
            try await rows.principals.erase("ann")
            #expect(try await rows.read.items(of: "ann") == [Self.role], "documents grant to those who come later")
            #expect(try await rows.read.stays(of: "ann", upTo: 9) == 0)
            #expect(try await rows.read.items(of: "bob") == [Self.channel, Self.role])
        }
    }
}
