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
        // The function keeps the work for as long as there is the connection.
        try registerFolding(registry)
        let work = Unmanaged.passUnretained(registry.work).toOpaque()
        try registry.check(
            sqlite3_collation_needed(registry.connection, work) { work, connection, _, name in
                guard let work, let name else { return }
                let meter = Unmanaged<ConnectionWork>.fromOpaque(work).takeUnretainedValue().meter
                guard let collation = UnicodeOrder(sqlName: String(cString: name), meter: meter) else { return }
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
        try registry.add("fb_folded", arguments: 2, state: registry.work) { context, _, values in
            guard let values, let value = values[0] else { return }
            SQLFunctionCall.run(context) { result, work in
                // The only collation of SQLite itself for which texts are folded is NOCASE.
                let collation =
                    QueryCollation(sqlName: SQLValue.text(values[1])) ?? QueryCollation(ignoresCase: true)
                let read = try SQLValue.read(value, meter: work.meter)
                guard let folded = try collation.folded(read, meter: work.meter) else {
                    return sqlite3_result_value(context, value)
                }
                try result.set(folded, meter: work.meter)
            }
        }
    }
}

extension QueryCollation {
    /// The same for all texts, or lists of texts, that are equal by the collation; `nil` for other values.
    fileprivate func folded(_ value: QueryValue, meter: WorkMeter) throws -> QueryValue? {
        switch value {
        case .text(let text): return .text(try folded(text, meter: meter))
        case .container(.array(let elements)):
            return .container(
                .array(
                    try elements.map { element in
                        guard case .string(let text) = element else { return element }
                        return .string(try folded(text, meter: meter))
                    }))
        case .missing, .null, .boolean, .integer, .real, .container: return nil
        }
    }

    private func folded(_ text: String, meter: WorkMeter) throws -> String {
        guard isUnicode else {
            guard ignoresCase else { return text }
            try meter.count(text.utf8.count)
            return String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        }
        return try text.changedByBases(units: QueryLimits.unitsOfFolding, meter: meter) { portion in
            var folded = portion.streamSafe
            if ignoresCase { folded = folded.lowercased() }
            if ignoresAccents { folded = folded.folding(options: .diacriticInsensitive, locale: nil) }
            return folded.precomposedStringWithCanonicalMapping
        }
    }
}

/// Unicode's order of texts, in a locale.
private final class UnicodeOrder {
    private let collation: QueryCollation
    private let locale: Locale
    private let meter: WorkMeter

    init?(sqlName: String, meter: WorkMeter) {
        guard let collation = QueryCollation(sqlName: sqlName), collation.isUnicode else { return nil }
        self.collation = collation
        self.meter = meter
        locale = Locale(identifier: collation.locale ?? "en_US")
    }

    /// Once the work of the statement is over all texts are the same: a collation cannot fail, and the statement ends soon.
    func compare(_ left: UnsafeRawBufferPointer, right: UnsafeRawBufferPointer) -> Int32 {
        do {
            if left.count == right.count {
                try meter.count(left.count)
                if left.elementsEqual(right) { return 0 }
            }
            return compare(try folded(left), right: try folded(right))
        } catch {
            return 0
        }
    }

    private func compare(_ left: String, right: String) -> Int32 {
        let text = NSString(string: left)
        let range = NSRange(location: 0, length: text.length)
        let options: NSString.CompareOptions = collation.ignoresAccents ? .diacriticInsensitive : []
        switch text.compare(right, options: options, range: range, locale: locale) {
        case .orderedAscending: return -1
        case .orderedSame: return 0
        case .orderedDescending: return 1
        }
    }

    /// Foundation's own way to ignore case takes "ß" for "ss", too.
    private func folded(_ bytes: UnsafeRawBufferPointer) throws -> String {
        try String(decoding: bytes, as: UTF8.self)
            .changedByBases(units: QueryLimits.unitsOfFolding, meter: meter) { portion in
                collation.ignoresCase ? portion.streamSafe.lowercased() : portion.streamSafe
            }
    }
}
