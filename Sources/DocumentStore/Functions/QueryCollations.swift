import DocumentQuery
import DocumentValues
import Foundation
import GRDB
import GRDBSQLite

/// The orders of texts that are not SQLite's own, by Unicode's rules as Foundation has them.
enum QueryCollations {
    /// Registers each collation when a statement first uses it.
    static func register(_ registry: FunctionRegistry) throws {
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
