import DocumentStore
import DocumentValues
import Foundation
import Testing

/// The clauses of the query builder, alone and after each other, and what does not belong into them.
@Suite struct QueryBuilderClauseTests {
    private typealias Expression = DocumentStore.Expression

    private let folder: TestFolder
    private let database: Database
    private let sites: DocumentStore.Collection
    private let visits: DocumentStore.Collection

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        sites = try database.createCollection(name: "sites", scope: "field")
        visits = try database.createCollection(name: "visits", scope: "field")
        for (id, region) in [("s1", "north"), ("s2", "south"), ("s3", "north"), ("s4", "east")] {
            try sites.put(id, ["region": region, "size": id.utf8.count + (region == "north" ? 1 : 0)])
        }
        for (id, site) in [("v1", "s1"), ("v2", "s1"), ("v3", "s3"), ("v4", "none")] {
            try visits.put(id, ["site": site])
        }
    }

    private func rows(_ query: Query) throws -> [String] { try query.execute().allResults().map { $0.toJSON() } }

    private func expectSame(_ query: Query, as text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let expected = try database.createQuery(text)
        #expect(try rows(query) == rows(expected), "\(text)", sourceLocation: sourceLocation)
        #expect(
            try query.execute().columnNames == expected.execute().columnNames, "\(text)", sourceLocation: sourceLocation
        )
        // What the builder made is written as a text that means the same.
        let explained = try query.explain().split(separator: "\n").last.map { String($0) } ?? ""
        #expect(
            try rows(database.createQuery(explained)) == rows(expected), "\(explained)", sourceLocation: sourceLocation)
    }

    private var region: any PropertyExpressionProtocol { Expression.property("region") }

    private var names: Select { QueryBuilder.select(SelectResult.expression(Meta.id).as("id")) }

    @Test func ordering() throws {
        let from = names.from(DataSource.collection(sites))
        let id = Ordering.expression(Meta.id)
        let select = "SELECT META().id AS id FROM field.sites ORDER BY"
        try expectSame(from.orderBy(id), as: "\(select) META().id")
        try expectSame(from.orderBy(id.ascending()), as: "\(select) META().id ASC")
        try expectSame(from.orderBy(id.descending()), as: "\(select) META().id DESC")
        try expectSame(
            from.orderBy([Ordering.property("region").descending(), id]), as: "\(select) region DESC, META().id")
        try expectSame(
            from.orderBy(Ordering.property("size"), Ordering.property("region"), id.descending()),
            as: "\(select) size, region, META().id DESC")
    }

    @Test func limits() throws {
        let ordered = names.from(DataSource.collection(sites)).orderBy(Ordering.expression(Meta.id))
        let select = "SELECT META().id AS id FROM field.sites ORDER BY META().id"
        for (limit, offset) in [(0, 0), (2, 0), (2, 1), (2, 3), (9, 9)] {
            try expectSame(
                ordered.limit(Expression.int(limit), offset: Expression.int(offset)),
                as: "\(select) LIMIT \(limit) OFFSET \(offset)")
        }
        try expectSame(ordered.limit(Expression.int(3)), as: "\(select) LIMIT 3")
        try expectSame(ordered.limit(Expression.int(3), offset: nil), as: "\(select) LIMIT 3")
        let asked = ordered.limit(Expression.parameter("count"))
        asked.parameters = Parameters().setInt(1, forName: "count")
        #expect(try rows(asked) == [#"{"id":"s1"}"#])
    }

    @Test func grouping() throws {
        let columns: [any SelectResultProtocol] = [
            SelectResult.property("region"), SelectResult.expression(Function.count(Expression.all())).as("n"),
        ]
        let from = QueryBuilder.select(columns).from(DataSource.collection(sites))
        let select = "SELECT region, COUNT(*) AS n FROM field.sites"
        let order = Ordering.property("region")
        try expectSame(from.groupBy(region).orderBy(order), as: "\(select) GROUP BY region ORDER BY region")
        try expectSame(
            from.groupBy([region, Expression.property("size")]).orderBy(order),
            as: "\(select) GROUP BY region, size ORDER BY region")
        let many = Function.count(Expression.all()).greaterThan(Expression.int(1))
        try expectSame(from.groupBy(region).having(many), as: "\(select) GROUP BY region HAVING COUNT(*) > 1")
        try expectSame(
            from.where(region.notEqualTo(Expression.string("south"))).groupBy(region).having(many).orderBy(order)
                .limit(Expression.int(1)),
            as: "\(select) WHERE region != 'south' GROUP BY region HAVING COUNT(*) > 1 ORDER BY region LIMIT 1")
        try expectSame(
            from.groupBy(region).orderBy(order.descending()).limit(Expression.int(2)),
            as: "\(select) GROUP BY region ORDER BY region DESC LIMIT 2")
    }

    @Test func rowsThatDiffer() throws {
        let columns: [any SelectResultProtocol] = [
            SelectResult.property("region"), SelectResult.property("size").as("s"),
        ]
        let order = [Ordering.property("region"), Ordering.property("size")]
        try expectSame(
            QueryBuilder.selectDistinct(columns).from(DataSource.collection(sites)).orderBy(order),
            as: "SELECT DISTINCT region, size AS s FROM field.sites ORDER BY region, size")
        try expectSame(
            QueryBuilder.selectDistinct(SelectResult.property("size")).from(DataSource.collection(sites))
                .orderBy(Ordering.property("size")),
            as: "SELECT DISTINCT size FROM field.sites ORDER BY size")
    }

    // MARK: Sources

    @Test func joins() throws {
        let (s, v) = (DataSource.collection(sites).as("s"), DataSource.collection(visits).as("v"))
        let isOf = Expression.property("site").from("v").equalTo(Meta.id.from("s"))
        let select = QueryBuilder.select(
            SelectResult.expression(Meta.id.from("s")).as("site"),
            SelectResult.expression(Meta.id.from("v")).as("visit"))
        let order = [Ordering.expression(Meta.id.from("s")), Ordering.expression(Meta.id.from("v"))]
        let joins: [(any JoinProtocol, String)] = [
            (Join.join(v).on(isOf), "JOIN field.visits AS v ON v.site = META(s).id"),
            (Join.innerJoin(v).on(isOf), "INNER JOIN field.visits AS v ON v.site = META(s).id"),
            (Join.leftJoin(v).on(isOf), "LEFT JOIN field.visits AS v ON v.site = META(s).id"),
            (Join.leftOuterJoin(v).on(isOf), "LEFT OUTER JOIN field.visits AS v ON v.site = META(s).id"),
            (Join.crossJoin(v), "CROSS JOIN field.visits AS v"),
        ]
        for (join, text) in joins {
            let start = "SELECT META(s).id AS site, META(v).id AS visit FROM field.sites AS s \(text)"
            try expectSame(select.from(s).join(join).orderBy(order), as: "\(start) ORDER BY META(s).id, META(v).id")
            try expectSame(
                select.from(s).join([join]).where(
                    Expression.property("region").from("s").equalTo(Expression.string("north"))
                )
                .orderBy(order).limit(Expression.int(2)),
                as: "\(start) WHERE s.region = 'north' ORDER BY META(s).id, META(v).id LIMIT 2")
        }
    }

    @Test func aSourceHasTheNameOfItsCollection() throws {
        let text = "SELECT sites.region, META(sites).id FROM field.sites AS sites ORDER BY META(sites).id"
        let query = QueryBuilder.select(
            SelectResult.expression(Expression.property("region").from("sites")),
            SelectResult.expression(Meta.id.from("sites"))
        )
        .from(DataSource.collection(sites)).orderBy(Ordering.expression(Meta.id.from("sites")))
        try expectSame(query, as: text)
        try expectSame(
            QueryBuilder.select(SelectResult.all().from("x")).from(DataSource.collection(sites).as("x"))
                .orderBy(Ordering.expression(Meta.id.from("x"))),
            as: "SELECT x.* FROM field.sites AS x ORDER BY META(x).id")
    }

    @Test func sourcesAreOfOneDatabase() throws {
        let other = try folder.open("other").defaultCollection()
        let query = names.from(DataSource.collection(sites)).join(Join.crossJoin(DataSource.collection(other).as("o")))
        let error = #expect(throws: StoreError.self) { try query.execute() }
        #expect(error?.code == .invalidQuery)
        #expect(error?.message.contains("The sources of a query are of the same database") == true)
    }

    @Test func ofAClosedDatabaseNothingIsRead() throws {
        let query = names.from(DataSource.collection(sites))
        #expect(try rows(query).count == 4)
        try database.close()
        #expect(performing: { try query.execute() }, throws: isCode(.notOpen))
        #expect(performing: { try query.explain() }, throws: isCode(.notOpen))
    }

    /// A part may be the start of several.
    @Test func aQueryIsNotChangedByWhatFollows() throws {
        let from = names.from(DataSource.collection(sites))
        let north = from.where(region.equalTo(Expression.string("north")))
        let ordered = north.orderBy(Ordering.expression(Meta.id).descending())
        #expect(try rows(ordered.limit(Expression.int(1))) == [#"{"id":"s3"}"#])
        #expect(try rows(ordered).count == 2 && rows(north).count == 2 && rows(from).count == 4)
    }

    // MARK: What is none of the builder's

    private struct Foreign: ExpressionProtocol, SelectResultProtocol, DataSourceProtocol, JoinProtocol,
        OrderingProtocol,
        CollationProtocol, IndexExpressionProtocol, Index, IndexConfiguration
    {}

    @Test func typesOfOthersMakeTheQueryFail() throws {
        let foreign = Foreign()
        let from = names.from(DataSource.collection(sites))
        let queries: [(Query, String)] = [
            (QueryBuilder.select(foreign).from(DataSource.collection(sites)), "no column"),
            (names.from(foreign), "no source"), (from.join(foreign), "no join"),
            (from.join(Join.crossJoin(foreign)), "no source"), (from.where(foreign), "no expression"),
            (from.orderBy(foreign), "no ordering"), (from.groupBy(foreign), "no expression"),
            (from.orderBy(Ordering.expression(foreign)), "no expression"), (from.limit(foreign), "no expression"),
            (from.limit(Expression.int(1), offset: foreign), "no expression"),
            (from.groupBy(region).having(foreign), "no expression"),
            (from.where(Function.lower(foreign)), "no expression"),
            (from.where(Expression.array([1, foreign])), "no expression"),
            (from.where(region.collate(foreign)), "no collation"),
            (from.where(FullTextFunction.match(foreign, query: "x")), "no index"),
            (from.orderBy(Ordering.expression(FullTextFunction.rank(foreign))), "no index"),
        ]
        for (query, message) in queries {
            let error = #expect(throws: StoreError.self, "\(message)") { try query.execute() }
            #expect(
                error?.code == .invalidQuery && error?.message.contains("Foreign is \(message)") == true,
                "\(message): \(error?.message ?? "")")
        }
    }

    /// The first of several is named.
    @Test func theFirstProblemIsThrown() throws {
        let query = names.from(DataSource.collection(sites)).where(Expression.parameter("not a name"))
            .orderBy(Ordering.expression(Foreign()))
        let error = #expect(throws: StoreError.self) { try query.execute() }
        #expect(error?.message.contains("Invalid query parameter name 'not a name'") == true)
        let path = #expect(throws: StoreError.self) {
            try names.from(DataSource.collection(sites)).where(Expression.property("a[")).execute()
        }
        #expect(path?.code == .invalidQuery && path?.message.contains("invalid property path 'a['") == true)
    }

    @Test func indexesOfOthersAreNotMade() throws {
        for call in [
            { try sites.createIndex(Foreign(), name: "x") },
            { try sites.createIndex(withName: "x", config: Foreign()) },
        ] as [() throws -> Void] {
            let error = #expect(throws: StoreError.self) { try call() }
            #expect(error?.code == .unsupported && error?.hint?.hasPrefix("Use ") == true)
        }
        #expect(
            performing: {
                try sites.createIndex(IndexBuilder.valueIndex(items: .expression(Foreign())), name: "x")
            }, throws: isCode(.invalidQuery))
        #expect(try sites.indexes() == [])
    }
}
