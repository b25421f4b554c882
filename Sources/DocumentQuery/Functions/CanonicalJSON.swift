import DocumentValues

/// JSON in which equal contents have equal bytes: keys in their order, numbers spelled in one way.
enum CanonicalJSON {
    static func bytes(_ value: JSONValue) -> [UInt8] { JSONWriter(sortsKeys: true).bytes(normalised(value)) }

    private static func normalised(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .string: value
        case .number: QueryValue(value).json ?? .null
        case .array(let elements): .array(elements.map(normalised))
        case .object(let object):
            .object(
                JSONObject(
                    members: object.members.map { JSONObject.Member(key: $0.key, value: normalised($0.value)) }))
        }
    }

    /// The same in portions, after each of which the meter is asked.
    ///
    /// - Throws: `WorkEnded`; `FunctionError` for more bytes than a value may have.
    static func bytes(_ value: JSONValue, meter: WorkMeter) throws -> [UInt8] {
        switch value {
        case .array(let elements):
            return try bytes(of: elements, meter: meter, value: { $0 }, container: { .array(Array($0)) })
        case .object(let object):
            let members = object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            return try bytes(
                of: members, meter: meter, value: \.value, container: { .object(JSONObject(members: Array($0))) })
        case .null, .bool, .number, .string: return bytes(value)
        }
    }

    private static func bytes<Part>(
        of parts: [Part], meter: WorkMeter, value: (Part) -> JSONValue, container: (ArraySlice<Part>) -> JSONValue
    ) throws -> [UInt8] {
        var written: [UInt8] = []
        var start = 0
        repeat {
            var (end, size) = (start, 0)
            while end < parts.count, end - start < QueryLimits.elementsAtOnce, size < QueryLimits.writtenAtOnce {
                size += value(parts[end]).stringValue?.utf8.count ?? 0
                end += 1
            }
            let portion = bytes(container(parts[start..<end]))
            try meter.count(portion.count * QueryLimits.unitsOfJSON)
            guard written.count + portion.count <= QueryLimits.value else { throw FunctionError.tooLarge }
            if start == 0 {
                written = portion
            } else {
                // The portion's opening bracket goes, and a comma replaces the closing one of those before.
                written[written.count - 1] = UInt8(ascii: ",")
                written += portion.dropFirst()
            }
            start = end
        } while start < parts.count
        return written
    }
}
