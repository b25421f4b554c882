import DocumentQuery
import DocumentStore
import Foundation
import Testing

/// Random statements over random documents, with random indexes and without: the answers are the same. 1,200 statements a run,
/// each seed with documents and indexes of its own.
@Suite(.serialized) struct RandomIndexTests {
    private static let statements = 150

    /// As in `RandomExpressionTests`.
    private static let seeds: [UInt64] =
        number("FIELDBOOK_QUERY_SEED").map { [$0] } ?? Array(0..<(number("FIELDBOOK_QUERY_SEEDS") ?? 4))

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test(arguments: seeds) func answersAreThoseWithoutIndexes(seed: UInt64) throws {
        let databases = try RandomIndexDatabases(seed: seed)
        var statements = RandomStatements(seed: seed)
        #expect(try databases.createIndexes(statements) > 15)
        var differences: [String] = []
        for round in 0..<2 {
            for _ in 0..<Self.statements {
                differences += [try databases.difference(statements.next())].compactMap { $0 }
            }
            for word in ["a", "ab", "b", "null", "q", "1", "straße", "x OR ab"] {
                let difference = try databases.differenceOfTexts(word, condition: statements.textCondition)
                differences += [difference].compactMap { $0 }
            }
            try databases.checkIndexes()
            if round == 0 { try databases.change() }
        }
        let first = differences.prefix(5).joined(separator: "\n")
        #expect(differences.isEmpty, "FIELDBOOK_QUERY_SEED=\(seed): \(differences.count), such as\n\(first)")
        // Else nothing would be compared.
        #expect(databases.served > Self.statements / 2, "\(databases.served) used an index")
    }
}
