import DocumentStore
import DocumentValues
import FieldModels

extension Districts {
    /// The channels that the user still has, as far as the records show it, as the gateway has them: an edit that was not
    /// sent, or is refused, can name any district.
    ///
    /// - Parameter channels: which are looked for; `nil` for all.
    func presentChannels(among channels: Set<Name>? = nil) throws -> Set<Name> {
        var evidence = ChannelEvidence(of: channels)
        for kind in RecordKind.allCases where !evidence.isComplete {
            do {
                try collection(of: kind).forEachSentBody { json in
                    evidence.add(Self.channels(of: json))
                    if evidence.isComplete { throw AllFound() }
                }
            } catch is AllFound {}
        }
        return evidence.channels
    }

    private static func channels(of json: [UInt8]) -> Set<Name> { Set(JSONObject.readable(json)?.channels ?? []) }
}

/// There is nothing more to look for.
private struct AllFound: Error {}

/// Which channels a user has, by the records that came. A record of one channel shows that one; one of several shows at least
/// one of them, which may be another than the one that was taken away.
private struct ChannelEvidence {
    /// `nil` for all.
    private let wanted: Set<Name>?
    private var shown: Set<Name> = [Name("!")]
    private var several: Set<Set<Name>> = []

    init(of wanted: Set<Name>?) { self.wanted = wanted }

    /// No further record can show more.
    var isComplete: Bool { wanted?.isSubset(of: shown) ?? false }

    /// Where no record of one channel says which of several it is, it may be each of them.
    var channels: Set<Name> {
        several.reduce(into: shown) { channels, group in
            if shown.isDisjoint(with: group) { channels.formUnion(group) }
        }
    }

    mutating func add(_ channels: Set<Name>) {
        switch channels.count {
        case 0: break
        case 1: shown.formUnion(channels)
        default: several.insert(channels)
        }
    }
}
