import DocumentQuery
import DocumentStore
import Foundation
import Testing

/// Queries that are built by calls: they mean what the same text means.
struct QueryBuilderTests {
    private let golden: GoldenDatabase
    private var database: Database { golden.database }
    private let sites: DocumentStore.Collection
    private let inspections: DocumentStore.Collection

    init() throws {
        golden = try GoldenDatabase()
        sites = try golden.collection("field.sites")
        inspections = try golden.collection("field.inspections")
    }

    private typealias Expression = DocumentStore.Expression

    private func rows(_ query: Query) throws -> [String] { try query.execute().allResults().map { $0.toJSON() } }

    private func expectSame(_ query: Query, as text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let expected = try database.createQuery(text)
        #expect(try rows(query) == rows(expected), sourceLocation: sourceLocation)
        #expect(
            try query.execute().columnNames == expected.execute().columnNames, sourceLocation: sourceLocation)
    }

    @Test func whereOrderAndLimit() throws {
        let query =
            QueryBuilder
            .select(SelectResult.expression(Meta.id), SelectResult.property("geo.lat"), SelectResult.property("name"))
            .from(DataSource.collection(sites))
            .where(
                Expression.property("region").equalTo(Expression.string("north"))
                    .or(Expression.property("name").like(Expression.string("%a%")))
            )
            .orderBy(Ordering.property("name").descending(), Ordering.expression(Meta.id))
            .limit(Expression.int(3), offset: Expression.int(1))
        try expectSame(
            query,
            as: """
                SELECT META().id, geo.lat, name FROM field.sites WHERE region = 'north' OR name LIKE '%a%'
                ORDER BY name DESC, META().id LIMIT 3 OFFSET 1
                """)
    }

    @Test func wholeDocuments() throws {
        try expectSame(
            QueryBuilder.select(SelectResult.all()).from(DataSource.collection(sites)), as: "SELECT * FROM field.sites")
        let result = try QueryBuilder.select(SelectResult.all())
            .from(DataSource.collection(sites).as("s")).execute().next()
        #expect(result?.dictionary(forKey: "s")?.string(forKey: "name") != nil)
    }

    /// As a query in JSON without them.
    @Test func withoutColumnsThereAreIDsAndSequences() throws {
        try expectSame(
            QueryBuilder.select().from(DataSource.collection(sites)).orderBy(Ordering.expression(Meta.id)),
            as: "SELECT META().id AS _id, META().sequence AS _sequence FROM field.sites ORDER BY META().id")
        try expectSame(
            QueryBuilder.selectDistinct([]).from(DataSource.collection(sites).as("s")),
            as: "SELECT DISTINCT META(s).id AS _id, META(s).sequence AS _sequence FROM field.sites AS s")
    }

    @Test func joins() throws {
        let query =
            QueryBuilder
            .select(
                SelectResult.expression(Expression.property("name").from("s")),
                SelectResult.expression(Meta.id.from("i")).as("inspection"), SelectResult.all().from("i")
            )
            .from(DataSource.collection(sites).as("s"))
            .join(
                Join.leftJoin(DataSource.collection(inspections).as("i"))
                    .on(Meta.id.from("s").equalTo(Expression.property("site").from("i")))
            )
            .orderBy(Ordering.expression(Expression.property("name").from("s")), Ordering.expression(Meta.id.from("i")))
        try expectSame(
            query,
            as: """
                SELECT s.name, META(i).id AS inspection, i.* FROM field.sites AS s
                LEFT JOIN field.inspections AS i ON META(s).id = i.site ORDER BY s.name, META(i).id
                """)
    }

    @Test func groups() throws {
        let query =
            QueryBuilder
            .select(
                SelectResult.property("region"), SelectResult.expression(Function.count(Expression.all())).as("n")
            )
            .from(DataSource.collection(sites)).groupBy(Expression.property("region"))
            .having(Function.count(Expression.all()).greaterThanOrEqualTo(Expression.int(1)))
            .orderBy(Ordering.property("region"))
        try expectSame(
            query,
            as: "SELECT region, COUNT(*) AS n FROM field.sites GROUP BY region HAVING COUNT(*) >= 1 ORDER BY region")
    }

    @Test func distinctValuesAndParameters() throws {
        let query = QueryBuilder.selectDistinct(SelectResult.property("region"))
            .from(DataSource.collection(sites))
            .where(Expression.property("region").equalTo(Expression.parameter("r")))
        #expect(try rows(query) == [])
        query.parameters = Parameters().setString("north", forName: "r")
        #expect(try rows(query) == [#"{"region":"north"}"#])
    }

    @Test func arrays() throws {
        let tag = ArrayExpression.variable("t")
        let one = try golden.collection("one")
        let query =
            QueryBuilder
            .select(
                SelectResult.expression(ArrayFunction.length(Expression.property("as"))),
                SelectResult.expression(
                    ArrayFunction.contains(Expression.property("as"), value: Expression.string("b")))
            )
            .from(DataSource.collection(one))
            .where(
                ArrayExpression.any(tag).in(Expression.property("as")).satisfies(tag.equalTo(Expression.string("c")))
                    .and(Expression.string("a").in([Expression.property("s"), Expression.int(1)])))
        try expectSame(
            query,
            as: """
                SELECT ARRAY_LENGTH(`as`), ARRAY_CONTAINS(`as`, 'b') FROM one
                WHERE ANY t IN `as` SATISFIES t = 'c' END AND 'a' IN [s, 1]
                """)
        let every = ArrayExpression.every(ArrayExpression.variable("x")).in(Expression.property("ao"))
            .satisfies(ArrayExpression.variable("x.y").isValued())
        #expect(
            try rows(QueryBuilder.select(SelectResult.property("s")).from(DataSource.collection(one)).where(every))
                == [])
    }

    @Test func values() throws {
        let one = try golden.collection("one")
        let list = ["a", 1, Expression.property("s")] as [Any]
        let query =
            QueryBuilder
            .select(
                SelectResult.expression(Expression.string("s")),
                SelectResult.expression(Expression.dictionary(["k": list, "n": NSNull()])).as("o"),
                SelectResult.expression(Expression.not(Expression.boolean(true))),
                SelectResult.expression(Expression.double(1.5).add(Expression.int(2)).multiply(Expression.int(2))),
                SelectResult.expression(Expression.int(7).between(Expression.int(1), and: Expression.int(7))).as("b"),
                SelectResult.expression(Expression.value(nil).is(Expression.value(nil))).as("is")
            )
            .from(DataSource.collection(one))
        #expect(
            try rows(query) == [#"{"$1":"s","o":{"k":["a",1,"a"],"n":null},"$2":false,"$3":7.0,"b":1,"is":1}"#])
    }

    @Test func functions() throws {
        let one = try golden.collection("one")
        let s = Expression.property("str")
        let query =
            QueryBuilder
            .select(
                [
                    Function.upper(s), Function.lower(s), Function.length(s), Function.trim(s),
                    Function.contains(s, substring: Expression.string("lo")), Function.abs(Expression.int(-2)),
                    Function.round(Expression.double(2.25), digits: Expression.int(1)), Function.pi(),
                    Function.power(base: Expression.int(2), exponent: Expression.int(3)),
                    Function.stringToMillis(Expression.string("2024-01-01T00:00:00Z")),
                    Function.millisToUTC(Expression.int(0)), s.regex(Expression.string("^h")),
                    Function.atan2(y: Expression.int(0), x: Expression.int(1)),
                ].enumerated().map { SelectResult.expression($1).as("r\($0)") }
            )
            .from(DataSource.collection(one))
        try expectSame(
            query,
            as: """
                SELECT UPPER(str) AS r0, LOWER(str) AS r1, LENGTH(str) AS r2, TRIM(str) AS r3, CONTAINS(str, 'lo') AS r4,
                ABS(-2) AS r5, ROUND(2.25, 1) AS r6, PI() AS r7, POWER(2, 3) AS r8,
                STR_TO_MILLIS('2024-01-01T00:00:00Z') AS r9, MILLIS_TO_UTC(0) AS r10, REGEXP_LIKE(str, '^h') AS r11,
                ATAN2(0, 1) AS r12 FROM one
                """)
    }

    @Test func collations() throws {
        let mixed = try golden.collection("mixed")
        let name = Expression.property("v")
        let query = QueryBuilder.select(SelectResult.property("v")).from(DataSource.collection(mixed))
            .where(name.collate(Collation.unicode().ignoreCase(true)).equalTo(Expression.string("a")))
            .orderBy(Ordering.expression(name.collate(Collation.unicode().ignoreAccents(true))), Ordering.property("k"))
        #expect(try rows(query).count == 2)
        let (letter, ascii) = (Expression.string("A"), Collation.ascii().ignoreCase(true))
        let conditions = [
            name.between(letter, and: letter), name.in([letter]), name.like(letter),
            name.equalTo(letter).and(Expression.property("k").greaterThan(Expression.int(0))),
        ]
        for condition in conditions {
            let letters = QueryBuilder.select(SelectResult.property("v")).from(DataSource.collection(mixed))
                .where(condition.collate(ascii))
            #expect(try rows(letters).count == 2)
        }
        let foreign = name.collate(Collation.unicode().locale("sv; DROP TABLE x"))
        let refused = QueryBuilder.select(SelectResult.property("v")).from(DataSource.collection(mixed)).where(foreign)
        #expect(throws: StoreError.self) { try refused.execute() }
    }

    /// A fault is thrown when the query runs, and never ends the process.
    @Test func problems() throws {
        struct Foreign: ExpressionProtocol {}
        let from = QueryBuilder.select(SelectResult.property("name")).from(DataSource.collection(sites))
        var deep: any ExpressionProtocol = Expression.boolean(true)
        for _ in 0..<100_000 { deep = deep.and(Expression.boolean(true)) }
        var list: Any = 1
        for _ in 0..<5_000 { list = [list] }
        let endless = NSMutableArray()
        endless.addObjects(from: [endless, endless])
        defer { endless.removeAllObjects() }
        let expressions: [any ExpressionProtocol] = [
            Foreign(), deep, Expression.value(list), Expression.value(endless), Expression.double(.nan),
            Expression.parameter("a b"),
            ArrayExpression.any(ArrayExpression.variable("a.b")).in(Expression.property("x"))
                .satisfies(Expression.boolean(true)),
            FullTextFunction.match(Expression.fullTextIndex("nope"), query: "x"),
        ]
        for expression in expressions {
            let error = #expect(throws: StoreError.self) { try from.where(expression).execute() }
            #expect(error?.code == .invalidQuery || error?.code == .missingIndex, "\(String(describing: error))")
        }
        #expect(throws: StoreError.self) { try from.limit(Expression.property("name")).execute() }
        #expect(throws: StoreError.self) { try from.limit(Expression.string("x")).execute() }
    }

    @Test func indexesOfTheBuilder() throws {
        try sites.createIndex(
            IndexBuilder.valueIndex(items: ValueIndexItem.expression(Function.lower(Expression.property("name")))),
            name: "lower")
        let query = QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.collection(sites))
            .where(Function.lower(Expression.property("name")).equalTo(Expression.string("depot")))
        #expect(try golden.used(["lower"], by: query) == ["lower"])
        #expect(try rows(query).count == 1)
        let text = IndexBuilder.fullTextIndex(items: FullTextIndexItem.property("name")).ignoreAccents(true)
        try sites.createIndex(text.language("en"), name: "words")
        let search =
            QueryBuilder
            .select(
                SelectResult.expression(Meta.id),
                SelectResult.expression(FullTextFunction.rank(Expression.fullTextIndex("words")))
            )
            .from(DataSource.collection(sites).as("s"))
            .where(FullTextFunction.match(Expression.fullTextIndex("words").from("s"), query: "plants"))
            .orderBy(Ordering.expression(Meta.id))
        #expect(try rows(search).count == 2)
        #expect(try sites.indexes() == ["lower", "words"])
        #expect(try sites.index(withName: "words")?.name == "words")
        #expect(try sites.index(withName: "Words") == nil)
    }

    @Test func explainWritesSQL() throws {
        let query = QueryBuilder.select(SelectResult.property("name")).from(DataSource.collection(sites).as("s"))
            .where(Expression.property("name").isNotValued())
        #expect(try query.explain().hasSuffix("SELECT name FROM field.sites AS s WHERE (name IS NOT VALUED)\n"))
    }
}
