import DocumentStore
import DocumentValues
import FieldModels

/// The indexes with which records are found without reading all of their kind, and with which lists are read in their order.
struct RecordIndex: Sendable {
    let kind: RecordKind
    let name: String
    /// In SQL++, in the order of their importance.
    private let expressions: [String]
    /// `nil` for all documents.
    let condition: RecordCondition?

    static let all: [RecordIndex] =
        RecordKind.allCases.map { RecordIndex(of: $0, "undecided", where: .undecided) }
        + RecordKind.allCases.compactMap { kind in
            RecordCondition.odd(kind).map { RecordIndex(of: kind, "odd", where: $0) }
        }
        + [
            RecordIndex(of: .inspection, "unapproved", where: .unapproved),
            RecordIndex(of: .inspection, "approval_noted", where: .approvalNoted),
            RecordIndex(of: .response, "unfinished", where: .unfinished),
        ] + ofLists

    /// For the order of a list, and for its look-ups by the site or the inspection of records.
    private static let ofLists =
        [RecordKind.inspection, .finding].flatMap { kind in
            [
                RecordIndex(of: kind, "day", by: ["date", "META().id"]),
                RecordIndex(of: kind, "site", by: ["site", "date"]),
            ]
        } + [
            RecordIndex(of: .finding, "inspection", by: ["inspection"]),
            RecordIndex(of: .response, "day", by: ["startedAt", "META().id"]),
            RecordIndex(of: .response, "state", by: ["state", "startedAt"]),
        ]

    /// Few documents are in it, so its sort key matters little.
    private init(of kind: RecordKind, _ name: String, where condition: RecordCondition) {
        self.init(of: kind, name, by: ["type"], where: condition)
    }

    private init(
        of kind: RecordKind, _ name: String, by expressions: [String], where condition: RecordCondition? = nil
    ) {
        self.kind = kind
        self.name = "\(kind.plural)_\(name)"
        self.expressions = expressions
        self.condition = condition
    }

    var configuration: ValueIndexConfiguration { ValueIndexConfiguration(expressions, where: condition?.text) }

    fileprivate var definition: JSONObject {
        var object: JSONObject = ["type": "value", "expressions": .string(expressions.joined(separator: ","))]
        object["where"] = condition.map { .string($0.text) }
        return object
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
