import GRDBSQLite

/// `fb_fingerprint(a, b, …)`: a text that depends on the numbers of all rows, and not on the order of the rows. If one row is
/// another, the text is another, but for one in 2^64 cases.
struct RowFingerprint {
    private var count: UInt64
    private var sum: UInt64

    static func register(_ registry: FunctionRegistry) throws {
        try registry.addAggregate("fb_fingerprint", arguments: -1) { context, count, values in
            guard let state = RowFingerprint.state(context, makes: true) else {
                return sqlite3_result_error_nomem(context)
            }
            state.pointee.add(UnsafeBufferPointer(start: values, count: values == nil ? 0 : Int(count)))
        } end: { context in
            let state = RowFingerprint.state(context, makes: false)?.pointee
            SQLResult(context: context).set("\(state?.count ?? 0) \(state?.sum ?? 0)")
        }
    }

    /// SQLite fills the memory with zeros.
    private static func state(_ context: OpaquePointer?, makes: Bool) -> UnsafeMutablePointer<RowFingerprint>? {
        sqlite3_aggregate_context(context, makes ? Int32(MemoryLayout<RowFingerprint>.size) : 0)?
            .assumingMemoryBound(to: RowFingerprint.self)
    }

    private mutating func add(_ row: UnsafeBufferPointer<OpaquePointer?>) {
        var mixed: UInt64 = 0
        for value in row {
            // A source without a document, of a LEFT JOIN, has no number. Sequences begin with 1.
            let number = sqlite3_value_type(value) == SQLITE_NULL ? 0 : sqlite3_value_int64(value)
            mixed = Self.mix(mixed ^ UInt64(bitPattern: number))
        }
        count += 1
        sum &+= mixed
    }

    /// The last steps of SplitMix64, in which each bit depends on all.
    private static func mix(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
