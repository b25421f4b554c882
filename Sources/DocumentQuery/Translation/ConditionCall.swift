import DocumentValues

/// `fb_holds(condition, …)`: an ANY or EVERY where SQLite allows no statement, as in an index of its own. The function gets
/// the condition as SQL, and evaluates it by another statement.
package enum ConditionCall {
    package static let function = "fb_holds"
    /// The row of the document in the condition.
    static let row = "d"
    /// The columns of a document that conditions use; the body first, which is enough for most.
    private static let columns = ["body", "id", "revision", "sequence", "flags", "expiration"]

    /// - Parameter row: the name of the document's row where the call is; empty in an index.
    static func text(_ condition: String, row: String) -> String {
        let needsAll = columns.dropFirst().contains { condition.containsBytes(of: "\(Self.row).\($0)") }
        let arguments = (needsAll ? columns : [columns[0]]).map { row.isEmpty ? $0 : "\(row).\($0)" }
        return "\(function)(\(SQLText.quoted(condition)), \(arguments.joined(separator: ", ")))"
    }

    /// The statement that evaluates a condition; the document's columns are its parameters from 1 on.
    package static func statement(_ condition: String) -> String {
        let parameters = columns.enumerated().map { "?\($0 + 1) AS \($1)" }
        return "SELECT \(condition) FROM (SELECT \(parameters.joined(separator: ", "))) AS \(row)"
    }

    /// A statement that has the values of expressions for a document without members: it fails if SQLite cannot evaluate one
    /// of them. `nil` where no expression has a call.
    package static func trial(of expressions: [String]) -> String? {
        guard expressions.contains(where: { $0.containsBytes(of: "\(function)(") }) else { return nil }
        let values = columns.map { "\($0 == "body" ? "'{}'" : "NULL") AS \($0)" }
        return "SELECT \(expressions.joined(separator: ", ")) FROM (SELECT \(values.joined(separator: ", ")))"
    }
}
