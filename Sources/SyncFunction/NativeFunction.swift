import AccessControl
import DocumentValues

/// Sync functions that need no script engine: the two default ones, with any white space.
enum NativeFunction: Sendable, Hashable {
    /// `channel(doc.channels)`
    case channelsOfDocument
    /// `channel("name")`
    case fixed(Name)

    init?(_ source: SyncFunctionSource) {
        let head = /\s*function\s*\(\s*doc\s*(?:,\s*oldDoc\s*(?:,\s*meta\s*)?)?\)\s*\{\s*channel\s*\(\s*/
            .matchingSemantics(.unicodeScalar)
        guard let match = source.text.prefixMatch(of: head) else { return nil }
        let rest = source.text[match.range.upperBound...]
        if rest.wholeMatch(of: Self.channelsOfDocumentEnd) != nil {
            self = .channelsOfDocument
        } else if let name = rest.wholeMatch(of: Self.fixedEnd)?.output.1 {
            self = .fixed(Name(name))
        } else {
            return nil
        }
    }

    private static var channelsOfDocumentEnd: Regex<Substring> {
        /doc\.channels\s*\)\s*;?\s*\}\s*/.matchingSemantics(.unicodeScalar)
    }

    private static var fixedEnd: Regex<(Substring, Substring)> {
        /"([A-Za-z0-9_%-]+)"\s*\)\s*;?\s*\}\s*/.matchingSemantics(.unicodeScalar)
    }

    func outcome(for document: [UInt8]) -> SyncFunctionOutcome {
        switch self {
        case .fixed(let name): return SyncFunctionOutcome(channels: [name])
        case .channelsOfDocument:
            guard let names = channels(of: document), names.allSatisfy(Channel.isValid) else {
                return SyncFunctionOutcome(rejection: SyncFunctionReply.exception)
            }
            guard !names.contains(where: Channel.isTooLong) else {
                return SyncFunctionOutcome(rejection: SyncFunctionReply.longChannel)
            }
            return SyncFunctionOutcome(channels: Set(names.map { Name($0) }))
        }
    }

    /// `nil` if the document is not a JSON object; it is then refused.
    private func channels(of document: [UInt8]) -> [String]? {
        guard let members = try? JSONTopLevel(scanning: document) else { return nil }
        guard let range = members["channels"] else { return [] }
        guard let value = try? JSONValue(parsing: Array(document[range])) else { return nil }
        return value.stringValue.map { [$0] } ?? (value.arrayValue ?? []).compactMap(\.stringValue)
    }
}

extension SyncFunctionSource {
    /// The function of a collection that has none of its own.
    package static func standard(for collection: CollectionName) -> SyncFunctionSource {
        collection.isDefault
            ? SyncFunctionSource("function(doc){channel(doc.channels);}")
            : SyncFunctionSource("function(doc){channel(\"\(collection.name)\");}")
    }
}
