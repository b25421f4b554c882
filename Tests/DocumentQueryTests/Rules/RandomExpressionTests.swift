import DocumentQuery
import DocumentStore
import Foundation
import Testing

/// Random expressions over random documents: what queries make of them is what the rules of the language say, in
/// `RuleInterpreter`. 100,000 values a run, each seed with documents of its own.
@Suite(.serialized) struct RandomExpressionTests {
    private static let queries = 10
    private static let columns = 50
    private static let conditions = 60
    private static let indexedConditions = 100
    private static let refused = 40

    /// `FIELDBOOK_QUERY_SEED` runs one again, `FIELDBOOK_QUERY_SEEDS` more of them.
    private static let seeds: [UInt64] =
        number("FIELDBOOK_QUERY_SEED").map { [$0] } ?? Array(0..<(number("FIELDBOOK_QUERY_SEEDS") ?? 10))

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test(arguments: seeds) func valuesAreThoseOfTheRules(seed: UInt64) throws {
        let database = try RandomDatabase(seed: seed)
        var random = RandomExpressions(seed: seed, source: RandomDatabase.source)
        var differences: [RandomDatabase.Difference] = []
        for _ in 0..<Self.queries {
            let expressions = (0..<Self.columns).map { _ in random.next() }
            try RuleChecks.check(expressions)
            do { differences += try database.compareColumns(expressions) } catch {
                Issue.record("seed \(seed): \(error)\n\(expressions.map(QueryWriter.text).joined(separator: "\n"))")
            }
        }
        for _ in 0..<Self.conditions {
            let condition = random.next()
            do { differences += try database.compareCondition(condition) } catch {
                Issue.record("seed \(seed): \(error)\n\(QueryWriter.text(condition))")
            }
        }
        report(differences, seed: seed)
        // Else nobody would notice that nothing is compared any more.
        #expect(
            database.compared > 10_000 && database.leftOpen * 10 < database.compared, "left open: \(database.leftOpen)")
    }

    private func report(_ differences: [RandomDatabase.Difference], seed: UInt64) {
        guard !differences.isEmpty else { return }
        let first = differences.prefix(8).map { "\($0)" }.joined(separator: "\n")
        Issue.record("FIELDBOOK_QUERY_SEED=\(seed): \(differences.count) differences, such as\n\(first)")
    }

    /// With indexes of all members the same documents are found.
    @Test(arguments: seeds) func conditionsWithIndexes(seed: UInt64) throws {
        let database = try RandomDatabase(seed: seed)
        try database.createIndexes()
        var random = RandomExpressions(seed: seed, source: RandomDatabase.source)
        var differences: [RandomDatabase.Difference] = []
        for _ in 0..<Self.indexedConditions {
            differences += try database.compareCondition(random.nextCondition())
        }
        report(differences, seed: seed)
        #expect(database.compared > Self.indexedConditions * 10)
    }

    /// A mistake anywhere in an expression makes the query fail.
    @Test(arguments: seeds) func mistakesAreRefused(seed: UInt64) throws {
        let database = try RandomDatabase(seed: seed)
        var random = RandomExpressions(seed: seed, source: RandomDatabase.source)
        for _ in 0..<Self.refused {
            let condition = random.nextMistake()
            #expect(throws: RuleError.self) { try RuleChecks.check([condition]) }
            #expect(throws: StoreError.self, "seed \(seed): \(QueryWriter.text(condition))") {
                try database.compareCondition(condition)
            }
        }
    }
}

extension RandomExpressions {
    /// A call with an argument too many or too few, a variable that is used twice, an aggregate or a search where none can
    /// be, somewhere inside another expression.
    fileprivate mutating func nextMistake() -> QueryExpression {
        let (inner, outer, other) = (next(), next(), next())
        let mistake: QueryExpression =
            switch number(below: 6) {
            case 0: .call("ABS", [])
            case 1: .call("ATAN2", [inner])
            case 2: .call("NULLIF", [inner, .missing, .missing])
            case 3: .aggregate("MAX", [inner], isDistinct: false)
            case 4: .unary(.not, .match(index: QueryPath(keys: ["index"]), text: inner))
            default: .binary(.and, Self.twice("same", in: inner), Self.twice("same", in: inner))
            }
        return number(below: 2) == 0
            ? .choice(
                subject: outer, branches: [ChoiceBranch(condition: other, result: .array([mistake]))], otherwise: nil)
            : .among(.object([(key: "key", value: mistake)]), list: .array([outer, other]), isNegated: true)
    }

    private static func twice(_ variable: String, in list: QueryExpression) -> QueryExpression {
        .quantified(.every, variable: variable, list: .array([]), condition: .binary(.less, list, .missing))
    }
}
