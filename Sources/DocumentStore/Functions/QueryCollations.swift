import DocumentQuery
import DocumentValues
import Foundation
import GRDB
import GRDBSQLite

/// The orders of texts that are not SQLite's own, by Unicode's rules as Foundation has them.
enum QueryCollations {
    /// Registers each collation when a statement first uses it. Functions compare texts by their bytes; for these there is
    /// `fb_folded(x, collation)`, which returns the same for all texts, or lists of texts, that are equal by the collation.
    static func register(_ registry: FunctionRegistry) throws {
        try registerFolding(registry)
        try registry.check(
            sqlite3_collation_needed(registry.connection, nil) { _, connection, _, name in
                guard let name, let collation = UnicodeOrder(sqlName: String(cString: name)) else { return }
                sqlite3_create_collation_v2(
                    connection, name, SQLITE_UTF8, Unmanaged.passRetained(collation).toOpaque(),
                    { order, leftCount, left, rightCount, right in
                        guard let order else { return 0 }
                        return Unmanaged<UnicodeOrder>.fromOpaque(order).takeUnretainedValue()
                            .compare(
                                UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
                                right: UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
                    },
                    { order in
                        guard let order else { return }
                        Unmanaged<UnicodeOrder>.fromOpaque(order).release()
                    })
            })
    }

    private static func registerFolding(_ registry: FunctionRegistry) throws {
        try registry.add("fb_folded", arguments: 2) { context, _, values in
            guard let values, let value = values[0] else { return }
            let result = SQLResult(context: context)
            // The only collation of SQLite itself for which texts are folded is NOCASE.
            let collation =
                QueryCollation(sqlName: SQLValue.text(values[1])) ?? QueryCollation(ignoresCase: true)
            switch SQLValue.read(value) {
            case .text(let text): result.set(collation.folded(text))
            case .container(.array(let elements)):
                let folded = elements.map { element -> JSONValue in
                    if case .string(let text) = element { JSONValue.string(collation.folded(text)) } else { element }
                }
                result.set(.container(.array(folded)))
            case .missing, .null, .boolean, .integer, .real, .container: sqlite3_result_value(context, value)
            }
        }
    }
}

extension QueryCollation {
    /// The same for all texts that are equal by the collation.
    fileprivate func folded(_ text: String) -> String {
        guard isUnicode else {
            return ignoresCase
                ? String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self) : text
        }
        var folded = text.streamSafe
        if ignoresCase { folded = folded.lowercased() }
        if ignoresAccents { folded = folded.folding(options: .diacriticInsensitive, locale: nil) }
        return folded.precomposedStringWithCanonicalMapping
    }
}

/// Unicode's order of texts, in a locale.
private final class UnicodeOrder: Sendable {
    private let collation: QueryCollation
    private let locale: Locale

    init?(sqlName: String) {
        guard let collation = QueryCollation(sqlName: sqlName), collation.isUnicode else { return nil }
        self.collation = collation
        locale = Locale(identifier: collation.locale ?? "en_US")
    }

    func compare(_ left: UnsafeRawBufferPointer, right: UnsafeRawBufferPointer) -> Int32 {
        if left.count == right.count, left.elementsEqual(right) { return 0 }
        let text = NSString(string: folded(left))
        let range = NSRange(location: 0, length: text.length)
        let options: NSString.CompareOptions = collation.ignoresAccents ? .diacriticInsensitive : []
        switch text.compare(folded(right), options: options, range: range, locale: locale) {
        case .orderedAscending: return -1
        case .orderedSame: return 0
        case .orderedDescending: return 1
        }
    }

    /// Foundation's own way to ignore case takes "ß" for "ss", too.
    private func folded(_ bytes: UnsafeRawBufferPointer) -> String {
        let text = String(decoding: bytes, as: UTF8.self).streamSafe
        return collation.ignoresCase ? text.lowercased() : text
    }
}
