import DocumentValues
import Foundation
import Testing

@testable import DocumentStore

/// Values that no document can hold end no program: saving throws, with their path.
@Suite struct UnstorableValueTests {
    private let folder: TestFolder
    private let collection: DocumentStore.Collection

    init() throws {
        folder = try TestFolder()
        collection = try folder.open().defaultCollection()
    }

    private func refusal(_ document: MutableDocument) throws -> StoreError? {
        do {
            try collection.save(document: document)
            return nil
        } catch let error as StoreError {
            #expect(try collection.document(id: document.id) == nil, "nothing of it is saved")
            return error
        }
    }

    private struct Unknown {}

    static let values: [(name: String, make: @Sendable () -> Any, reason: String)] = [
        ("URL", { URL(fileURLWithPath: "/tmp") }, "URL is not a type that a document can hold"),
        ("own type", { Unknown() }, "Unknown is not a type that a document can hold"),
        ("Data", { Data([1]) }, "Data is not a type that a document can hold"),
        ("integer", { UInt128.max }, "340282366920938463463374607431768211455 does not fit into 64 bits"),
        ("no number", { Double.nan }, "nan is not a finite number"),
        ("a number beyond all", { -Float.infinity }, "-inf is not a finite number"),
        ("an object that is no number", { NSNumber(value: Double.nan) }, "nan is not a finite number"),
        ("a decimal that is no number", { Decimal.nan }, "nan is not a finite number"),
        ("a coordinate beyond all", { CGFloat.infinity }, "inf is not a finite number"),
        ("date", { Date(timeIntervalSince1970: .infinity) }, "the date is outside the years 1 to 9999"),
        ("no date", { Date(timeIntervalSince1970: .nan) }, "the date is outside the years 1 to 9999"),
        ("far date", { Date(timeIntervalSince1970: 1e18) }, "the date is outside the years 1 to 9999"),
    ]

    @Test(arguments: values.indices) func savingNamesTheValue(index: Int) throws {
        let (_, make, reason) = Self.values[index]
        let document = MutableDocument(id: "a", data: ["list": [1, ["unit": make()]], "ok": 1])
        let error = try #require(try refusal(document))
        #expect(error.code == .invalidParameter && error.message.contains(reason), "\(error)")
        #expect(error.context["value"] == "list[1].unit" && error.context["document"] == "a")
        #expect(document.toDictionary().count == 2 && document.toJSON().contains("null"))
        document["list"][1]["unit"].string = "°C"
        #expect(try refusal(document) == nil, "what was put right can be saved")
    }

    /// Each of 60 containers holds the next one twice: no memory has room for all values.
    @Test(.timeLimit(.minutes(1))) func whatIsThereManyTimesIsWrittenUpToTheLimit() {
        var array = MutableArrayObject(data: [1])
        for _ in 0..<60 {
            let next = MutableArrayObject()
            next.addArray(array)
            next.addArray(array)
            array = next
        }
        var writer = ValueWriter(limit: 1_000)
        _ = writer.write(NodeValue.array(array.node))
        #expect(writer.isTooLarge)
        var value: Any = 1
        for _ in 0..<60 { value = [value, value] }
        var builder = ValueBuilder(origin: ValueOrigin(nil), limit: 1_000)
        let node = builder.node(value)
        writer = ValueWriter()
        _ = writer.write(node)
        #expect(!writer.isTooLarge)
        #expect(writer.faults.contains { $0.reason == "more came before it than a document can hold" })
    }

    @Test func whatIsTooLargeIsFoundWhileItIsWritten() throws {
        let megabyte = String(repeating: "x", count: 1 << 20)
        let document = MutableDocument(id: "a")
        document.setValue(["list": [Array(repeating: megabyte, count: 21)]], forKey: "v")
        let error = try refusal(document)
        #expect(error?.code == .tooLarge && error?.context["document"] == "a")
        document.setValue(["list": [Array(repeating: megabyte, count: 19)]], forKey: "v")
        #expect(try refusal(document) == nil)
    }

