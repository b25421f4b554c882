import DocumentQuery
import GRDBSQLite

/// `fb_sum(x)`: the sum as SQLite has it, but whether one of whole numbers is too large depends on the sum alone. SQLite's own
/// fails as soon as the sum of the rows so far is, so that it depends on their order, and with it on the indexes.
struct SumFunction {
    /// How many values there are.
    private var count: Int64
    /// In the order of the rows. With values that are no whole numbers it is the result.
    private var approximate: Double
    private var isApproximate: Bool
    /// The exact sum of the whole numbers: the lower 64 bits of 128, and the upper ones.
    private var low: UInt64
    private var high: Int64

    static func register(_ registry: FunctionRegistry) throws {
        try registry.addAggregate("fb_sum") { context, _, values in
            guard let state = SumFunction.state(context, makes: true) else {
                return sqlite3_result_error_nomem(context)
            }
            state.pointee.add(values?[0])
        } end: { context in
            let result = SQLResult(context: context)
            guard let sum = SumFunction.state(context, makes: false)?.pointee, sum.count > 0 else {
                return result.set(.missing)
            }
            sum.set(result)
        }
    }

    /// SQLite fills the memory with zeros.
    private static func state(_ context: OpaquePointer?, makes: Bool) -> UnsafeMutablePointer<SumFunction>? {
        sqlite3_aggregate_context(context, makes ? Int32(MemoryLayout<SumFunction>.size) : 0)?
            .assumingMemoryBound(to: SumFunction.self)
    }

    /// A text counts as the number that it begins with.
    private mutating func add(_ value: OpaquePointer?) {
        switch sqlite3_value_numeric_type(value) {
        case SQLITE_NULL: return
        case SQLITE_INTEGER:
            let whole = sqlite3_value_int64(value)
            approximate += Double(whole)
            let (sum, carries) = low.addingReportingOverflow(UInt64(bitPattern: whole))
            low = sum
            high += (whole < 0 ? -1 : 0) + (carries ? 1 : 0)
        default:
            approximate += sqlite3_value_double(value)
            isApproximate = true
        }
        count += 1
    }

    private func set(_ result: SQLResult) {
        let whole = Int64(bitPattern: low)
        if isApproximate {
            result.set(.real(approximate))
        } else if high == (whole < 0 ? -1 : 0) {
            result.set(.integer(whole))
        } else {
            result.fail("integer overflow")
        }
    }
}
