import DocumentValues
import FormLogic

/// The question that holds how many instances a repeat has: exports have its column, as in forms for ODK.
package enum CountQuestion {
    /// Takes a count that is not exactly one `${name}` out of the repeat into a calculate `<repeat>_count`, which is to come
    /// before the repeat. `nil` where none is needed.
    package static func split(from node: inout FormNode) -> FormNode? {
        guard node.isRepeat, let count = node.repeatCount, !isReference(count) else { return nil }
        var question = FormNode(name: Name(node.name.text + "_count"), kind: .question(.plain(.calculate)))
        question.calculation = count
        question.sourceRow = node.sourceRow
        node.repeatCount = "${\(question.name.text)}"
        return question
    }

    /// Whether the text is one reference and nothing else.
    static func isReference(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count > 3, bytes.starts(with: "${".utf8), bytes.last == UInt8(ascii: "}") else { return false }
        return bytes[2...].firstIndex(of: UInt8(ascii: "}")) == bytes.count - 1
    }
}
