import DocumentValues
import FieldModels
import FieldRecords

/// Fields got other values while a question about them was open: by a sync, or in another window. The typed answer was
/// not meant for the new values.
struct ChangedMeanwhile: Error {
    let fields: [FieldPath]
    /// `Score became 15`, `Notes became 'two doors'`, one for each field.
    let changes: [String]
    /// Typed texts of several lines, which cannot be typed again from memory.
    let texts: [String]
    /// The person who gave them their present values; `nil` if there are several, or the person is unknown.
    let author: String?

    /// - Parameters:
    ///   - seen: the record as it was shown.
    ///   - stored: the record as it is.
    ///   - changed: the record to be stored.
    /// - Returns: `nil` where nothing is overwritten that was not shown.
    init?<Record: EditableRecord>(seen: Record, stored: Record, changed: Record, form: FormDefinition?) {
        let overwritten = Set(RecordDifference.fields(from: stored.object, to: changed.object).map(\.path))
        guard !overwritten.isEmpty else { return nil }
        let unseen = RecordDifference.fields(from: seen.object, to: stored.object)
            .filter { overwritten.contains($0.path) }
        guard !unseen.isEmpty else { return nil }
        fields = unseen.map(\.path)
        let editable = stored.editableFields(form: form)
        changes = unseen.map { difference in
            let field = editable.first { $0.path == difference.path }
            let value = field?.get(stored)?.cell ?? difference.new?.cell ?? ""
            let isText = field.map { $0.question.kind == .text } ?? (difference.new?.stringValue != nil)
            let shown = isText ? "'\(value)'" : value
            return "\(field?.question.label ?? difference.name) \(value.isEmpty ? "was emptied" : "became \(shown)")"
        }
        texts = unseen.compactMap { difference in
            difference.path.read(changed.object)?.stringValue.flatMap {
                $0.utf8.contains(UInt8(ascii: "\n")) ? $0 : nil
            }
        }
        author = RecordDifference.author(of: fields, in: stored.object)
    }

    /// The message, with the fields, their new values and the author.
    var text: String {
        let by = author.map { " (\($0))" } ?? ""
        let what = texts.isEmpty ? "." : ":\n" + texts.joined(separator: "\n")
        return "\(changes.joined(separator: ", ")) in the meantime\(by). What you typed is not saved\(what)"
    }

    /// The same for a question that is still open. The typed text ends with its own line.
    var question: String { text + (texts.isEmpty ? " " : "\n") + "Answer again, or Enter to leave it so." }
}
