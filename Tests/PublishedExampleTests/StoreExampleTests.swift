import Fieldbook
import Foundation
import Testing

/// The store as Couchbase's pages use it, in the spelling of each generation: with `Fieldbook` alone, and run.
@Suite struct StoreExampleTests {
    typealias Expression = Fieldbook.Expression

    private let directory: URL
    private let database: Database

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("examples-\(UUID().uuidString)")
        var config = DatabaseConfiguration()
        config.directory = directory.path
        config.fullSync = true
        database = try Database(name: "travel-sample", config: config)
    }

    private func close() throws {
        try database.delete()
        try FileManager.default.removeItem(at: directory)
    }

    // MARK: 3.1 and later

    @Test func documentsOfACollection() throws {
        let collection = try database.createCollection(name: "hotel", scope: "inventory")
        let mutableDoc = MutableDocument(id: "hotel::1").setString("hotel", forKey: "type")
            .setString("The Old Mill", forKey: "name").setInt(4, forKey: "stars").setDate(Date(), forKey: "created")
        let address = MutableDictionaryObject().setString("1 Main st.", forKey: "street")
        let phones = MutableArrayObject().addString("650-000-0000").addString("650-000-0001")
        mutableDoc.setDictionary(address, forKey: "address").setArray(phones, forKey: "phones")
        mutableDoc.setBlob(Blob(contentType: "image/jpeg", data: Data("a picture".utf8)), forKey: "avatar")
        mutableDoc["phones"].array?.addString("650-000-0002")
        mutableDoc["address"].dictionary?.setString("Riga", forKey: "city")
        try collection.save(document: mutableDoc)

        guard let document = try collection.document(id: "hotel::1") else {
            Issue.record("there is none")
            return
        }
        #expect(document.string(forKey: "name") == "The Old Mill" && document["stars"].int == 4)
        #expect(document["address"]["street"].string == "1 Main st." && document["phones"][1].string == "650-000-0001")
        #expect(document["phones"].array?.count == 3 && document["address"]["city"].string == "Riga")
        #expect(document.blob(forKey: "avatar")?.content == Data("a picture".utf8))
        #expect(collection["hotel::1"]["stars"].int == 4 && collection.count == 1)
        for key in document where document.value(forKey: key) == nil { Issue.record("\(key)") }

        let changed = document.toMutable().setInt(5, forKey: "stars")
        #expect(try collection.save(document: changed, concurrencyControl: .failOnConflict))
        #expect(try !collection.save(document: document.toMutable(), concurrencyControl: .failOnConflict))
        let isSaved = try collection.save(document: document.toMutable()) { new, current in
            new.setInt(current?.int(forKey: "stars") ?? 0, forKey: "stars")
            return true
        }
        #expect(isSaved && collection["hotel::1"]["stars"].int == 5)
        try collection.setDocumentExpiration(id: "hotel::1", expiration: Date(timeIntervalSinceNow: 3_600))
        #expect(try collection.getDocumentExpiration(id: "hotel::1") != nil)
        try database.inBatch {
            for index in 0..<10 { try collection.save(document: MutableDocument(id: "hotel::batch::\(index)")) }
        }
        #expect(collection.count == 11)
        try collection.delete(document: try #require(try collection.document(id: "hotel::1")))
        try collection.purge(id: "hotel::batch::0")
        #expect(collection.count == 9)
        try close()
    }

    @Test func queriesByTextAndByCalls() throws {
        let collection = try database.createCollection(name: "hotel", scope: "inventory")
        for (id, city) in [("h1", "London"), ("h2", "Riga"), ("h3", "London")] {
            let data: [String: Any] = ["type": "hotel", "city": city, "likes": ["Ann"]]
            try collection.save(document: MutableDocument(id: id, data: data))
        }
        try collection.createIndex(withName: "cityIndex", config: ValueIndexConfiguration(["city"]))
        try collection.createIndex(
            IndexBuilder.fullTextIndex(items: FullTextIndexItem.property("city")).ignoreAccents(false), name: "cityFTS")
        #expect(try collection.indexes() == ["cityFTS", "cityIndex"])

        let text = try database.createQuery(
            "SELECT META().id AS id, city FROM inventory.hotel WHERE city = $city ORDER BY META().id")
        text.parameters = Parameters().setString("London", forName: "city")
        struct Hotel: Codable, Equatable {
            let id: String
            let city: String
        }
        let expected = [Hotel(id: "h1", city: "London"), Hotel(id: "h3", city: "London")]
        #expect(try text.execute().data(as: Hotel.self) == expected)
        #expect(try text.explain().contains("cityIndex"))

        let likes = ArrayExpression.variable("like")
        let built =
            QueryBuilder
            .select(SelectResult.expression(Meta.id).as("id"), SelectResult.property("city"))
            .from(DataSource.collection(collection))
            .where(
                Expression.property("city").equalTo(Expression.string("London"))
                    .and(
                        ArrayExpression.any(likes).in(Expression.property("likes"))
                            .satisfies(likes.equalTo(Expression.string("Ann"))))
            )
            .orderBy(Ordering.expression(Meta.id).ascending())
        var ids: [String] = []
        for result in try built.execute() {
            ids.append(result.string(forKey: "id") ?? "")
            for key in result { #expect(result.value(forKey: key) != nil) }
        }
        #expect(ids == ["h1", "h3"])
        let found = QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.collection(collection))
            .where(FullTextFunction.match(Expression.fullTextIndex("cityFTS"), query: "riga"))
        #expect(try found.execute().allResults().map { $0.string(at: 0) } == ["h2"])
        try collection.deleteIndex(forName: "cityFTS")
        try close()
    }

    @Test func anEncryptedDatabase() throws {
        var config = DatabaseConfiguration()
        config.directory = directory.path
        config.encryptionKey = EncryptionKey.password("secretpassword")
        let encrypted = try Database(name: "my-database", config: config)
        try encrypted.changeEncryptionKey(.key(Data(repeating: 7, count: 32)))
        try encrypted.changeEncryptionKey(nil)
        try encrypted.delete()
        try close()
    }

    /// As upstream's own examples compare them.
    @Test func numbersOfErrors() {
        #expect(CBLError.notWriteable == 14 && CBLError.unreadableDatabase == 20)
        #expect(CBLError.invalidJSON == 17_001 && CBLError.decodingError == 18_001 && CBLError.encodingError == 18_002)
        do {
            _ = try MutableDocument(json: "no JSON")
            Issue.record("a document of no JSON")
        } catch {
            let error = error as NSError
            #expect(error.code == CBLError.invalidParameter && error.domain == CBLError.domain)
        }
    }

    // MARK: 2.x and 3.0

    @available(*, deprecated)
    @Test func documentsAndIndexesOfADatabase() throws {
        let newTask = MutableDocument().setString("task", forKey: "type").setString("todo", forKey: "owner")
        try database.saveDocument(newTask)
        #expect(database.count == 1 && database.document(withID: newTask.id)?.string(forKey: "owner") == "todo")
        try database.createIndex(
            IndexBuilder.valueIndex(
                items: ValueIndexItem.expression(Expression.property("type")),
                ValueIndexItem.expression(Expression.property("owner"))), withName: "TypeNameIndex")
        try database.createIndex(ValueIndexConfiguration(["owner"]), name: "OwnerIndex")
        #expect(database.indexes == ["OwnerIndex", "TypeNameIndex"])
        let query = QueryBuilder.select(SelectResult.all()).from(DataSource.database(database))
            .where(Expression.property("type").equalTo(Expression.string("task")))
        let rows = try query.execute().allResults()
        #expect(rows.count == 1 && rows.first?.dictionary(at: 0)?.string(forKey: "owner") == "todo")
        for name in database.indexes { try database.deleteIndex(forName: name) }
        try database.deleteDocument(try #require(database.document(withID: newTask.id)))
        #expect(database.count == 0)
        try close()
    }
}
