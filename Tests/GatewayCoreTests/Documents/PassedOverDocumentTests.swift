import DocumentValues
import Logging
import SyncProtocol
import Synchronization
import Testing

@testable import GatewayCore

/// Documents that no client could read.
@Suite struct PassedOverDocumentTests {
    private static func row(_ id: String, _ revision: String = "1-a") -> ChangeRow {
        ChangeRow(sequence: "1", documentID: id, revision: revision, flags: [])
    }

    @Test(
        arguments: [
            (row("a"), nil), (row(String(repeating: "x", count: 255)), nil), (row("é\n\u{1}"), nil),
            (row(""), "its id is empty"), (row(String(repeating: "é", count: 128)), "its id has 256 bytes"),
            (row("a\0b"), "its id has a NUL byte"),
            (row("a", "1-" + String(repeating: "f", count: 40_000)), "its revision id has 40002 bytes"),
        ] as [(ChangeRow, String?)])
    func whatIsInItsWay(row: ChangeRow, reason: String?) {
        guard let reason else {
            #expect(row.obstacle == nil)
            return
        }
        #expect(row.obstacle?.hasPrefix(reason) == true, "\(row.obstacle ?? "none")")
    }

    @Test func eachIsInTheLogOnce() {
        let lines = LogLog()
        let logger = Logger(label: "test") { _ in lines.handler }
        let documents = PassedOverDocuments()
        for collection in [CollectionName.default, .default] {
            documents.note([Self.row("a"), Self.row("a\0b"), Self.row("")], in: collection, of: "db", logger: logger)
        }
        #expect(lines.all.count == 2)
        #expect(lines.all.first?.contains("its id has a NUL byte. Write it again under another id") == true)
        documents.note((0..<2_000).map { Self.row("\0\($0)") }, in: .default, of: "db", logger: logger)
        #expect(lines.all.count == GatewayLimits.passedOverDocuments)
    }
}

private final class LogLog: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var handler: any LogHandler { Handler { line in self.lines.withLock { $0.append(line) } } }

    private struct Handler: LogHandler {
        let add: @Sendable (String) -> Void
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        init(_ add: @escaping @Sendable (String) -> Void) { self.add = add }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { add("\(event.message)") }
    }
}
