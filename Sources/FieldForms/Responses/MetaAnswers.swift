import DocumentValues
import FormLogic

/// The answers below `meta` are members of the record itself, and not among its answers.
enum MetaAnswers {
    private static let names: [Name] = ["instanceID", "instanceName", "deprecatedID"]

    static func node(_ name: Name, in record: Record) -> Record.ID? {
        let outline = record.outline
        guard let meta = outline.child(of: FormOutline.root, named: "meta"),
            let id = outline.child(of: meta, named: name)
        else { return nil }
        return record.nodes(of: id).first
    }

    static func text(_ name: Name, in record: Record) -> String? {
        node(name, in: record).flatMap { record.answer(of: $0)?.text }
    }

    static func without(_ answers: JSONObject) -> JSONObject {
        guard let meta = answers["meta"]?.objectValue else { return answers }
        let rest = meta.filter { !names.contains(Name($0)) }
        var kept = answers
        kept["meta"] = rest.isEmpty ? nil : .object(rest)
        return kept
    }

    /// Answers with the members of the record that a form may refer to.
    static func with(instanceID: String, in answers: JSONObject) -> JSONObject {
        var all = answers
        all["meta"] = .object((answers["meta"]?.objectValue ?? [:]).setting(["instanceID": .string(instanceID)]))
        return all
    }
}
