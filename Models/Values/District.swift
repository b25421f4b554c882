import DocumentValues

/// The part of the field that a record belongs to, and with it the people who may see it.
public struct District: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The district of a record whose district is not known.
    public static let unknown = District(uncheckedCode: "unknown")
    /// The prefix of the channels of districts.
    public static let channelPrefix = "district."

    /// Such as `94110` or `harbour`.
    @Exact public private(set) var code: String

    private init(uncheckedCode code: String) { self.code = code }

    /// Letters, digits, `-` and `_`, 1 to 64: the characters that a channel's name may have. `nil` for any other text.
    public init?(_ code: some StringProtocol) {
        guard !code.isEmpty, code.utf8.count <= 64 else { return nil }
        let isPlain = code.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "_"
        }
        guard isPlain else { return nil }
        self.code = String(code)
    }

    /// The district of a channel `district.<code>`.
    public init?(channel: String) {
        guard let code = channel.droppingExactPrefix(Self.channelPrefix) else { return nil }
        self.init(code)
    }

    /// `district.<code>`: the channel that a sync function routes the record to.
    public var channel: String { Self.channelPrefix + code }

    public var description: String { code }

    public static func < (left: District, right: District) -> Bool { left.code.isExactlyBefore(right.code) }
}
