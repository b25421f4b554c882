import DocumentStore
import DocumentValues
import Foundation
import Testing

@Suite struct CollectionCodableTests {
    let folder: TestFolder
    let collection: Collection

    final class Inspection: Codable {
        @DocumentID var id: String?
        var site: String
        var score: Int
        var date: Date
        var photo: Blob?
        var address: Address

        struct Address: Codable, Equatable {
            var street: String
            var floors: [Int]
        }

        init(id: String? = nil, site: String, score: Int, photo: Blob? = nil) {
            self.site = site
            self.score = score
            date = Date(timeIntervalSince1970: 1_700_000_000)
            self.photo = photo
            address = Address(street: "Weg", floors: [1, 2])
            self.id = id
        }
    }

    init() throws {
        folder = try TestFolder()
        collection = try folder.open().defaultCollection()
    }

    private final class LookAlikes: Codable {
        enum CodingKeys: String, CodingKey {
            case composed = "\u{e9}"
            case decomposed = "e\u{301}"
            case id
        }
        @DocumentID var id: String?
        var composed: String? = "A"
        var decomposed: String?
    }

    /// Foundation's coders would take one of them for the other.
    @Test func membersThatLookAlikeAreNotMixedUp() throws {
        let object = LookAlikes()
        try collection.save(from: object)
        let ids = try collection.documentIDs()
        let read = try #require(try collection.document(id: ids[0], as: LookAlikes.self))
        #expect(read.composed == "A")
        #expect(try collection.document(id: ids[0])?.keys.map { Array($0.utf8) } == [Array("\u{e9}".utf8)])
        object.decomposed = "B"
        let refused = try #require(#expect(throws: StoreError.self) { try collection.save(from: object) })
        #expect(refused.code == .invalidParameter && refused.hint == "Save it as a MutableDocument.")
        #expect(refused.message.contains("at / have names that look alike"), "\(refused)")
        #expect(refused.message.contains(#"(\u{00E9})"#), "\(refused)")
        #expect(refused.message.contains(#"(e\u{0301})"#), "\(refused)")
    }

    @Test func membersThatLookAlikeAreNamed() throws {
        let inner = MutableDictionaryObject().setInt(1, forKey: "\u{e9}\u{1b}").setInt(2, forKey: "e\u{301}\u{1b}")
        let list = MutableArrayObject().addInt(1).addDictionary(inner)
        let both = MutableDocument(id: "both").setArray(list, forKey: "l")
        try collection.save(document: both)
        let refused = try #require(
            #expect(throws: StoreError.self) { try collection.document(id: "both", as: LookAlikes.self) })
        #expect(refused.code == .invalidParameter && refused.hint == "Read it as a Document.")
        #expect(refused.context["document"] == "both" && !refused.message.contains("\u{1b}"))
        #expect(refused.message.contains("at /l/1 have names that look alike"), "\(refused)")
        #expect(refused.message.contains(#"(\u{00E9}\u{1B}) and"#), "\(refused)")
        #expect(refused.message.contains(#"(e\u{0301}\u{1B}):"#), "\(refused)")
    }

    private final class Labelled: Codable {
        enum CodingKeys: String, CodingKey {
            case labels = "l\u{e4}bels"
            case id
        }
        @DocumentID var id: String?
        var labels: [String: Int]

        init(_ labels: [String: Int]) { self.labels = labels }
    }

