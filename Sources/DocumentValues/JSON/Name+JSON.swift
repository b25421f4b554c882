extension JSONValue {
    /// The texts of an array as names; its other elements are ignored, and any other value has no names.
    public var names: Set<Name> { Set((arrayValue ?? []).lazy.compactMap(\.stringValue).map { Name($0) }) }

    /// An array of names, in the order of their bytes.
    public static func list(_ names: some Sequence<Name>) -> JSONValue {
        .array(names.sorted().map { .string($0.text) })
    }
}
