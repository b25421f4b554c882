import DocumentStore
import DocumentValues
import FieldModels
import Foundation

/// A record in which a text was found.
public struct FoundRecord: Sendable, Hashable {
    public let kind: RecordKind
    @Exact public private(set) var id: String
    public let date: CalendarDay?
    @Exact public private(set) var site: String?
    /// The part of the record in which it was found, shortened around it.
    @Exact public private(set) var excerpt: String
}

/// Looks for terms in the texts that people have written; accents and case do not matter.
public struct RecordSearch {
    private let terms: SearchTerms
    private let since: CalendarDay?
    private let until: CalendarDay?

    /// - Parameter text: terms, all of which a record must have; each may be a part of a word.
    public init(_ text: String, since: CalendarDay? = nil, until: CalendarDay? = nil) {
        terms = SearchTerms(text)
        self.since = since
        self.until = until
    }

    /// Sites by their names, then the other records, the newest first.
    public func run(in store: RecordStore) throws -> [FoundRecord] {
        guard !terms.isEmpty else { return [] }
        var found: [FoundRecord] = []
        if since == nil, until == nil {
            found += try matches(among: store.sites) { match($0, date: nil, site: $0.id, texts: $0.searchedTexts) }
                .sorted { $0.id.isExactlyBefore($1.id) }
                .sortedNaturally { [$0.name] }
                .map(\.found)
        }
        found += try newest(among: store.inspections, day: \.date, site: \.site) { $0.searchedTexts }
        found += try newest(among: store.findings, day: \.date, site: \.site) { $0.searchedTexts }
        found += try newest(among: store.assignments, day: \.due, site: \.site) { $0.searchedTexts }
        return found
    }

    private struct Match {
        let found: FoundRecord
        let name: String
        var id: String { found.id }
    }

    private func newest<Record: FieldRecord>(
        among records: RecordRepository<Record>, day: (Record) -> CalendarDay, site: (Record) -> String,
        texts: (Record) -> [String]
    ) throws -> [FoundRecord] {
        try matches(among: records) { record in
            let date = day(record)
            guard since.map({ date >= $0 }) ?? true, until.map({ date <= $0 }) ?? true else { return nil }
            return match(record, date: date, site: site(record), texts: texts(record))
        }
        .map(\.found).sorted { Self.isNewer($0, than: $1) }
    }

    private static func isNewer(_ left: FoundRecord, than right: FoundRecord) -> Bool {
        guard let day = left.date, let other = right.date, day != other else {
            return right.id.isExactlyBefore(left.id)
        }
        return other < day
    }

    /// Reads only those records that may have the terms, and keeps none.
    private func matches<Record: FieldRecord>(
        among records: RecordRepository<Record>, match: (Record) -> FoundRecord?
    ) throws -> [Match] {
        let odd = Set(try RecordCondition.odd(Record.kind)?.ids(in: records.collection).map { Name($0) } ?? [])
        let ties = try InspectionTies<Record>(records.inspections)
        var matches: [Match] = []
        try records.collection.forEachStoredBody { stored in
            guard terms.mayBe(in: stored) || (!odd.isEmpty && odd.contains(Name(stored.id))) else { return }
            // A list names unreadable records; the search does not find them.
            guard let record = try? Record(id: stored.id, body: Array(stored.json)), !ties.hides(record),
                let found = match(record)
            else { return }
            matches.append(Match(found: found, name: (record as? Site)?.name ?? ""))
        }
        return matches
    }

    private func match(_ record: some FieldRecord, date: CalendarDay?, site: String?, texts: [String])
        -> FoundRecord?
    {
        let texts = texts + record.keptTexts
        let plain = texts.map(\.searchable)
        let terms = terms.texts
        guard terms.allSatisfy({ term in plain.contains { $0.containsBytes(of: term) } }) else { return nil }
        let index = plain.firstIndex { $0.containsBytes(of: terms[0]) } ?? 0
        return FoundRecord(
            kind: type(of: record).kind, id: record.id, date: date, site: site,
            excerpt: Self.excerpt(texts[index], around: terms[0]))
    }

    /// The line with the term; of a long line the part around it.
    private static func excerpt(_ text: String, around term: String) -> String {
        let line =
            (text.unicodeScalars.split(separator: "\n").lazy.map(Substring.init)
            .first { $0.searchable.containsBytes(of: term) } ?? Substring(text)).streamSafe
        guard line.count > FieldRecordsLimits.quotedValue,
            let range = line.range(of: term, options: [.caseInsensitive, .diacriticInsensitive])
        else { return line }
        let before = line.distance(from: line.startIndex, to: range.lowerBound)
        let start = line.index(line.startIndex, offsetBy: max(0, before - FieldRecordsLimits.quotedValue / 3))
        let part = line[start...].prefix(FieldRecordsLimits.quotedValue)
        return (start == line.startIndex ? "" : "…") + part + (part.endIndex == line.endIndex ? "" : "…")
    }
}

extension StringProtocol {
    /// For searching by bytes: as typed on a keyboard without accents, each letter spelled in one way.
    public var searchable: String {
        if let folded = asciiFolded { return folded }
        return streamSafe.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .precomposedStringWithCanonicalMapping
    }

    /// Without Foundation, which takes twenty times as long for it; `nil` where not all is ASCII.
    private var asciiFolded: String? {
        let folded = utf8.withContiguousStorageIfAvailable { bytes -> String? in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            return String(unsafeUninitializedCapacity: bytes.count) { buffer in
                for (index, byte) in bytes.enumerated() {
                    buffer[index] = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
                }
                return bytes.count
            }
        }
        return folded ?? nil
    }
}

extension FieldRecord {
    /// Typed texts that are kept beside the current value until a person decides between them.
    var keptTexts: [String] {
        guard envelope.rest[ContestedValues.member] != nil else { return [] }
        return ContestedValues(of: object).values.compactMap { $0.value?.stringValue }.map { "to decide: \($0)" }
    }
}

extension Site {
    var searchedTexts: [String] { [name, address.line, phone, notes, id].compactMap(\.self) }
}

extension Inspection {
    var searchedTexts: [String] {
        [notes, review, inspector, visitLabel].compactMap(\.self) + answers.members.compactMap { $0.value.stringValue }
            + photos.flatMap(\.searchedTexts) + [id]
    }
}

extension Finding {
    var searchedTexts: [String] { [text, notes].compactMap(\.self) + photos.flatMap(\.searchedTexts) + [id] }
}

extension Assignment {
    var searchedTexts: [String] { [instructions, inspector].compactMap(\.self) + [id] }
}

extension Photo {
    fileprivate var searchedTexts: [String] { [caption, name].compactMap(\.self) }
}
