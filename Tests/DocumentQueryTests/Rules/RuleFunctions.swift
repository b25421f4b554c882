import DocumentQuery
import DocumentValues

/// The functions, one rule each; of those that look at more than numbers or texts.
enum RuleFunctions {
    static func call(_ name: String, arguments: [RuleValue]) throws -> RuleValue {
        if let result = condition(name, arguments: arguments) { return result }
        if let result = list(name, arguments: arguments) { return result }
        if name == "GREATEST" { return try best(arguments) { $0 > 0 } }
        if name == "LEAST" { return try best(arguments) { $0 < 0 } }
        if arguments.contains(where: \.isMissing) { return .missing }
        if let result = try RuleTexts.call(name, arguments: arguments) { return result }
        if let result = RuleNumbers.call(name, arguments: arguments) { return result }
        guard arguments.count == 1 else { throw RuleError.unspecified("left out: \(name)") }
        if arguments[0].isNull { return .null }
        if let result = type(name, of: arguments[0]) { return result }
        if let result = try conversion(name, of: arguments[0]) { return result }
        throw RuleError.unspecified("left out: \(name)")
    }

    // MARK: Conditions

    private static func condition(_ name: String, arguments: [RuleValue]) -> RuleValue? {
        switch name {
        case "IFMISSING": arguments.first { !$0.isMissing } ?? .missing
        case "IFMISSINGORNULL": arguments.first { !$0.isMissing && !$0.isNull } ?? .null
        case "IFNULL": arguments.first { !$0.isNull } ?? .null
        case "MISSINGIF": without(arguments[0], equalTo: arguments[1], instead: .missing)
        case "NULLIF": without(arguments[0], equalTo: arguments[1], instead: .null)
        default: nil
        }
    }

    private static func without(_ value: RuleValue, equalTo other: RuleValue, instead: RuleValue) -> RuleValue {
        if value.isMissing || other.isMissing { return .missing }
        return value.isEqual(to: other) ? instead : value
    }

    /// Of equal values the first.
    private static func best(_ values: [RuleValue], isBetter: (Int) -> Bool) throws -> RuleValue {
        if values.contains(where: \.isMissing) { return .missing }
        return try values.dropFirst().reduce(values[0]) { isBetter(try $1.order($0)) ? $1 : $0 }
    }

    // MARK: Arrays

    private static func list(_ name: String, arguments: [RuleValue]) -> RuleValue? {
        switch name {
        case "ARRAY_LENGTH": .integer(Int64(arguments[0].array?.count ?? 0))
        case "ARRAY_COUNT": count(arguments[0])
        case "ARRAY_SUM": .double(sum(arguments[0]))
        case "ARRAY_AVG": .double(average(arguments[0]))
        case "ARRAY_MAX": numbers(arguments[0]).max().map(RuleValue.double) ?? .null
        case "ARRAY_MIN": numbers(arguments[0]).min().map(RuleValue.double) ?? .null
        case "ARRAY_IFNULL": firstNonNull(arguments[0])
        case "ARRAY_CONTAINS": contains(arguments[0], element: arguments[1])
        default: nil
        }
    }

    /// Without nulls; an object has its values; anything else MISSING.
    private static func count(_ value: RuleValue) -> RuleValue {
        switch value {
        case .array(let elements): .integer(Int64(elements.filter { !$0.isNull }.count))
        case .object(let members): .integer(Int64(members.filter { !$0.value.isNull }.count))
        case .missing, .null, .boolean, .integer, .double, .text: .missing
        }
    }

    private static func sum(_ value: RuleValue) -> Double { numbers(value).reduce(0, +) }

    /// All elements count, those that are no numbers as 0.
    private static func average(_ value: RuleValue) -> Double {
        let count = value.array?.count ?? 0
        return count == 0 ? 0 : sum(value) / Double(count)
    }

    private static func firstNonNull(_ value: RuleValue) -> RuleValue {
        if value.isMissing { return .missing }
        return value.array?.first { !$0.isNull } ?? .null
    }

    private static func numbers(_ value: RuleValue) -> [Double] { (value.array ?? []).compactMap(\.numeric) }

    /// Values that are no containers only.
    private static func contains(_ list: RuleValue, element: RuleValue) -> RuleValue {
        if list.isMissing || element.isMissing { return .missing }
        guard let elements = list.array, !element.isNull else { return .null }
        return .boolean(!element.isContainer && elements.contains { $0.isEqual(to: element) })
    }

    // MARK: Types

    /// Of what is neither MISSING nor null.
    private static func type(_ name: String, of value: RuleValue) -> RuleValue? {
        switch name {
        case "TYPE", "TYPENAME": .text(typeName(value))
        case "ISARRAY": .boolean(typeName(value) == "array")
        case "ISBOOLEAN": .boolean(typeName(value) == "boolean")
        case "ISNUMBER": .boolean(typeName(value) == "number")
        case "ISOBJECT": .boolean(typeName(value) == "object")
        case "ISSTRING": .boolean(typeName(value) == "string")
        case "ISATOM": .boolean(!value.isContainer)
        default: nil
        }
    }

    private static func typeName(_ value: RuleValue) -> String {
        switch value {
        case .missing: "missing"
        case .null: "null"
        case .boolean: "boolean"
        case .integer, .double: "number"
        case .text: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    // MARK: Conversions

    private static func conversion(_ name: String, of value: RuleValue) throws -> RuleValue? {
        switch name {
        case "TOARRAY": value.array == nil ? .array([withoutBoolean(value)]) : value
        case "TOATOM": value.isContainer ? onlyAtom(value) : value
        case "TOBOOLEAN": .boolean(isFilled(value))
        case "TONUMBER": toNumber(value)
        case "TOOBJECT": typeName(value) == "object" ? value : .object([])
        case "TOSTRING": value.isContainer ? .null : .text(try value.joined() ?? "")
        default: nil
        }
    }

    private static func withoutBoolean(_ value: RuleValue) -> RuleValue {
        if case .boolean(let boolean) = value { .truth(boolean) } else { value }
    }

    /// What is alone in an array or an object, and no container itself.
    private static func onlyAtom(_ value: RuleValue) -> RuleValue {
        switch value {
        case .array(let elements): elements.count == 1 && !elements[0].isContainer ? elements[0] : .null
        case .object(let members): onlyAtom(.array(members.map(\.value)))
        case .missing, .null, .boolean, .integer, .double, .text: .null
        }
    }

    /// Neither 0 nor empty.
    private static func isFilled(_ value: RuleValue) -> Bool {
        switch value {
        case .missing, .null: false
        case .boolean(let boolean): boolean
        case .integer(let number): number != 0
        case .double(let number): number != 0
        case .text(let text): !text.isEmpty
        case .array(let elements): !elements.isEmpty
        case .object(let members): !members.isEmpty
        }
    }

    private static func toNumber(_ value: RuleValue) -> RuleValue {
        switch value {
        case .boolean, .integer, .double: value
        case .text(let text): RuleNumbers.converted(text)
        case .missing, .null, .array, .object: .null
        }
    }
}
