import DocumentValues
import FormLogic

/// A filled form as servers of OpenRosa take it.
package enum SubmissionExport {
    /// Relevant nodes only; questions without an answer are empty elements.
    ///
    /// - Parameter meta: names and texts of `meta`: `instanceID`, `instanceName`, `deprecatedID`.
    package static func write(_ record: Record, form: Form, meta: [(name: String, text: String)]) -> [UInt8] {
        var writer = MarkupWriter()
        let attributes: [(String, String?)] = [
            ("id", form.id.text), ("version", form.version.isEmpty ? nil : form.version),
            ("xmlns:orx", "http://openrosa.org/xforms"),
        ]
        writer.element(form.root.text, attributes: attributes) { writer in
            write(record.children(of: Record.root), of: record, to: &writer)
            writer.element("orx:meta") { writer in
                for entry in meta { writer.element("orx:" + entry.name) { $0.write(entry.text) } }
            }
        }
        return Array((writer.text + "\n").utf8)
    }

    /// Groups of a form are at most `FormLimits.depth` deep, so nested calls do no harm.
    private static func write(_ nodes: [Record.ID], of record: Record, to writer: inout MarkupWriter) {
        for node in nodes where record[node].isRelevant {
            let form = record.outline[record[node].formNode].node
            if case .plain(let type)? = form.type, type.isDeclaration || type == .audit { continue }
            writer.element(form.name.text) { writer in
                switch record[node].content {
                case .answer(let answer): writer.write(answer?.text ?? "")
                case .group: write(record.children(of: node), of: record, to: &writer)
                }
            }
        }
    }
}
