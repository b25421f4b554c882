import DocumentStore
import DocumentValues

/// What a query answers, for the comparison with the answer of another database.
enum RandomAnswer: Equatable {
    case rows([String])
    case failed

    enum Comparison: Sendable {
        case inOrder
        case asSets
        /// Of equal numbers, such as 1 and 1.0, any may be there.
        case asSetsOfEqualNumbers
        /// Of equal values, such as 1 and true, any may be there.
        case asSetsOfEqualValues
    }

    init(_ query: () throws -> ResultSet, comparison: Comparison) throws {
        let results: [Result]
        do { results = try query().readAll() } catch is StoreError {
            self = .failed
            return
        }
        let rows = results.map { row in
            row.columnValues.map { $0.map { Self.text($0, comparison: comparison) } ?? "MISSING" }
                .joined(separator: " | ")
        }
        switch comparison {
        case .inOrder: self = .rows(rows)
        case .asSets, .asSetsOfEqualNumbers, .asSetsOfEqualValues: self = .rows(rows.sorted())
        }
    }

    private static func text(_ value: JSONValue, comparison: Comparison) -> String {
        switch comparison {
        case .inOrder, .asSets: return value.description
        case .asSetsOfEqualNumbers, .asSetsOfEqualValues: break
        }
        switch (value, comparison) {
        case (.bool(let bool), .asSetsOfEqualValues): return bool ? "1" : "0"
        case (.number(let number), _):
            if let whole = Int64(number.text) { return "\(whole)" }
            return Int64(exactly: number.double).map { "\($0)" } ?? number.text
        case (.null, _), (.bool, _), (.string, _), (.array, _), (.object, _): return value.description
        }
    }
}
