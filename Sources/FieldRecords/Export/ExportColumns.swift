import DocumentValues
import FieldModels

/// A column of an exported table.
struct Column<Record> {
    let name: String
    /// How the column is read again; `nil` where it only helps people to read the table.
    let cell: CellReading?
    let value: (RecordCells<Record>) -> String?

    init(_ name: String, cell: CellReading? = nil, value: @escaping (Record) -> String?) {
        self.name = name
        self.cell = cell
        self.value = { value($0.record) }
    }

    /// The members of a record that none of the columns has.
    init(membersBesides columns: [Column<Record>]) where Record: FieldRecord {
        name = "other"
        cell = .members
        let others = OtherMembers(besides: columns)
        value = { cells in
            let members = others.of(cells)
            return members.isEmpty ? nil : members.description
        }
    }

    init(answer: String) {
        name = "answer_" + answer
        cell = .answer(answer)
        let key = Name(answer)
        value = { $0.answers[key]?.cell }
    }

    /// All answers that have no column of their own, in one.
    init(answersBesides shown: [String]) {
        name = "other_answers"
        cell = .members
        let shown = Set(shown.map { Name($0) })
        value = { cells in
            let others = cells.answers.filter { !shown.contains($0.key) }.sorted { $0.key < $1.key }
            guard !others.isEmpty else { return nil }
            let answers = JSONObject(members: others.map { JSONObject.Member(key: $0.key.text, value: $0.value) })
            return JSONObject(members: [JSONObject.Member(key: "answers", value: .object(answers))]).description
        }
    }
}

/// A record whose cells are asked for one after the other: none of its answers is looked for among the others.
struct RecordCells<Record> {
    let record: Record
    let answers: [Name: JSONValue]

