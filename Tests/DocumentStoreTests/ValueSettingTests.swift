import DocumentStore
import Foundation
import Testing

/// Values that are set, in every way that there is, and what is stored of them.
@Suite struct ValueSettingTests {
    private static let date = Date(timeIntervalSince1970: 1_700_000_000.25)
    private static let blob = Blob(contentType: "text/plain", data: Data("hello".utf8))
    private static let blobJSON = #"{"@type":"blob","content_type":"text/plain","length":5}"#
    private static let dateJSON = #""2023-11-14T22:13:20.250Z""#

    /// In the order in which the setters below are called.
    private static let stored = [
        #""x""#, "true", "7", "2.5", "3", "-9223372036854775808", "0.1", "5.0", "false", dateJSON, blobJSON, "[1]",
        #"{"y":2}"#,
        "null", "null", "null", "null", "null", "null", "null",
    ]

    private typealias Setter<Holder> = (Holder) -> Void

    private static func dictionary() -> MutableDictionaryObject { MutableDictionaryObject(data: ["y": 2]) }

    // MARK: Setters

    private func expectAll<Holder: MutableDictionaryProtocol>(_ holder: Holder, _ json: () -> String) {
        holder.setString("x", forKey: "0").setNumber(NSNumber(value: true), forKey: "1").setNumber(7, forKey: "2")
            .setNumber(2.5, forKey: "3").setInt(3, forKey: "4").setInt64(.min, forKey: "5").setFloat(0.1, forKey: "6")
        holder.setDouble(5, forKey: "7").setBoolean(false, forKey: "8").setDate(Self.date, forKey: "9")
            .setBlob(Self.blob, forKey: "10").setArray(MutableArrayObject(data: [1]), forKey: "11")
            .setDictionary(Self.dictionary(), forKey: "12")
        holder.setString(nil, forKey: "13").setNumber(nil, forKey: "14").setDate(nil, forKey: "15").setBlob(
            nil, forKey: "16"
        )
        .setArray(nil, forKey: "17").setDictionary(nil, forKey: "18").setValue(nil, forKey: "19")
        let expected = Self.stored.enumerated().map { #""\#($0)":\#($1)"# }.joined(separator: ",")
        #expect(json() == "{\(expected)}")
        #expect(holder.count == Self.stored.count && holder.contains(key: "19"))
    }

    @Test func aDocumentStoresWhatItIsGiven() {
        let document = MutableDocument(id: "a")
        expectAll(document) { document.toJSON() }
    }

    @Test func aDictionaryStoresWhatItIsGiven() {
        let dictionary = MutableDictionaryObject()
        expectAll(dictionary) { dictionary.toJSON() }
    }

    @Test func anArrayAppendsWhatItIsGiven() {
        let array = MutableArrayObject()
        array.addString("x").addNumber(NSNumber(value: true)).addNumber(7).addNumber(2.5).addInt(3).addInt64(.min)
        array.addFloat(0.1).addDouble(5).addBoolean(false).addDate(Self.date).addBlob(Self.blob)
        array.addArray(MutableArrayObject(data: [1])).addDictionary(Self.dictionary())
        array.addString(nil).addNumber(nil).addDate(nil).addBlob(nil).addArray(nil).addDictionary(nil).addValue(nil)
        #expect(array.toJSON() == "[\(Self.stored.joined(separator: ","))]" && array.count == Self.stored.count)
    }

    @Test func anArrayReplacesWhatItIsGiven() {
        let array = MutableArrayObject(data: Array(repeating: "old", count: Self.stored.count))
        array.setString("x", at: 0).setNumber(NSNumber(value: true), at: 1).setNumber(7, at: 2).setNumber(2.5, at: 3)
        array.setInt(3, at: 4).setInt64(.min, at: 5).setFloat(0.1, at: 6).setDouble(5, at: 7).setBoolean(false, at: 8)
        array.setDate(Self.date, at: 9).setBlob(Self.blob, at: 10).setArray(MutableArrayObject(data: [1]), at: 11)
        array.setDictionary(Self.dictionary(), at: 12).setString(nil, at: 13).setNumber(nil, at: 14).setDate(
            nil, at: 15)
        array.setBlob(nil, at: 16).setArray(nil, at: 17).setDictionary(nil, at: 18).setValue(nil, at: 19)
        #expect(array.toJSON() == "[\(Self.stored.joined(separator: ","))]")
    }

    @Test func anArrayInsertsWhatItIsGiven() {
        let array = MutableArrayObject(data: ["last"])
        array.insertString("x", at: 0).insertNumber(NSNumber(value: true), at: 1).insertNumber(7, at: 2)
        array.insertNumber(2.5, at: 3).insertInt(3, at: 4).insertInt64(.min, at: 5).insertFloat(0.1, at: 6)
        array.insertDouble(5, at: 7).insertBoolean(false, at: 8).insertDate(Self.date, at: 9).insertBlob(
            Self.blob, at: 10)
        array.insertArray(MutableArrayObject(data: [1]), at: 11).insertDictionary(Self.dictionary(), at: 12)
        array.insertString(nil, at: 13).insertNumber(nil, at: 14).insertDate(nil, at: 15).insertBlob(nil, at: 16)
        array.insertArray(nil, at: 17).insertDictionary(nil, at: 18).insertValue(nil, at: 19)
        #expect(array.toJSON() == "[\(Self.stored.joined(separator: ",")),\"last\"]")
        array.insertInt(0, at: array.count)
        #expect(array.int(at: array.count - 1) == 0 && array.count == Self.stored.count + 2, "at its end, too")
    }

    /// Setting a fragment is setting its member or element, which it shows from then on.
    @Test func fragmentsStoreWhatTheyAreGiven() {
        let document = MutableDocument(id: "a", data: ["l": [0, 1], "d": ["x": 0]])
        for fragment in [document["k"], document["l"][1], document["d"]["new"]] {
            fragment.string = "x"
            #expect(fragment.string == "x" && fragment.exists)
            fragment.int = 3
            #expect(fragment.int == 3 && fragment.string == nil)
            fragment.int64 = .min
            #expect(fragment.int64 == .min)
            fragment.float = 0.5
            #expect(fragment.float == 0.5)
            fragment.double = 2.25
            #expect(fragment.double == 2.25 && fragment.number == 2.25)
            fragment.boolean = true
            #expect(fragment.boolean && fragment.int == 1)
            fragment.number = 9
            #expect(fragment.number == 9)
            fragment.date = Self.date
            #expect(fragment.date == Self.date)
            fragment.blob = Self.blob
            #expect(fragment.blob == Self.blob && fragment.dictionary == nil)
            fragment.array = MutableArrayObject(data: [1])
            fragment[0].int = 4
            #expect(fragment.array?.toJSON() == "[4]" && fragment[0].int == 4 && fragment[1].value == nil)
            fragment.dictionary = Self.dictionary()
            fragment["z"].value = [1, 2]
            #expect(fragment.dictionary?.toJSON() == #"{"y":2,"z":[1,2]}"#)
            fragment.value = ["end": true]
            fragment["end"].string = nil
            #expect(fragment["end"].value is NSNull)
        }
        #expect(document.toJSON() == #"{"d":{"x":0,"new":{"end":null}},"l":[0,{"end":null}],"k":{"end":null}}"#)
        document["k"]["x"]["y"].int = 1
        document["l"][0][0].int = 1
        #expect(document.toJSON() == #"{"d":{"x":0,"new":{"end":null}},"l":[0,{"end":null}],"k":{"end":null}}"#)
    }

    // MARK: Containers

    @Test func membersAreReplacedAndRemoved() throws {
        let dictionary = MutableDictionaryObject(data: ["a": 1, "b": 2])
        dictionary.setInt(3, forKey: "a").removeValue(forKey: "b").removeValue(forKey: "none")
        #expect(dictionary.toJSON() == #"{"a":3}"# && dictionary.count == 1 && !dictionary.contains("b"))
        dictionary.setData(["x": 1])
        #expect(dictionary.keys == ["x"])
        try dictionary.setJSON(#"{"b":1,"a":2}"#)
        #expect(dictionary.keys == ["b", "a"])
        let array = try MutableArrayObject(json: #"[1,2,3]"#)
        array.removeValue(at: 0).removeValue(at: 1)
        #expect(array.toJSON() == "[2]")
        try array.setJSON("[[],{}]")
        #expect(array.count == 2 && array.array(at: 0)?.count == 0 && array.dictionary(at: 1)?.count == 0)
        array.setData([])
        #expect(array.count == 0 && array.toJSON() == "[]")
    }

    @Test(arguments: ["", "1", "null", "[1", "{", #"{"a":1}x"#, #"["\ud800"]"#])
    func textThatIsNoneChangesNothing(json: String) throws {
        let (dictionary, array) = (MutableDictionaryObject(data: ["a": 1]), MutableArrayObject(data: [1]))
        let document = MutableDocument(id: "a", data: ["a": 1])
        for set in [
            { _ = try dictionary.setJSON(json) }, { _ = try array.setJSON(json) }, { _ = try document.setJSON(json) },
            { _ = try MutableDictionaryObject(json: json) }, { _ = try MutableArrayObject(json: json) },
            { _ = try MutableDocument(json: json) },
        ] as [() throws -> Void] {
            let error = #expect(throws: StoreError.self) { try set() }
            #expect(error?.code == .invalidParameter && error?.message.hasPrefix("The text is not a JSON ") == true)
        }
        #expect(dictionary.toJSON() == #"{"a":1}"# && array.toJSON() == "[1]" && document.toJSON() == #"{"a":1}"#)
    }

    /// Who holds a container sees what others do to it, and a copy is another one.
    @Test func containersAreSharedAndCopiesAreNot() throws {
        let document = try MutableDocument(id: "a", json: #"{"d":{"x":1},"l":[1]}"#)
        let (one, other) = (
            try #require(document.dictionary(forKey: "d")), try #require(document.dictionary(forKey: "d"))
        )
        one.setInt(2, forKey: "x")
        #expect(other.int(forKey: "x") == 2 && one == other)
        let copy = one.toMutable()
        copy.setInt(3, forKey: "x")
        #expect(one.int(forKey: "x") == 2 && copy != one)
        let list = try #require(document.array(forKey: "l"))
        let listCopy = list.toMutable()
        list.addInt(2)
        #expect(document.array(forKey: "l")?.count == 2 && listCopy.count == 1)
        // A mutable container that is put elsewhere is the same one, an immutable one is copied.
        let target = MutableDocument(id: "b")
        target.setDictionary(one, forKey: "d").setDictionary(document.toMutable().dictionary(forKey: "d"), forKey: "e")
        one.setInt(9, forKey: "x")
        #expect(target["d"]["x"].int == 9 && target["e"]["x"].int == 2)
    }

    @Test func equalMembersMakeEqualContainers() throws {
        let (one, other) = (
            try MutableDictionaryObject(json: #"{"a":1,"b":[2]}"#),
            try MutableDictionaryObject(json: #"{"b":[2.0],"a":1}"#)
        )
        #expect(one == other && one.hashValue == other.hashValue && Set([one, other]).count == 1)
        let (list, same) = (try MutableArrayObject(json: "[1,{}]"), try MutableArrayObject(json: "[1.0,{}]"))
        #expect(list == same && list.hashValue == same.hashValue)
        same.addInt(1)
        #expect(list != same)
        #expect(try MutableArrayObject(json: "[1,2]") != MutableArrayObject(json: "[2,1]"))
    }

    @Test func foundationsValuesAreStoredAsSwifts() {
        let values: [Any] = [
            NSString(string: "text"), NSNumber(value: true), NSNumber(value: Int8(-3)), NSNumber(value: UInt64.max),
            NSNumber(value: 2.5), NSNull(), Int8(1), UInt16(2), Float(0.1), Optional("x") as Any,
            Optional<Int>.none as Any,
            [Optional(1), nil] as [Int?], ["a": Optional(1), "b": nil] as [String: Int?], CGFloat(2),
        ]
        #expect(
            MutableArrayObject(data: values).toJSON()
                == #"["text",true,-3,18446744073709551615,2.5,null,1,2,0.1,"x",null,[1,null],{"a":1,"b":null},2.0]"#)
    }

    /// An empty name is one as any other, in each container and on its way through the database.
    @Test func aNameMayBeEmpty() throws {
        let folder = try TestFolder()
        let database = try folder.open()
        let notes = try database.createCollection(name: "notes")
        let document = MutableDocument(id: "a").setInt(1, forKey: "")
            .setDictionary(MutableDictionaryObject(data: ["": ["": "deep"]]), forKey: "x")
        #expect(document.contains(key: "") && document[""].int == 1 && document.keys == ["", "x"])
        try notes.save(document: document)
        let stored = try #require(try notes.document(id: "a"))
        #expect(stored.toJSON() == #"{"":1,"x":{"":{"":"deep"}}}"#)
        #expect(stored["x"][""][""].string == "deep" && stored.int(forKey: "") == 1)
        let changed = stored.toMutable()
        changed[""].int = 2
        #expect(changed.removeValue(forKey: "x").count == 1)
        try notes.save(document: changed)
        #expect(try notes.document(id: "a")?.toDictionary()[""] as? Int == 2)
        let row = try #require(try database.createQuery("SELECT * FROM notes").execute().allResults().first)
        #expect(row.toJSON() == #"{"notes":{"":2}}"#)
        #expect(try row.data(as: [String: [String: Int]].self) == ["notes": ["": 2]])
    }
}
