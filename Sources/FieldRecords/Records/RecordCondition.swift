import DocumentStore
import DocumentValues
import FieldModels

/// A condition in SQL++ by which records are looked up. Who asks looks at the records once more: it may let through some that
/// only a reader of whole records can refuse.
struct RecordCondition: Sendable {
    let text: String
    /// Values of its parameters.
    private var values: [Parameter] = []

    private struct Parameter: Sendable {
        enum Value: Sendable {
            case text(String)
            case list([String])
        }

        let name: String
        let value: Value
    }

    init(_ text: String) { self.text = text }

    /// With a text for `$name`.
    func with(_ name: String, as value: String) -> RecordCondition {
        var condition = self
        condition.values.append(Parameter(name: name, value: .text(value)))
        return condition
    }

    /// Documents of which a member, or the id, is one of some texts.
    static func any(_ member: String, of texts: [String]) -> RecordCondition {
        var condition = RecordCondition("\(member) IN $some")
        condition.values.append(Parameter(name: "some", value: .list(texts)))
        return condition
    }

    /// Documents that all of some conditions let through, whose parameters have different names; `nil` for none.
    static func all(_ conditions: [RecordCondition]) -> RecordCondition? {
        guard !conditions.isEmpty else { return nil }
        var condition = RecordCondition(conditions.map { "(\($0.text))" }.joined(separator: " AND "))
        condition.values = conditions.flatMap(\.values)
        return condition
    }

    /// The ids of the documents that it lets through, in the order of their bytes.
    func ids(in collection: Collection) throws -> [String] {
        var ids: [String] = []
        let query = try collection.database.createQuery("SELECT META().id FROM \(collection.fullName) WHERE \(text)")
        query.parameters = parameters
        try query.forEachRow { row in
            if let id = row.text(0) { ids.append(id) }
        }
        return ids.sorted { $0.isExactlyBefore($1) }
    }

    var parameters: Parameters {
        let parameters = Parameters()
        for each in values {
            switch each.value {
            case .text(let text): parameters.setString(text, forName: each.name)
            case .list(let texts): parameters.setValue(texts, forName: each.name)
            }
        }
        return parameters
    }
}

extension RecordCondition {
    /// Records with values among which a person has to decide.
    static let undecided = RecordCondition("\(ContestedValues.member) IS NOT MISSING")

    /// Inspections that are not approved.
    static let unapproved = RecordCondition("status IS NOT VALUED OR status != 'approved'")

    /// Filled forms that their authors have still to finish. A reader takes one without a state for a draft.
    static let unfinished = RecordCondition(
        "state IS NOT VALUED OR state = 'draft' OR state = 'hasIssues' OR state = 'rejected'")

    /// Inspections that note the findings or photos that were approved with them.
    static let approvalNoted = RecordCondition(
        "\(ApprovedFindings.member) IS NOT MISSING OR \(ApprovedPhotos.member) IS NOT MISSING")

    /// Records that belong to another one.
    ///
    /// - Parameter member: has the other one's id.
    static func of(_ member: String, id: String) -> RecordCondition {
        RecordCondition("\(member) = $owner").with("owner", as: id)
    }

    /// Inspections that the user has made, is the inspector of, or has changed.
    static func touched(by user: String) -> RecordCondition {
        RecordCondition(
            "inspector = $user OR createdBy = $user "
                + "OR ANY change IN \(FieldChanges.member) SATISFIES change.`by` = $user END"
        ).with("user", as: user)
    }
}

extension RecordRepository {
    /// The records that a condition lets through, in the order of their ids, as far as they can be read.
    func all(where condition: RecordCondition) throws -> [Record] {
        let ids = try condition.ids(in: collection)
        guard !ids.isEmpty else { return [] }
        let ties = try InspectionTies<Record>(inspections)
        var records: [Record] = []
        for start in stride(from: 0, to: ids.count, by: FieldRecordsLimits.recordsAtOnce) {
            let part = Array(ids[start..<min(start + FieldRecordsLimits.recordsAtOnce, ids.count)])
            for (id, stored) in zip(part, try collection.bodies(of: part)) {
                guard let stored, !stored.isDeleted else { continue }
                // An unreadable record does not keep the user from the others.
                guard let record = try? Record(id: id, body: stored.body), !ties.hides(record) else { continue }
                records.append(record)
            }
        }
        return records
    }
}
