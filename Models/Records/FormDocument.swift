import DocumentValues

/// A document of a form with groups, conditions and calculations: one version of its questions, or the form's head, which
/// names its versions. Its content is read by the library of forms; here it is kept member by member.
public struct FormDocument: FieldRecord {
    public static let kind = RecordKind.form
    public static let schemaVersion = 2
    /// See ``FormDefinition``.
    public static let otherSchemas: Set<Int> = [1]

    /// `<form>@<version>` for a version, `<form>` for the head.
    public var id: String
    /// The id of the form.
    @Exact public var form: String
    public var envelope: RecordEnvelope

    /// The names of the members that are read here.
    public enum Key: String, MemberKey {
        case form
    }

    /// A form without a district is for all users.
    ///
    /// - Parameter content: all members but those of the envelope and the form's id.
    public init(
        id: String, form: String, content: JSONObject, source: RecordSource? = nil, district: District? = nil
    ) {
        self.id = id
        self.form = form
        envelope = RecordEnvelope(district: district, source: source)
        envelope.rest = content
    }

    public init(id: String, reading reader: inout RecordReader) {
        self.id = id
        form = reader.requiredText(Key.form)
        envelope = RecordEnvelope(district: nil)
    }

    public func write(to writer: inout RecordWriter) { writer.set(Key.form, to: form) }

    public func ownProblems() -> [FieldProblem] {
        var problems: [FieldProblem] = []
        if form.isBlank { problems.append(FieldProblem("form", message: "is empty")) }
        if !isVersion, !isHead { problems.append(FieldProblem("form", message: "has neither questions nor versions")) }
        return problems
    }

    /// All members but those of the envelope and the form's id.
    public var content: JSONObject {
        get { envelope.rest }
        set { envelope.rest = newValue }
    }

    /// Whether it holds the questions of one version.
    public var isVersion: Bool { content["nodes"]?.arrayValue != nil }

    /// Whether it names the versions of the form.
    public var isHead: Bool { content["versions"]?.arrayValue != nil }

    public var title: String {
        let title = content["title"]
        let text = title?.stringValue ?? title?.objectValue?.members.first?.value.stringValue ?? form
        guard isVersion, let version = content["version"]?.stringValue else { return text.asTitle }
        return "\(text), version \(version)".asTitle
    }
}
