import DocumentValues

/// What applies where no sync function is configured.
extension SyncFunctionSource {
    private static let channelsProperty = SyncFunctionSource("function(doc){channel(doc.channels);}")
    private static let prefix = "function(doc){channel(\""
    private static let suffix = "\");}"

    /// The default collection takes channels from the document's `channels`; a named one has a channel of its name.
    package static func standard(for collection: CollectionName) -> SyncFunctionSource {
        guard !collection.isDefault else { return channelsProperty }
        return SyncFunctionSource(prefix + collection.name + suffix)
    }

    /// The outcome of a default function without a script engine; `nil` for any other function.
    func standardOutcome(_ document: [UInt8]) -> SyncFunctionOutcome? {
        if self == Self.channelsProperty { return Self.channels(of: document) }
        guard text.hasPrefix(Self.prefix), text.hasSuffix(Self.suffix) else { return nil }
        let name = text.dropFirst(Self.prefix.count).dropLast(Self.suffix.count)
        guard let collection = try? CollectionName(name: String(name)) else { return nil }
        return SyncFunctionOutcome(channels: [collection.name])
    }

    private static func channels(of document: [UInt8]) -> SyncFunctionOutcome? {
        guard let members = try? JSONTopLevel(scanning: document) else { return nil }
        guard let range = members["channels"] else { return SyncFunctionOutcome() }
        guard let value = try? JSONValue(parsing: Array(document[range])) else { return nil }
        let names: [String] =
            switch value {
            case .string(let name): [name]
            case .array(let elements): elements.compactMap(\.stringValue)
            case .null, .bool, .number, .object: []
            }
        guard names.allSatisfy({ !$0.isEmpty && !$0.contains(",") }) else { return nil }
        return SyncFunctionOutcome(channels: Set(names))
    }
}
