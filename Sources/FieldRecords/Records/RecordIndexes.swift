import DocumentStore
import DocumentValues
import FieldModels

/// The indexes with which records are found without reading all of their kind.
struct RecordIndex: Sendable {
    let kind: RecordKind
    let name: String
    let condition: RecordCondition

    static let all: [RecordIndex] =
        RecordKind.allCases.map { RecordIndex(of: $0, "undecided", where: .undecided) }
        + RecordKind.allCases.compactMap { kind in
            RecordCondition.odd(kind).map { RecordIndex(of: kind, "odd", where: $0) }
        }
        + [
            RecordIndex(of: .inspection, "unapproved", where: .unapproved),
            RecordIndex(of: .inspection, "approval_noted", where: .approvalNoted),
        ]

    private init(of kind: RecordKind, _ name: String, where condition: RecordCondition) {
        self.kind = kind
        self.name = "\(kind.plural)_\(name)"
        self.condition = condition
    }

    /// Few documents are in it, so its sort key matters little.
    private static let expression = "type"

    var configuration: ValueIndexConfiguration {
        ValueIndexConfiguration([Self.expression], where: condition.text)
    }

    fileprivate var definition: JSONObject {
        ["type": "value", "expressions": .string(Self.expression), "where": .string(condition.text)]
    }
}

extension RecordStore {
    /// Makes the indexes that are missing, which a folder of an earlier version has none of. It writes nothing if all are
    /// there: another process may be writing for long.
    func makeIndexes() throws {
        var missing: [RecordIndex] = []
        for kind in RecordKind.allCases {
            let present = try collection(of: kind).indexDefinitions()
            missing += RecordIndex.all.filter { index in
                index.kind == kind
                    && !present.contains { $0.name.isExactly(index.name) && $0.definition == index.definition }
            }
        }
        guard !missing.isEmpty else { return }
        do {
            try database.inBatch {
                for index in missing {
                    try collection(of: index.kind).createIndex(withName: index.name, config: index.configuration)
                }
            }
        } catch let error as StoreError where [.diskFull, .busy].contains(error.code) {
            // Without them everything is found, too, only later; the next opening makes them.
        }
    }
}