    /// The encoder does not ask what they are to be called.
    @Test func keysOfADictionaryAreKeptAsTheyAre() throws {
        let labels = ["\u{1}%41": 1, "\u{1}x": 2, "A": 3, "%41": 4, "x": 5, "\u{e9}": 6, "\u{1}": 7]
        let object = Labelled(labels)
        try collection.save(from: object)
        let id = try #require(object.id)
        let stored = try #require(try collection.document(id: id))
        #expect(stored.keys == ["l\u{e4}bels"])
        let written = try #require(stored.dictionary(forKey: "l\u{e4}bels"))
        #expect(written.count == labels.count)
        for (key, number) in labels { #expect(written.int(forKey: key) == number, "\(key.debugDescription)") }
        #expect(try collection.document(id: id, as: Labelled.self)?.labels == labels)
    }

    /// What nobody has touched is no edit.
    @Test(arguments: [1_700_000_000.0, 0, -1_700_000_000, 253_402_300_799])
    func eachMillisecondIsWrittenAsItWasRead(second: Double) throws {
        for millisecond in 0..<1_000 {
            let date = Date(timeIntervalSince1970: second + Double(millisecond) / 1_000)
            let text = MutableDocument().setDate(date, forKey: "d").string(forKey: "d") ?? ""
            let fraction = String(1_000 + millisecond).dropFirst()
            #expect(text.hasSuffix(".\(fraction)Z"), "\(text)")
            let again = MutableDocument(data: ["d": text])
            again.setDate(again.date(forKey: "d"), forKey: "d")
            #expect(again.string(forKey: "d") == text)
        }
    }

    /// ISO 8601 has no change of calendars in 1582, nor has `STR_TO_MILLIS`.
    @Test(arguments: [
        ("0001-01-01T00:00:00.000Z", -62_135_596_800), ("1500-01-01T00:00:00.000Z", -14_831_769_600),
        ("1500-02-28T23:59:59.999Z", -14_826_672_000.001), ("1582-10-04T00:00:00.000Z", -12_220_243_200),
        ("1582-10-14T00:00:00.000Z", -12_219_379_200), ("1582-10-15T00:00:00.000Z", -12_219_292_800),
        ("1582-12-31T23:59:59.000Z", -12_212_553_601), ("1583-01-01T00:00:00.000Z", -12_212_553_600),
        ("9999-12-31T23:59:59.000Z", 253_402_300_799),
    ])
    func earlyDatesAreOfTheGregorianCalendar(text: String, seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(MutableDocument().setDate(date, forKey: "d").string(forKey: "d") == text)
        let read = try #require(MutableDocument(data: ["d": text]).date(forKey: "d"))
        #expect(abs(read.timeIntervalSince1970 - seconds) < 0.0001)
    }

    @Test func earlyDatesWithoutATimeAreRead() {
        let document = MutableDocument(data: ["d": "1500-01-01", "s": "1500-01-01T00:00:00Z"])
        #expect(document.date(forKey: "d") == Date(timeIntervalSince1970: -14_831_769_600))
        #expect(document.date(forKey: "s") == document.date(forKey: "d"))
    }

    /// As other programs write them: a time that was not read would be lost when the object is saved again.
    @Test(arguments: [
        ("2026-11-29", "2026-11-29T00:00:00.000Z"), ("2026-11-29T10:00", "2026-11-29T10:00:00.000Z"),
        ("2026-11-29T10:00:00", "2026-11-29T10:00:00.000Z"), ("2026-11-29 16:45:10", "2026-11-29T16:45:10.000Z"),
        ("2026-11-29T10:00Z", "2026-11-29T10:00:00.000Z"), ("2026-11-29T10:00+02:00", "2026-11-29T08:00:00.000Z"),
        ("2026-11-29T10:00:00.5-0330", "2026-11-29T13:30:00.500Z"),
        ("2026-12-31 23:00-02", "2027-01-01T01:00:00.000Z"), ("2024-02-29T24:00Z", "2024-03-01T00:00:00.000Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"),
        ("2026-11-29T10:00:00.123456789012Z", "2026-11-29T10:00:00.123Z"),
    ])
    func datesAreReadWithTheirTimes(text: String, written: String) throws {
        let date = try #require(MutableDocument(data: ["d": text]).date(forKey: "d"))
        #expect(MutableDocument().setDate(date, forKey: "d").string(forKey: "d") == written)
    }

    @Test(arguments: [
        "2026-11-29xyz", "2026-11-29, Old mill", "2026-11-29T", "2026-11-29 ", " 2026-11-29", "2026-11-29T10",
        "2026-11-29T10Z", "2026-02-30", "2023-02-29", "1900-02-29", "2026-11-31T10:00:00Z", "2026-13-01", "2026-00-01",
        "2026-11-00",
        "2026-11-29T99:00:00Z", "2026-11-29T24:00:01Z", "2026-11-29T10:60", "2026-11-29T10:00:61",
        "2026-11-29T10:00:00.Z", "2026-11-29T10:00+", "2026-11-29T10:00+2", "2026-11-29T10:00+24:00",
        "2026-11-29T10:00+02:",
        "2026-11-29T10:00Zz", "2026-11", "20261129", "-2026-11-29", "",
    ])
    func whatIsMoreOrLessThanADateIsNone(text: String) throws {
        let document = MutableDocument(id: "d", data: ["date": text, "site": "Mill", "score": 1])
        document.setValue(["street": "Dam", "floors": [1]] as [String: Any], forKey: "address")
        #expect(document.date(forKey: "date") == nil)
        try collection.save(document: document)
        #expect(
            performing: { try collection.document(id: "d", as: Inspection.self) },
            throws: isCode(.invalidParameter))
        document.setString("2026-11-29T10:00", forKey: "date")
        try collection.save(document: document)
        let read = try #require(try collection.document(id: "d", as: Inspection.self))
        #expect(read.date == Date(timeIntervalSince1970: 1_795_946_400))
    }

