import DocumentValues
import FieldModels
import FormLogic

/// The document that names the versions of a form, and the one that new records take.
struct FormHead: Sendable {
    var form: Name
    @Exact var current: String
    var state: FormAvailability
    var title: FormText
    /// In the order in which they were published.
    @Exact var versions: [String]
    /// Members that this version does not know.
    private var rest: JSONObject

    init(form: Name, current: String, title: FormText) {
        self.form = form
        self.current = current
        state = .open
        self.title = title
        versions = [current]
        rest = JSONObject()
    }

    /// `nil` for a document that is no head.
    init?(_ document: FormDocument) {
        guard document.isHead, let current = document.content["current"]?.stringValue else { return nil }
        form = Name(document.form)
        self.current = current
        // A state of a later program opens nothing.
        state = document.content["state"]?.stringValue.map { FormAvailability(exactly: $0) ?? .closed } ?? .open
        title = document.content["title"].flatMap { FormText($0) } ?? .plain(document.form)
        versions = document.content["versions"]?.arrayValue?.compactMap(\.stringValue) ?? []
        rest = document.content
    }

    /// Takes a version as the one of new records.
    mutating func publish(_ version: String, title: FormText) {
        current = version
        self.title = title
        if !versions.containsExactly(version) { versions.append(version) }
    }

    var content: JSONObject {
        var content = rest
        content["current"] = .string(current)
        content["state"] = .string(state.rawValue)
        content["title"] = title.json
        content["versions"] = .array(versions.map { .string($0) })
        return content
    }
}
