import DocumentQuery
import DocumentValues
import GRDBSQLite

/// `fb_array_agg(x)`: the values of a group as an array, without MISSING values. Booleans come as 1 and 0, as they do
/// where SQLite has sorted the rows.
enum ArrayAggregate {
    /// - Parameter limit: of the bytes that all groups of the connection have at once.
    static func register(_ registry: FunctionRegistry, limit: Int = StoreLimits.gatheredBytes) throws {
        let room = GatheringRoom(bytes: limit)
        try registry.addAggregate("fb_array_agg", state: room) { context, _, values in
            guard let state = ArrayAggregate.state(context, makes: true) else {
                return sqlite3_result_error_nomem(context)
            }
            if !state.add(values?[0]) {
                SQLResult(context: context).fail("ARRAY_AGG has more than \(state.room.limit) bytes of values")
            }
        } end: { context in
            let result = SQLResult(context: context)
            guard let slot = ArrayAggregate.slot(context, makes: false), let pointer = slot.pointee else {
                return result.set(.container(.array([])))
            }
            let state = Unmanaged<AggregatedValues>.fromOpaque(pointer).takeRetainedValue()
            slot.pointee = nil
            result.set(.container(.array(state.values)))
        }
    }

    private static func slot(
        _ context: OpaquePointer?, makes: Bool
    ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
        let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
        return sqlite3_aggregate_context(context, makes ? size : 0)?
            .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }

    private static func state(_ context: OpaquePointer?, makes: Bool) -> AggregatedValues? {
        guard let slot = slot(context, makes: makes) else { return nil }
        if let pointer = slot.pointee { return Unmanaged<AggregatedValues>.fromOpaque(pointer).takeUnretainedValue() }
        guard let room = sqlite3_user_data(context) else { return nil }
        let state = AggregatedValues(Unmanaged<GatheringRoom>.fromOpaque(room).takeUnretainedValue())
        slot.pointee = Unmanaged.passRetained(state).toOpaque()
        return state
    }
}

/// The bytes that groups may still gather. A connection has one, and is used by one thread at a time.
private final class GatheringRoom {
    let limit: Int
    private var free: Int

    init(bytes: Int) {
        limit = bytes
        free = bytes
    }

    /// Returns false, without taking any, if so many are not free.
    func take(_ bytes: Int) -> Bool {
        guard bytes <= free else { return false }
        free -= bytes
        return true
    }

    func giveBack(_ bytes: Int) { free += bytes }
}

/// Of one group.
private final class AggregatedValues {
    let room: GatheringRoom
    private(set) var values: [JSONValue] = []
    private var bytes = 0

    init(_ room: GatheringRoom) { self.room = room }

    deinit { room.giveBack(bytes) }

    /// Returns false if there is no room for the value. Then the group keeps no values, since the statement ends.
    func add(_ value: OpaquePointer?) -> Bool {
        let size = Self.size(of: value)
        guard let json = Self.json(of: value) else { return true }
        guard room.take(size) else {
            values = []
            return false
        }
        bytes += size
        values.append(json)
        return true
    }

    private static func json(of value: OpaquePointer?) -> JSONValue? {
        let read = SQLValue.read(value)
        if case .boolean(let bool) = read { return .int(bool ? 1 : 0) }
        return read.json
    }

    private static func size(of value: OpaquePointer?) -> Int {
        switch sqlite3_value_type(value) {
        // Of a number SQLite would make a text first.
        case SQLITE_TEXT, SQLITE_BLOB: StoreLimits.gatheredValue + Int(sqlite3_value_bytes(value))
        default: StoreLimits.gatheredValue
        }
    }
}
