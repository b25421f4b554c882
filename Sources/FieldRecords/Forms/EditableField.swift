import DocumentValues
import FieldModels

/// A field that a person may change: how it is asked for, and where it is kept.
public struct EditableField<Record: FieldRecord> {
    public private(set) var question: FormField
    /// Where the record has it.
    public let path: FieldPath
    public let get: (Record) -> JSONValue?
    let set: (inout Record, JSONValue?) throws(FieldProblem) -> Void
    /// A text that may have several lines.
    public private(set) var takesLines = false
    /// The field has the name of a user who signs in at the gateway.
    public private(set) var namesUser = false
    /// The code of a district.
    public private(set) var namesDistrict = false
    /// The user is not asked for it in turn, because it follows from another value; it can be changed by its name.
    public private(set) var isChangedByNameOnly = false
    /// The answer that Enter gives if there is none yet.
    public private(set) var preset: String?
    /// How many days before and after today the answer usually is; others are asked about.
    public private(set) var usualDays = -3_660...366

    /// - Parameter path: `nil` for the member of the question's name.
    init(
        _ question: FormField, at path: FieldPath? = nil, get: @escaping (Record) -> JSONValue?,
        set: @escaping (inout Record, JSONValue?) throws(FieldProblem) -> Void
    ) {
        self.question = question
        self.path = path ?? FieldPath(question.name)
        self.get = get
        self.set = set
    }

    /// The problem with the answer of a record, for example after another version of its form; `nil` if there is none, or the
    /// user is not asked for the field.
    public func problem(in record: Record) -> FieldProblem? {
        guard !isChangedByNameOnly, let value = get(record), !value.isNull, value != "" else { return nil }
        return FormCheck.problem(of: value, in: question)
    }

    /// The same under another label.
    public func labelled(_ label: String) -> Self {
        var field = self
        field.question.label = label
        return field
    }

    /// The same with values that are offered for it, beside which any other can be typed.
    public func suggesting(_ values: [String]) -> Self {
        var field = self
        field.question.choices = values
        return field
    }

    /// The same under a name that no question of a form has: forms of other programs may have any names. The short name
    /// then means the question.
    func apart(from questions: Set<Name>) -> Self {
        var field = self
        while questions.contains(Name(field.question.name)) {
            field.question.name = Self.longName(field.question.name)
        }
        return field
    }

    /// `inspection.score`: what a member of the record is called where a question has its name.
    public static func longName(_ name: String) -> String { "\(Record.kind.rawValue).\(name)" }

    func lines() -> Self {
        var field = self
        field.takesLines = true
        return field
    }

    func user() -> Self {
        var field = self
        field.namesUser = true
        return field
    }

    func byNameOnly() -> Self {
        var field = self
        field.isChangedByNameOnly = true
        return field
    }

    func presetting(_ text: String) -> Self {
        var field = self
        field.preset = text
        return field
    }

    func usually(_ days: ClosedRange<Int>) -> Self {
        var field = self
        field.usualDays = days
        return field
    }

    /// Where the record belongs, and so who sees it.
    static var district: Self {
        var field = EditableField(FormField("district", label: "District", kind: .text, isRequired: true)) {
            $0.district.map { .string($0.code) }
        } set: { record, value throws(FieldProblem) in
            guard let code = value?.stringValue, let district = District(code) else {
                throw FieldProblem("district", message: "may have letters, digits, '-' and '_' only")
            }
            record.envelope.move(to: district)
        }
        field.namesDistrict = true
        return field
    }

    /// A text; clearing it removes it, unless it is required.
    init(
        _ name: String, label: String, required: WritableKeyPath<Record, String>
    ) {
        self.init(
            FormField(name, label: label, kind: .text, isRequired: true), get: { .string($0[keyPath: required]) },
            set: { $0[keyPath: required] = $1?.stringValue ?? "" })
    }

    /// - Parameter member: the object that it is in; `nil` for the record itself.
    init(_ name: String, label: String, path: WritableKeyPath<Record, String?>, in member: String? = nil) {
        self.init(
            FormField(name, label: label, kind: .text), at: member.map { FieldPath($0, part: name) },
            get: { $0[keyPath: path].map(JSONValue.string) },
            set: { $0[keyPath: path] = $1?.stringValue })
    }