    init(_ record: Record) {
        self.record = record
        let answers = (record as? Inspection)?.answers.members ?? []
        self.answers = Dictionary(answers.map { (Name($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

/// For whom a record is and who wrote it: the last columns of every table.
enum EnvelopeColumns {
    /// All columns of a table, with the members that none of them has in the last one.
    static func completing<Record: FieldRecord>(_ own: [Column<Record>]) -> [Column<Record>] {
        let columns = own + all()
        return columns + [Column(membersBesides: columns)]
    }

    private static func all<Record: FieldRecord>() -> [Column<Record>] {
        [
            Column("district", cell: .text("district")) { $0.district?.code },
            Column("channels", cell: .list("channels")) { $0.channels.joined(separator: " ") },
            Column("created_by", cell: .fixed("createdBy")) { $0.envelope.createdBy },
            Column("created_at", cell: .fixed("createdAt")) { $0.envelope.createdAt?.description },
            Column("changed_by", cell: .fixed("changedBy")) { $0.envelope.changedBy },
            Column("changed_at", cell: .fixed("changedAt")) { $0.envelope.changedAt?.description },
            Column("device", cell: .fixed("device")) { $0.envelope.device },
            Column("source_file", cell: .fixed("source", "file")) { $0.envelope.source?.file },
            Column("source_row", cell: .fixed("source", "digest")) { $0.envelope.source?.digest },
        ]
    }
}

enum SiteColumns {
    static var all: [Column<Site>] {
        [
            Column("id") { $0.id },
            Column("name", cell: .text("name")) { $0.name },
            Column("street", cell: .text("address", "street")) { $0.address.street },
            Column("city", cell: .text("address", "city")) { $0.address.city },
            Column("state", cell: .text("address", "state")) { $0.address.state },
            Column("postal_code", cell: .text("address", "postalCode")) { $0.address.postalCode },
            Column("latitude", cell: .number("location", "latitude")) {
                $0.location.map { JSONNumber($0.latitude).text }
            },
            Column("longitude", cell: .number("location", "longitude")) {
                $0.location.map { JSONNumber($0.longitude).text }
            },
            Column("phone", cell: .text("phone")) { $0.phone },
            Column("notes", cell: .text("notes")) { $0.notes },
        ]
    }
}

enum InspectionColumns {
    /// - Parameters:
    ///   - answers: one column each, `answer_<name>`.
    ///   - others: with a column for the answers that have none of their own.
    static func all(
        answers: [String], others: Bool, _ siteNames: [Name: String],
        photos: @escaping (Inspection) -> String? = { _ in nil }
    ) -> [Column<Inspection>] {
        [
            Column("id") { $0.id },
            Column("site", cell: .text("site")) { $0.site },
            Column("site_name") { siteNames[Name($0.site)] },
            Column("date", cell: .text("date")) { $0.date.description },
            Column("visit", cell: .text("visit")) { $0.visitName },
            Column("status", cell: .fixed("status")) { $0.status.rawValue },
            Column("inspector", cell: .text("inspector")) { $0.inspector },
            Column("score", cell: .number("score")) { $0.score.map(String.init) },
            Column("form", cell: .text("form")) { $0.form },
        ] + answers.map { Column(answer: $0) } + (others ? [Column(answersBesides: answers)] : []) + [
            Column("notes", cell: .text("notes")) { $0.notes },
            Column("photos") { photos($0) },
            Column("submitted_at", cell: .fixed("submittedAt")) { $0.submittedAt?.description },
            Column("review", cell: .fixed("review")) { $0.review },
            Column("assignment", cell: .fixed("assignment")) { $0.assignment },
        ]
    }
}

enum FindingColumns {
    static func all(
        _ siteNames: [Name: String], photos: @escaping (Finding) -> String? = { _ in nil }
    ) -> [Column<Finding>] {
        [
            Column("id") { $0.id },
            Column("inspection", cell: .text("inspection")) { $0.inspection },
            Column("site", cell: .text("site")) { $0.site },
            Column("site_name") { siteNames[Name($0.site)] },
            Column("date", cell: .text("date")) { $0.date.description },
            Column("text", cell: .text("text")) { $0.text },
            Column("risk", cell: .text("risk")) { $0.risk?.rawValue },
            Column("corrected", cell: .text("corrected")) { $0.corrected?.description },
            Column("notes", cell: .text("notes")) { $0.notes },
            Column("photos") { photos($0) },
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

enum ResponseColumns {
    /// The answers are in the column `other`: their tables, one a repeat, are written form by form.
    static func all(
        _ siteNames: [Name: String], files: @escaping (Response) -> String? = { _ in nil }
    ) -> [Column<Response>] {
        [
            Column("id") { $0.id },
            Column("form", cell: .fixed("form")) { $0.form },
            Column("form_version", cell: .fixed("formVersion")) { $0.formVersion },
            Column("form_digest", cell: .fixed("formDigest")) { $0.formDigest },
            Column("state", cell: .fixed("state")) { $0.state.rawValue },
            Column("instance_id", cell: .fixed("instanceID")) { $0.instanceID },
            Column("instance_name", cell: .fixed("instanceName")) { $0.instanceName },
            Column("deprecated_id", cell: .fixed("deprecatedID")) { $0.deprecatedID },
            Column("started_at", cell: .fixed("startedAt")) { $0.startedAt?.description },
            Column("ended_at", cell: .fixed("endedAt")) { $0.endedAt?.description },
            Column("finalised_by", cell: .fixed("finalisedBy")) { $0.finalisedBy },
            Column("site", cell: .text("site")) { $0.site },
            Column("site_name") { response in response.site.flatMap { siteNames[Name($0)] } },
            Column("files") { files($0) },
        ]
    }
}

enum AssignmentColumns {
    static func all(_ siteNames: [Name: String]) -> [Column<Assignment>] {
        [
            Column("id") { $0.id },
            Column("inspector", cell: .text("inspector")) { $0.inspector },
            Column("site", cell: .text("site")) { $0.site },
            Column("site_name") { siteNames[Name($0.site)] },
            Column("form", cell: .text("form")) { $0.form },
            Column("due", cell: .text("due")) { $0.due.description },
            Column("status", cell: .text("status")) { $0.status.rawValue },
            Column("instructions", cell: .text("instructions")) { $0.instructions },
            Column("inspection", cell: .fixed("inspection")) { $0.inspection },
        ]
    }
}
