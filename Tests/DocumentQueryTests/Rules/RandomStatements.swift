import DocumentQuery
import DocumentStore
import DocumentValues
import SeededRandom

/// Random statements, and indexes that some of them can use: their expressions are those of the indexes.
struct RandomStatements {
    static let source = RandomDatabase.source
    private static let keyCount = 8
    private static let conditionCount = 3
    private static let arrays = ["a", "l", "o.a", "a[].i", "l[].l", "p.l[].s"]

    /// A statement, and how its answers are compared.
    struct Random: Sendable {
        let statement: SelectStatement
        let comparison: RandomAnswer.Comparison
    }

    private var expressions: RandomExpressions
    private var keys: [QueryExpression] = []
    private var conditions: [QueryExpression] = []

    init(seed: UInt64) {
        expressions = RandomExpressions(seed: seed, source: Self.source)
        while keys.count < Self.keyCount { keys += [expressions.nextKey()].filter(\.isWithoutParameters) }
        while conditions.count < Self.conditionCount {
            let condition = conditions.count == 0 ? expressions.nextQuantified() : expressions.nextCondition()
            conditions += [condition].filter(\.isWithoutParameters)
        }
    }

    // MARK: Indexes

    /// Of one expression, of two, of some documents only, and of arrays.
    var indexes: [any IndexConfiguration] {
        let texts = keys.map(QueryWriter.text)
        let single = texts.map { ValueIndexConfiguration([$0]) }
        let pairs = zip(texts, texts.dropFirst(3)).map { ValueIndexConfiguration([$0, $1]) }
        let partial = zip(texts.reversed(), conditions).map {
            ValueIndexConfiguration([$0], where: QueryWriter.text($1))
        }
        let arrays = Self.arrays.map { ArrayIndexConfiguration(path: $0) }
        let members = [ArrayIndexConfiguration(path: "l", expressions: ["i", "s"])]
        return single + pairs + partial + arrays + members
    }

    /// The condition of a full-text index of some documents only.
    var textCondition: String { QueryWriter.text(conditions[0]) }

    // MARK: Statements

    mutating func next() -> Random {
        switch expressions.number(below: 10) {
        case 0, 1: found()
        case 2: distinct()
        case 3: groups()
        case 4: ordered()
        case 5: elements()
        case 6: joined()
        case 7: extreme()
        case 8: selected()
        default: listed()
        }
    }

    private mutating func pick(_ list: [QueryExpression]) -> QueryExpression {
        list[expressions.number(below: list.count)]
    }

    /// A comparison of what an index has, often with the condition of a partial index.
    private mutating func condition() -> QueryExpression {
        let key = pick(keys)
        let first =
            key.isQuantified && expressions.number(below: 2) == 0
            ? (expressions.number(below: 3) == 0 ? .unary(.not, key) : key) : expressions.nextComparison(of: key)
        switch expressions.number(below: 5) {
        case 0, 1: return .binary(.and, first, pick(conditions))
        case 2: return .binary(.and, expressions.nextCondition(), first)
        case 3: return .binary(.or, first, expressions.nextCondition())
        default: return first
        }
    }

    private static let id = ResultColumn(.meta(alias: nil, key: "id"), alias: "id")

    private func statement(
        _ columns: [ResultColumn], where condition: QueryExpression? = nil, isDistinct: Bool = false,
        order: [QueryExpression] = [], isDescending: Bool = false, limit: Int? = nil
    ) -> SelectStatement {
        SelectStatement(
            isDistinct: isDistinct, columns: columns, sources: [QuerySource(.collection([Self.source]))],
            condition: condition, order: order.map { OrderTerm($0, isDescending: isDescending) },
            limit: limit.map { .literal(.int(Int64($0))) })
    }

    private mutating func found() -> Random {
        Random(statement: statement([Self.id], where: condition()), comparison: .asSets)
    }

    private mutating func selected() -> Random {
        let columns = [Self.id, ResultColumn(pick(keys)), ResultColumn(pick(keys), alias: "k2")]
        return Random(statement: statement(columns, where: condition()), comparison: .asSets)
    }

    private mutating func distinct() -> Random {
        let key = pick(keys)
        let hasCondition = expressions.number(below: 2) == 0
        return Random(
            statement: statement([ResultColumn(key)], where: hasCondition ? condition() : nil, isDistinct: true),
            comparison: .asSetsOfEqualNumbers)
    }

