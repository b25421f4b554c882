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

/// Looks for terms in what people have written; accents and case do not matter.
public struct RecordSearch {
    private let terms: [String]
    private let since: CalendarDay?
    private let until: CalendarDay?

    /// - Parameter text: terms, all of which a record must have; each may be a part of a word.
    public init(_ text: String, since: CalendarDay? = nil, until: CalendarDay? = nil) {
        terms = text.searchable.split(whereSeparator: \.isWhitespace).map(String.init)
        self.since = since
        self.until = until
    }

    /// Sites by their names, then what is newest first.
    public func run(in field: FieldDatabase) throws -> [FoundRecord] {
        guard !terms.isEmpty else { return [] }
        var found: [FoundRecord] = []
        if since == nil, until == nil {
            found += try field.sites.all().records.sortedNaturally { [$0.name] }
                .compactMap { match($0, date: nil, site: $0.id, texts: $0.texts) }
        }
        found += try newest(field.inspections.all().records, day: \.date).compactMap {
            match($0, date: $0.date, site: $0.site, texts: $0.texts)
        }
        found += try newest(field.findings.all().records, day: \.date).compactMap {
            match($0, date: $0.date, site: $0.site, texts: $0.texts)
        }
        found += try newest(field.assignments.all().records, day: \.due).compactMap {
            match($0, date: $0.due, site: $0.site, texts: $0.texts)
        }
        return found
    }

    private func newest<Record: FieldRecord>(
        _ records: [Record], day: KeyPath<Record, CalendarDay>
    ) -> [Record] {
        records.filter { record in
            since.map { record[keyPath: day] >= $0 } ?? true && until.map { record[keyPath: day] <= $0 } ?? true
        }.sorted { ($1[keyPath: day], Name($1.id)) < ($0[keyPath: day], Name($0.id)) }
    }

    private func match(_ record: some FieldRecord, date: CalendarDay?, site: String?, texts: [String])
        -> FoundRecord?
    {
        let texts = texts + record.keptTexts
        let plain = texts.map(\.searchable)
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
    /// For searching by bytes: as somebody types it who has no accents on the keyboard, each letter spelled in one way.
    public var searchable: String {
        streamSafe.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .precomposedStringWithCanonicalMapping
    }
}

extension FieldRecord {
    /// What somebody has typed, and what is kept beside another value until it is decided which of them counts.
    fileprivate var keptTexts: [String] {
        guard envelope.rest[ContestedValues.member] != nil else { return [] }
        return ContestedValues(of: object).values.compactMap { $0.value?.stringValue }.map { "to decide: \($0)" }
    }
}

extension Site {
    fileprivate var texts: [String] { [name, address.line, phone, notes, id].compactMap(\.self) }
}

extension Inspection {
    fileprivate var texts: [String] {
        [notes, review, inspector, visitLabel].compactMap(\.self) + answers.members.compactMap { $0.value.stringValue }
            + photos.flatMap(\.texts) + [id]
    }
}

extension Finding {
    fileprivate var texts: [String] { [text, notes].compactMap(\.self) + photos.flatMap(\.texts) + [id] }
}

extension Assignment {
    fileprivate var texts: [String] { [instructions, inspector].compactMap(\.self) + [id] }
}

extension Photo {
    fileprivate var texts: [String] { [caption, name].compactMap(\.self) }
}
