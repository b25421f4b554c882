import DocumentValues

/// A call on its way to a worker.
struct PendingCall: Sendable {
    let function: SyncFunctionSource
    let database: Name
    /// `nil` for a call that only checks whether the function compiles.
    let document: [UInt8]?
    let oldDocument: [UInt8]?
    /// JSON.
    let meta: [UInt8]?
    let user: SyncFunctionUser?
    /// `nil` for the usual time.
    let time: Duration?

    init(_ call: SyncFunctionCall) {
        function = call.function
        database = call.database
        document = call.document
        oldDocument = call.oldDocument
        meta = call.meta.json
        user = call.user
        time = call.time
    }

    init(compiling function: SyncFunctionSource) {
        self.function = function
        database = CallOwner.configuration.database
        document = nil
        oldDocument = nil
        meta = nil
        user = nil
        time = nil
    }

    var size: Int { (document?.count ?? 0) + (oldDocument?.count ?? 0) + (meta?.count ?? 0) }

    /// How long the engine may take to read the documents of the function.
    var readingTime: Duration { SyncFunctionLimits.readingTime(of: size) }
}
