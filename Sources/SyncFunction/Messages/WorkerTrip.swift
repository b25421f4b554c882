import DocumentValues

/// A message of the gateway to a worker: calls, with the functions and users to which they refer.
///
/// On the wire: a length in four bytes, then the trip. The worker answers with one message for each call, in the same
/// framing and in order (`WorkerAnswer`); before the first trip it sends one greeting.
struct WorkerTrip: Sendable, Equatable {
    struct Call: Sendable, Equatable {
        /// The function's number.
        var function: UInt32
        /// `nil` for a call that only checks whether the function compiles.
        var document: [UInt8]?
        var oldDocument: [UInt8]?
        /// JSON; `nil` if there is none.
        var meta: [UInt8]?
        /// Index in `users`; `nil` for an administrator.
        var user: Int?
    }

    private static let confinedGreeting = "fieldbook sync-function worker 5"

    /// - Parameter error: the error number for which the worker's system calls are not filtered; `nil` where they are.
    static func greeting(unconfined error: Int32?) -> [UInt8] {
        Array((confinedGreeting + (error.map { " unconfined \($0)" } ?? "")).utf8)
    }

    /// The confinement in a worker's greeting; `nil` if it is not a greeting.
    static func confinement(greeting bytes: [UInt8]) -> WorkerConfinement? {
        let text = String(decoding: bytes, as: UTF8.self)
        if text.isExactly(confinedGreeting) { return .confined }
        return text.droppingExactPrefix(confinedGreeting + " unconfined ").flatMap { Int32($0) }.map {
            .unconfined(error: $0)
        }
    }

    /// The worker sends every answer at once, so that the first missing answer shows the call at fault.
    var isCareful = false
    /// Functions that this worker has not seen, by the numbers that calls use from here on.
    var functions: [(number: UInt32, text: [UInt8])] = []
    /// Users, in the form of `WorkerUser`.
    var users: [[UInt8]] = []
    var calls: [Call] = []

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.append(UInt32(isCareful ? 1 : 0))
        writer.append(UInt32(functions.count))
        for function in functions {
            writer.append(function.number)
            writer.append(function.text)
        }
        writer.append(UInt32(users.count))
        for user in users { writer.append(user) }
        writer.append(UInt32(calls.count))
        for call in calls {
            writer.append(call.function)
            writer.append(optional: call.document)
            writer.append(optional: call.oldDocument)
            writer.append(optional: call.meta)
            writer.append(UInt32(call.user.map { $0 + 1 } ?? 0))
        }
        return writer.bytes
    }

    init() {}

    init(reading bytes: [UInt8]) throws(ByteReader.Truncated) {
        var reader = ByteReader(bytes)
        isCareful = try reader.number() == 1
        for _ in 0..<(try reader.number()) { functions.append((try reader.number(), try reader.piece())) }
        for _ in 0..<(try reader.number()) { users.append(try reader.piece()) }
        for _ in 0..<(try reader.number()) {
            let (function, document) = (try reader.number(), try reader.optionalPiece())
            let (oldDocument, meta) = (try reader.optionalPiece(), try reader.optionalPiece())
            let user = Int(try reader.number())
            guard user <= users.count else { throw ByteReader.Truncated() }
            calls.append(
                Call(
                    function: function, document: document, oldDocument: oldDocument, meta: meta,
                    user: user == 0 ? nil : user - 1))
        }
    }

    static func == (left: WorkerTrip, right: WorkerTrip) -> Bool { left.bytes == right.bytes }
}

/// Whether the kernel keeps a worker from files, sockets and programs.
enum WorkerConfinement: Sendable, Equatable {
    case confined
    /// The error number of the attempt.
    case unconfined(error: Int32)
}
