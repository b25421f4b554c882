import DocumentQuery
import Glibc
import GRDBSQLite

/// The last paths of a connection, parsed for the next rows. SQLite could keep the parsed path with each call of a
/// statement, but it searches them one by one: the time would grow with the square of the number of calls, which may be
/// thousands.
final class PathCache {
    /// Nearly all statements have fewer properties; a power of two.
    private static let count = 256
    /// A longer path is parsed each time.
    private static let longest = 256

    /// Memory of its own, since access to an array in a class would cost as much as comparing the path.
    private let slots: UnsafeMutablePointer<Slot?>
    private let meter: WorkMeter

    private struct Slot {
        let text: [UInt8]
        var finder: BodyFinder
    }

    init(_ meter: WorkMeter) {
        self.meter = meter
        slots = .allocate(capacity: Self.count)
        slots.initialize(repeating: nil, count: Self.count)
    }

    deinit {
        slots.deinitialize(count: Self.count)
        slots.deallocate()
    }

    /// The bytes of a value in a document or a container; `nil` if there is none.
    ///
    /// - Parameter path: a text that `QueryPath.text` made. A statement keeps each of its texts at one address for its whole
    ///   life, so the address selects the slot.
    /// - Throws: `WorkEnded`.
    func find(_ path: OpaquePointer?, in body: UnsafeBufferPointer<UInt8>) throws -> UnsafeBufferPointer<UInt8>? {
        if body.count > QueryLimits.uncounted { try meter.count(body.count) }
        let text = SQLValue.bytes(text: path)
        guard let start = text.baseAddress, text.count <= Self.longest else {
            var finder = BodyFinder(QueryPath(written: text))
            return finder.find(in: body)
        }
        let mixed = UInt64(UInt(bitPattern: start)) &* 0x9E37_79B9_7F4A_7C15
        let slot = slots + Int(truncatingIfNeeded: mixed >> 56)
        if slot.pointee == nil || !Self.isSame(text, as: slot.pointee!.text) {
            slot.pointee = Slot(text: Array(text), finder: BodyFinder(QueryPath(written: text)))
        }
        return slot.pointee!.finder.find(in: body)
    }

    private static func isSame(_ text: UnsafeBufferPointer<UInt8>, as other: [UInt8]) -> Bool {
        guard text.count == other.count else { return false }
        guard let start = text.baseAddress, !other.isEmpty else { return true }
        return memcmp(other, start, other.count) == 0
    }

    /// Counts the work for an array or an object that becomes a value of its own.
    ///
    /// - Throws: `WorkEnded`.
    func count(_ found: UnsafeBufferPointer<UInt8>) throws {
        guard found.count > QueryLimits.uncounted, found.first.map(Self.isBracket) == true else { return }
        try meter.count(found.count * QueryLimits.unitsOfJSON)
    }

    private static func isBracket(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

    /// The cache of the connection that calls a function.
    static func of(_ context: OpaquePointer?) -> Unmanaged<PathCache> {
        Unmanaged<PathCache>.fromOpaque(sqlite3_user_data(context)!)
    }
}

extension QueryPath {
    /// The translator only writes valid paths; any other text counts as the path of the whole document.
    init(written text: UnsafeBufferPointer<UInt8>) {
        self = QueryPath(parsing: String(decoding: text, as: UTF8.self)) ?? QueryPath()
    }
}
