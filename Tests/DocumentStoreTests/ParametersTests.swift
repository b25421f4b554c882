import DocumentStore
import DocumentValues
import Foundation
import Testing

/// The values that a query is asked with.
@Suite struct ParametersTests {
    private let folder: TestFolder
    private let database: Database

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        try database.defaultCollection().put(
            "a",
            [
                "text": "x", "whole": 7, "half": 0.5, "yes": true, "list": [1, "b"], "object": ["k": 1],
                "null": NSNull(),
            ])
    }

    private func rows(_ text: String, with parameters: Parameters?) throws -> [String] {
        let query = try database.createQuery(text)
        query.parameters = parameters
        return try query.execute().allResults().map { $0.toJSON() }
    }

    /// Each setter, with the property that its value is equal to.
    @Test func eachTypeIsComparedAsItsLiteral() throws {
        let date = Date(timeIntervalSince1970: 0)
        try database.defaultCollection().put("b", ["date": date])
        let cases: [(set: (Parameters) -> Parameters, property: String)] = [
            ({ $0.setString("x", forName: "p") }, "text"), ({ $0.setNumber(7, forName: "p") }, "whole"),
            ({ $0.setNumber(0.5, forName: "p") }, "half"), ({ $0.setInt(7, forName: "p") }, "whole"),
            ({ $0.setInt64(7, forName: "p") }, "whole"), ({ $0.setDouble(7, forName: "p") }, "whole"),
            ({ $0.setFloat(0.5, forName: "p") }, "half"), ({ $0.setDouble(0.5, forName: "p") }, "half"),
            ({ $0.setBoolean(true, forName: "p") }, "yes"), ({ $0.setDate(date, forName: "p") }, "date"),
            ({ $0.setValue("x", forName: "p") }, "text"), ({ $0.setValue([1, "b"], forName: "p") }, "list"),
            ({ $0.setArray(MutableArrayObject(data: [1, "b"]), forName: "p") }, "list"),
            ({ $0.setDictionary(MutableDictionaryObject(data: ["k": 1]), forName: "p") }, "object"),
        ]
        for (set, property) in cases {
            let found = try rows("SELECT META().id FROM _ WHERE `\(property)` = $p", with: set(Parameters()))
            #expect(found.count == 1, "\(property)")
            #expect(
                try rows(
                    "SELECT META().id FROM _ WHERE `\(property)` = $p", with: set(Parameters().setInt(-1, forName: "p"))
                )
                    == found)
            #expect(
                try rows(
                    "SELECT META().id FROM _ WHERE `\(property)` = $p", with: Parameters().setInt(-1, forName: "p")
                )
                .isEmpty)
        }
    }

    @Test func aBlobIsItsDictionary() throws {
        let notes = try database.defaultCollection()
        let blob = Blob(contentType: "text/plain", data: Data("photo".utf8))
        let document = MutableDocument(id: "photo").setBlob(blob, forKey: "blob")
        try notes.save(document: document)
        let found = try rows(
            "SELECT META().id FROM _ WHERE `blob` = $b", with: Parameters().setBlob(blob, forName: "b"))
        #expect(found == [#"{"id":"photo"}"#])
    }

    /// Null, or nothing: MISSING.
    @Test func whatHasNoValueIsMissing() throws {
        let text = "SELECT $p IS MISSING AS m, $p AS p, `null` IS MISSING AS n FROM _"
        let missing = try rows(text, with: nil)
        #expect(missing == [#"{"m":1,"n":0}"#] || missing == [#"{"m":true,"n":false}"#])
        let nothing: [Parameters] = [
            Parameters(), Parameters().setValue(nil, forName: "p"), Parameters().setString(nil, forName: "p"),
            Parameters().setNumber(nil, forName: "p"), Parameters().setDate(nil, forName: "p"),
            Parameters().setBlob(nil, forName: "p"), Parameters().setArray(nil, forName: "p"),
            Parameters().setDictionary(nil, forName: "p"), Parameters().setValue(NSNull(), forName: "p"),
        ]
        for parameters in nothing { #expect(try rows(text, with: parameters) == missing) }
    }

    @Test func whatWasSetIsThere() {
        let parameters = Parameters().setInt(1, forName: "n").setString("x", forName: "caf\u{E9}")
        #expect(parameters.value(forName: "n") as? Int == 1 && parameters.value(forName: "none") == nil)
        #expect(parameters.value(forName: "cafe\u{301}") == nil, "names that look alike are two")
        let copy = Parameters(parameters: parameters)
        parameters.setInt(2, forName: "n")
        #expect(copy.value(forName: "n") as? Int == 1 && parameters.value(forName: "n") as? Int == 2)
        #expect(Parameters(parameters: nil).value(forName: "n") == nil)
    }

    /// A query has a copy of them.
    @Test func whatIsSetLaterDoesNotCount() throws {
        let query = try database.createQuery("SELECT META().id FROM _ WHERE whole = $n")
        let parameters = Parameters().setInt(7, forName: "n")
        query.parameters = parameters
        parameters.setInt(8, forName: "n")
        query.parameters?.setInt(9, forName: "n")
        #expect(try query.execute().allResults().count == 1)
        query.parameters = nil
        #expect(try query.execute().allResults().isEmpty)
    }

    @Test func whatTheQueryDoesNotHaveIsRefused() throws {
        let query = try database.createQuery("SELECT META().id FROM _ WHERE whole = $n")
        query.parameters = Parameters().setInt(7, forName: "n").setInt(1, forName: "m")
        let unknown = #expect(throws: StoreError.self) { try query.execute() }
        #expect(unknown?.code == .invalidQueryParameter && unknown?.message.contains("'m'") == true)
        // The case counts, and so do the bytes.
        for name in ["N", "n ", "$n", ""] {
            query.parameters = Parameters().setInt(7, forName: name)
            #expect(performing: { try query.execute() }, throws: isCode(.invalidQueryParameter))
        }
    }

    @Test func whatCannotBeStoredIsRefused() throws {
        struct Own {}
        let query = try database.createQuery("SELECT META().id FROM _ WHERE whole = $n")
        for value in [Double.nan, Double.infinity, Own(), Date(timeIntervalSince1970: 1e12)] as [Any] {
            query.parameters = Parameters().setValue(value, forName: "n")
            let error = #expect(throws: StoreError.self, "\(value)") { try query.execute() }
            #expect(error?.code == .invalidQueryParameter && error?.message.contains("'n'") == true, "\(value)")
        }
        query.parameters = Parameters().setInt(7, forName: "n")
        #expect(try query.execute().allResults().count == 1, "the query can be used again")
    }
}
