import DocumentStore
import DocumentValues
import Foundation
import Testing

/// One value read in every way that there is: by a key, at an index, as a fragment, from a document, from a row.
@Suite struct ValueReadingTests {
    /// What all getters say of one value.
    private struct Seen: Equatable {
        var string: String?
        var number: Double?
        var int = 0
        var float: Float = 0
        var double = 0.0
        var boolean = false
        var date: Double?
        /// How many elements or members.
        var array: Int?
        var dictionary: Int?
        var hasBlob = false
        var isNull = false
        var exists = true

        static let absent = Seen(exists: false)

        static func number(_ value: Double, int: Int? = nil) -> Seen {
            Seen(
                number: value, int: int ?? Int(value), float: Float(value), double: value, boolean: value != 0)
        }

        init(
            string: String? = nil, number: Double? = nil, int: Int = 0, float: Float = 0, double: Double = 0,
            boolean: Bool = false, date: Double? = nil, array: Int? = nil, dictionary: Int? = nil,
            hasBlob: Bool = false,
            isNull: Bool = false, exists: Bool = true
        ) {
            (self.string, self.number, self.int, self.float, self.double) = (string, number, int, float, double)
            (self.boolean, self.date, self.array, self.dictionary) = (boolean, date, array, dictionary)
            (self.hasBlob, self.isNull, self.exists) = (hasBlob, isNull, exists)
        }

        init(_ value: Fragment) {
            self.init(
                string: value.string, number: value.number?.doubleValue, int: value.int, float: value.float,
                double: value.double, boolean: value.boolean, date: value.date?.timeIntervalSince1970,
                array: value.array?.count, dictionary: value.dictionary?.count, hasBlob: value.blob != nil,
                isNull: value.value is NSNull, exists: value.exists)
            #expect(value.int64 == Int64(value.int))
        }

        init(_ holder: some DictionaryProtocol, _ key: String) {
            self.init(
                string: holder.string(forKey: key), number: holder.number(forKey: key)?.doubleValue,
                int: holder.int(forKey: key), float: holder.float(forKey: key), double: holder.double(forKey: key),
                boolean: holder.boolean(forKey: key), date: holder.date(forKey: key)?.timeIntervalSince1970,
                array: holder.array(forKey: key)?.count, dictionary: holder.dictionary(forKey: key)?.count,
                hasBlob: holder.blob(forKey: key) != nil, isNull: holder.value(forKey: key) is NSNull,
                exists: holder.contains(key: key))
            #expect(holder.int64(forKey: key) == Int64(int) && holder.contains(key) == exists)
            #expect((holder.value(forKey: key) != nil) == exists)
        }

        init(_ holder: some ArrayProtocol, at index: Int) {
            self.init(
                string: holder.string(at: index), number: holder.number(at: index)?.doubleValue,
                int: holder.int(at: index), float: holder.float(at: index), double: holder.double(at: index),
                boolean: holder.boolean(at: index), date: holder.date(at: index)?.timeIntervalSince1970,
                array: holder.array(at: index)?.count, dictionary: holder.dictionary(at: index)?.count,
                hasBlob: holder.blob(at: index) != nil, isNull: holder.value(at: index) is NSNull,
                exists: holder[index].exists)
            #expect(holder.int64(at: index) == Int64(int))
        }
    }

    private static let digest = BlobDigest(of: Array("hello".utf8)).text

