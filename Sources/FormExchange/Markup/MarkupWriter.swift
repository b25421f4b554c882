import DocumentValues

/// Writes XML: elements in their order, with whatever they hold escaped.
struct MarkupWriter {
    private(set) var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
    private var open: [String] = []
    /// Whether the innermost element has no content yet, and its tag is not closed.
    private var isTagOpen = false

    mutating func element(
        _ name: String, with attributes: KeyValuePairs<String, String?> = [:],
        content: (inout MarkupWriter) -> Void = { _ in }
    ) {
        begin(name, attributes: attributes.map { ($0.key, $0.value) })
        content(&self)
        end()
    }

    mutating func element(
        _ name: String, attributes: [(String, String?)], content: (inout MarkupWriter) -> Void = { _ in }
    ) {
        begin(name, attributes: attributes)
        content(&self)
        end()
    }

    mutating func begin(_ name: String, attributes: [(String, String?)] = []) {
        closeTag()
        text += "<\(name)"
        for (attribute, value) in attributes {
            guard let value else { continue }
            text += " \(attribute)=\"\(Self.escaped(value, inAttribute: true))\""
        }
        open.append(name)
        isTagOpen = true
    }

    mutating func end() {
        guard let name = open.popLast() else { return }
        text += isTagOpen ? "/>" : "</\(name)>"
        isTagOpen = false
    }

    mutating func write(_ content: String) {
        guard !content.isEmpty else { return }
        closeTag()
        text += Self.escaped(content, inAttribute: false)
    }

    private mutating func closeTag() {
        if isTagOpen { text += ">" }
        isTagOpen = false
    }

    /// Control characters, which XML cannot hold, are left out. Line ends in attributes would be read as spaces.
    private static func escaped(_ text: String, inAttribute isAttribute: Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"" where isAttribute: result.append(contentsOf: "&quot;".unicodeScalars)
            case "\n" where isAttribute: result.append(contentsOf: "&#10;".unicodeScalars)
            case "\t" where isAttribute: result.append(contentsOf: "&#9;".unicodeScalars)
            case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
            case "\n", "\t": result.append(scalar)
            default:
                let isLegal = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                if isLegal { result.append(scalar) }
            }
        }
        return String(result)
    }
}