    private mutating func ordered() -> Random {
        let key = pick(keys)
        let hasCondition = expressions.number(below: 2) == 0
        return Random(
            statement: statement(
                [Self.id, ResultColumn(key, alias: "k")], where: hasCondition ? condition() : nil,
                order: [key, .meta(alias: nil, key: "id")], isDescending: expressions.number(below: 2) == 0,
                limit: expressions.number(below: 2) == 0 ? 1 + expressions.number(below: 8) : nil),
            comparison: .inOrder)
    }

    private mutating func groups() -> Random {
        let key = pick(keys)
        var result = statement(
            [
                ResultColumn(key), ResultColumn(.aggregate("COUNT", [], isDistinct: false)),
                ResultColumn(.aggregate("COUNT", [pick(keys)], isDistinct: true)),
            ], where: expressions.number(below: 2) == 0 ? condition() : nil)
        result.grouping = [key]
        return Random(statement: result, comparison: .asSetsOfEqualValues)
    }

    private mutating func extreme() -> Random {
        let names = ["MAX", "MIN", "COUNT"]
        let name = names[expressions.number(below: names.count)]
        let column = ResultColumn(.aggregate(name, [pick(keys)], isDistinct: name == "COUNT"))
        let hasCondition = expressions.number(below: 2) == 0
        return Random(
            statement: statement([column], where: hasCondition ? condition() : nil), comparison: .asSetsOfEqualValues)
    }

    /// In a list that is the same for all rows.
    private mutating func listed() -> Random {
        let condition = QueryExpression.among(pick(keys), list: .parameter("list"), isNegated: false)
        return Random(statement: statement([Self.id], where: condition), comparison: .asSets)
    }

    /// The elements of an array, or of arrays in it.
    private mutating func elements() -> Random {
        let path = Self.arrays[expressions.number(below: Self.arrays.count)]
        var sources = [QuerySource(.collection([Self.source]), alias: "d")]
        for part in path.replacing("[].", with: "/").split(separator: "/") {
            let keys =
                [sources.count == 1 ? "d" : "e\(sources.count - 1)"] + part.split(separator: ".").map(String.init)
            sources.append(
                QuerySource(
                    .elements(of: .property(QueryPath(keys: keys))), alias: "e\(sources.count)", joining: .unnest))
        }
        let element = QueryExpression.property(QueryPath(keys: ["e\(sources.count - 1)"]))
        let member = QueryExpression.property(QueryPath(keys: ["e\(sources.count - 1)", "i"]))
        let condition = expressions.nextComparison(of: expressions.number(below: 4) == 0 ? member : element)
        return Random(
            statement: SelectStatement(
                columns: [ResultColumn(.meta(alias: "d", key: "id"), alias: "id"), ResultColumn(element, alias: "e")],
                sources: sources, condition: condition.isOfMembers ? .binary(.equal, element, element) : condition),
            comparison: .asSets)
    }

    private mutating func joined() -> Random {
        func member(_ name: String, of alias: String) -> QueryExpression { .property(QueryPath(keys: [alias, name])) }
        let names = RandomDocuments.names
        let (left, right) = (
            names[expressions.number(below: names.count)], names[expressions.number(below: names.count)]
        )
        let isByID = expressions.number(below: 3) == 0
        let other = isByID ? QueryExpression.meta(alias: "e", key: "id") : member(right, of: "e")
        let joining: QuerySource.Joining = expressions.number(below: 3) == 0 ? .left : .inner
        return Random(
            statement: SelectStatement(
                columns: [
                    ResultColumn(.meta(alias: "d", key: "id"), alias: "did"),
                    ResultColumn(.meta(alias: "e", key: "id"), alias: "eid"),
                ],
                sources: [
                    QuerySource(.collection([Self.source]), alias: "d"),
                    QuerySource(
                        .collection([Self.source]), alias: "e", joining: joining,
                        condition: .binary(.equal, other, member(left, of: "d"))),
                ],
                condition: expressions.number(below: 2) == 0
                    ? expressions.nextComparison(of: member(right, of: "d")) : nil),
            comparison: .asSets)
    }
}

extension QueryExpression {
    fileprivate var isWithoutParameters: Bool { !contains { if case .parameter = $0 { true } else { false } } }

    fileprivate var isQuantified: Bool { if case .quantified = self { true } else { false } }

    /// Whether it has a path of one name, which is of no alias.
    fileprivate var isOfMembers: Bool {
        contains { part in
            guard case .property(let path) = part, let first = path.firstKey else { return false }
            return RandomDocuments.names.contains(first) || first.isExactly(RandomStatements.source)
                || first.isExactly("nope")
        }
    }
}
