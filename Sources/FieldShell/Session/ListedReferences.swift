import FieldRecords
import Synchronization

/// The records of a list by their numbers, from 1 on. A long list gets them as it is shown.
final class ListedReferences: Sendable {
    private struct State {
        var references: [RecordReference]
        /// How many of them are rows of the list.
        var rows: Int
        var isWhole: Bool
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - rows: of a list that has numbers of its own.
    ///   - isWhole: whether the list has no more rows.
    init(_ references: [RecordReference], rows: Int? = nil, isWhole: Bool = true) {
        state = Mutex(State(references: references, rows: rows ?? references.count, isWhole: isWhole))
    }

    subscript(number: Int) -> RecordReference? {
        state.withLock { $0.references.indices.contains(number - 1) ? $0.references[number - 1] : nil }
    }

    var all: [RecordReference] { state.withLock { $0.references } }
    var rows: Int { state.withLock { $0.rows } }
    var isWhole: Bool { state.withLock { $0.isWhole } }
    var isEmpty: Bool { state.withLock { $0.references.isEmpty } }

    /// The next rows of the list, with their numbers.
    func numbered(_ rows: [Listing.Row]) -> [Listing.Row] {
        let start = state.withLock { state in
            let start = state.references.count
            state.references += rows.map(\.reference)
            state.rows += rows.count
            return start
        }
        return rows.enumerated().map { index, row in
            var row = row
            row.number = start + index + 1
            return row
        }
    }

    /// A record that is no row of the list.
    ///
    /// - Returns: its number.
    func add(_ reference: RecordReference) -> Int {
        state.withLock { state in
            state.references.append(reference)
            return state.references.count
        }
    }

    /// The list has no more rows.
    func end() { state.withLock { $0.isWhole = true } }
}
