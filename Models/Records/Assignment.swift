import DocumentValues

/// A task for an inspector: visit a site by a day.
public struct Assignment: FieldRecord {
    public static let kind = RecordKind.assignment
    public static let schemaVersion = 1

    public var id: String
    /// The user's name.
    public var inspector: String
    /// The site's document id.
    public var site: String
    public var form: String?
    public var due: CalendarDay
    public var status: Status
    public var instructions: String?
    /// The document id of the inspection that came of it.
    public var inspection: String?
    public var envelope: RecordEnvelope

    public enum Status: String, Sendable, Hashable, CaseIterable {
        case open
        case done
        case dropped
    }

    /// The names of the members.
    public enum Key: String, MemberKey {
        case inspector
        case site
        case form
        case due
        case status
        case instructions
        case inspection
    }

    public init(id: String, inspector: String, site: String, due: CalendarDay, district: District) {
        self.id = id
        self.inspector = inspector
        self.site = site
        self.due = due
        status = .open
        envelope = RecordEnvelope(district: district)
    }

    public init(id: String, reading reader: inout RecordReader) {
        self.id = id
        inspector = reader.requiredText(Key.inspector)
        site = reader.requiredText(Key.site)
        form = reader.text(Key.form)
        due = reader.requiredDay(Key.due)
        status = reader.choice(Key.status, as: Status.self, isVital: true) ?? .open
        instructions = reader.text(Key.instructions)
        inspection = reader.text(Key.inspection)
        envelope = RecordEnvelope(district: nil)
    }

    public func write(to writer: inout RecordWriter) {
        writer.set(Key.inspector, to: inspector)
        writer.set(Key.site, to: site)
        writer.set(Key.form, to: form)
        writer.set(Key.due, spelled: due)
        writer.set(Key.status, to: status.rawValue)
        writer.set(Key.instructions, to: instructions)
        writer.set(Key.inspection, to: inspection)
    }

    public func ownProblems() -> [FieldProblem] {
        var problems: [FieldProblem] = []
        if inspector.isBlank { problems.append(FieldProblem("inspector", message: "is empty")) }
        if site.isBlank { problems.append(FieldProblem("site", message: "is empty")) }
        if district == nil { problems.append(FieldProblem("district", message: "is missing")) }
        return problems + TextLength.problems(atMost: TextLength.paragraphs, ["instructions": instructions])
    }

    public var title: String { "\(inspector.asTitle), due \(due)" }
}
