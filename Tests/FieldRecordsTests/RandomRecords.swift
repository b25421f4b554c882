import DocumentStore
import DocumentValues
import FieldModels
import SeededRandom

@testable import FieldRecords

/// Documents as this program and others write them: most are valid, some have an invalid value, and some are no records at
/// all. The same seed makes the same documents.
struct RandomRecords {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    static let samples = [
        "Taco", "TACOS", "taquería", "Café", "cafe\u{301}", "Straße", "Kelvin \u{212A}", "İstanbul", "ﬁsh", "dough",
        "a\"b", "back\\slash", "two\nlines", "O'Brien", "7-Eleven", "日本", "up", "lo", "Follow", "soap,towel", "x@y[z]",
    ]
    static let days = [
        "2026-03-04", "2026-03-31", "2024-02-29", "20260305", "2025-12-24", "2026-02-30", "2026-0x-01", "soon",
    ]
    static let districts = ["hill", "94110", "MILL", "Nörd", "not one", ""]
    private static let odd: [JSONValue] = [.null, .bool(true), 7, 1.5, "text", [], ["a", 1], [:], ["street": 5]]

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }

    mutating func isOne(of count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

    mutating func text() -> String {
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in pick(Self.samples) }.joined(separator: " ")
    }

    private mutating func day() -> JSONValue { .string(isOne(of: 8) ? pick(Self.days) : "2026-03-0\(pick([1, 2, 3]))") }

    private mutating func envelope(_ kind: RecordKind) -> JSONObject {
        let district = isOne(of: 6) ? pick(Self.districts) : "hill"
        var object: JSONObject = [
            "type": .string(kind.rawValue), "schema": 1, "district": .string(district),
            "channels": [.string("district.\(district)")],
        ]
        if isOne(of: 3) { object["createdBy"] = .string(pick(["mara", "Mara", "tomas", "ré", "re\u{301}"])) }
        if isOne(of: 9) { object["channels"] = pick([["a", "b"], ["a", "b", "c", "d"], [], [1]]) }
        if isOne(of: 9) { object["conflicts"] = [["field": "notes", "value": .string(text()), "by": "ines"]] }
        return object
    }

    mutating func site() -> JSONObject {
        var object = envelope(.site)
        object["name"] = .string(text())
        var address = JSONObject()
        for member in ["street", "city", "state", "postalCode"] where !isOne(of: 3) {
            address[member] = .string(text())
        }
        object["address"] = .object(address)
        if isOne(of: 2) { object["notes"] = .string(text()) }
        return damaged(object)
    }

    mutating func inspection(of sites: Int) -> JSONObject {
        var object = envelope(.inspection)
        object["site"] = .string("site-\(Int.random(in: 0..<sites, using: &generator))")
        object["date"] = day()
        object["visit"] = .string(pick(["routine", "followUp", "complaint", "Routine"]))
        object["status"] = .string(pick(["draft", "submitted", "returned", "approved", "lost"]))
        if isOne(of: 2) { object["score"] = pick([80, 100, 0, 95.0, 101, -1, 1.5]) }
        if isOne(of: 2) { object["inspector"] = .string(pick(["mara", "tomas", "ré"])) }
        if isOne(of: 3) { object["answers"] = ["remark": .string(text()), "temperature": 4] }
        return damaged(object)
    }

    mutating func finding(of sites: Int, inspections: Int) -> JSONObject {
        var object = envelope(.finding)
        object["site"] = .string("site-\(Int.random(in: 0..<sites, using: &generator))")
        if !isOne(of: 5) {
            object["inspection"] = .string("inspection-\(Int.random(in: 0..<inspections, using: &generator))")
        }
        object["date"] = day()
        object["text"] = .string(text())
        if isOne(of: 2) { object["risk"] = .string(pick(["low", "high", "moderate", "High"])) }
        if isOne(of: 3) { object["corrected"] = day() }
        return damaged(object)
    }

    private mutating func damaged(_ object: JSONObject) -> JSONObject {
        var object = object
        guard isOne(of: 4) else { return object }
        let key = pick(object.keys)
        object[key] = isOne(of: 4) ? nil : pick(Self.odd)
        return object
    }

    /// Fills a folder. Some of the inspections are deleted, and with them their findings are hidden.
    ///
    /// - Parameter scale: how many times as many records as usual.
    static func fill(_ temporary: TemporaryField, seed: UInt64, scale: Int = 1) throws {
        var random = RandomRecords(seed: seed)
        let (sites, inspections) = (40 * scale, 60 * scale)
        let field = temporary.field
        func save(_ kind: RecordKind, as bodies: [JSONObject]) throws {
            try field.collection(of: kind).save(
                bodies: bodies.enumerated().map { ("\(kind)-\($0.offset)", $0.element.bytes) })
        }
        try save(.site, as: (0..<sites).map { _ in random.site() })
        try save(.inspection, as: (0..<inspections).map { _ in random.inspection(of: sites) })
        try save(
            .finding, as: (0..<2 * inspections).map { _ in random.finding(of: sites, inspections: inspections) })
        for _ in 0..<4 * scale {
            let collection = field.collection(of: .inspection)
            let id = "inspection-\(Int.random(in: 0..<inspections, using: &random.generator))"
            if let document = try collection.document(id: id) { try collection.delete(document: document) }
        }
    }
}
