import DocumentValues

/// A value of a YAML text. Every scalar is a text: `yes`, `1.0` and `2026-03-04` are texts, too.
struct YAMLNode: Sendable {
    enum Content: Sendable {
        case text(String)
        case list([YAMLNode])
        /// In their order; a key may be there twice.
        case map([YAMLEntry])
    }

    var content: Content
    let position: YAMLPosition

    init(_ content: Content, at position: YAMLPosition) {
        self.content = content
        self.position = position
    }

    /// `nil` for a list or a map.
    var text: String? {
        guard case .text(let text) = content else { return nil }
        return text
    }

    var isEmptyText: Bool { text?.isEmpty == true }
}

struct YAMLEntry: Sendable {
    let key: YAMLKey
    let value: YAMLNode
}

struct YAMLKey: Sendable {
    let name: Name
    let position: YAMLPosition

    var text: String { name.text }
}

/// Both count from 1, columns in Unicode scalars.
struct YAMLPosition: Sendable, Hashable {
    let line: Int
    let column: Int
}

/// Why a text is not the YAML that is read here.
struct YAMLFault: Sendable, Hashable {
    let position: YAMLPosition
    let isLimit: Bool
    @Exact var message: String
    @Exact var hint: String?

    init(at position: YAMLPosition, message: String, hint: String? = nil, isLimit: Bool = false) {
        self.position = position
        self.isLimit = isLimit
        self.message = message
        self.hint = hint
    }
}

/// Ends the reading of a part of the text.
enum YAMLFailure: Error {
    /// Reading goes on behind the entry or item in which it is.
    case fault(YAMLFault)
    /// There were too many.
    case stop
}
