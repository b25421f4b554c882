import DocumentValues
import FieldModels
import FieldRecords

/// Districts that this laptop knows, at the question about one.
struct OfferedDistricts {
    let session: ShellSession

    /// The question with the known districts as choices; another code can be typed, too.
    func offering<Record>(_ field: EditableField<Record>) throws -> EditableField<Record> {
        guard field.namesDistrict else { return field }
        return field.suggesting(try known().codes.map(\.text))
    }

    func known() throws -> KnownDistricts {
        try session.field().districts.known(for: session.author().name)
    }

    /// The warning about a new record before a sync, if the gateway may not take its district; `nil` for a known
    /// district.
    func warning(about record: some FieldRecord) throws -> String? {
        let known = try self.known()
        guard let district = record.district, !known.contains(district) else { return nil }
        let others = known.codes.map(\.text).joined(separator: ", ")
        if district == .unknown {
            let which = others.isEmpty ? "" : " Known here: \(others)."
            return "Its district is 'unknown', which a gateway refuses.\(which) Correct it before the next sync: edit "
        }
        guard !known.codes.isEmpty else { return nil }
        return
            "No record here that a gateway has is in the district '\(district.code)': unless it is one of yours, the "
            + "gateway refuses the \(type(of: record).kind.rawValue). Known here: \(others). To correct it: edit "
    }
}
