import DocumentStore
import DocumentValues
import FieldModels
import SeededRandom
import Testing

@testable import FieldRecords

/// Compares the search with one that reads every record and every text.
@Suite struct SearchComparisonTests {
    /// All records of a folder, in the order in which they are found.
    private struct Whole {
        private var records: [(id: String, texts: [String])] = []

        init(_ field: FieldDatabase) throws {
            for site in try field.sites.all().records.sortedNaturally(by: { [$0.name] }) {
                add(site, texts: site.searchedTexts)
            }
            let inspections = try field.inspections.all().records
            for record in inspections.sorted(by: { ($1.date, Name($1.id)) < ($0.date, Name($0.id)) }) {
                add(record, texts: record.searchedTexts)
            }
            let findings = try field.findings.all().records
            for record in findings.sorted(by: { ($1.date, Name($1.id)) < ($0.date, Name($0.id)) }) {
                add(record, texts: record.searchedTexts)
            }
        }

        private mutating func add(_ record: some FieldRecord, texts: [String]) {
            records.append((record.id, (texts + record.keptTexts).map(\.searchable)))
        }

        func search(_ text: String) -> [String] {
            let terms = text.searchable.split(whereSeparator: \.isWhitespace).map(String.init)
            guard !terms.isEmpty else { return [] }
            return records.filter { record in
                terms.allSatisfy { term in record.texts.contains { $0.containsBytes(of: term) } }
            }.map(\.id)
        }
    }

    private static let terms = [
        "taco", "TAQUERIA", "café", "cafe", "strasse", "straße", "kelvin k", "istanbul", "fish", "ﬁ", "a\"b", "\\",
        "lines",
        "o'brien", "7-", "日", "follow", "follow-up", "up", "low-u", "routine", "outin", "soap,towel", "soap,", ",",
        "[z]",
        "@y", "`y{z}", "to decide", "decide: taco", "mara", "ré", "inspection-1", "site-3 taco", "e", "\u{301}", "  ",
    ]

    @Test(arguments: Array(1...6) as [UInt64]) func bothFindTheSame(seed: UInt64) throws {
        let temporary = try TemporaryField()
        try RandomRecords.fill(temporary, seed: seed)
        var random = RandomRecords(seed: seed &+ 1_000)
        let samples = (0..<20).map { _ in random.text() }
        let parts = samples.map { String($0.dropFirst().dropLast()) }
        let whole = try Whole(temporary.field)
        for text in Self.terms + samples + parts {
            let found = try RecordSearch(text).run(in: temporary.field.store).map(\.id)
            #expect(found == whole.search(text), "seed \(seed): \(text)")
        }
    }

    /// So many that they are read as they are shown.
    @Test(arguments: [11, 12] as [UInt64]) func bothFindManyInTheSameOrder(seed: UInt64) throws {
        let temporary = try TemporaryField()
        try RandomRecords.fill(temporary, seed: seed, scale: 15)
        let whole = try Whole(temporary.field)
        for text in ["a", "inspection-1", "o e"] {
            let found = try RecordSearch(text).portions(in: temporary.field.store)
            #expect(found.rest != nil)
            #expect(try found.all().map(\.id) == whole.search(text), "seed \(seed): \(text)")
        }
    }

    @Test(arguments: ["", "taco", "0123456789abcdef", "0123456789abcdef0123456789abcdefX"])
    func textsWithAnEscapeOrAnAccentAreNotPlain(text: String) {
        let bytes = Array(text.utf8)
        #expect(bytes.withUnsafeBytes { $0.isPlain })
        for other in [UInt8(ascii: "\\"), 0xC3, 0x80, 0xFF] {
            for offset in 0...bytes.count {
                #expect(!(bytes[..<offset] + [other] + bytes[offset...]).withUnsafeBytes { $0.isPlain })
            }
        }
    }

    @Test(arguments: ["taco", "t", "ta", "a taco 2", "[]", "0x9"]) func partsAreFoundWhereverTheyAre(part: String) {
        var generator = SeededGenerator(seed: 5)
        let alphabet = Array("taco AO2x9[]{}".utf8)
        for length in Array(0..<40) + [63, 64, 67, 80, 131] {
            let bytes = (0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
            for offset in 0...length {
                let with = bytes[..<offset] + Array(part.uppercased().utf8) + bytes[offset...]
                #expect(Array(with).withUnsafeBytes { FoldedBytes(part.utf8).isPart(of: $0) })
            }
            let folded = bytes.map { $0 | 0x20 }
            let isThere = folded.hasPart(part.utf8.map { $0 | 0x20 })
            #expect(bytes.withUnsafeBytes { FoldedBytes(part.utf8).isPart(of: $0) } == isThere)
        }
    }
}