    init(_ name: String, label: String, day path: WritableKeyPath<Record, CalendarDay>) {
        self.init(
            FormField(name, label: label, kind: .day, isRequired: true),
            get: { .string($0[keyPath: path].description) },
            set: { record, value in
                if let day = value?.stringValue.flatMap({ CalendarDay($0) }) { record[keyPath: path] = day }
            })
    }
}

/// A record whose fields a person may change one by one.
public protocol EditableRecord: FieldRecord {
    /// - Parameter form: the form that an inspection answers.
    func editableFields(form: FormDefinition?) -> [EditableField<Self>]

    /// Other records that it names, which are looked up by their titles, and changed only by the names of the fields.
    static var namedRecords: [String] { get }
}

extension EditableRecord {
    public static var namedRecords: [String] { [] }
}

extension Array {
    /// The field with a typed name: the one with exactly these bytes, or else the only one that has the name with other
    /// cases or another form of its accents.
    public func field<Record>(typed name: String) -> EditableField<Record>? where Element == EditableField<Record> {
        if let exact = first(where: { $0.question.name.isExactly(name) }) { return exact }
        let wanted = name.lowercased()
        let similar = filter { $0.question.name.lowercased().readsLike(wanted) }
        return similar.count == 1 ? similar[0] : nil
    }
}

extension EditableRecord {
    /// Reads the typed texts into their fields.
    ///
    /// - Throws: `RecordError` with all problems; the record is then unchanged.
    public mutating func apply(
        _ texts: [(field: String, text: String)], form: FormDefinition?, today: CalendarDay
    ) throws(RecordError) {
        var changed = self
        var problems: [FieldProblem] = []
        for (name, text) in texts {
            let fields = changed.editableFields(form: form)
            guard let field = fields.field(typed: name) else {
                let others = Self.namedRecords.filter { !$0.isExactly(name) }
                let names = (fields.map(\.question.name) + others).joined(separator: ", ")
                problems.append(
                    FieldProblem(name, message: "is no field of this \(Self.kind.rawValue); it has \(names)"))
                continue
            }
            do throws(FieldProblem) { try changed.set(field, to: text, today: today) } catch { problems.append(error) }
        }
        if !problems.isEmpty { throw RecordError(kind: Self.kind, id: id, problems: problems) }
        self = changed
    }

    /// - Parameter text: as typed; an empty text clears the field.
    public mutating func set(
        _ field: EditableField<Self>, to text: String, today: CalendarDay
    ) throws(FieldProblem) {
        if text.trimmingSpaces.isEmpty {
            if field.question.isRequired, field.get(self) != nil {
                throw FieldProblem(field.question.name, message: "must not be empty")
            }
            try field.set(&self, nil)
        } else {
            try field.set(&self, try AnswerReader.read(text, for: field.question, today: today))
        }
        // A value that cannot be read is kept beside those that can; from now on the typed one counts.
        if field.path.name == field.path.member { envelope.rest[field.path.member] = nil }
    }
}

extension Inspection: EditableRecord {
    public static var namedRecords: [String] { ["site"] }

    public func editableFields(form: FormDefinition?) -> [EditableField<Inspection>] {
        let questions = form.map { FormCheck.asked(in: $0, answers: answers) } ?? []
        let closed = form.map { FormCheck.closed(in: $0, answers: answers) } ?? []
        let names = Set(form?.fields.map { Name($0.name) } ?? [])
        return fieldsBeforeForm.map { $0.apart(from: names) } + questions.map(Self.answer)
            + closed.map(Self.closedAnswer)
            + fieldsBehindForm.map { $0.apart(from: names) }
    }

    private var fieldsBeforeForm: [EditableField<Inspection>] {
        let visits = Visit.allCases.map(\.label)
        return [
            EditableField("date", label: "Date", day: \.date).usually(-92...7),
            EditableField(FormField("visit", label: "Visit", kind: .choice, isRequired: true, choices: visits)) {
                $0.visitLabel.map { .string($0) }
            } set: {
                if let visit = $1?.stringValue.flatMap({ Visit(label: $0) }) { $0.visit = visit }
            }.presetting(Visit.routine.label),
        ]
    }