    /// What is counted while writing is never more than there is.
    @Test func theSizeThatIsCountedIsNotTooLarge() throws {
        let list: [Any] = [[1, 2], ["é": "ü"], ["": true]]
        let values: [Any] = [1, [Any](), list, ["a": ["b": [["c": "\""]]]]]
        for value in values {
            var builder = ValueBuilder(origin: ValueOrigin(nil))
            let node = DictionaryNode(origin: ValueOrigin(nil))
            node.set(builder.node(["m": value]), forKey: "k")
            var writer = ValueWriter()
            let bytes = writer.write(node).bytes.count
            var limited = ValueWriter(limit: bytes)
            _ = limited.write(node)
            #expect(!limited.isTooLarge, "\(value)")
        }
    }

    @Test func everyWayOfSettingIsAlike() throws {
        let value = URL(fileURLWithPath: "/tmp")
        let edits: [(MutableDocument) -> Void] = [
            { $0.setValue(value, forKey: "v") },
            { $0.setData(["v": value]) },
            { $0["v"].value = value },
            { $0.setDictionary(MutableDictionaryObject(data: ["v": value]), forKey: "v") },
            { $0.setArray(MutableArrayObject(data: [value]), forKey: "v") },
            { $0.setArray(MutableArrayObject().addValue(value), forKey: "v") },
            { $0.setArray(MutableArrayObject().insertValue(value, at: 0), forKey: "v") },
            { $0.setArray(MutableArrayObject().addInt(1).setValue(value, at: 0), forKey: "v") },
        ]
        for (number, edit) in edits.enumerated() {
            let document = MutableDocument(id: "a")
            edit(document)
            let error = try refusal(document)
            #expect(error?.context["value"]?.hasPrefix("v") == true, "\(number)")
            #expect(throws: StoreError.self) { try collection.save(document: document.toMutable()) }
        }
    }

    @Test func indexesOutsideAnArrayAreRefused() throws {
        let edits: [(MutableArrayObject) -> Void] = [
            { $0.setInt(1, at: 2) }, { $0.setInt(1, at: -1) }, { $0.insertInt(1, at: 3) }, { $0.removeValue(at: 2) },
            { $0[5].int = 1 }, { $0.removeValue(at: .max) },
        ]
        for edit in edits {
            let array = MutableArrayObject(data: [1, 2])
            edit(array)
            #expect(array.count == 2 && array[7].value == nil)
            let document = MutableDocument(id: "a").setArray(array, forKey: "v")
            let error = try #require(try refusal(document))
            #expect(error.message.contains("was outside the array, which had 2 elements"), "\(error)")
            #expect(error.context["value"] == "v")
            array.setData([3])
            #expect(try refusal(document) == nil)
            try collection.purge(id: "a")
        }
    }

    @Test func whatContainsItselfIsRefused() throws {
        let dictionary = MutableDictionaryObject()
        let inner = MutableDictionaryObject()
        dictionary.setDictionary(inner, forKey: "in")
        inner.setArray(MutableArrayObject().addDictionary(dictionary), forKey: "out")
        let document = MutableDocument(id: "a").setDictionary(dictionary, forKey: "v")
        let error = try #require(try refusal(document))
        #expect(error.message.contains("it contains itself") && error.context["value"] == "v.in.out", "\(error)")
        #expect(dictionary.toDictionary().count == 1)
    }

