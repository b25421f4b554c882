import DocumentStore
import DocumentValues
import FieldModels

/// The terms of a search, and which stored documents may have them: most have not, and need not be read for that.
struct SearchTerms {
    /// As texts are searched.
    let texts: [String]

    private let parts: [Part]
    /// Whether a term has letters that no text in English has, with or without accents.
    private let isForeign: Bool

    /// The bytes that have to be there for a term.
    fileprivate struct Part {
        let pieces: [FoldedBytes]
        /// Whether it is a part of a visit's label in lists, for which records have another text.
        let isOfLabel: Bool
    }

    /// - Parameter text: terms, all of which a record must have; each may be a part of a word.
    init(_ text: String) {
        texts = text.searchable.split(whereSeparator: \.isWhitespace).map(String.init)
        isForeign = texts.contains { !$0.utf8.allSatisfy { $0 < 0x80 } }
        parts = texts.map { text in
            // An address is searched as a line, with commas between values that a document has in several members.
            let pieces = text.utf8.split(separator: UInt8(ascii: ",")).map { FoldedBytes($0) }
            return Part(pieces: pieces, isOfLabel: Inspection.Visit.followUp.label.containsBytes(of: text))
        }
    }

    var isEmpty: Bool { texts.isEmpty }

    /// The ids of records that may have all terms, the oldest change first.
    func candidates<Record>(in records: RecordRepository<Record>) throws -> [String] {
        // Odd documents are read in other ways than by their texts; and values to decide are found with letters that are in no
        // document.
        let others = try [RecordCondition.odd(Record.kind), .undecided].compactMap(\.self)
            .flatMap { try $0.ids(in: records.collection) }
        let always = Set(others.map { Name($0) })
        var ids: [String] = []
        try records.collection.forEachStoredBody { stored in
            if mayBe(in: stored) || (!always.isEmpty && always.contains(Name(stored.id))) { ids.append(stored.id) }
        }
        return ids
    }

    /// Bytes are compared, and those of texts are in a document as they are where all are ASCII and none is an escape; any
    /// other document may have everything.
    private func mayBe(in stored: StoredBytes) -> Bool {
        let (id, json) = (stored.idBytes, stored.json)
        if !isForeign, parts.allSatisfy({ $0.isPart(of: json, id: id) }) { return true }
        return !json.isPlain || !id.isPlain
    }

    fileprivate static let followUp = FoldedBytes(Inspection.Visit.followUp.rawValue.utf8)
}

extension SearchTerms.Part {
    fileprivate func isPart(of json: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer) -> Bool {
        pieces.allSatisfy { $0.isPart(of: json) || $0.isPart(of: id) }
            || isOfLabel && SearchTerms.followUp.isPart(of: json)
    }
}
