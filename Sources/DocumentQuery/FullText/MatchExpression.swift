/// The text of a search, as an expression of FTS5.
///
/// A document must have all words that follow each other. `AND`, `OR`, `NOT` and `NEAR/n` in capitals combine words;
/// NEAR binds the most, then NOT, then AND. Parentheses, `"phrases"`, `word*`, `^first` and `property:word` are
/// understood.
package enum MatchExpression {
    /// Empty for a search without words, which finds nothing.
    ///
    /// - Parameters:
    ///   - properties: of the index, in the order of its columns `c0`, `c1` ….
    ///   - isIndexed: whether a word is one that the index may have.
    /// - Throws: ``QueryError`` for a malformed search, or one that is too long.
    package static func translate(
        _ text: String, properties: [String], isIndexed: (String) -> Bool
    ) throws -> String {
        guard text.utf8.count <= QueryLimits.searchText else {
            throw QueryError("A full-text search is longer than \(QueryLimits.searchText) bytes")
        }
        return try withoutActuallyEscaping(isIndexed) { isIndexed in
            var parser = MatchParser(text, properties: properties, isIndexed: isIndexed)
            return try parser.parse().sql ?? ""
        }
    }
}

/// A part of a search.
indirect enum MatchNode {
    /// Words that no index has.
    case nothing
    case phrase(MatchPhrase)
    /// Phrases with the most words between each and the next.
    case near([MatchPhrase], distances: [Int])
    case all([MatchNode])
    case any([MatchNode])
    case without(MatchNode, [MatchNode])

    /// In the syntax of FTS5; `nil` for a search without words.
    var sql: String? {
        switch self {
        case .nothing: return nil
        case .phrase(let phrase): return phrase.sql
        case .near(let phrases, let distances):
            let pairs = distances.indices.map { index in
                let pair = [phrases[index], phrases[index + 1]]
                let column = pair.lazy.compactMap(\.column).first.map { "c\($0) : " } ?? ""
                return "\(column)NEAR(\(pair.map(\.terms).joined(separator: " ")), \(distances[index]))"
            }
            return "(" + pairs.joined(separator: " AND ") + ")"
        case .all(let nodes): return Self.joined(nodes, by: " AND ")
        case .any(let nodes): return Self.joined(nodes, by: " OR ")
        case .without(let wanted, let unwanted):
            guard let wanted = wanted.sql else { return nil }
            guard let unwanted = Self.joined(unwanted, by: " OR ") else { return wanted }
            return "(\(wanted) NOT \(unwanted))"
        }
    }

    private static func joined(_ nodes: [MatchNode], by operation: String) -> String? {
        let parts = nodes.compactMap(\.sql)
        guard parts.count > 1 else { return parts.first }
        return "(" + parts.joined(separator: operation) + ")"
    }
}

/// Words that follow each other.
struct MatchPhrase {
    /// Of one property, by its number.
    var column: Int?
    var isFirst = false
    var texts: [String] = []
    /// Whether the last word is only the beginning of one.
    var isPrefix = false

    /// Words have no quotation marks.
    var terms: String { "\"\(texts.joined(separator: " "))\"\(isPrefix ? " *" : "")" }

    var sql: String { (column.map { "c\($0) : " } ?? "") + (isFirst ? "^ " : "") + terms }
}
