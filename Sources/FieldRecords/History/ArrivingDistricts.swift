import DocumentStore
import DocumentValues
import FieldModels
import Synchronization

/// Separates new records from those that arrive with a whole district. To a new laptop all records arrive so, to another one
/// those of a district to which its user gets access again. None of these was made just now.
///
/// Nearly no exchange needs the districts, so they are read only when a caller asks for them.
///
/// For the queue on which the records come, and the one that hears how far they have.
package final class ArrivingDistricts: Sendable {
    private struct State {
        /// Codes of the districts whose records were here before; `nil` until a caller has asked.
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

    /// Until the first exchange, records that were made here do not show which ones the gateway has.
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
