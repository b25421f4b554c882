import DocumentValues

/// One visit to a site.
public struct Inspection: FieldRecord {
    public static let kind = RecordKind.inspection
    public static let schemaVersion = 1
    public static let scores = 0...100

    public var id: String
    /// The site's document id.
    public var site: String
    public var date: CalendarDay
    /// The reason of the visit; `nil` until it is given, or if it cannot be read.
    public var statedVisit: Visit? { didSet { envelope.rest["visit"] = nil } }
    public var status: Status
    public var inspector: String?
    public var score: Int?
    /// The document id of the form that `answers` answers.
    public var form: String?
    /// The document id of the assignment that it was made for.
    public var assignment: String?
    /// By the names of the form's fields.
    public var answers: JSONObject
    public var notes: String?
    public var photos: [Photo]
    public var submittedAt: Timestamp?
    /// The reviewer's reason for a return.
    public var review: String?
    /// The findings as they were approved. `nil` if the inspection is not approved, or if the program that approved it
    /// did not note them yet.
    public var approvedFindings: FindingsNote? { didSet { envelope.rest["approvedFindings"] = nil } }
    /// The photos as they were approved: a digest of each one's name, caption, times and file. `nil` if the inspection
    /// is not approved, or if the program that approved it did not note them yet.
    public var approvedPhotos: [String]? { didSet { envelope.rest["approvedPhotos"] = nil } }
    public var envelope: RecordEnvelope

    /// The reason of the visit: `routine` if none is given, or if it cannot be read.
    public var visit: Visit {
        get { statedVisit ?? .routine }
        set { statedVisit = newValue }
    }

    /// Whether the reason of the visit is not given yet. An unreadable one was given, by a newer program.
    public var isVisitOpen: Bool { statedVisit == nil && envelope.rest["visit"] == nil }

    /// The reason of the visit for people; one that cannot be read as the record has it. `nil` until it is given, so that
    /// people see that it is missing, and for one that is no text.
    public var visitLabel: String? { statedVisit?.label ?? unreadableVisit }

    /// The same by its name in records.
    public var visitName: String? { statedVisit?.rawValue ?? unreadableVisit }

    private var unreadableVisit: String? { envelope.rest["visit"]?.stringValue }

    /// The reason of a visit.
    public enum Visit: String, Sendable, Hashable, CaseIterable {
        case routine
        case complaint
        case followUp
        case opening

        /// As people read it.
        public var label: String {
            switch self {
            case .routine, .complaint, .opening: rawValue
            case .followUp: "follow-up"
            }
        }

        /// By its name in records or by its label.
        public init?(label: String) {
            guard let visit = Self.allCases.first(where: { $0.rawValue == label || $0.label == label }) else {
                return nil
            }
            self = visit
        }
    }

    /// The life of an inspection: `draft` → `submitted` → `approved`, or `returned` for more work.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        case draft
        case submitted
        case returned
        case approved

        /// The statuses that can follow.
        public var next: [Status] {
            switch self {
            case .draft: [.submitted]
            case .submitted: [.approved, .returned]
            case .returned: [.submitted]
            case .approved: []
            }
        }

        /// Whether an inspector may still change it.
        public var isOpen: Bool {
            switch self {
            case .draft, .returned: true
            case .submitted, .approved: false
            }
        }
    }

    /// The names of the members.
    public enum Key: String, MemberKey {
        case site
        case date
        case visit
        case status
        case inspector
        case score
        case form
        case assignment
        case answers
        case notes
        case photos
        case submittedAt
        case review
        case approvedFindings
        case approvedPhotos
    }

    public init(id: String, site: String, date: CalendarDay, visit: Visit = .routine, district: District) {
        self.id = id
        self.site = site
        self.date = date
        statedVisit = visit
        status = .draft
        answers = JSONObject()
        photos = []
        envelope = RecordEnvelope(district: district)
    }

    public init(id: String, reading reader: inout RecordReader) {
        self.id = id
        site = reader.requiredText(Key.site)
        date = reader.requiredDay(Key.date)
        statedVisit = reader.choice(Key.visit, as: Visit.self)
        status = reader.choice(Key.status, as: Status.self, isVital: true) ?? .draft
        inspector = reader.text(Key.inspector)
        score = reader.integer(Key.score)
        form = reader.text(Key.form)
        assignment = reader.text(Key.assignment)
        answers = reader.object(Key.answers) ?? JSONObject()
        notes = reader.text(Key.notes)
        photos = reader.photos(Key.photos)
        submittedAt = reader.timestamp(Key.submittedAt)
        review = reader.text(Key.review)
        approvedFindings = reader.findingsNote(Key.approvedFindings)
        approvedPhotos = reader.texts(Key.approvedPhotos)
        envelope = RecordEnvelope(district: nil)
    }

    public func write(to writer: inout RecordWriter) {
        writer.set(Key.site, to: site)
        writer.set(Key.date, spelled: date)
        // One that cannot be read is kept until another one is set.
        if envelope.rest["visit"] == nil { writer.set(Key.visit, to: statedVisit?.rawValue) }
        writer.set(Key.status, to: status.rawValue)
        writer.set(Key.inspector, to: inspector)
        writer.set(Key.score, to: score)
        writer.set(Key.form, to: form)
        writer.set(Key.assignment, to: assignment)
        writer.set(Key.answers, object: answers.isEmpty ? nil : answers)
        writer.set(Key.notes, to: notes)
        writer.set(Key.photos, list: photos.map(\.object))
        writer.set(Key.submittedAt, spelled: submittedAt)
        writer.set(Key.review, to: review)
        writer.set(Key.approvedFindings, to: approvedFindings?.value)
        writer.set(Key.approvedPhotos, texts: approvedPhotos)
    }

    public func ownProblems() -> [FieldProblem] {
        var problems: [FieldProblem] = []
        if site.isBlank { problems.append(FieldProblem("site", message: "is empty")) }
        if district == nil { problems.append(FieldProblem("district", message: "is missing")) }
        if let score, !Self.scores.contains(score) {
            problems.append(FieldProblem("score", message: "must be from 0 to 100, but is \(score)"))
        }
        problems += TextLength.problems(atMost: TextLength.paragraphs, ["notes": notes, "review": review])
        return problems + photos.problems()
    }

    public var title: String { visitLabel.map { "\(date) \($0)" } ?? date.description }
}
