import DocumentValues

/// A filled form: the answers of a person with everything that was calculated of them.
public struct Response: FieldRecord {
    public static let kind = RecordKind.response
    public static let schemaVersion = 1

    public var id: String
    /// The id of the form, without its version.
    public var form: String
    /// The version that it answers; a draft stays with it when a newer one comes.
    public var formVersion: String
    /// Of the definition that it answers: `sha256-…`; `nil` for a form without one.
    public var formDigest: String?
    public var state: State
    /// `uuid:` and a UUID. It stays until a sent record is edited.
    public var instanceID: String
    /// By the form's rule, or its title and the day of the start.
    public var instanceName: String?
    /// The `instanceID` before an edit of a sent record.
    public var deprecatedID: String?
    /// When it was first opened.
    public var startedAt: Timestamp?
    /// When it was last saved.
    public var endedAt: Timestamp?
    /// Who finalised it.
    public var finalisedBy: String?
    /// How often it was edited after it was sent.
    public var edits: Int?
    /// The site's document id; `nil` for an answered form about no site.
    public var site: String?
    /// The document id of the assignment that it was begun for.
    public var assignment: String?
    /// Groups are objects, repeats lists of instances, each with its `@key`.
    public var answers: JSONObject
    /// Numbers that decide the order of choices, by the paths of their questions.
    public var seeds: JSONObject
    /// Paths of questions that were left open.
    public var skipped: [String]
    /// Reports of the form's rules, for its author: `question`, `code`, `expression`.
    public var reports: [JSONObject]
    /// Answers that the form's present version has no question for: `path`, `version`, `label`, `value`.
    public var former: [JSONObject]
    /// Remarks for the reviewer: `question`, `text`.
    public var remarks: [JSONObject]
    /// Answers whose lines were typed, and whose questions are still open: `question`, `text`. Only drafts have them.
    public var begun: [JSONObject]
    /// Entities that the finalised record makes or changes: `id`, `list`, `label`, `properties`.
    public var entities: [JSONObject]
    /// The steps of its life as they are in the record, also those that only a newer program reads; see ``steps``.
    public var history: [JSONObject]
    /// The log of its filling, where its form asks for one: `event`, `node`, `start`, `end` in milliseconds since 1970, and
    /// so on.
    public var audit: [JSONObject]
    public var envelope: RecordEnvelope

    /// The life of a filled form. A laptop writes the first two; what a gateway has of a final record is `sent`.
    public enum State: String, Sendable, Hashable, CaseIterable {
        case draft
        case final
        case sent
        /// A sent record was replaced.
        case edited
        /// Returned with a comment.
        case hasIssues
        case rejected
        case approved

        /// Whether its author may answer questions.
        public var isOpen: Bool {
            switch self {
            case .draft, .hasIssues, .rejected: true
            case .final, .sent, .edited, .approved: false
            }
        }
    }

    /// The names of the members. `@` cannot be the first letter of a question's name.
    public enum Key: String, MemberKey {
        case form
        case formVersion
        case formDigest
        case state
        case instanceID
        case instanceName
        case deprecatedID
        case startedAt
        case endedAt
        case finalisedBy
        case edits
        case site
        case assignment
        case answers
        case seeds = "@seeds"
        case skipped = "@skipped"
        case reports = "@reports"
        case former = "@former"
        case remarks = "@notes"
        case begun = "@begun"
        case entities = "@entities"
        case history
        case audit = "@audit"
    }

    /// The steps of its life, in the order of their moments as far as clocks agree.
    public var steps: [ResponseStep] { history.compactMap { ResponseStep($0) } }

    /// The comments of reviewers that are still to be answered: those on the record as it was handed in last.
    public var openComments: [ResponseStep] {
        guard state == .hasIssues || state == .rejected || state == .draft else { return [] }
        return steps.filter { $0.action == .returned && $0.instanceID.isExactly(instanceID) }
    }

