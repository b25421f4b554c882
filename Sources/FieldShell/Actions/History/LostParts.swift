import DocumentValues
import FieldModels
import FieldRecords

/// Long texts, which cannot be typed again from memory, and photos that are lost when a change is taken back.
struct LostParts {
    /// As a question names them, the first of many.
    let names: [String]

    init(_ losses: UndoLosses) {
        let texts = losses.texts.filter {
            $0.text.utf8.count > ShellLimits.textOfMemory || $0.text.utf8.contains(UInt8(ascii: "\n"))
        }
        let parts =
            texts.map { text in
                let name = "\(text.field) of the \(text.record.kind.rawValue) \(text.record.shortID)"
                return "the \(name): '\(text.text.printableLine.cut(to: ShellLimits.answerShown))'"
            }
            + losses.photos.map { photos in
                let names = photos.names.prefix(ShellLimits.candidates).map(\.text.printableLine)
                let rest = photos.names.count - names.count
                let list = names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
                return "\(photos.names.count.of("photo")) of the \(photos.record.kind.rawValue) "
                    + "\(photos.record.shortID) (\(list))"
            }
        let rest = parts.count - ShellLimits.candidates
        names = parts.prefix(ShellLimits.candidates) + (rest > 0 ? ["\(rest) more"] : [])
    }
}
