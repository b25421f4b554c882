import Dispatch
import Fieldbook
import Foundation

// Queries, indexes and live queries with the calls that Couchbase's pages for Swift show. That this file compiles is the
// test.

enum QueryExamples {
    // How a name is chosen that Foundation has, too; as the README says.
    typealias Expression = Fieldbook.Expression
    typealias Collection = Fieldbook.Collection

    struct Hotel: Codable {
        var id: String
        var name: String
        var city: String?
    }

    static func select(collection: Collection) throws {
        let query =
            QueryBuilder
            .select(
                SelectResult.expression(Meta.id).as("metaId"), SelectResult.property("type"),
                SelectResult.property("name")
            )
            .from(DataSource.collection(collection))
            .where(Expression.property("type").equalTo(Expression.string("hotel")))
            .limit(Expression.int(10), offset: Expression.int(0))
        for result in try query.execute() {
            print(result.string(forKey: "metaId") ?? "", result.string(at: 1) ?? "")
            if let whole = result.dictionary(forKey: "hotel") { print(whole.toDictionary()) }
        }
        for row in try query.execute().allResults() { print(row.toDictionary(), row.toJSON()) }
        for result in try query.execute() { for key in result { print(key, result.value(forKey: key) ?? "") } }
        let hotels: [Hotel] = try query.execute().data(as: Hotel.self)
        print(hotels, try query.explain())
    }

    static func conditions(collection: Collection) throws {
        let type = Expression.property("type")
        let liked = ArrayExpression.variable("liked")
        let queries: [Query] = [
            QueryBuilder.select(SelectResult.all()).from(DataSource.collection(collection)).where(
                type.equalTo(Expression.string("hotel"))
                    .and(
                        ArrayFunction.contains(
                            Expression.property("public_likes"), value: Expression.string("Armani Langworth")))),
            QueryBuilder.select(SelectResult.all()).from(DataSource.collection(collection))
                .where(
                    Expression.string("Armani").in([Expression.property("first"), Expression.property("last")])),
            QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.collection(collection))
                .where(
                    type.equalTo(Expression.string("landmark"))
                        .and(
                            Function.lower(Expression.property("name")).like(Expression.string("eng%e%"))
                        )
                        .and(Expression.property("name").regex(Expression.string("\\bEng.*e\\b")))
                )
                .orderBy(Ordering.property("name").ascending()),
            QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.collection(collection))
                .where(
                    ArrayExpression.any(liked).in(Expression.property("public_likes"))
                        .satisfies(liked.equalTo(Expression.string("Armani")))
                )
                .orderBy(Ordering.expression(Meta.id).descending()),
            QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.collection(collection))
                .where(Meta.isDeleted),
            QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.collection(collection))
                .where(Meta.expiration.lessThan(Expression.double(Date().timeIntervalSince1970 * 1000))),
        ]
        for query in queries { print(try query.execute().allResults().count) }
    }

    static func joinsAndGroups(airlines: Collection, routes: Collection) throws {
        let join =
            QueryBuilder
            .select(
                SelectResult.expression(Expression.property("name").from("airline")),
                SelectResult.expression(Expression.property("stops").from("route"))
            )
            .from(DataSource.collection(airlines).as("airline"))
            .join(
                Join.join(DataSource.collection(routes).as("route"))
                    .on(Meta.id.from("airline").equalTo(Expression.property("airlineid").from("route")))
            )
            .where(Expression.property("sourceairport").from("route").equalTo(Expression.string("RIX")))
        let groups =
            QueryBuilder
            .select(
                SelectResult.expression(Function.count(Expression.all())), SelectResult.property("country")
            )
            .from(DataSource.collection(airlines))
            .where(Expression.property("geo.alt").greaterThanOrEqualTo(Expression.int(300)))
            .groupBy(Expression.property("country"), Expression.property("tz"))
        print(try join.execute().allResults(), try groups.execute().allResults())
    }

    static func indexes(collection: Collection, database: Database) throws {
        try collection.createIndex(withName: "TypeName", config: ValueIndexConfiguration(["type", "name"]))
        let index = IndexBuilder.valueIndex(
            items: ValueIndexItem.expression(Expression.property("type")),
            ValueIndexItem.expression(Expression.property("name")))
        try collection.createIndex(index, name: "TypeName")
        try collection.createIndex(withName: "overview", config: FullTextIndexConfiguration(["overview"]))
        try collection.createIndex(
            IndexBuilder.fullTextIndex(items: FullTextIndexItem.property("overview")).ignoreAccents(false),
            name: "overview")
        let match = FullTextFunction.match(Expression.fullTextIndex("overview"), query: "'michigan'")
        let query = QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.collection(collection))
            .where(match)
        let text = try database.createQuery(
            "SELECT _id FROM _ WHERE MATCH(overview, 'michigan') ORDER BY RANK(overview)")
        print(try query.execute().allResults(), try text.execute().allResults(), try collection.indexes())
        print(try collection.index(withName: "overview")?.name ?? "")
        try collection.deleteIndex(forName: "overview")
    }

    static func parameters(database: Database) throws {
        let query = try database.createQuery("SELECT META().id AS thisId FROM _ WHERE type = $type")
        query.parameters = Parameters().setString("hotel", forName: "type")
        let results: ResultSet = try query.execute()
        for row in results { print(row.string(forKey: "thisId") ?? "") }
    }

    static func liveQueries(collection: Collection) async throws {
        let query = QueryBuilder.select(SelectResult.all()).from(DataSource.collection(collection))
        let token = query.addChangeListener { change in
            guard let results = change.results else { return print(change.error ?? "") }
            for result in results { print(result.keys) }
        }
        let main = query.addChangeListener(withQueue: .main) { print($0.query) }
        token.remove()
        main.remove()
        for await change in query.changes() { print(change.results?.allResults().count ?? 0) }
    }

    @available(*, deprecated)
    static func older(database: Database) throws {
        let query = QueryBuilder.select(SelectResult.all()).from(DataSource.database(database))
            .where(Expression.property("x").notNullOrMissing().and(FullTextFunction.match(indexName: "i", query: "a")))
        let token = query.addChangeListener { _ in }
        query.removeChangeListener(withToken: token)
        // 2.x, and 3.0
        try database.createIndex(
            IndexBuilder.valueIndex(items: ValueIndexItem.expression(Expression.property("type"))), withName: "i")
        try database.createIndex(FullTextIndexConfiguration(["overview"]), name: "overviewFTSIndex")
        print(FullTextExpression.index("overviewFTSIndex").match("michigan"))
        for name in database.indexes { try database.deleteIndex(forName: name) }
    }
}
