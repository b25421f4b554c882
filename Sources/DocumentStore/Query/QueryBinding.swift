import DocumentQuery
import DocumentValues
import SQLiteStorage

/// Puts the values of parameters into a statement.
enum QueryBinding {
    static func bind(
        _ values: [Name: NodeValue], of query: TranslatedQuery, to statement: RawStatement
    ) throws {
        statement.bind(Int32(TranslatedQuery.timeParameter), to: StoreInstant.now.seconds)
        for (name, value) in values {
            guard let number = query.parameters[name] else {
                throw QueryError("Unknown query property '\(name.text)'", code: .invalidParameter)
            }
            if case .unstorable(let reason) = value {
                throw QueryError("The parameter '\(name.text)' has no value: \(reason)", code: .invalidParameter)
            }
            bind(value.json, to: statement, at: Int32(number))
        }
    }

    private static func bind(_ value: JSONValue, to statement: RawStatement, at index: Int32) {
        switch QueryValue(value) {
        case .missing, .null: statement.bindNull(index)
        case .boolean(let bool): statement.bind(index, to: bool ? 1.0 : 0.0 as Double?)
        case .integer(let number): statement.bind(index, to: number)
        case .real(let number): statement.bind(index, to: number as Double?)
        case .text(let text): statement.bind(index, to: text)
        case .container: statement.bindBlob(index, to: QueryValue(value).containerBytes)
        }
    }
}
