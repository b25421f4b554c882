import DocumentValues

/// The values of a field on both sides of a merge, and in the base; `nil` for none.
struct MergedField {
    let path: FieldPath
    let base: JSONValue?
    let a: JSONValue?
    let b: JSONValue?

    subscript(_ side: MergeSide.Letter) -> JSONValue? {
        switch side {
        case .a: a
        case .b: b
        }
    }

    /// Changed on one side: as it is there; on both: always the same one, on every laptop.
    var quietly: JSONValue? {
        if ValueOrder.isSame(a, and: b) { return ValueOrder.greater(a, and: b) }
        if ValueOrder.isSame(a, and: base) { return b }
        if ValueOrder.isSame(b, and: base) { return a }
        return ValueOrder.greater(a, and: b)
    }

    /// Its members, where it is an object on both sides, or on one and missing on the other.
    var members: [MergedField]? {
        guard let a = Self.object(a), let b = Self.object(b) else { return nil }
        return Self.all(base: base?.objectValue, a, and: b, in: path)
    }

    private static func object(_ value: JSONValue?) -> JSONObject? {
        switch value {
        case nil, .null?: JSONObject()
        case .object(let object)?: object
        case .bool?, .number?, .string?, .array?: nil
        }
    }

    /// The members of three objects: those of the base in its order, then the others in the order of their names.
    static func all(base: JSONObject?, _ a: JSONObject, and b: JSONObject, in path: FieldPath?) -> [MergedField] {
        let values = (Self.values(base ?? JSONObject()), Self.values(a), Self.values(b))
        let known = (base?.members ?? []).map { Name($0.key) }
        let new = Set(values.1.keys).union(values.2.keys).subtracting(known)
            .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        return (known + new).map { name in
            MergedField(
                path: path?.appending(name.text) ?? FieldPath(name.text), base: values.0[name], a: values.1[name],
                b: values.2[name])
        }
    }

    private static func values(_ object: JSONObject) -> [Name: JSONValue] {
        Dictionary(object.members.map { (Name($0.key), $0.value) }, uniquingKeysWith: { $1 })
    }
}
