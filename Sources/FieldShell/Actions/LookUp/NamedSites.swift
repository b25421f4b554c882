import DocumentValues
import FieldModels
import FieldRecords
import Synchronization

/// The names of the sites that the rows of a list have, looked up as the list is shown.
final class NamedSites: Sendable {
    private struct State {
        /// Those that were looked up.
        var names: [Name: String] = [:]
        /// Whether all sites that are here were looked up.
        var isWhole = false
        /// Those of deleted sites; `nil` until one is needed.
        var deleted: [Name: String]?
    }

    private let field: FieldDatabase
    private let state = Mutex(State())

    init(_ field: FieldDatabase) { self.field = field }

    /// The names by the ids; an id for a site that is not here.
    func names(of ids: [String]) throws -> [Name: String] {
        try state.withLock { state in
            let unknown = Set(ids.map { Name($0) }).filter { state.names[$0] == nil }
            if !unknown.isEmpty { try look(for: unknown, in: &state) }
            return state.names
        }
    }

    func name(of id: String) throws -> String { try names(of: [id])[Name(id)] ?? id.asTitle }

    /// From some hundred sites on it takes less time to read all names.
    private func look(for unknown: Set<Name>, in state: inout State) throws {
        if !state.isWhole {
            state.isWhole = state.names.count + unknown.count > ShellLimits.rowsAtOnce
            let present = try field.listing.siteNames(of: state.isWhole ? nil : unknown.map(\.text))
            for (id, name) in present { state.names[id] = name.asTitle }
        }
        for id in unknown where state.names[id] == nil {
            let deleted = try state.deleted ?? SiteName.deleted(field.deletions)
            state.deleted = deleted
            state.names[id] = deleted[id] ?? id.text.asTitle
        }
    }
}
