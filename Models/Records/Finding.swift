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

    /// The names of the members.
    public enum Key: String, MemberKey {
        case inspection
        case site
        case date
        case text
        case risk
        case corrected
        case notes
        case photos
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
        inspection = reader.text(Key.inspection)
        site = reader.requiredText(Key.site)
        date = reader.requiredDay(Key.date)
        text = reader.requiredText(Key.text)
        risk = reader.choice(Key.risk, as: Risk.self)
        corrected = reader.day(Key.corrected)
        notes = reader.text(Key.notes)
        photos = reader.photos(Key.photos)
        envelope = RecordEnvelope(district: nil)
    }

    public func write(to writer: inout RecordWriter) {
        writer.set(Key.inspection, to: inspection)
        writer.set(Key.site, to: site)
        writer.set(Key.date, spelled: date)
        writer.set(Key.text, to: text)
        writer.set(Key.risk, to: risk?.rawValue)
        writer.set(Key.corrected, spelled: corrected)
        writer.set(Key.notes, to: notes)
        writer.set(Key.photos, list: photos.map(\.object))
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
