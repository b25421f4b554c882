import DocumentStore
import Foundation
import Testing

/// Each call of the query builder means what its spelling in SQL++ means.
@Suite struct QueryBuilderSpellingTests {
    private typealias Expression = DocumentStore.Expression
    private typealias Pair = (built: any ExpressionProtocol, text: String)

    private let folder: TestFolder
    private let database: Database
    private let notes: DocumentStore.Collection

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        notes = try database.createCollection(name: "c")
        try notes.put(
            "a",
            [
                "n": 5, "m": 2, "f": 2.75, "t": "  Caf\u{E9} Road ", "u": "road", "tags": ["x", "y", 3], "yes": true,
                "when": "2024-03-01T09:30:00.000Z", "ms": 1_709_285_400_000, "o": ["k": [1, 2]],
                "visits": [["n": 1], ["n": 6]],
            ])
        try notes.put(
            "b", ["n": 0, "m": 0, "f": -0.5, "t": "", "u": "ROAD", "tags": [Any](), "yes": false, "visits": [["n": 7]]])
        try notes.put("c", ["n": "text", "m": NSNull(), "f": true, "t": 7, "tags": "none", "when": "soon", "ms": -1])
        try notes.put("d", [:])
        try notes.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSince1970: 4_000_000_000))
    }

    private static func p(_ path: String) -> any PropertyExpressionProtocol { Expression.property(path) }

    private func rows(_ query: Query) throws -> [String] { try query.execute().allResults().map { $0.toJSON() } }

    /// As a column, and as a condition.
    private func expectSame(_ pairs: [Pair], sourceLocation: SourceLocation = #_sourceLocation) throws {
        for (built, text) in pairs {
            let column = QueryBuilder.select(SelectResult.expression(built).as("r")).from(DataSource.collection(notes))
                .orderBy(Ordering.expression(Meta.id))
            let expected = try database.createQuery("SELECT \(text) AS r FROM c ORDER BY META().id")
            #expect(try rows(column) == rows(expected), "\(text)", sourceLocation: sourceLocation)
            let condition = QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.collection(notes))
                .where(built).orderBy(Ordering.expression(Meta.id))
            let found = try database.createQuery("SELECT META().id FROM c WHERE \(text) ORDER BY META().id")
            #expect(try rows(condition) == rows(found), "WHERE \(text)", sourceLocation: sourceLocation)
        }
    }

    // MARK: Operators

    @Test func arithmetic() throws {
        let (n, m) = (Self.p("n"), Self.p("m"))
        try expectSame([
            (n.add(m), "n + m"), (n.subtract(m), "n - m"), (n.multiply(m), "n * m"), (n.divide(m), "n / m"),
            (n.modulo(m), "n % m"), (n.add(m).multiply(Self.p("f")), "(n + m) * f"),
            (n.subtract(m.subtract(Expression.int(1))), "n - (m - 1)"), (Self.p("u").add(n), "u + n"),
        ])
    }

    @Test func comparisons() throws {
        let (n, m) = (Self.p("n"), Self.p("m"))
        try expectSame([
            (n.lessThan(m), "n < m"), (n.lessThanOrEqualTo(m), "n <= m"), (n.greaterThan(m), "n > m"),
            (n.greaterThanOrEqualTo(m), "n >= m"), (n.equalTo(m), "n = m"), (n.notEqualTo(m), "n != m"),
            (n.is(m), "n IS m"), (n.isNot(m), "n IS NOT m"), (m.is(Expression.value(nil)), "m IS (NULL)"),
            (n.between(m, and: Expression.int(5)), "n BETWEEN m AND 5"),
            (n.in([m, Expression.int(5), Expression.string("text")]), "n IN [m, 5, 'text']"), (n.in([]), "n IN []"),
            (Self.p("u").like(Expression.string("r_a%")), "u LIKE 'r_a%'"),
            (Self.p("u").regex(Expression.string("^ro?")), "REGEXP_LIKE(u, '^ro?')"),
            (m.isValued(), "m IS VALUED"), (m.isNotValued(), "m IS NOT VALUED"),
        ])
    }

    @Test func logic() throws {
        let (yes, n) = (Self.p("yes"), Self.p("n"))
        try expectSame([
            (yes.and(n), "yes AND n"), (yes.or(n), "yes OR n"), (Expression.not(yes), "NOT yes"),
            (Expression.negated(n), "NOT n"), (yes.or(n).and(Self.p("m")), "(yes OR n) AND m"),
            (yes.or(n.and(Self.p("m"))), "yes OR n AND m"), (Expression.not(yes.and(n)), "NOT (yes AND n)"),
        ])
    }

    @Test func collations() throws {
        let (u, road) = (Self.p("u"), Expression.string("Road"))
        let (ascii, unicode) = (Collation.ascii(), Collation.unicode())
        try expectSame([
            (u.collate(ascii).equalTo(road), "(u COLLATE CASE) = 'Road'"),
            (u.collate(ascii.ignoreCase(true)).equalTo(road), "(u COLLATE NOCASE) = 'Road'"),
            (u.collate(ascii.ignoreCase(true).ignoreCase(false)).equalTo(road), "(u COLLATE CASE) = 'Road'"),
            (u.collate(unicode).lessThan(road), "(u COLLATE (UNICODE CASE DIAC)) < 'Road'"),
            (u.collate(unicode.ignoreCase(true)).equalTo(road), "(u COLLATE (UNICODE NOCASE DIAC)) = 'Road'"),
            (
                Function.trim(Self.p("t")).collate(unicode.ignoreAccents(true)).equalTo(Expression.string("Cafe Road")),
                "(TRIM(t) COLLATE (UNICODE CASE NODIAC)) = 'Cafe Road'"
            ),
            (u.collate(unicode.locale("sv")).lessThan(road), "(u COLLATE (UNICODE:sv CASE DIAC)) < 'Road'"),
            (u.collate(unicode.locale("de-AT")).lessThan(road), "(u COLLATE (UNICODE:de_AT CASE DIAC)) < 'Road'"),
        ])
    }

    // MARK: Values

    @Test func properties() throws {
        try expectSame([
            (Self.p("o.k[0]"), "o.k[0]"), (Self.p("o.k[-1]"), "o.k[-1]"), (Self.p("tags"), "tags"),
            (Self.p("none.deep"), "none.deep"), (Self.p("n").from("c"), "c.n"), (Self.p("o.k").from("c"), "c.o.k"),
            (Meta.id, "META().id"), (Meta.revisionID, "META().revisionID"), (Meta.sequence, "META().sequence"),
            (Meta.isDeleted, "META().deleted"), (Meta.expiration, "META().expiration"),
            (Meta.id.from("c"), "META(c).id"), (Meta.expiration.from("c").isValued(), "META(c).expiration IS VALUED"),
        ])
    }

    @Test func literals() throws {
        let date = Date(timeIntervalSince1970: 1_709_285_400)
        try expectSame([
            (Expression.string("it's").equalTo(Self.p("u")), "'it''s' = u"), (Expression.string(nil), "NULL"),
            (Expression.int(-7), "-7"), (Expression.int64(.max), "9223372036854775807"),
            (Expression.double(0.1), "0.1"), (Expression.float(1.5), "1.5"), (Expression.boolean(true), "TRUE"),
            (Expression.boolean(false), "FALSE"), (Expression.number(3), "3"), (Expression.number(nil), "NULL"),
            (Expression.date(date).equalTo(Self.p("when")), "'2024-03-01T09:30:00.000Z' = `when`"),
            (Expression.date(nil), "NULL"), (Expression.value(nil), "NULL"), (Expression.array(nil), "NULL"),
            (Expression.array([1, "x", Self.p("n")]), "[1, 'x', n]"), (Expression.dictionary(nil), "NULL"),
            (Expression.dictionary(["a": 1, "b": [Self.p("m")]]), "{'a': 1, 'b': [m]}"),
            (Expression.value([["k": Self.p("u")]]), "[{'k': u}]"),
        ])
    }

    // MARK: Functions

    @Test func mathematics() throws {
        let f = Self.p("f")
        typealias One = (any ExpressionProtocol) -> any ExpressionProtocol
        let functions: [(name: String, make: One)] = [
            ("ABS", Function.abs), ("ACOS", Function.acos), ("ASIN", Function.asin), ("ATAN", Function.atan),
            ("CEIL", Function.ceil), ("COS", Function.cos), ("DEGREES", Function.degrees), ("EXP", Function.exp),
            ("FLOOR", Function.floor), ("LN", Function.ln), ("LOG", Function.log), ("RADIANS", Function.radians),
            ("SIGN", Function.sign), ("SIN", Function.sin), ("SQRT", Function.sqrt), ("TAN", Function.tan),
            ("ROUND", { Function.round($0) }), ("TRUNC", { Function.trunc($0) }),
        ]
        try expectSame(functions.map { ($0.make(f), "\($0.name)(f)") })
        try expectSame([
            (Function.atan2(y: f, x: Self.p("m")), "ATAN2(f, m)"), (Function.e(), "E()"), (Function.pi(), "PI()"),
            (Function.power(base: f, exponent: Self.p("m")), "POWER(f, m)"),
            (Function.round(f, digits: Expression.int(1)), "ROUND(f, 1)"),
            (Function.trunc(f, digits: Expression.int(1)), "TRUNC(f, 1)"),
        ])
    }

    @Test func texts() throws {
        let (t, u) = (Self.p("t"), Self.p("u"))
        try expectSame([
            (Function.contains(t, substring: Expression.string("Road")), "CONTAINS(t, 'Road')"),
            (Function.length(t), "LENGTH(t)"), (Function.lower(t), "LOWER(t)"), (Function.upper(t), "UPPER(t)"),
            (Function.ltrim(t), "LTRIM(t)"), (Function.rtrim(t), "RTRIM(t)"), (Function.trim(t), "TRIM(t)"),
            (Function.contains(Function.lower(t), substring: Function.lower(u)), "CONTAINS(LOWER(t), LOWER(u))"),
        ])
    }

    @Test func dates() throws {
        let (text, number) = (Self.p("when"), Self.p("ms"))
        try expectSame([
            (Function.stringToMillis(text), "STR_TO_MILLIS(`when`)"),
            (Function.stringToUTC(text), "STR_TO_UTC(`when`)"),
            (Function.millisToString(number), "MILLIS_TO_STR(ms)"), (Function.millisToUTC(number), "MILLIS_TO_UTC(ms)"),
        ])
    }

    @Test func arrays() throws {
        let (tags, visits) = (Self.p("tags"), Self.p("visits"))
        let (x, deep) = (ArrayExpression.variable("x"), ArrayExpression.variable("x.n"))
        let (isText, isLarge) = (x.equalTo(Expression.string("x")), deep.greaterThan(Expression.int(5)))
        try expectSame([
            (ArrayFunction.contains(tags, value: Expression.int(3)), "ARRAY_CONTAINS(tags, 3)"),
            (ArrayFunction.length(tags), "ARRAY_LENGTH(tags)"),
            (ArrayExpression.any(x).in(tags).satisfies(isText), "ANY x IN tags SATISFIES x = 'x' END"),
            (ArrayExpression.every(x).in(tags).satisfies(isText), "EVERY x IN tags SATISFIES x = 'x' END"),
            (ArrayExpression.any(x).in(visits).satisfies(isLarge), "ANY x IN visits SATISFIES x.n > 5 END"),
            (ArrayExpression.every(x).in(visits).satisfies(isLarge), "EVERY x IN visits SATISFIES x.n > 5 END"),
            (
                ArrayExpression.anyAndEvery(x).in(visits).satisfies(isLarge),
                "ANY AND EVERY x IN visits SATISFIES x.n > 5 END"
            ),
        ])
    }

    @Test func groups() throws {
        let n = Self.p("n")
        let functions = [Function.avg(n), Function.count(n), Function.min(n), Function.max(n), Function.sum(n)]
        let columns = functions.enumerated().map { SelectResult.expression($1).as("r\($0)") }
        let query = QueryBuilder.select(columns).from(DataSource.collection(notes))
        let text = "SELECT AVG(n) AS r0, COUNT(n) AS r1, MIN(n) AS r2, MAX(n) AS r3, SUM(n) AS r4 FROM c"
        #expect(try rows(query) == rows(try database.createQuery(text)))
        let all = QueryBuilder.select(SelectResult.expression(Function.count(Expression.all())).as("r"))
            .from(DataSource.collection(notes))
        #expect(try rows(all) == [#"{"r":4}"#])
    }
}
