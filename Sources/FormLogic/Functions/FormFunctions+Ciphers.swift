import Crypto
import DocumentValues

/// What `digest` computes.
package enum DigestAlgorithm: String, Sendable, CaseIterable {
    case md5 = "MD5"
    case sha1 = "SHA-1"
    case sha256 = "SHA-256"
    case sha384 = "SHA-384"
    case sha512 = "SHA-512"

    func digest(of text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return switch self {
        case .md5: Array(Insecure.MD5.hash(data: bytes))
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }
}

extension FormFunctions {
    static let ciphers: [FormFunction: Function] = [
        .regex: { arguments, state in
            let text = arguments.text(0, state: &state)
            switch FormPattern.match(text, pattern: arguments.text(1, state: &state)) {
            case .matches: return .boolean(true)
            case .differs: return .boolean(false)
            case .invalid, .tooSlow:
                state.report(.pattern, in: "regex")
                return .boolean(false)
            }
        },
        .digest: { digest($0, state: &$1) },
        .base64Decode: { arguments, state in
            let bytes = Base64.decode(arguments.text(0, state: &state).trimmingSpaces) ?? []
            return .text(String(validating: bytes, as: UTF8.self) ?? "")
        },
        .extractSigned: { arguments, state in
            let signed = Base64.decode(arguments.text(0, state: &state).trimmingSpaces) ?? []
            let key = Base64.decode(arguments.text(1, state: &state).trimmingSpaces) ?? []
            return .text(SignedText.content(of: signed, key: key) ?? "")
        },
    ]

    private static func digest(_ arguments: FunctionArguments, state: inout FunctionState) -> FormValue {
        let text = arguments.text(0, state: &state)
        let encoding = arguments.count > 2 ? arguments.text(2, state: &state).lowercased() : "base64"
        guard let algorithm = DigestAlgorithm(exactly: arguments.text(1, state: &state).uppercased()),
            encoding == "base64" || encoding == "hex"
        else {
            state.report(.unknownAlgorithm, in: "digest")
            return .empty
        }
        let bytes = algorithm.digest(of: text)
        return .text(encoding == "hex" ? Hexadecimal.encode(bytes) : Base64.encode(bytes))
    }
}

/// A text behind its Ed25519 signature.
enum SignedText {
    private static let signatureLength = 64

    /// The text; `nil` where the signature is not that of the key.
    static func content(of signed: [UInt8], key: [UInt8]) -> String? {
        guard signed.count >= signatureLength, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key)
        else {
            return nil
        }
        let (signature, content) = (Array(signed.prefix(signatureLength)), Array(signed.dropFirst(signatureLength)))
        guard key.isValidSignature(signature, for: content) else { return nil }
        return String(validating: content, as: UTF8.self)
    }
}
