import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// The names of a record's fields on the screen and on the command line.
struct ConflictNames {
    private var questions: [FieldPath: FormField] = [:]
    private let object: JSONObject
    /// The titles of the records that values name.
    private var referred: [RecordReference: String] = [:]
    /// `nil` outside the shell, where photos are named by their names.
    private let numbers: PhotoNumbers?
    private let photoNames: [Name: String]
    /// Last parts of the paths of several fields to decide, such as of a member and of an answer of its name.
    private let sharedNames: Set<Name>

    init(_ conflict: RecordConflict, in field: FieldDatabase, numbers: PhotoNumbers? = nil) throws {
        object = conflict.object
        self.numbers = numbers
        photoNames = TypedPhotoNames.all(conflict)
        let counts = Dictionary(conflict.fields.map { (Name($0.path.lastName), 1) }, uniquingKeysWith: +)
        sharedNames = Set(counts.filter { $0.value > 1 }.keys)
        for field in Self.own(conflict) { questions[field.path] = field.question }
        for contested in conflict.fields {
            for value in [contested.current] + contested.others {
                guard let reference = Self.reference(value.value, at: contested.path) else { continue }
                referred[reference] = try Self.title(reference, field: field)
            }
        }
        guard conflict.kind == .inspection, let form = conflict.object["form"]?.stringValue else { return }
        for question in try field.inspectionForms.formEvenWithdrawn(form)?.fields ?? [] {
            questions[FieldPath("answers", part: question.name)] = question
        }
    }

    /// The fields that can be edited; none where the record cannot be read, which does not keep it from being shown.
    private static func own(_ conflict: RecordConflict) -> [(path: FieldPath, question: FormField)] {
        do {
            switch conflict.kind {
            case .site: return questions(try Site(id: conflict.id, object: conflict.object))
            case .inspection: return questions(try Inspection(id: conflict.id, object: conflict.object))
            case .finding: return questions(try Finding(id: conflict.id, object: conflict.object))
            case .assignment: return questions(try Assignment(id: conflict.id, object: conflict.object))
            case .form, .response: return []
            }
        } catch {
            return []
        }
    }

    private static func questions(_ record: some EditableRecord) -> [(path: FieldPath, question: FormField)] {
        record.editableFields(form: nil).map { ($0.path, $0.question) }
    }

    func question(of path: FieldPath) -> FormField? { questions[path] }

    /// `Score`, `Fridge °C`, `caption of door.jpg`, `photo door.jpg`.
    func label(of path: FieldPath) -> String {
        if let question = questions[path] { return question.label }
        if path.isItem { return "photo \(path.read(object)?["name"]?.stringValue ?? path.lastName)" }
        if path.member == "photos", let photo = path.read(object, levels: 2)?["name"]?.stringValue {
            return "\(path.lastName) of \(photo)"
        }
        return Self.labels[path.name] ?? path.name
    }

    private static let labels = [
        "status": "Status", "review": "Returned because", "site": "Site", "form": "Form", "inspection": "Inspection",
        "assignment": "Assignment", "inspector": "Inspector", "district": "District",
    ]

    // MARK: Values

    /// `80`, or the title of a record: `Old mill, 2026-03-04 routine, submitted, score 80 (k3m9x2pq7d)`.
    func text(_ value: ContestedValue, at path: FieldPath) -> String {
        text(value.value, at: path) ?? value.text
    }

    /// `nil` for a value that names no record, or one that is not here.
    func text(_ value: JSONValue?, at path: FieldPath) -> String? {
        Self.reference(value, at: path).flatMap { referred[$0] }
    }

    private static func reference(_ value: JSONValue?, at path: FieldPath) -> RecordReference? {
        guard let id = value?.stringValue, path.name == path.member,
            let kind = [RecordKind.inspection, .site, .form, .assignment].first(where: { path.name == $0.rawValue })
        else { return nil }
        return RecordReference(kind, id: id)
    }

    private static func title(_ reference: RecordReference, field: FieldDatabase) throws -> String? {
        let title = try TitleWithSite(field.deletions).title(reference)
        guard !title.isEmpty else { return nil }
        return "\(title)\(try state(reference, field: field)) (\(reference.shortID))"
    }

    /// Two inspections of one site and day differ by how far they are.
    private static func state(_ reference: RecordReference, field: FieldDatabase) throws -> String {
        guard reference.kind == .inspection,
            let body = try field.collection(of: .inspection).document(id: reference.id)?.body
        else { return "" }
        let score = body["score"]?.text.map { "score \($0)" }
        return [body["status"]?.stringValue, score].compactMap(\.self).map { ", \($0)" }.joined()
    }

    /// The name to type before `=`: `score`, or `caption-2` for the second photo as it was shown, `photo-2` for its
    /// presence. Outside the shell `caption-door.jpg`. An answer whose question is called like another field to decide has
    /// all of its path: `answers.score`.
    func typedName(of path: FieldPath) -> String { typedNames(of: path)[0] }

    /// At least one; the first is shown.
    private func typedNames(of path: FieldPath) -> [String] {
        let name = path.isItem ? "photo" : path.lastName
        guard let key = path.photoKey else { return [sharedNames.contains(Name(name)) ? path.name : name] }
        let photo = [numbers?[key].map { String($0) }, photoNames[key]].compactMap(\.self)
        return photo.isEmpty ? [name] : photo.map { "\(name)-\($0)" }
    }

    /// The field of a typed name: the name that is shown, or the last part of its path or all of it where no other
    /// field has that, too.
    func find(_ name: String, among fields: [ContestedField]) throws(UsageError) -> ContestedField {
        if let field = fields.first(where: { typedNames(of: $0.path).containsExactly(name) }) { return field }
        let exact = fields.filter { $0.path.name.isExactly(name) || $0.path.lastName.isExactly(name) }
        if exact.count == 1 { return exact[0] }
        let found = fields.filter { field in
            (typedNames(of: field.path) + [field.path.name, field.path.lastName])
                .contains { ChoiceMatch.means(name, choice: $0) }
        }
        if found.count == 1 { return found[0] }
        let several = exact.isEmpty ? found : exact
        guard several.isEmpty else {
            let names = several.map { "\(typedName(of: $0.path)) (\(label(of: $0.path)))" }.joined(separator: ", ")
            throw UsageError("'\(name)' fits \(several.count) fields.", hint: "Say which: \(names)")
        }
        let names = fields.map { typedName(of: $0.path) }.joined(separator: ", ")
        throw UsageError("'\(name)' is none of the fields to decide here: \(names).")
    }
}

extension ContestedValue {
    /// The value on a screen.
    var text: String {
        if case .field(let path) = subject, path.isItem { return Self.photoText(isKept: value != nil) }
        return value?.text ?? "(empty)"
    }

    static func photoText(isKept: Bool) -> String { isKept ? "kept" : "removed" }
}
