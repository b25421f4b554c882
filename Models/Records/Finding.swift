import DocumentValues

/// Something that was wrong at a site, and whether it has been put right.
public struct Finding: FieldRecord {
    public static let kind = RecordKind.finding
    public static let schemaVersion = 1

    public var id: String
    /// The inspection's document id; `nil` where a finding came without one.
    public var inspection: String?
    /// The site's document id.
    public var site: String
    public var date: CalendarDay
    public var text: String
    public var risk: Risk?
    public var corrected: CalendarDay?
    public var notes: String?
    public var photos: [Photo]
    public var envelope: RecordEnvelope

    public enum Risk: String, Sendable, Hashable, CaseIterable {
        case low
        case moderate
        case high
    }

    public init(
        id: String, inspection: String?, site: String, date: CalendarDay, text: String, district: District
    ) {
        self.id = id
        self.inspection = inspection
        self.site = site
        self.date = date
        self.text = text
        photos = []
        envelope = RecordEnvelope(district: district)
    }

    public init(id: String, reading reader: inout RecordReader) {
        self.id = id
        inspection = reader.text("inspection")
        site = reader.requiredText("site")
        date = reader.requiredDay("date")
        text = reader.requiredText("text")
        risk = reader.choice("risk", as: Risk.self)
        corrected = reader.day("corrected")
        notes = reader.text("notes")
        photos = reader.photos()
        envelope = RecordEnvelope(district: nil)
    }

    public func write(to writer: inout RecordWriter) {
        writer.set("inspection", to: inspection)
        writer.set("site", to: site)
        writer.set("date", spelled: date)
        writer.set("text", to: text)
        writer.set("risk", to: risk?.rawValue)
        writer.set("corrected", spelled: corrected)
        writer.set("notes", to: notes)
        writer.set("photos", list: photos.map(\.object))
    }

    public func ownProblems() -> [FieldProblem] {
        var problems: [FieldProblem] = []
        if site.isBlank { problems.append(FieldProblem("site", message: "is empty")) }
        if text.isBlank { problems.append(FieldProblem("text", message: "is empty")) }
        if district == nil { problems.append(FieldProblem("district", message: "is missing")) }
        if let corrected, corrected < date {
            problems.append(FieldProblem("corrected", message: "must not be before \(date), but is \(corrected)"))
        }
        problems += TextLength.problems(atMost: TextLength.paragraphs, ["text": text, "notes": notes])
        return problems + photos.problems()
    }

    public var title: String { text.asTitle }
}
