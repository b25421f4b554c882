import DocumentValues

/// A function that cannot go on: its statement fails.
package struct FunctionError: Error, Sendable, Hashable {
    package let message: String

    package init(_ message: String) { self.message = message }

    static let textTooLarge = FunctionError("string too large")

    /// A value, such as an array, of more bytes than one may have.
    package static let tooLarge = FunctionError("A value has more than \(QueryLimits.value) bytes")
}

/// The local offset from UTC, in seconds. It depends on the process, so the caller passes it.
package protocol LocalZone: Sendable {
    /// - Parameter seconds: since 1970, in UTC, or on the local clock.
    func offset(at seconds: Int64, isLocalClock: Bool) -> Int64
}

package struct UniversalZone: LocalZone {
    package init() {}
    package func offset(at seconds: Int64, isLocalClock: Bool) -> Int64 { 0 }
}

/// The functions of the language by their names, in lower case.
package struct QueryFunctions: Sendable {
    /// Throws `FunctionError` if it cannot go on, and `WorkEnded` if the meter of the context says so.
    package typealias Function = @Sendable ([QueryValue], FunctionContext) throws -> QueryValue

    package static let all: [String: Function] = {
        var all: [String: Function] = [:]
        let patterns = Self.patterns(steps: QueryLimits.patternSteps)
        for group in [arrays, conditions, texts, types, conversions, numbers, patterns, dates] {
            all.merge(group) { first, _ in first }
        }
        return all
    }()

    /// The functions that differ in an index.
    package static let indexed = patterns(steps: QueryLimits.patternStepsInIndex)

    /// A function of one value that is neither MISSING nor null.
    static func of(_ body: @escaping @Sendable (QueryValue) throws -> QueryValue) -> Function {
        ofValue { value, _ in try body(value) }
    }

    /// The same with the context.
    static func ofValue(_ body: @escaping @Sendable (QueryValue, FunctionContext) throws -> QueryValue) -> Function {
        { arguments, context in
            switch arguments[0] {
            case .missing: .missing
            case .null: .null
            case .boolean, .integer, .real, .text, .container: try body(arguments[0], context)
            }
        }
    }

    static func plain(_ body: @escaping @Sendable ([QueryValue]) throws -> QueryValue) -> Function {
        { arguments, _ in try body(arguments) }
    }
}
