import DocumentValues
import FieldModels
import FieldRecords

/// Shows two versions of a record side by side.
struct DiffCommand {
    let session: ShellSession

    private typealias Side = (label: String, version: RecordVersion)

    func run(_ text: String, versions: [String]) throws -> FormOutput {
        let reference = try RecordFinder(session: session, mayBeGone: true).find(text, among: RecordKind.allCases)
        let known = try session.field().history.versions(of: reference)
        guard let (left, right) = try sides(versions, of: reference, known: known) else {
            return FormOutput(
                lines: ["This laptop knows one version of the \(reference.kind.rawValue) \(reference.shortID)."],
                objects: [["_id": .string(reference.id), "versions": .int(known.count), "differences": []]])
        }
        let rows = RecordDifference.rows(from: left.version.body, to: right.version.body)
        return FormOutput(
            lines: lines(rows, from: left, to: right, of: known.count),
            objects: [object(reference, rows: rows, from: left, to: right)])
    }

    /// `nil` where there is only one version, and none was named.
    private func sides(
        _ names: [String], of record: RecordReference, known: [RecordVersion]
    ) throws -> (Side, Side)? {
        func side(_ name: String) throws -> Side {
            if name.isExactly("gateway") {
                guard let version = try session.field().history.gatewayVersion(of: record) else {
                    throw UsageError(
                        "What the gateway has of this record is not known here.", hint: "Get it with: sync")
                }
                return ("gateway", version)
            }
            guard let number = Int(name), known.indices.contains(number - 1) else {
                throw UsageError(
                    "There is no version '\(name)' of it here.", hint: "There are 1 to \(known.count), and gateway.")
            }
            return (String(number), known[number - 1])
        }
        guard let last = known.indices.last else {
            throw UsageError("No version of this record is here any more.", hint: "Its history: log \(record.shortID)")
        }
        switch names.count {
        case 0: return last == 0 ? nil : (try side(String(last)), try side(String(last + 1)))
        case 1: return (try side(names[0]), try side(String(last + 1)))
        default: return (try side(names[0]), try side(names[1]))
        }
    }

    private func lines(
        _ rows: [RecordDifference.Row], from left: Side, to right: Side, of count: Int
    ) -> [String] {
        let head = "Versions \(left.label) and \(right.label) of \(count):"
        guard !rows.isEmpty else { return [head, "They are the same but for who changed them, and when."] }
        let table = TextTable(
            columns: ["WHAT", heading(left), heading(right)],
            rows: rows.map { [$0.name.printableLine, $0.old.printableLine, $0.new.printableLine] })
        return [head] + table.lines(width: session.dialogue.columns)
    }

    /// `1: MARA, 10:15`: headings are in capital letters.
    private func heading(_ side: Side) -> String {
        let who = [side.version.stamp.by, side.version.stamp.at.map(session.environment.clock.text)].compactMap(\.self)
        return ([side.label] + who).joined(separator: " ").printableLine
    }

    private func object(
        _ record: RecordReference, rows: [RecordDifference.Row], from left: Side, to right: Side
    ) -> JSONObject {
        [
            "_id": .string(record.id), "left": .string(left.label), "right": .string(right.label),
            "differences": .array(
                rows.map { ["field": .string($0.name), "left": .string($0.old), "right": .string($0.new)] }),
        ]
    }
}
