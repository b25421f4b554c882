import DocumentQuery
import DocumentValues
import GRDBSQLite

/// `fb_array_agg(x)`: the values of a group as an array, without MISSING values. Booleans come as 1 and 0, as they do
/// where SQLite has sorted the rows.
enum ArrayAggregate {
    static func register(_ registry: FunctionRegistry) throws {
        try registry.addAggregate("fb_array_agg") { context, _, values in
            guard let state = ArrayAggregate.state(context, makes: true) else {
                return sqlite3_result_error_nomem(context)
            }
            state.add(SQLValue.read(values?[0]))
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
        let state = AggregatedValues()
        slot.pointee = Unmanaged.passRetained(state).toOpaque()
        return state
    }
}

/// Of one group.
private final class AggregatedValues {
    private(set) var values: [JSONValue] = []

    func add(_ value: QueryValue) {
        if case .boolean(let bool) = value {
            values.append(.int(bool ? 1 : 0))
        } else if let json = value.json {
            values.append(json)
        }
    }
}
