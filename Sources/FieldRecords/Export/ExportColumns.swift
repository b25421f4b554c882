import DocumentValues
import FieldModels

/// A column of an exported table.
struct Column<Record> {
    let name: String
    let value: (Record) -> String?

    init(_ name: String, _ value: @escaping (Record) -> String?) {
        self.name = name
        self.value = value
    }
}

/// For whom a record is and who wrote it: the last columns of every table.
enum EnvelopeColumns {
    static func all<Record: FieldRecord>() -> [Column<Record>] {
        [
            Column("district") { $0.district?.code },
            Column("channels") { $0.channels.joined(separator: " ") },
            Column("created_by") { $0.envelope.createdBy },
            Column("created_at") { $0.envelope.createdAt?.description },
            Column("changed_by") { $0.envelope.changedBy },
            Column("changed_at") { $0.envelope.changedAt?.description },
            Column("source_file") { $0.envelope.source?.file },
            // What only a newer version of the program has a column for is not left out.
            Column("other") { $0.envelope.rest.isEmpty ? nil : $0.envelope.rest.description },
        ]
    }
}

enum SiteColumns {
    static var all: [Column<Site>] {
        [
            Column("id") { $0.id },
            Column("name") { $0.name },
            Column("street") { $0.address.street },
            Column("city") { $0.address.city },
            Column("state") { $0.address.state },
            Column("postal_code") { $0.address.postalCode },
            Column("latitude") { $0.location.map { JSONNumber($0.latitude).text } },
            Column("longitude") { $0.location.map { JSONNumber($0.longitude).text } },
            Column("phone") { $0.phone },
            Column("notes") { $0.notes },
        ]
    }
}

enum InspectionColumns {
    /// - Parameter answers: one column each, `answer_<name>`.
    static func all(
        answers: [String], _ siteNames: [Name: String], _ photos: [Name: [String]]
    ) -> [Column<Inspection>] {
        [
            Column("id") { $0.id },
            Column("site") { $0.site },
            Column("site_name") { siteNames[Name($0.site)] },
            Column("date") { $0.date.description },
            Column("visit") { $0.visit.rawValue },
            Column("status") { $0.status.rawValue },
            Column("inspector") { $0.inspector },
            Column("score") { $0.score.map(String.init) },
            Column("form") { $0.form },
        ] + answers.map { name in Column("answer_" + name) { $0.answers[name]?.cell } } + [
            Column("notes") { $0.notes },
            Column("photos") { photos[Name($0.id)]?.joined(separator: "; ") },
            Column("submitted_at") { $0.submittedAt?.description },
            Column("review") { $0.review },
        ]
    }
}

enum FindingColumns {
    static func all(_ siteNames: [Name: String], _ photos: [Name: [String]]) -> [Column<Finding>] {
        [
            Column("id") { $0.id },
            Column("inspection") { $0.inspection },
            Column("site") { $0.site },
            Column("site_name") { siteNames[Name($0.site)] },
            Column("date") { $0.date.description },
            Column("text") { $0.text },
            Column("risk") { $0.risk?.rawValue },
            Column("corrected") { $0.corrected?.description },
            Column("notes") { $0.notes },
            Column("photos") { photos[Name($0.id)]?.joined(separator: "; ") },
        ]
    }
}

enum FormColumns {
    static var all: [Column<FormDefinition>] {
        [
            Column("id") { $0.id },
            Column("name") { $0.name },
            Column("version") { String($0.version) },
            Column("fields") { $0.fields.map(\.name).joined(separator: " ") },
        ]
    }
}

enum AssignmentColumns {
    static func all(_ siteNames: [Name: String]) -> [Column<Assignment>] {
        [
            Column("id") { $0.id },
            Column("inspector") { $0.inspector },
            Column("site") { $0.site },
            Column("site_name") { siteNames[Name($0.site)] },
            Column("form") { $0.form },
            Column("due") { $0.due.description },
            Column("status") { $0.status.rawValue },
            Column("instructions") { $0.instructions },
        ]
    }
}

extension JSONValue {
    /// The value as a person reads it: text without quotation marks.
    public var cell: String? {
        switch self {
        case .null: nil
        case .bool(let bool): bool ? "yes" : "no"
        case .string(let text): text
        case .number, .array, .object: description
        }
    }
}
