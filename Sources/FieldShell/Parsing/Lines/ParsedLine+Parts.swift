import DocumentValues
import FieldModels
import FieldRecords

extension ParsedLine {
    func argument(_ index: Int) -> String { arguments[index] }
    func rest(from index: Int) -> String { arguments[index...].joined(separator: " ") }
    func flag(_ name: String) -> Bool { flags.contains(name) }
    func option(_ name: String) -> String? { options[name]?.last }

    func values(from index: Int) throws(UsageError) -> [FieldValue] {
        var values: [FieldValue] = []
        for text in arguments.dropFirst(index) {
            guard let value = FieldValue(parsing: text) else {
                throw UsageError(
                    "'\(text)' is no FIELD=VALUE.", hint: "Put text with spaces in quotation marks: notes=\"two doors\""
                )
            }
            values.append(value)
        }
        return values
    }

    func action<Verb: CaseIterable & RawRepresentable<String>>(_ typed: String) throws(UsageError) -> Verb {
        let verbs = Verb.allCases.map(\.rawValue)
        let chosen = try CommandParser.choose(
            typed, among: verbs, what: "action", hint: verbs.joined(separator: ", "))
        guard let verb = Verb(rawValue: chosen) else { throw UsageError("There is no action '\(typed)'.") }
        return verb
    }

    func kind(_ text: String) throws(UsageError) -> RecordKind {
        let names = RecordKind.allCases.map(\.plural)
        let name = try CommandParser.choose(
            text, among: names, what: "kind of record", hint: names.joined(separator: ", "))
        return RecordKind.allCases.first { $0.plural == name } ?? .inspection
    }
}