    public mutating func add(_ step: ResponseStep) { history.append(step.object) }

    /// - Parameter district: `nil` for a record that names no district: only the office can send it.
    public init(id: String, form: String, version: String, instanceID: String, district: District?) {
        self.id = id
        self.form = form
        formVersion = version
        self.instanceID = instanceID
        state = .draft
        answers = JSONObject()
        seeds = JSONObject()
        skipped = []
        reports = []
        former = []
        remarks = []
        begun = []
        entities = []
        history = []
        audit = []
        envelope = RecordEnvelope(district: district)
    }

    public init(id: String, reading reader: inout RecordReader) {
        self.id = id
        form = reader.requiredText(Key.form)
        formVersion = reader.requiredText(Key.formVersion)
        formDigest = reader.text(Key.formDigest)
        state = reader.choice(Key.state, as: State.self, isVital: true) ?? .draft
        instanceID = reader.requiredText(Key.instanceID)
        instanceName = reader.text(Key.instanceName)
        deprecatedID = reader.text(Key.deprecatedID)
        startedAt = reader.timestamp(Key.startedAt)
        endedAt = reader.timestamp(Key.endedAt)
        finalisedBy = reader.text(Key.finalisedBy)
        edits = reader.integer(Key.edits)
        site = reader.text(Key.site)
        assignment = reader.text(Key.assignment)
        answers = reader.object(Key.answers, isVital: true) ?? JSONObject()
        seeds = reader.object(Key.seeds) ?? JSONObject()
        skipped = reader.texts(Key.skipped) ?? []
        reports = reader.objects(Key.reports) ?? []
        former = reader.objects(Key.former) ?? []
        remarks = reader.objects(Key.remarks) ?? []
        begun = reader.objects(Key.begun) ?? []
        entities = reader.objects(Key.entities) ?? []
        history = reader.objects(Key.history) ?? []
        audit = reader.objects(Key.audit) ?? []
        envelope = RecordEnvelope(district: nil)
    }

    public func write(to writer: inout RecordWriter) {
        writer.set(Key.form, to: form)
        writer.set(Key.formVersion, to: formVersion)
        writer.set(Key.formDigest, to: formDigest)
        writer.set(Key.state, to: state.rawValue)
        writer.set(Key.instanceID, to: instanceID)
        writer.set(Key.instanceName, to: instanceName)
        writer.set(Key.deprecatedID, to: deprecatedID)
        writer.set(Key.startedAt, spelled: startedAt)
        writer.set(Key.endedAt, spelled: endedAt)
        writer.set(Key.finalisedBy, to: finalisedBy)
        writer.set(Key.edits, to: edits)
        writer.set(Key.site, to: site)
        writer.set(Key.assignment, to: assignment)
        writer.set(Key.answers, object: answers)
        writer.set(Key.seeds, object: seeds.isEmpty ? nil : seeds)
        writer.set(Key.skipped, texts: skipped.isEmpty ? nil : skipped)
        writer.set(Key.reports, list: reports)
        writer.set(Key.former, list: former)
        writer.set(Key.remarks, list: remarks)
        writer.set(Key.begun, list: begun)
        writer.set(Key.entities, list: entities)
        writer.set(Key.history, list: history)
        writer.set(Key.audit, list: audit)
    }

    public func ownProblems() -> [FieldProblem] {
        var problems: [FieldProblem] = []
        if form.isBlank { problems.append(FieldProblem("form", message: "is empty")) }
        if !Self.isInstanceID(instanceID) {
            problems.append(FieldProblem("instanceID", message: "must begin with 'uuid:', but is '\(instanceID)'"))
        }
        return problems + TextLength.problems(atMost: TextLength.line, ["form": form, "formVersion": formVersion])
    }

    private static func isInstanceID(_ text: String) -> Bool {
        text.hasExactPrefix("uuid:") && text.utf8.count > "uuid:".utf8.count
    }

    public var title: String { (instanceName ?? form).asTitle }
}
