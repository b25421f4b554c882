import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Finds the record from which a record took its district, if that waits to be sent, too: the inspection of a finding, and
/// the site of an inspection where no gateway has it. Once that is in another district, so is the record.
struct DistrictOrigin {
    private let field: FieldDatabase

    init(_ field: FieldDatabase) { self.field = field }

    func origin(of reference: RecordReference) throws -> RecordReference {
        guard let above = try above(reference), try goesAlong(with: above),
            let mine = try district(reference), try district(above)?.isExactly(mine) == true
        else { return reference }
        return try origin(of: above)
    }

    /// An inspection takes its findings to another district at any time, a site only unsent records.
    private func goesAlong(with above: RecordReference) throws -> Bool {
        if above.kind == .site { return try !field.store.isKnownToGateway(.site, id: above.id) }
        return try field.collection(of: above.kind).exchange(of: above.id).map { !$0.isSent } ?? false
    }

    private func above(_ reference: RecordReference) throws -> RecordReference? {
        switch reference.kind {
        case .finding:
            let body = try body(reference)
            let inspection = body?["inspection"]?.stringValue.map { RecordReference(.inspection, id: $0) }
            return inspection ?? body?["site"]?.stringValue.map { RecordReference(.site, id: $0) }
        case .inspection, .assignment, .response:
            return try body(reference)?["site"]?.stringValue.map { RecordReference(.site, id: $0) }
        case .site, .form: return nil
        }
    }

    private func district(_ reference: RecordReference) throws -> String? {
        try body(reference)?["district"]?.stringValue
    }

    private func body(_ reference: RecordReference) throws -> JSONObject? {
        try field.collection(of: reference.kind).document(id: reference.id)?.body
    }
}
