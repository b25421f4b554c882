import DocumentQuery
import DocumentValues
import GRDBSQLite

/// `fb_array_agg(x)`: the values of a group as an array, without MISSING values. Booleans come as 1 and 0, as they do
/// where SQLite has sorted the rows.
enum ArrayAggregate {
    /// - Parameter limit: of the bytes that all groups of the connection have at once.
    static func register(_ registry: FunctionRegistry, limit: Int = StoreLimits.gatheredBytes) throws {
        let room = GatheringRoom(bytes: limit, meter: registry.work.meter)
        try registry.addAggregate("fb_array_agg", state: room) { context, _, values in
            guard let state = ArrayAggregate.state(context, makes: true) else {
                return sqlite3_result_error_nomem(context)
            }
            SQLFunctionCall(context: context).run { _ in try state.add(values?[0]) }
        } end: { context in
            guard let slot = ArrayAggregate.slot(context, makes: false), let pointer = slot.pointee else {
                return SQLResult(context: context).set(.container(.array([])))
            }
            let state = Unmanaged<AggregatedValues>.fromOpaque(pointer).takeRetainedValue()
            slot.pointee = nil
            SQLFunctionCall(context: context).run {
                try $0.set(.container(.array(state.values)), meter: state.room.meter)
            }
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
    let meter: WorkMeter
    private var free: Int

    init(bytes: Int, meter: WorkMeter) {
        limit = bytes
        free = bytes
        self.meter = meter
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

    /// Throws `FunctionError` if there is no room for the value. Then the group keeps no values, since the statement ends.
    func add(_ value: OpaquePointer?) throws {
        let size = SQLValue.size(of: CollectionOfOne(value))
        guard let json = try json(of: value) else { return }
        guard room.take(size) else {
            values = []
            throw FunctionError("ARRAY_AGG has more than \(room.limit) bytes of values")
        }
        bytes += size
        values.append(json)
    }

    private func json(of value: OpaquePointer?) throws -> JSONValue? {
        let read = try SQLValue.read(value, meter: room.meter)
        if case .boolean(let bool) = read { return .int(bool ? 1 : 0) }
        return read.json
    }
}
