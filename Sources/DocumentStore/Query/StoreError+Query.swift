import DocumentQuery
import GRDB
import GRDBSQLite

extension StoreError.Code {
    /// A query cannot be understood, or cannot go on.
    public static let invalidQuery = Self(rawValue: CBLError.invalidQuery)
    /// A query needs an index that is not there.
    public static let missingIndex = Self(rawValue: CBLError.missingIndex)
    /// A query has no parameter of that name, or a parameter cannot have that value.
    public static let invalidQueryParameter = Self(rawValue: CBLError.invalidQueryParam)
}

extension StoreError {
    init(_ error: QueryError) {
        self.init(
            Code(rawValue: error.code.rawValue), message: error.message,
            context: error.position.map { ["position": "\($0)"] } ?? [:], hint: error.advice,
            underlying: error)
    }
}

/// Runs `body` and translates the errors of queries: those of the text, and those that a statement runs into.
func translatingQueryErrors<Value>(path: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as QueryError {
        throw StoreError(error)
    } catch let error as DatabaseError {
        switch error.resultCode {
        case .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_RANGE:
            let reason = error.message ?? "no details"
            throw StoreError(
                .invalidQuery, message: "The query failed: \(reason).",
                context: ["sqlite": "\(error.extendedResultCode.rawValue)", "reason": reason])
        default: throw StoreError.wrapping(error, path: path)
        }
    }
}

/// Runs `compile`; if SQLite refuses a statement, the error says that the query cannot be understood.
func translatingRefusals<Value>(_ compile: () throws -> Value) throws -> Value {
    do { return try translatingDepth(compile) } catch let error as DatabaseError
        where error.resultCode == .SQLITE_ERROR
    {
        throw QueryError("The query cannot be run: \(error.message ?? "no details")")
    }
}

/// Runs `body`; if SQLite refuses a statement as too deep, the error is that of the limit.
func translatingDepth<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as DatabaseError where error.isOfDepth {
        throw QueryError.tooDeepForSQLite
    }
}

extension DatabaseError {
    /// Whether there are too many expressions inside each other.
    fileprivate var isOfDepth: Bool {
        guard resultCode == .SQLITE_ERROR, let message else { return false }
        return message.contains("stack overflow") || message.contains("maximum depth")
    }
}
