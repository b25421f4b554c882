import Synchronization

/// What a gateway has written to its log.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    /// The first line with this text.
    func line(_ text: String) -> String? { all.first { $0.contains(text) } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
