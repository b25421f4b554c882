import DocumentValues
import FormLogic

/// The text of an element with `<output value="/data/a"/>` in it as `${a}`.
enum XFormText {
    static func text(of element: MarkupElement, context: XFormPath?, references: PathReferences) -> String {
        var text = ""
        for part in element.content {
            switch part {
            case .text(let part): text += part
            case .element(let inner):
                if inner.local == "output", let value = inner["value"] ?? inner["ref"] {
                    text += reference(value, context: context, references: references)
                } else {
                    text += Self.text(of: inner, context: context, references: references)
                }
            }
        }
        return text.trimmingSpaces
    }

    private static func reference(_ value: String, context: XFormPath?, references: PathReferences) -> String {
        // Relative paths of pyxform have spaces around them here, too.
        let converted = references.converted(" \(value.trimmingSpaces) ", context: context).trimmingSpaces
        if CountQuestion.isReference(converted) { return converted }
        // Nothing else is evaluated in a text, except for look-ups.
        return converted.hasPrefix("instance(") ? converted : "${\(lastName(converted) ?? converted)}"
    }

    /// Whether a text shows the value of an output as the author wrote it: that of a path, or of a look-up.
    static func isRead(_ output: MarkupElement) -> Bool {
        guard let value = (output["value"] ?? output["ref"])?.trimmingSpaces else { return true }
        return value.hasPrefix("instance(") || value.utf8.allSatisfy { XFormPath.isName($0) || $0 == UInt8(ascii: "/") }
    }

    /// `c` of `/data/a[1]/c`, where a path is no reference.
    private static func lastName(_ path: String) -> String? {
        guard let last = path.split(atByte: "/").last, !last.isEmpty, last.utf8.allSatisfy({ XFormPath.isName($0) })
        else { return nil }
        return String(last)
    }
}
