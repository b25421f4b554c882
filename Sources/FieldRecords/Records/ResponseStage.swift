import DocumentValues
import FieldModels

/// How far a filled form has come, as people say it: beside its state it counts whether the gateway has it.
public enum ResponseStage: String, Sendable, Hashable, CaseIterable {
    case draft
    /// Handed in, and waiting to be sent.
    case finalised
    /// With the reviewers.
    case sent
    /// With the reviewers once more, after an edit.
    case edited
    case returned
    case rejected
    case approved

    public init(_ state: Response.State, isSent: Bool) {
        self =
            switch state {
            case .draft: .draft
            case .final: isSent ? .sent : .finalised
            case .sent: .sent
            case .edited: .edited
            case .hasIssues: .returned
            case .rejected: .rejected
            case .approved: .approved
            }
    }

    /// The states of records that may stand so.
    public var states: [Response.State] {
        switch self {
        case .draft: [.draft]
        case .finalised: [.final]
        case .sent: [.final, .sent]
        case .edited: [.edited]
        case .returned: [.hasIssues]
        case .rejected: [.rejected]
        case .approved: [.approved]
        }
    }

    /// Whether only an exchange with the gateway shows that a record stands so.
    public var dependsOnExchange: Bool { self == .finalised || self == .sent }

    /// Other words for it: those of records, of ODK, and of inspections.
    public static let otherNames: [(name: String, stage: ResponseStage)] = [
        ("final", .finalised), ("hasIssues", .returned), ("submitted", .sent), ("review", .sent),
    ]
}
