import DocumentValues

/// The answer to one call: on the wire a byte for its kind, and then its content.
enum WorkerAnswer: Sendable, Equatable {
    /// The JSON that the prelude wrote; empty if no document was run.
    case outcome([UInt8])
    /// The function does not compile; with the engine's text.
    case unusable(String)
    /// The engine could not finish the call.
    case failed(String)
    /// The call failed, and the engine had requested memory in vain. A script cannot produce this answer.
    case noMemory

    /// Sent instead of an answer: the worker did not begin this call and the following ones, because the time of the
    /// trip was over.
    static let pause = [Kind.pause.rawValue]

    private enum Kind: UInt8 { case outcome, unusable, failed, pause, noMemory }

    var bytes: [UInt8] {
        switch self {
        case .outcome(let json): [Kind.outcome.rawValue] + json
        case .unusable(let text): [Kind.unusable.rawValue] + Array(text.utf8)
        case .failed(let text): [Kind.failed.rawValue] + Array(text.utf8)
        case .noMemory: [Kind.noMemory.rawValue]
        }
    }

    init(reading bytes: [UInt8]) throws(ByteReader.Truncated) {
        let rest = Array(bytes.dropFirst())
        switch bytes.first.flatMap(Kind.init(rawValue:)) {
        case .outcome: self = .outcome(rest)
        case .unusable: self = .unusable(String(decoding: rest, as: UTF8.self))
        case .failed: self = .failed(String(decoding: rest, as: UTF8.self))
        case .noMemory: self = .noMemory
        case .pause, nil: throw ByteReader.Truncated()
        }
    }

    /// Whether the call was completed: the function decided, even if it refused the document.
    var isDecision: Bool {
        switch self {
        case .outcome(let json):
            guard let object = try? JSONObject(parsing: json) else { return false }
            return object["rejection"]?["status"]?.integerValue != 500
        case .unusable, .failed, .noMemory: return false
        }
    }
}
