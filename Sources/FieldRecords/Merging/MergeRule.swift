import DocumentValues
import FieldModels

/// How a member of a record is merged where both sides have changed it.
enum MergeRule {
    /// As one value; two different ones are a conflict.
    case value
    /// As one value, together with the site.
    case district
    /// As one value, of which the later of these ranks is the current one until a person decides.
    case ranked([String])
    /// By a rule alone: no person has typed it.
    case quiet
    /// By a rule alone: it is another record's value, and people decide about it there.
    case following
    /// Member by member, such as the answers by question.
    case members
    /// Member by member, by a rule alone.
    case quietMembers
    /// A list whose items are added, changed and removed each by itself.
    case items
    /// A list to which people only add: it has what either side has added.
    case entries
    /// A list like that of `items`, of which nothing changes under an approval: who has an approved record is decided when
    /// it is returned.
    case channels
    /// By the order of the life cycle.
    case status
    /// When a record was handed in, and as which version: with the status.
    case submission
    /// The findings and photos that an approval saw: with the status.
    case approval
    /// Who changed the record last, when and where: all three from one side.
    case stamp
    /// The conflicts themselves.
    case conflicts
    /// Who changed which field: with the fields.
    case fieldChanges

    /// - Parameter kind: `nil` for a document that is none of ours.
    init(_ member: String, of kind: RecordKind?) {
        let special = Self.common[Name(member)] ?? kind.flatMap { Self.special(member, kind: $0) }
        self = special ?? (member.utf8.first == UInt8(ascii: "_") ? .quiet : .value)
    }

    /// Whether two values of it can be something to decide. Merges keep no others, but a colleague can write any into a record.
    var isDecidedByPeople: Bool {
        switch self {
        case .value, .district, .ranked, .members, .items, .status: true
        case .quiet, .following, .quietMembers, .entries, .channels, .submission, .approval, .stamp, .conflicts,
            .fieldChanges:
            false
        }
    }

    private static let common: [Name: MergeRule] = [
        Name(ContestedValues.member): .conflicts, Name(FieldChanges.member): .fieldChanges,
        Name("type"): .quiet, Name("schema"): .quiet, Name("createdBy"): .quiet, Name("createdAt"): .quiet,
        Name("source"): .quiet, Name("_attachments"): .quietMembers,
        Name("changedBy"): .stamp, Name("changedAt"): .stamp, Name("device"): .stamp,
        Name("channels"): .channels, Name("photos"): .items,
    ]

    private static func special(_ member: String, kind: RecordKind) -> MergeRule? {
        switch (kind, member) {
        case (.inspection, "answers"), (.response, "answers"), (.site, "address"): .members
        // Versions that two people have published under one form are both there.
        case (.form, "versions"): .channels
        case (.inspection, "status"), (.assignment, "status"), (.response, "state"): .status
        case (.inspection, "district"), (.finding, "district"), (.assignment, "district"), (.response, "district"):
            .district
        // A finding is given no day: it has its inspection's.
        case (.finding, "date"): .following
        case (.finding, "risk"): .ranked(Finding.Risk.allCases.map(\.rawValue))
        case (.inspection, "submittedAt"): .submission
        case (.response, "instanceID"), (.response, "deprecatedID"), (.response, "finalisedBy"): .submission
        case (.response, "history"), (.response, "@notes"), (.response, "@begun"), (.response, "@audit"): .entries
        // A program computes these of the answers, or notes them beside.
        case (.response, "instanceName"), (.response, "startedAt"), (.response, "endedAt"), (.response, "edits"),
            (.response, "@skipped"), (.response, "@reports"), (.response, "@former"), (.response, "@entities"):
            .quiet
        case (.response, "@seeds"): .quietMembers
        case (.inspection, ApprovedFindings.member), (.inspection, ApprovedPhotos.member): .approval
        default: nil
        }
    }
}