    private final class Price: Codable {
        @DocumentID var id: String?
        var amount: Decimal

        init(_ amount: Decimal) { self.amount = amount }
    }

    /// However it is given: otherwise the same price would make two documents.
    @Test(arguments: ["0.07", "19.99", "1.005", "123456789.123456789", "-0.01", "1e22", "5", "0"])
    func aDecimalKeepsItsDigits(text: String) throws {
        let amount = try #require(Decimal(string: text))
        let document = MutableDocument(id: "a").setValue(amount, forKey: "v").setValue([amount], forKey: "w")
        document.setNumber(NSDecimalNumber(decimal: amount), forKey: "x")
        try collection.save(document: document)
        #expect(try collection.document(id: "a")?.toJSON() == #"{"v":\#(amount),"w":[\#(amount)],"x":\#(amount)}"#)
        let price = Price(amount)
        try collection.save(from: price)
        let id = try #require(price.id)
        #expect(try collection.document(id: id)?.toJSON() == #"{"amount":\#(amount)}"#)
        #expect(try collection.document(id: id, as: Price.self)?.amount == amount)
    }

    private class Reading: Codable {
        @DocumentID var id: String?
        var value = 5.0
        var ratio: Float? = 0.1
        var counts: [String: [Double]] = ["a": [1, -0.0, 1e16]]
        var whole = 5
        var large = UInt64.max
        var size: CGFloat = 2
    }

    private final class NamedReading: Reading {
        private enum CodingKeys: String, CodingKey { case name }
        private enum Inner: String, CodingKey { case x, y }
        var name = "n"

