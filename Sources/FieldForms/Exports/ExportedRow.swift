import DocumentValues
import FieldModels
import FieldRecords

/// What tables say of a record beside its answers.
struct ExportedRow {
    let response: Response
    /// Files that it should have, and that were copied.
    let files: (expected: Int, present: Int)
    /// In the table of records, from 1.
    let number: Int

    static let centralHeadings = [
        "KEY", "SubmitterID", "SubmitterName", "AttachmentsPresent", "AttachmentsExpected", "Status", "ReviewState",
        "DeviceID", "Edits", "FormVersion",
    ]

    var centralCells: [String] {
        let submitter = response.finalisedBy ?? response.envelope.createdBy ?? ""
        return [
            response.instanceID, submitter, submitter, String(files.present), String(files.expected), "", reviewState,
            response.envelope.device ?? "", String(response.edits ?? 0), response.formVersion,
        ]
    }

    static let koboHeadings = [
        "_id", "_uuid", "_submission_time", "_validation_status", "_notes", "_status", "_submitted_by", "__version__",
        "_tags", "_index",
    ]

    var koboCells: [String] { koboSubmission + [String(number)] }

    static let koboRepeatHeadings =
        ["_index", "_parent_table_name", "_parent_index"] + koboHeadings.dropLast().map { "_submission_" + $0 }

    /// The cells of the record in the table of a repeat.
    var koboSubmission: [String] {
        [
            RecordReference(.response, id: response.id).shortID, uuid, String((submitted ?? "").utf8.prefix(19)) ?? "",
            validation, response.openComments.compactMap(\.why).joined(separator: "; "), "submitted_via_web",
            response.finalisedBy ?? response.envelope.createdBy ?? "", response.formVersion, "",
        ]
    }

    var uuid: String {
        response.instanceID.hasExactPrefix("uuid:")
            ? String(decoding: response.instanceID.utf8.dropFirst("uuid:".utf8.count), as: UTF8.self)
            : response.instanceID
    }

    /// `2026-03-04T10:15:07.000Z`, when it was handed in last; `nil` for a draft.
    var submitted: String? {
        let step = response.steps.last { $0.action == .finalised }?.at
        guard response.state != .draft, let moment = step ?? response.endedAt else { return nil }
        return String(decoding: moment.description.utf8.dropLast(), as: UTF8.self) + ".000Z"
    }

    private var reviewState: String {
        switch response.state {
        case .draft: ""
        case .final, .sent: (response.edits ?? 0) > 0 ? "edited" : ""
        case .edited, .hasIssues, .rejected, .approved: response.state.rawValue
        }
    }

    private var validation: String {
        switch response.state {
        case .approved: "validation_status_approved"
        case .rejected: "validation_status_not_approved"
        case .hasIssues: "validation_status_on_hold"
        case .draft, .final, .sent, .edited: ""
        }
    }
}