    private var fieldsBehindForm: [EditableField<Inspection>] {
        [
            EditableField(FormField("score", label: "Score", kind: .whole, minimum: 0, maximum: 100)) {
                $0.score.map { .int($0) }
            } set: {
                $0.score = $1?.integerValue.flatMap { Int(exactly: $0) }
            },
            EditableField("notes", label: "Notes", path: \.notes).lines(),
            EditableField("inspector", label: "Inspector", path: \.inspector).user(),
            .district.byNameOnly(),
        ]
    }

    /// The answer can only be removed: the user is not asked for it.
    private static func closedAnswer(to question: FormField) -> EditableField<Inspection> {
        let name = question.name
        let closed = FormField(
            name, label: question.labelWhereClosed, kind: question.kind, choices: question.choices)
        return EditableField<Inspection>(closed, at: Self.path(ofAnswer: name)) {
            $0.answers[name]
        } set: { inspection, value throws(FieldProblem) in
            guard value == nil else {
                throw FieldProblem(
                    name, message: "is not asked after the other answers; its answer can be taken away only")
            }
            inspection.answers[name] = nil
        }
        .byNameOnly()
    }

    private static func path(ofAnswer name: String) -> FieldPath { FieldPath(Key.answers.rawValue, part: name) }

    private static func answer(to question: FormField) -> EditableField<Inspection> {
        // A required question may stay open in a draft; it is asked for when the inspection is handed in.
        var question = question
        question.isRequired = false
        let name = question.name
        let field = EditableField<Inspection>(question, at: Self.path(ofAnswer: name)) {
            $0.answers[name]
        } set: {
            $0.answers[name] = $1
        }
        return question.kind == .text ? field.lines() : field
    }
}

extension Finding: EditableRecord {
    public func editableFields(form: FormDefinition?) -> [EditableField<Finding>] {
        let risks = Risk.allCases.map(\.rawValue)
        return [
            EditableField("text", label: "What is wrong", required: \.text).lines(),
            EditableField(FormField("risk", label: "Risk", kind: .choice, choices: risks)) {
                $0.risk.map { .string($0.rawValue) }
            } set: {
                $0.risk = $1?.stringValue.flatMap { Risk(exactly: $0) }
            },
            EditableField(FormField("corrected", label: "Fixed on", kind: .day)) {
                $0.corrected.map { .string($0.description) }
            } set: {
                $0.corrected = $1?.stringValue.flatMap { CalendarDay($0) }
            }.usually(-366...7),
            EditableField("notes", label: "Notes", path: \.notes).lines(),
            .district.byNameOnly(),
        ]
    }
}

extension Site: EditableRecord {
    public func editableFields(form: FormDefinition?) -> [EditableField<Site>] {
        let address = Key.address.rawValue
        return [
            EditableField("name", label: "Name", required: \.name),
            .district,
            EditableField("street", label: "Street", path: \.address.street, in: address),
            EditableField("city", label: "City", path: \.address.city, in: address),
            EditableField("state", label: "State", path: \.address.state, in: address),
            EditableField("postalCode", label: "Postal code", path: \.address.postalCode, in: address),
            EditableField("phone", label: "Telephone", path: \.phone),
            EditableField("notes", label: "Notes", path: \.notes).lines(),
        ]
    }
}

extension FormField {
    /// The label of a question that has an answer and is not asked any more.
    public var labelWhereClosed: String { "\(label) (not asked any more)" }
}

extension Inspection {
    /// Asked of the one who returns it.
    public static var reasonOfReturn: EditableField<Inspection> {
        EditableField("review", label: "Reason", path: \.review).lines()
    }
}

extension Assignment: EditableRecord {
    public static var namedRecords: [String] { ["form"] }

    public func editableFields(form: FormDefinition?) -> [EditableField<Assignment>] {
        let choices = Status.allCases.map(\.rawValue)
        return [
            EditableField("inspector", label: "Inspector", required: \.inspector).user(),
            EditableField("due", label: "Due", day: \.due).usually(0...366),
            EditableField(FormField("status", label: "Status", kind: .choice, isRequired: true, choices: choices)) {
                .string($0.status.rawValue)
            } set: {
                $0.status = $1?.stringValue.flatMap { Status(exactly: $0) } ?? $0.status
            },
            EditableField("instructions", label: "Instructions", path: \.instructions).lines(),
            .district.byNameOnly(),
        ]
    }
}
