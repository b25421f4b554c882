import DocumentStore
import DocumentValues
import FieldModels
import Synchronization

/// Separates what is new from what comes with a whole district: to a new laptop everything, and to another one a district that
/// somebody gives back. None of that was made just now.
///
/// For the queue on which the records come, and the one that hears how far they have.
package final class ArrivingDistricts: Sendable {
    private struct State {
        /// Codes of the districts whose records were here before.
        var present: Set<Name>
        var arriving: Set<Name> = []
    }

    private let state: Mutex<State>

    init(beside present: Set<Name>) { state = Mutex(State(present: present)) }

    /// Before an exchange.
    package convenience init(into field: FieldDatabase) throws { self.init(beside: try field.districtsFromGateway()) }

    /// Notes a record that was not here.
    ///
    /// - Returns: whether its district was.
    func wasPresent(_ code: String?) -> Bool {
        state.withLock { state in
            guard let code else { return !state.present.isEmpty }
            if !state.present.contains(Name(code)) { state.arriving.insert(Name(code)) }
            return state.present.contains(Name(code))
        }
    }

    /// All that the gateway has is here.
    package func settle() {
        state.withLock { state in
            state.present.formUnion(state.arriving)
            state.arriving = []
        }
    }

    /// Districts were taken away.
    package func look(in field: FieldDatabase) throws {
        let present = try field.districtsFromGateway()
        state.withLock { $0 = State(present: present) }
    }
}

extension FieldDatabase {
    /// None as long as nothing was exchanged: what was made here says nothing about what the gateway has.
    fileprivate func districtsFromGateway() throws -> Set<Name> {
        let kinds: [RecordKind] = [.site, .inspection, .finding]
        guard try kinds.contains(where: { try !collection(of: $0).idsKnownToRemotes().isEmpty }) else { return [] }
        var codes: Set<Name> = []
        for kind in kinds {
            let query = try database.createQuery("SELECT DISTINCT district FROM \(collection(of: kind).fullName)")
            let rows = try query.execute()
            while let row = rows.next() {
                if let code = row.string(at: 0) { codes.insert(Name(code)) }
            }
            if let error = rows.error { throw error }
        }
        return codes
    }
}
