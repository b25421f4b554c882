import DocumentValues
import FormLogic

/// The choices that a line names: `1,3`, `2-4`, names; with a sign those that it adds or takes away.
struct ChoiceTokens {
    enum Change: Sendable, Hashable {
        case chosen, added, removed
    }

    struct Token {
        let change: Change
        let choices: [Int]
    }

    private let matching: ChoiceMatching
    /// What the ranges of the line may still name: each may name the whole list.
    private var room: Int
    private(set) var tokens: [Token] = []

    /// - Throws: `AnswerRefusal` where a part of the line means no choice, or several.
    init(_ text: String, matching: ChoiceMatching) throws(AnswerRefusal) {
        self.matching = matching
        room = 4 * matching.index.choices.count + 1_000
        for part in text.utf8.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }) {
            let part = String(Substring(part)).trimmingSpaces
            guard !part.isEmpty else { continue }
            let pieces = part.spacedParts
            if !areNames(pieces), try add(part) { continue }
            for piece in pieces {
                guard try add(piece) else { throw refusal(piece) }
            }
        }
    }

    /// Whether each is exactly a name: several are no beginning of one label then.
    private func areNames(_ pieces: [String]) -> Bool {
        pieces.count > 1 && pieces.allSatisfy { matching.index.index(of: Name($0)) != nil }
            && matching.index.shown(FoldedText.of(pieces.joined(separator: " "))).isEmpty
    }

    /// `false` where the text is not one token.
    private mutating func add(_ text: String) throws(AnswerRefusal) -> Bool {
        let sign = Self.sign(of: text)
        if case .one(let choice) = matching.match(text) {
            let rest = sign == nil ? "" : String(Substring(text.utf8.dropFirst()))
            guard sign == nil || matching.row(rest) == nil else { throw .signedName(text) }
            try append(.chosen, choices: [choice])
            return true
        }
        let named = sign == nil ? text : String(Substring(text.utf8.dropFirst()))
        if let rows = rows(named) {
            try append(sign ?? .chosen, choices: rows)
        } else if sign != nil, case .one(let choice) = matching.match(named) {
            try append(sign ?? .chosen, choices: [choice])
        } else {
            return false
        }
        return true
    }

    private mutating func append(_ change: Change, choices: [Int]) throws(AnswerRefusal) {
        room -= choices.count
        guard room >= 0 else { throw .tooManyChoices }
        tokens.append(Token(change: change, choices: choices))
    }

    private static func sign(of text: String) -> Change? {
        switch text.utf8.first {
        case UInt8(ascii: "+"): .added
        case UInt8(ascii: "-"): .removed
        default: nil
        }
    }

    /// `2-4`, `4-2`
    private func rows(_ text: String) -> [Int]? {
        let ends = PlainDigits.of(text).split(atByte: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = matching.row(ends[0]), let last = matching.row(ends[1]) else { return nil }
        return first <= last ? Array(first...last) : (last...first).reversed()
    }

    private func refusal(_ text: String) -> AnswerRefusal {
        if case .several(let choices) = matching.match(text) { return matching.refusal(text, several: choices) }
        return matching.refusal(text)
    }
}