    private static let rows: [(json: String, seen: Seen)] = [
        ("null", Seen(isNull: true)), ("true", .number(1)), ("false", .number(0)), ("0", .number(0)), ("1", .number(1)),
        ("-7", .number(-7)), ("2.9", .number(2.9, int: 2)), ("-2.9", .number(-2.9, int: -2)), ("5.0", .number(5)),
        ("0.25", .number(0.25, int: 0)), ("1e3", .number(1000)),
        ("9007199254740993", .number(0x1p53, int: 9_007_199_254_740_993)),
        ("9223372036854775807", .number(0x1p63, int: .max)), ("-9223372036854775808", .number(-0x1p63, int: .min)),
        ("18446744073709551615", .number(0x1p64, int: .max)), ("1e300", .number(1e300, int: .max)),
        ("-1e300", .number(-1e300, int: .min)), (#""""#, Seen(string: "")), (#""text""#, Seen(string: "text")),
        (#""1""#, Seen(string: "1")), (#""true""#, Seen(string: "true")), (#""é\n""#, Seen(string: "é\n")),
        (#""2026-03-01""#, Seen(string: "2026-03-01", date: 1_772_323_200)),
        (#""2026-03-01T09:30:00.500Z""#, Seen(string: "2026-03-01T09:30:00.500Z", date: 1_772_357_400.5)),
        ("[]", Seen(array: 0)), ("[1,[2],null]", Seen(array: 3)), ("{}", Seen(dictionary: 0)),
        (#"{"a":1,"b":{}}"#, Seen(dictionary: 2)), (#"{"@type":"blob"}"#, Seen(dictionary: 1)),
        (#"{"@type":"blob","digest":"\#(digest)"}"#, Seen(hasBlob: true)),
    ]

    private let folder: TestFolder
    private let database: Database
    private let notes: DocumentStore.Collection

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        notes = try database.createCollection(name: "notes")
    }

    @Test func everyWayOfReadingSaysTheSame() throws {
        for (json, seen) in Self.rows { try expectEveryWay(of: json, says: seen) }
    }

    private func expectEveryWay(of json: String, says seen: Seen) throws {
        let text = #"{"k":\#(json),"d":{"k":\#(json)},"l":[0,\#(json)]}"#
        let made = try MutableDocument(id: "a", json: text)
        try notes.save(document: made)
        let read = try #require(try notes.document(id: "a"))
        for document in [made, read, read.toMutable()] as [Document] {
            #expect(Seen(document, "k") == seen && Seen(document["k"]) == seen, "\(type(of: document)): \(json)")
            let inner = try #require(document.dictionary(forKey: "d"))
            #expect(Seen(inner, "k") == seen && Seen(document["d"]["k"]) == seen, "\(type(of: inner)): \(json)")
            let list = try #require(document.array(forKey: "l"))
            #expect(Seen(list, at: 1) == seen && Seen(document["l"][1]) == seen, "\(type(of: list)): \(json)")
            #expect(Seen(inner.toMutable(), "k") == seen && Seen(list.toMutable(), at: 1) == seen, "\(json)")
        }
        #expect(Seen(notes["a"]["k"]) == seen, "\(json)")
        #expect(Seen(try MutableDictionaryObject(json: text), "k") == seen, "\(json)")
        #expect(Seen(try MutableArrayObject(json: "[\(json)]"), at: 0) == seen, "\(json)")
        let row = try #require(try database.createQuery("SELECT META().id, k, nope FROM notes").execute().next())
        #expect(
            Seen(row, "k") == seen && Seen(row, at: 1) == seen && Seen(row["k"]) == seen && Seen(row[1]) == seen,
            "\(json)")
    }

    @Test func whatIsNotThereIsAbsentInEveryWay() throws {
        let document = try notes.put("a", ["k": "text", "n": 1, "z": NSNull(), "l": [1], "d": ["x": 1]])
        let read = try #require(try notes.document(id: "a"))
        for holder in [document, read] as [Document] {
            for key in ["", "K", "k\u{301}", "nope"] {
                #expect(Seen(holder, key) == .absent && Seen(holder[key]) == .absent)
            }
            let list = try #require(holder.array(forKey: "l"))
            for index in [-1, 1, .max, .min] {
                #expect(Seen(list, at: index) == .absent && Seen(list[index]) == .absent)
            }
            // Going on from what has nothing inside.
            for way in [
                holder["k"]["x"], holder["n"][0], holder["z"]["x"], holder["l"]["x"], holder["d"][0],
                holder["nope"]["x"][3]["y"],
                holder["l"][0]["x"], holder["l"][7][1],
            ] { #expect(Seen(way) == .absent && way.value == nil) }
        }
        #expect(Seen(notes["nope"]["k"]) == .absent && notes["nope"].document == nil && !notes["nope"].exists)
        let row = try #require(try database.createQuery("SELECT k, nope FROM notes").execute().next())
        for index in [1, 2, -1] { #expect(Seen(row, at: index) == .absent) }
        for key in ["nope", "none", "K"] { #expect(Seen(row, key) == .absent) }
        #expect(row.toArray().count == 2 && row.toJSON() == #"{"k":"text"}"# && row.count == 2)
    }

    /// As Swift has them: what was a number can be cast to one.
    @Test func valuesHaveSwiftsTypes() throws {
        let json = #"{"s":"x","i":3,"d":2.5,"b":true,"n":null,"l":[1],"o":{"x":1},"big":18446744073709551615}"#
        let document = try MutableDocument(id: "a", json: json)
        #expect(document.value(forKey: "s") as? String == "x" && document.value(forKey: "i") as? Int == 3)
        #expect(document.value(forKey: "d") as? Double == 2.5 && document.value(forKey: "b") as? Bool == true)
        #expect(document.value(forKey: "n") is NSNull && document.value(forKey: "big") as? UInt64 == .max)
        #expect(
            document.value(forKey: "l") is MutableArrayObject && document.value(forKey: "o") is MutableDictionaryObject)
        try notes.save(document: document)
        let read = try #require(try notes.document(id: "a"))
        #expect(read.value(forKey: "l") is ArrayObject && !(read.value(forKey: "l") is MutableArrayObject))
        #expect(read.value(forKey: "o") is DictionaryObject && !(read.value(forKey: "o") is MutableDictionaryObject))
        let plain = read.toDictionary()
        #expect(plain["l"] as? [Int] == [1] && plain["o"] as? [String: Int] == ["x": 1] && plain["n"] is NSNull)
        #expect(plain.count == 8 && plain["b"] as? Bool == true && plain["d"] as? Double == 2.5)
        #expect(read.array(forKey: "l")?.toArray() as? [Int] == [1])
        #expect(read.dictionary(forKey: "o")?.toDictionary() as? [String: Int] == ["x": 1])
    }

    @Test func membersAndElementsAreGoneThrough() throws {
        let document = try MutableDocument(id: "a", json: #"{"b":1,"a":[1,"two",null,[3]],"c":{"y":1,"x":2}}"#)
        #expect(Array(document) == ["b", "a", "c"] && document.keys == ["b", "a", "c"] && document.count == 3)
        let list = try #require(document.array(forKey: "a"))
        #expect(list.map { "\(type(of: $0))" }.count == 4 && list.count == 4)
        #expect(Array(list)[1] as? String == "two" && Array(list)[2] is NSNull && Array(list)[3] is ArrayObject)
        let dictionary = try #require(document.dictionary(forKey: "c"))
        #expect(Array(dictionary) == ["y", "x"] && dictionary.toJSON() == #"{"y":1,"x":2}"#)
        #expect(list.toJSON() == #"[1,"two",null,[3]]"#)
    }
}