    /// However the first one came into the other, and whichever is put into which last.
    @Test func whatContainsItselfIsRefusedInEveryWay() throws {
        let ways: [(MutableDictionaryObject, MutableArrayObject) -> Void] = [
            { $0.setValue(["list": $1], forKey: "x") }, { $0.setData(["list": $1]) }, { $0.setArray($1, forKey: "x") },
            { $0.setValue([[$1]], forKey: "x") },
        ]
        for (number, way) in ways.enumerated() {
            let (dictionary, array) = (MutableDictionaryObject(), MutableArrayObject())
            way(dictionary, array)
            array.addDictionary(dictionary)
            let document = MutableDocument(id: "a").setDictionary(dictionary, forKey: "v")
            #expect(try refusal(document)?.message.contains("it contains itself") == true, "\(number)")
        }
        let dictionary = MutableDictionaryObject()
        dictionary.setDictionary(dictionary, forKey: "x")
        let document = try MutableDocument(id: "a", json: #"{"v":{"in":{}}}"#)
        try #require(document.dictionary(forKey: "v")?.dictionary(forKey: "in"))
            .setDictionary(document.dictionary(forKey: "v"), forKey: "out")
        for document in [MutableDocument(id: "b").setDictionary(dictionary, forKey: "v"), document] {
            #expect(try refusal(document)?.message.contains("it contains itself") == true)
        }
    }

    /// Also where it does so twice: each would be followed for all of the others.
    @Test func whatContainsItselfInFoundationIsRefused() throws {
        let (dictionary, array) = (NSMutableDictionary(), NSMutableArray())
        dictionary["list"] = array
        array.addObjects(from: [1, dictionary, dictionary])
        for value: NSObject in [dictionary, array] {
            let error = try #require(try refusal(MutableDocument(id: "a").setValue(value, forKey: "v")))
            #expect(error.message.contains("it contains itself"), "\(error)")
        }
        array.removeAllObjects()
        dictionary.removeAllObjects()
    }

    @Test func foundationsContainersAreRead() throws {
        let inner = NSDictionary(dictionary: ["b": NSNull(), "a": NSArray(array: [true, "x"])])
        let values = NSArray(array: [1, 2.5, inner, inner, Date(timeIntervalSince1970: 0)])
        let document = MutableDocument(id: "a").setValue(values, forKey: "v")
        #expect(try refusal(document) == nil)
        let (read, time) = (#"{"a":[true,"x"],"b":null}"#, "1970-01-01T00:00:00.000Z")
        #expect(document.toJSON() == #"{"v":[1,2.5,\#(read),\#(read),"\#(time)"]}"#)
        let numbered = MutableDocument(id: "b").setValue(NSDictionary(dictionary: [1: "x"]), forKey: "v")
        #expect(try refusal(numbered)?.message.contains("NSDictionary is not a type") == true)
    }

    /// What is deeper than the reader goes could be saved and never read again.
    @Test func jsonThatIsPutTooDeepIsRefused() throws {
        let text = String(repeating: "[", count: 999) + String(repeating: "]", count: 999)
        let inner = try MutableDictionaryObject(json: "{\"x\":\(text)}")
        let document = MutableDocument(id: "a").setDictionary(inner, forKey: "v")
        let error = try refusal(document)
        #expect(error?.message.contains("nested more than 1000 levels deep") == true)
        #expect(error?.context["value"] == "v.x")
    }

    @Test(arguments: [-9_223_372_036_854_775_808.0, 9_223_372_036_854_775_808, 1e300, .leastNonzeroMagnitude])
    func everyFiniteDoubleIsKept(value: Double) throws {
        let document = MutableDocument(id: "a").setDouble(value, forKey: "v")
        #expect(try refusal(document) == nil)
        #expect(try collection.document(id: "a")?.double(forKey: "v") == value)
        _ = document.int(forKey: "v")
    }

    @Test func theIDOfASavedObjectStays() throws {
        let object = CollectionCodableTests.Inspection(id: "first", site: "Mill", score: 1)
        try collection.save(from: object)
        object.id = "second"
        #expect(object.id == "first")
        for use in [collection.save(from:), collection.delete(for:), collection.purge(for:)]
            as [(
                CollectionCodableTests.Inspection
            ) throws -> Void]
        {
            let error = #expect(throws: StoreError.self) { try use(object) }
            #expect(error?.code == .invalidParameter && error?.context["id"] == "second")
        }
        object.id = "first"
        object.score = 2
        try collection.save(from: object)
        #expect(try collection.document(id: "first")?.int(forKey: "score") == 2)
        #expect(collection.count == 1)
    }

    @Test func datesThatCannotBeWrittenAreRefusedInObjects() throws {
        let object = CollectionCodableTests.Inspection(site: "Mill", score: 1)
        object.date = Date(timeIntervalSince1970: .infinity)
        let error = #expect(throws: StoreError.self) { try collection.save(from: object) }
        #expect(error?.message.contains("/date") == true, "\(String(describing: error))")
    }

    @Test func aCollectionThatWasNeverNamedIsNotOpen() throws {
        let none = DocumentStore.Collection.unassigned
        #expect(none.count == 0 && none.database.path == nil)
        #expect(throws: StoreError.self) { try none.document(id: "a") }
        #expect(throws: StoreError.self) { try none.save(document: MutableDocument()) }
        #expect(none["a"].exists == false)
        none.addChangeListener { _ in }.remove()
        try none.database.close()
    }
}
