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
public struct RecordSearch: Sendable {
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
    public func run(in store: RecordStore) throws -> [FoundRecord] { try portions(in: store).all() }

    /// The same, read as it is requested. A portion has records of one kind.
    package func portions(in store: RecordStore) throws -> Portions<FoundRecord> {
        guard !terms.isEmpty else { return Portions([]) }
        var lists: [@Sendable () throws -> Portions<FoundRecord>] = []
        if since == nil, until == nil { lists.append { try sites(in: store) } }
        lists.append { try inspections(in: store) }
        lists.append { try findings(in: store) }
        lists.append { try assignments(in: store) }
        lists.append { try responses(in: store) }
        return try Portions(chaining: lists[...])
    }

    private func sites(in store: RecordStore) throws -> Portions<FoundRecord> {
        let search = KindSearch(records: store.sites, terms: terms) { site in
            match(site, date: nil, site: site.id, texts: site.searchedTexts)
        }
        return try search.run { few in
            Self.sorted(few.map { (id: $0.record.id, name: $0.record.name, found: $0.found) }).map { $0.found }
        } many: { candidates in
            let sites = try store.sites.listed(as: ListedSite.self).records.filter { candidates.contains(Name($0.id)) }
            let ids = Self.sorted(sites.map { (id: $0.id, name: $0.name, found: ()) }).map { $0.id }
            return Portions(ids[...], by: FieldRecordsLimits.recordsAtOnce)
        }
    }

    private static func sorted<Found>(
        _ sites: [(id: String, name: String, found: Found)]
    ) -> [(id: String, name: String, found: Found)] {
        sites.sorted { $0.id.isExactlyBefore($1.id) }.sortedNaturally { [$0.name] }
    }

    private func inspections(in store: RecordStore) throws -> Portions<FoundRecord> {
        let search = KindSearch(records: store.inspections, terms: terms) { inspection in
            dated(inspection, on: inspection.date, at: inspection.site, texts: inspection.searchedTexts)
        }
        return try search.run(few: Self.newestFirst) { candidates in
            try store.inspections.byDay(as: ListedInspection.self, where: filter) { isWanted($0.date) }.records
                .map { $0.map(\.id).filter { candidates.contains(Name($0)) } }
        }
    }

    private func findings(in store: RecordStore) throws -> Portions<FoundRecord> {
        let search = KindSearch(records: store.findings, terms: terms) { finding in
            dated(finding, on: finding.date, at: finding.site, texts: finding.searchedTexts)
        }
        return try search.run(few: Self.newestFirst) { candidates in
            try store.findings.byDay(as: ListedFinding.self, where: filter) { isWanted($0.date) }.records
                .map { $0.map(\.id).filter { candidates.contains(Name($0)) } }
        }
    }

    private func assignments(in store: RecordStore) throws -> Portions<FoundRecord> {
        let search = KindSearch(records: store.assignments, terms: terms) { assignment in
            dated(assignment, on: assignment.due, at: assignment.site, texts: assignment.searchedTexts)
        }
        return try search.run(few: Self.newestFirst) { candidates in
            let ids = try store.assignments.all().records.filter { candidates.contains(Name($0.id)) }
                .sorted { ($1.due, Name($1.id)) < ($0.due, Name($0.id)) }.map(\.id)
            return Portions(ids[...], by: FieldRecordsLimits.recordsAtOnce)
        }
    }

    private func responses(in store: RecordStore) throws -> Portions<FoundRecord> {
        let search = KindSearch(records: store.responses, terms: terms) { response in
            dated(response, on: response.day, at: response.site ?? "", texts: response.searchedTexts)
        }
        return try search.run(few: Self.newestFirst) { candidates in
            try store.responses.byDay(as: ListedResponse.self, where: filter) { isWanted($0.day) }.records
                .map { $0.map(\.id).filter { candidates.contains(Name($0)) } }
        }
    }

    private var filter: RecordFilter {
        var filter = RecordFilter()
        (filter.since, filter.until) = (since, until)
        return filter
    }

    private func isWanted(_ day: CalendarDay) -> Bool {
        since.map { day >= $0 } ?? true && until.map { day <= $0 } ?? true
    }

    private static func newestFirst<Record>(_ few: [KindSearch<Record>.Match]) -> [FoundRecord] {
        few.map(\.found).sorted { isNewer($0, than: $1) }
    }

    private static func isNewer(_ left: FoundRecord, than right: FoundRecord) -> Bool {
        guard let day = left.date, let other = right.date, day != other else {
            return right.id.isExactlyBefore(left.id)
        }
        return other < day
    }

    /// `nil` also for a record of another time.
    private func dated(
        _ record: some FieldRecord, on day: CalendarDay, at site: String, texts: [String]
    ) -> FoundRecord? {
        isWanted(day) ? match(record, date: day, site: site, texts: texts) : nil
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

extension Response {
    /// The day on which it was begun.
    fileprivate var day: CalendarDay {
        (startedAt ?? envelope.createdAt ?? Timestamp(secondsSince1970: 0)).day
    }

    /// Its name, its form, the answers that are texts, and what people have noted about it.
    fileprivate var searchedTexts: [String] {
        [instanceName, form].compactMap(\.self) + AnswerTexts.of(answers)
            + remarks.compactMap { $0["text"]?.stringValue }
            + steps.compactMap(\.why) + [id]
    }
}

extension Photo {
    fileprivate var searchedTexts: [String] { [caption, name].compactMap(\.self) }
}
