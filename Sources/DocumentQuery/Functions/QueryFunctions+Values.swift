import DocumentValues

extension QueryFunctions {
    static let arrays: [String: Function] = [
        "array_length": plain { .integer(Int64($0[0].array?.count ?? 0)) },
        "array_count": plain { arguments in
            guard let elements = elements(arguments[0]) else { return .missing }
            return .integer(Int64(elements.filter { !$0.isNull }.count))
        },
        "array_sum": plain { .real(($0[0].array ?? []).reduce(0) { $0 + (QueryValue($1).number ?? 0) }) },
        "array_avg": plain { arguments in
            guard let elements = arguments[0].array, !elements.isEmpty else { return .real(0) }
            return .real(elements.reduce(0) { $0 + (QueryValue($1).number ?? 0) } / Double(elements.count))
        },
        "array_max": plain { extreme($0[0].array) { $0 > $1 } },
        "array_min": plain { extreme($0[0].array) { $0 < $1 } },
        "array_ifnull": plain { arguments in
            guard !arguments[0].isMissing else { return .missing }
            guard let first = arguments[0].array?.first(where: { !$0.isNull }) else { return .null }
            return QueryValue(first)
        },
        "array_contains": plain { arguments in
            guard !arguments[0].isMissing, !arguments[1].isMissing else { return .missing }
            guard let elements = arguments[0].array else { return .null }
            switch arguments[1] {
            case .null, .missing: return .null
            case .container: return .boolean(false)
            case .boolean, .integer, .real, .text:
                return .boolean(elements.contains { QueryValue($0).compared(to: arguments[1]) == 0 })
            }
        },
    ]

    /// The elements of an array, the values of an object.
    static func elements(_ value: QueryValue) -> [JSONValue]? {
        switch value {
        case .container(.array(let elements)): elements
        case .container(.object(let object)): object.members.map(\.value)
        case .missing, .null, .boolean, .integer, .real, .text, .container: nil
        }
    }

    private static func extreme(_ elements: [JSONValue]?, isBetter: (Double, Double) -> Bool) -> QueryValue {
        var best: Double?
        for number in (elements ?? []).compactMap({ QueryValue($0).number }) {
            guard let present = best else {
                best = number
                continue
            }
            if isBetter(number, present) { best = number }
        }
        return best.map { .real($0) } ?? .null
    }

    static let conditions: [String: Function] = [
        "ifmissing": plain { arguments in arguments.first { !$0.isMissing } ?? .missing },
        "ifmissingornull": plain { arguments in
            arguments.first { !$0.isMissing && !$0.isNull } ?? .null
        },
        "ifnull": plain { arguments in arguments.first { !$0.isNull } ?? .null },
        "missingif": { arguments, context in
            guard !arguments.contains(where: \.isMissing) else { return .missing }
            return try arguments[0].compared(to: arguments[1], meter: context.meter) == 0 ? .missing : arguments[0]
        },
        "nullif": { arguments, context in
            guard !arguments.contains(where: \.isMissing) else { return .missing }
            return try arguments[0].compared(to: arguments[1], meter: context.meter) == 0 ? .null : arguments[0]
        },
    ]

    static let types: [String: Function] = [
        "isarray": of { .boolean($0.array != nil) },
        "isatom": of { .boolean($0.container == nil) },
        "isboolean": of { if case .boolean = $0 { .boolean(true) } else { .boolean(false) } },
        "isnumber": of {
            switch $0 {
            case .integer, .real: .boolean(true)
            case .missing, .null, .boolean, .text, .container: .boolean(false)
            }
        },
        "isobject": of { .boolean($0.container?.objectValue != nil) },
        "isstring": of { .boolean($0.string != nil) },
        "type": of(typeName), "typename": of(typeName),
    ]

    @Sendable private static func typeName(_ value: QueryValue) -> QueryValue {
        switch value {
        case .missing: .missing
        case .null: .null
        case .boolean: .text("boolean")
        case .integer, .real: .text("number")
        case .text: .text("string")
        case .container(let json): .text(json.arrayValue == nil ? "object" : "array")
        }
    }

    static let conversions: [String: Function] = [
        "toarray": of { value in
            if value.array != nil { return value }
            if case .boolean(let bool) = value { return .container(.array([.int(bool ? 1 : 0)])) }
            return .container(.array([value.json ?? .null]))
        },
        "toatom": of { value in
            guard value.container != nil else { return value }
            guard let elements = elements(value), elements.count == 1 else { return .null }
            let inner = QueryValue(elements[0])
            return inner.container == nil ? inner : .null
        },
        "toboolean": of { value in
            switch value {
            case .boolean: value
            case .integer(let number): .boolean(number != 0)
            case .real(let number): .boolean(number != 0)
            case .text(let text): .boolean(!text.isEmpty)
            case .container: .boolean(elements(value)?.isEmpty == false)
            case .missing, .null: value
            }
        },
        "tonumber": of { value in
            switch value {
            case .boolean, .integer, .real: value
            case .text(let text): NumberPrefix.value(text)
            case .missing, .null, .container: .null
            }
        },
        "toobject": of { $0.container?.objectValue != nil ? $0 : .container(.object([:])) },
        "tostring": of { value in
            value.container == nil ? .text(value.concatenated ?? "") : .null
        },
    ]
}

extension QueryValue {
    var isNull: Bool { if case .null = self { true } else { false } }

    var container: JSONValue? { if case .container(let json) = self { json } else { nil } }
}
