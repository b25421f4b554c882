import DocumentValues
import FormLogic

/// Choices of a record that a filter no longer admits, and that were taken back.
struct DroppedChoices {
    let node: Record.ID
    /// `district: 'n1' cleared, it is not offered any more`.
    let line: String

    /// - Parameters:
    ///   - changes: of one event.
    ///   - record: behind it.
    static func of(_ changes: [FormChange], in record: Record) -> [DroppedChoices] {
        changes.compactMap { change in
            guard case .answer(let node, let old, let new, .filter) = change else { return nil }
            let kept = Set(names(new))
            let lost = names(old).filter { !kept.contains($0) }.map { name in
                "'\(name.text.printableLine.shortened(toScalars: FormLibraryLimits.quotedAnswer))'"
            }
            guard !lost.isEmpty else { return nil }
            let done = new == nil ? "cleared" : "removed"
            let reason = lost.count == 1 ? "it is not offered any more" : "they are not offered any more"
            let line = "\(record.numberedPath(of: node)): \(lost.joined(separator: ", ")) \(done), \(reason)"
            return DroppedChoices(node: node, line: line)
        }
    }

    private static func names(_ answer: Answer?) -> [Name] {
        switch answer {
        case .names(let names)?: names
        case let answer?: [Name(answer.text)]
        case nil: []
        }
    }
}