        override init() { super.init() }
        required init(from decoder: any Decoder) throws { try super.init(from: decoder) }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            for (key, value) in [(Inner.x, 1.0), (Inner.y, 2.0)] {
                var inner = container.nestedContainer(keyedBy: Inner.self, forKey: .name)
                try inner.encode(value, forKey: key)
            }
        }
    }

    /// In a query 5.0 / 2 is 2.5, and 5 / 2 is 2.
    @Test func numbersOfObjectsKeepTheirKind() throws {
        let members =
            #""value":5.0,"ratio":0.1,"counts":{"a":[1.0,-0.0,1e+16]},"whole":5,"large":18446744073709551615,"size":2.0"#
        let reading = Reading()
        try collection.save(from: reading)
        let id = try #require(reading.id)
        #expect(try collection.document(id: id)?.toJSON() == "{\(members)}")
        let read = try #require(try collection.document(id: id, as: Reading.self))
        #expect(read.value == 5 && read.counts == reading.counts && read.large == .max && read.size == 2)
        let named = NamedReading()
        try collection.save(from: named)
        let other = try #require(named.id)
        #expect(try collection.document(id: other)?.toJSON() == #"{\#(members),"name":{"x":1.0,"y":2.0}}"#)
    }

    @Test func numbersThatAreSetKeepTheirKind() throws {
        let document = MutableDocument(id: "a", data: ["v": 5.0, "w": [4 as Float, 1] as [Any], "i": 5])
        document.setDouble(5, forKey: "d").setFloat(2, forKey: "f").setNumber(NSNumber(value: 4.0), forKey: "n")
        document.setInt(3, forKey: "k").setDouble(-0.0, forKey: "z")
        try collection.save(document: document)
        let read = try #require(try collection.document(id: "a"))
        let json = try JSONObject(parsing: Array(read.toJSON().utf8))
        let expected = [
            ("v", "5.0"), ("w", "[4.0,1]"), ("i", "5"), ("d", "5.0"), ("f", "2.0"), ("n", "4.0"), ("k", "3"),
            ("z", "-0.0"),
        ]
        for (key, text) in expected {
            #expect(json[key].map { String(decoding: $0.bytes, as: UTF8.self) } == text, "\(key)")
        }
        #expect(read.value(forKey: "d") as? Double == 5 && read.value(forKey: "i") as? Int == 5)
        #expect(read.int(forKey: "d") == 5 && read.number(forKey: "d") == 5)
    }

    @Test func anObjectIsSavedAndLoaded() throws {
        let photo = Blob(contentType: "image/png", data: Data([1, 2, 3]))
        let inspection = Inspection(site: "Mill", score: 3, photo: photo)
        try collection.save(from: inspection)
        let id = try #require(inspection.id)
        #expect(collection[id]["site"].string == "Mill" && collection[id].document?.contains(key: "id") == false)
        let loaded = try #require(try collection.document(id: id, as: Inspection.self))
        #expect(loaded.id == id && loaded.site == "Mill" && loaded.score == 3 && loaded.date == inspection.date)
        #expect(loaded.photo?.content == Data([1, 2, 3]) && loaded.address == inspection.address)
        #expect(try collection.document(id: "none", as: Inspection.self) == nil)
    }

    @Test func anIDMayBeChosenBeforeTheFirstSave() throws {
        let inspection = Inspection(site: "Mill", score: 1)
        inspection.id = "mine"
        try collection.save(from: inspection)
        #expect(try collection.document(id: "mine", as: Inspection.self)?.score == 1)
    }

    @Test func objectsAreSavedOverWhatTheyWereLoadedFrom() throws {
        let first = Inspection(site: "Mill", score: 1)
        try collection.save(from: first)
        let id = try #require(first.id)
        let second = try #require(try collection.document(id: id, as: Inspection.self))
        second.score = 2
        #expect(try collection.save(from: second, concurrencyControl: .failOnConflict))
        first.score = 10
        #expect(try !collection.save(from: first, concurrencyControl: .failOnConflict))
        let merged = try collection.save(from: first) { mine, theirs in
            mine.score += theirs?.score ?? 0
            return true
        }
        #expect(merged && collection[id]["score"].int == 12)
        try collection.delete(for: first)
        #expect(collection.count == 0)
    }

    @Test func anObjectOfABatchThatIsRolledBackIsWhatItWas() throws {
        struct Full: Error {}
        let (new, old) = (Inspection(site: "Mill", score: 1), Inspection(site: "Mill", score: 1))
        try collection.save(from: old)
        #expect(throws: Full.self) {
            try collection.database.inBatch {
                for inspection in [new, new, old, old] {
                    #expect(try collection.save(from: inspection, concurrencyControl: .failOnConflict))
                }
                throw Full()
            }
        }
        #expect(new.id == nil)
        new.id = "mine"
        for inspection in [new, old] {
            #expect(try collection.save(from: inspection, concurrencyControl: .failOnConflict))
        }
        #expect(collection["mine"].exists && collection.count == 2)
    }

    @Test func whatDoesNotFitSaysWhere() throws {
        try collection.put("a", ["site": "Mill", "score": "three", "date": "2026-01-01T00:00:00Z"])
        let error = #expect(throws: StoreError.self) { try collection.document(id: "a", as: Inspection.self) }
        #expect(error?.code == .invalidParameter && error?.context == ["document": "a"])
        #expect(
            error?.message == "The document does not fit the type: Int is expected at /score, and a text is there.")
        try collection.put("b", ["site": NSNull(), "score": 3, "date": "2026-01-01T00:00:00Z"])
        let absent = #expect(throws: StoreError.self) { try collection.document(id: "b", as: Inspection.self) }
        #expect(absent?.message.hasSuffix("String is expected at /site, and null is there.") == true)
        #expect(absent?.description.contains("document b") == true)
    }

    private final class Numbers: Codable {
        @DocumentID var id: String?
        var small: Int8?
        var list: [[String: Int64]] = []
    }

    /// Foundation's decoder does not say which number it was.
    @Test(arguments: [
        (#"{"small":300}"#, "at /small."),
        (#"{"small":1,"list":[{"a":1},{"a":2,"b, \"]":1.5},{}]}"#, #"at /list/1/b, "]."#),
        (#"{"x":[1e30,{"y":-3}],"list":[{"a":1e30}],"small":2}"#, "at /list/0/a."),
    ])
    func aNumberThatDoesNotFitSaysWhere(json: String, path: String) throws {
        try collection.save(document: try MutableDocument(id: "a", json: json))
        let error = #expect(throws: StoreError.self) { try collection.document(id: "a", as: Numbers.self) }
        #expect(error?.code == .invalidParameter)
        #expect(error?.message.hasSuffix(path) == true, "\(String(describing: error))")
    }

    private final class Silent: Codable {
        @DocumentID var id: String?

        init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {}
    }

    @Test func anObjectThatEncodesNothingIsRefusedWithTheReason() throws {
        let error = #expect(throws: StoreError.self) { try collection.save(from: Silent()) }
        #expect(error?.message.contains("it encodes nothing") == true)
    }

    private final class Single: Codable {
        @DocumentID var id: String?

        init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(1)
        }
    }

    @Test func anObjectWithoutMembersIsRefusedWithTheReason() throws {
        let error = #expect(throws: StoreError.self) { try collection.save(from: Single()) }
        #expect(error?.code == .invalidParameter)
        #expect(error?.message.contains("it encodes a single value or a list, and no members") == true)
    }

    private final class Hotel: Codable {
        @DocumentID var pid: String?
        var name: String

        init(_ name: String) { self.name = name }
    }

    /// Saving it would make a second document otherwise.
    @Test(arguments: [
        "SELECT META().id AS pid, name FROM _", "SELECT META().id AS pid, * FROM _", "SELECT name FROM _",
    ])
    func anObjectOfARowHasTheIDOfItsColumn(text: String) throws {
        let first = Hotel("Mill")
        first.pid = "h1"
        try collection.save(from: first)
        let dataKey = text.contains("*") ? "_" : nil
        let results = try collection.database.createQuery(text).execute()
        let found = try #require(try results.data(as: Hotel.self, dataKey: dataKey).first)
        #expect(found.name == "Mill")
        #expect(found.pid == (text.contains("pid") ? "h1" : nil))
        guard found.pid != nil else { return }
        found.name = "Quay"
        #expect(try !collection.save(from: found, concurrencyControl: .failOnConflict), "it is of no revision")
        try collection.save(from: found)
        #expect(try collection.count == 1 && collection.document(id: "h1")?.string(forKey: "name") == "Quay")
        #expect(found.pid == "h1")
        let again = try #require(try collection.database.createQuery(text).execute().next())
        try collection.delete(for: try again.data(as: Hotel.self, dataKey: dataKey))
        #expect(collection.count == 0)
    }

    /// A member of the property's name may be anything.
    @Test func theIDOfADocumentIsNoMember() throws {
        for (id, member) in [("a", #""x""#), ("b", "7"), ("c", "[null]")] {
            try collection.save(document: try MutableDocument(id: id, json: #"{"pid":\#(member),"name":"Mill"}"#))
            #expect(try collection.document(id: id, as: Hotel.self)?.pid == id)
        }
    }

    @Test func unsavedObjectsAndOthersAreRefused() throws {
        let inspection = Inspection(site: "Mill", score: 1)
        #expect(performing: { try collection.delete(for: inspection) }, throws: isCode(.notFound))
        #expect(performing: { try collection.purge(for: inspection) }, throws: isCode(.notFound))
        final class Plain: Codable {}
        #expect(performing: { try collection.save(from: Plain()) }, throws: isCode(.invalidParameter))
        try collection.save(from: inspection)
        try collection.purge(for: inspection)
        #expect(collection.count == 0)
    }
}
