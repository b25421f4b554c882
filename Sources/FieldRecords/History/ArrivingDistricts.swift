import DocumentStore
import DocumentValues
import FieldModels
import Synchronization

/// Separates what is new from what comes with a whole district: to a new laptop everything, and to another one a district that
/// somebody gives back. None of that was made just now.
///
/// Nearly every exchange asks about nothing, and so nothing is read before somebody does.
///
/// For the queue on which the records come, and the one that hears how far they have.
package final class ArrivingDistricts: Sendable {
    private struct State {
        /// Codes of the districts whose records were here before; `nil` as long as nobody has asked.
        var present: Set<Name>?
        var arriving: Set<Name> = []
    }

    private let store: RecordStore
    private let state: Mutex<State>

    /// Before an exchange.
    package init(into store: RecordStore) throws {
        self.store = store
        state = Mutex(State(present: try store.hasRecordsOfGateway() ? nil : []))
    }

    /// Notes a record that was not here.
    ///
    /// - Returns: whether its district was.
    func wasPresent(_ code: String?) throws -> Bool {
        try state.withLock { state in
            let present = try state.present ?? store.districtsOfRecords()
            state.present = present
            guard let code else { return !present.isEmpty }
            if !present.contains(Name(code)) { state.arriving.insert(Name(code)) }
            return present.contains(Name(code))
        }
    }

    /// All that the gateway has is here.
    package func settle() {
        state.withLock { state in
            state.present?.formUnion(state.arriving)
            state.arriving = []
        }
    }

    /// Districts were taken away.
    package func look() throws {
        let isAnyLeft = try store.hasRecordsOfGateway()
        state.withLock { $0 = State(present: isAnyLeft ? nil : []) }
    }
}

extension RecordStore {
    private static let kindsOfDistricts: [RecordKind] = [.site, .inspection, .finding]

    /// As long as nothing was exchanged, what was made here says nothing about what the gateway has.
    fileprivate func hasRecordsOfGateway() throws -> Bool {
        try Self.kindsOfDistricts.contains { try collection(of: $0).isKnownToRemotes() }
    }

    fileprivate func districtsOfRecords() throws -> Set<Name> {
        var codes: Set<Name> = []
        for kind in Self.kindsOfDistricts {
            let query = try database.createQuery("SELECT DISTINCT district FROM \(collection(of: kind).fullName)")
            try query.forEachRow { row in
                if let code = row.text(0) { codes.insert(Name(code)) }
            }
        }
        return codes
    }
}
