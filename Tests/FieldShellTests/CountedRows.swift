import DocumentValues
import FieldModels
import FieldRecords
import Synchronization

@testable import FieldShell

/// Rows of a list that are made as they are read, and a count of them.
final class CountedRows: Sendable {
    private struct Counts {
        var read = 0
        var alive = 0
        var mostAlive = 0
    }

    /// As long as a portion, and what it reads next, is kept.
    private final class Portion: Sendable {
        private let rows: CountedRows
        private let count: Int

        init(_ rows: CountedRows, count: Int) {
            self.rows = rows
            self.count = count
            rows.counts.withLock {
                $0.read += count
                $0.alive += count
                $0.mostAlive = max($0.mostAlive, $0.alive)
            }
        }

        deinit { rows.counts.withLock { $0.alive -= count } }
    }

    static let size = 500
    private let counts = Mutex(Counts())

    var read: Int { counts.withLock { $0.read } }
    var mostAlive: Int { counts.withLock { $0.mostAlive } }

    /// - Parameter text: of a row.
    func portions(_ range: Range<Int>, text: @escaping @Sendable (Int) -> String) -> Portions<Listing.Row> {
        let portion = Portion(self, count: min(Self.size, range.count))
        let rows = range.prefix(Self.size).map { number in
            Listing.Row(
                reference: RecordReference(.finding, id: "finding-\(number)"),
                cells: ["\(number)", "2026-03-04", text(number)], object: ["_id": .int(number)])
        }
        let rest = range.dropFirst(Self.size)
        return Portions(
            rows,
            rest: {
                withExtendedLifetime(portion) { rest.isEmpty ? Portions([]) : self.portions(rest, text: text) }
            })
    }

    func listing(_ count: Int, text: @escaping @Sendable (Int) -> String = { _ in "Dust" }) -> Listing {
        Listing(
            kind: .finding, columns: ["ID", "DATE", "FINDING"], rows: portions(0..<count, text: text), unreadable: [])
    }
}
