import DocumentValues
import FieldModels

/// How far a record has come: inspections and assignments say it in `status`, filled forms in `state`.
enum LifeCycleStep {
    static func path(of kind: RecordKind?) -> FieldPath { kind == .response ? state : RecordConflict.status }

    /// Whether it is one of both members.
    static func isStep(_ path: FieldPath) -> Bool { path == RecordConflict.status || path == state }

    static let state = FieldPath(Response.Key.state.rawValue)

    /// `nil` for one that this version of the program does not know.
    static func status(_ value: JSONValue?, of kind: RecordKind?) -> Inspection.Status? {
        guard let text = value?.stringValue else { return nil }
        return kind == .response ? Response.State(exactly: text)?.status : Inspection.Status(exactly: text)
    }
}

extension Response.State {
    /// The status that an inspection would have.
    public var status: Inspection.Status {
        switch self {
        case .draft: .draft
        case .final, .sent, .edited: .submitted
        case .hasIssues, .rejected: .returned
        case .approved: .approved
        }
    }
}
