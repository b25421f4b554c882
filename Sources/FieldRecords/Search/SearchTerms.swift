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

    /// Whether a document may have all terms, unless it is odd. Bytes are compared, and those of texts are in a document as
    /// they are where all are ASCII and none is an escape; any other document may have everything, and so may one with values
    /// to decide, which are found with letters that are in no document.
    func mayBe(in stored: StoredBytes) -> Bool {
        let (id, json) = (stored.idBytes, stored.json)
        if !isForeign, parts.allSatisfy({ $0.isPart(of: json, id: id) }) { return true }
        return !id.isASCII || !json.isASCII || json.contains(UInt8(ascii: "\\")) || Self.undecided.isPart(of: json)
    }

    private static let undecided = FoldedBytes(ContestedValues.member.utf8)
    fileprivate static let followUp = FoldedBytes(Inspection.Visit.followUp.rawValue.utf8)
}

extension SearchTerms.Part {
    fileprivate func isPart(of json: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer) -> Bool {
        pieces.allSatisfy { $0.isPart(of: json) || $0.isPart(of: id) }
            || isOfLabel && SearchTerms.followUp.isPart(of: json)
    }
}

/// Bytes to be looked for in either case. It takes some other signs for the same, too, and no two letters.
struct FoldedBytes {
    private let bytes: [UInt8]
    private let first: UInt64
    private let last: UInt64

    private static let each: UInt64 = 0x0101_0101_0101_0101
    private static let highest: UInt64 = 0x8080_8080_8080_8080
    /// The bit that small letters have, and capitals do not.
    private static let small: UInt8 = 0x20

    init(_ text: some Sequence<UInt8>) {
        bytes = text.map { $0 | Self.small }
        first = UInt64(bytes.first ?? 0) * Self.each
        last = UInt64(bytes.last ?? 0) * Self.each
    }

    func isPart(of text: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return true }
        let lastStart = text.count - bytes.count
        var start = 0
        // Eight bytes at once, at which the first and the last byte may be.
        while start + 7 <= lastStart {
            let here = (load(text, at: start) ^ first) | (load(text, at: start + bytes.count - 1) ^ last)
            if (here &- Self.each) & ~here & Self.highest != 0, isAny(of: text, at: start..<(start + 8)) { return true }
            start += 8
        }
        return start <= lastStart && isAny(of: text, at: start..<(lastStart + 1))
    }

    private func load(_ text: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        text.loadUnaligned(fromByteOffset: offset, as: UInt64.self) | (UInt64(Self.small) * Self.each)
    }

    private func isAny(of text: UnsafeRawBufferPointer, at starts: Range<Int>) -> Bool {
        starts.contains { start in
            for index in bytes.indices where text[start + index] | Self.small != bytes[index] { return false }
            return true
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var isASCII: Bool {
        var all: UInt64 = 0
        var offset = 0
        while offset + 8 <= count {
            all |= loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        while offset < count {
            all |= UInt64(self[offset])
            offset += 1
        }
        return all & 0x8080_8080_8080_8080 == 0
    }
}
