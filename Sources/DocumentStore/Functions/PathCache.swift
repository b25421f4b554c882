import DocumentQuery
import Glibc
import GRDBSQLite

/// The paths that a connection has used last, parsed for the next row. SQLite could keep one for each call of a statement,
/// but looks through all of them to find it: a statement with thousands of calls would take time with the square.
final class PathCache {
    /// More than nearly all statements have properties.
    private static let count = 256
    /// A path that is longer is read each time.
    private static let longest = 256

    private var paths = [BodyPath?](repeating: nil, count: PathCache.count)

    /// Parses the text of `QueryPath.text`.
    func path(_ value: OpaquePointer?) -> BodyPath {
        let text = SQLValue.bytes(text: value)
        guard let start = text.baseAddress, text.count <= Self.longest else {
            return BodyPath(String(decoding: text, as: UTF8.self))
        }
        var hash = UInt32(truncatingIfNeeded: text.count)
        for byte in text { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        let index = Int((hash ^ hash >> 16) % UInt32(Self.count))
        if let path = paths[index], path.text.count == text.count, memcmp(path.text, start, text.count) == 0 {
            return path
        }
        let path = BodyPath(String(decoding: text, as: UTF8.self))
        paths[index] = path
        return path
    }

    /// Of the connection that calls a function.
    static func of(_ context: OpaquePointer?) -> PathCache {
        Unmanaged<PathCache>.fromOpaque(sqlite3_user_data(context)!).takeUnretainedValue()
    }
}

/// A path as `QueryPath.text` writes it, ready to be looked for.
final class BodyPath: Sendable {
    let target: BodyScanner.Target
    let text: [UInt8]

    /// The translator writes valid paths only; any other text means the whole value.
    init(_ text: String) {
        target = BodyScanner.Target(QueryPath(parsing: text) ?? QueryPath())
        self.text = Array(text.utf8)
    }
}
