import DocumentValues

/// A form: a tree of questions with its lists, files and rules. A definition never changes once it was published.
package struct Form: Sendable {
    package static let type = "form"
    package static let schema: Int64 = 2

    package var id: Name
    /// Any text; empty until one was given.
    package var version: String
    package var title: FormText
    /// The name of a record's root in paths.
    package var root: Name
    package var languages: [FormLanguage]
    package var defaultLanguage: Name?
    /// An expression.
    package var instanceName: String?
    package var settings: FormSettings
    package var lists: [ChoiceList]
    package var files: [FormFile]
    package var nodes: [FormNode]
    package var entities: [FormEntity]
    /// Texts by their ids, of a form that was an XForm.
    package var texts: [FormTextEntry]
    package var record: RecordBinding
    /// The digest that the definition was stored with.
    package var statedDigest: String?
    /// Where the definition comes from: file, digest, tool.
    package var source: JSONObject?
    /// Members that this version does not know, such as those of the envelope.
    package var rest: JSONObject

    package init(id: Name, version: String = "", title: FormText? = nil, nodes: [FormNode] = []) {
        self.id = id
        self.version = version
        self.title = title ?? .plain(id.text)
        root = "data"
        languages = []
        settings = FormSettings()
        lists = []
        files = []
        self.nodes = nodes
        entities = []
        texts = []
        record = .response
        rest = [:]
    }

    /// The language of texts when no other is chosen.
    package var language: Name? { defaultLanguage ?? languages.first?.code }

    package func list(_ name: Name) -> ChoiceList? { lists.first { $0.name == name } }
}

/// A text with the id by which `jr:itext` finds it.
package struct FormTextEntry: Sendable {
    package var id: Name
    package var text: FormText

    package init(id: Name, text: FormText) {
        self.id = id
        self.text = text
    }
}

package struct FormSettings: Sendable {
    /// Whether a record may be edited after it was sent.
    package var clientEditable = false
    package var allowChoiceDuplicates = false
    package var omitInstanceID = false
    /// `pages`, `theme-grid` …
    package var style: String?
    /// Settings that are kept and mean nothing here: `submission_url`.
    package var rest: JSONObject = [:]

    package init() {}
}

/// Which kind of record an answered form is.
package enum RecordBinding: Sendable {
    case response
    /// An inspection, some of whose members are answers: `site`, `date`, `visit`, `score`, `notes`.
    case inspection([NamedText])
}

/// An entity that a finalised record makes or changes; its texts are expressions, except for the list.
package struct FormEntity: Sendable {
    package var listName: Name
    package var label: String?
    package var entityID: String?
    package var createIf: String?
    package var updateIf: String?
    /// The repeat whose instances make one each.
    package var `repeat`: Name?
    package var sourceRow: Int?
    package var rest: JSONObject

    package init(listName: Name, label: String? = nil) {
        self.listName = listName
        self.label = label
        rest = [:]
    }
}

/// A fault of a definition, with its path: `nodes[3].type`.
package struct FormProblem: Sendable, Hashable, CustomStringConvertible {
    @Exact package var path: String
    @Exact package var message: String

    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
