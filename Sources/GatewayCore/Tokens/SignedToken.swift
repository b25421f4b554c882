import DocumentValues

/// The parts of a JSON Web Token (RFC 7519, compact form), not verified yet.
struct SignedToken: Sendable {
    let algorithm: String
    let keyID: String?
    let claims: JSONObject
    /// The signed bytes.
    let signed: [UInt8]
    let signature: [UInt8]

    /// `nil` for any other text, and for a token whose header requires an unknown extension.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count <= GatewayLimits.tokenSize else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Self.decode(parts[2]), let algorithm = header["alg"]?.stringValue, header["crit"] == nil
        else { return nil }
        self.algorithm = algorithm
        self.claims = claims
        self.signature = signature
        keyID = header["kid"]?.stringValue
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func object(_ part: some StringProtocol) -> JSONObject? {
        decode(part).flatMap { try? JSONObject(parsing: $0) }
    }

    /// Base64 with the alphabet for addresses and without padding.
    private static func decode(_ part: some StringProtocol) -> [UInt8]? {
        guard !part.contains(where: { "+/=".contains($0) }) else { return nil }
        let standard = part.map { character -> Character in
            switch character {
            case "-": "+"
            case "_": "/"
            default: character
            }
        }
        return Base64.decode(String(standard) + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    }
}
