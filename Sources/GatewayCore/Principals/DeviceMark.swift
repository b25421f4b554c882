import Crypto
import DocumentValues
import Foundation
import SodiumCrypto

/// What a client keeps after a right password, so that wrong ones of others who come from the same address do not count
/// against it. By itself it opens nothing.
///
/// `identifier.code`, both in hexadecimal digits: the code proves that the gateway made it for this name.
package struct DeviceMark: Sendable, Hashable {
    private static let length = 16
    /// No session has such an identifier, so no code is a session's key.
    private static let purpose = "device"

    /// Names the device among others of the user.
    package let identifier: String
    package let text: String

    init(for name: Name, secret: [UInt8]) {
        let identifier = Hexadecimal.encode(SecureRandom.bytes(Self.length))
        self.init(identifier: identifier, name: name, secret: secret)
    }

    /// `nil` for what was not made for this name, whoever made it.
    init?(reading text: String, of name: Name, secret: [UInt8]) {
        let parts = text.split(atByte: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 2 * Self.length else { return nil }
        let mark = Self(identifier: String(parts[0]), name: name, secret: secret)
        guard constantTimeEqual(Array(mark.text.utf8), and: Array(text.utf8)) else { return nil }
        self = mark
    }

    private init(identifier: String, name: Name, secret: [UInt8]) {
        self.identifier = identifier
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("\(Self.purpose)/\(identifier)/\(name.text)".utf8), using: SymmetricKey(data: secret))
        text = "\(identifier).\(Hexadecimal.encode(Array(code)))"
    }
}

extension PrincipalService {
    /// For the client with which somebody has just signed in by a password.
    package func makeDeviceMark(for name: Name) -> DeviceMark { DeviceMark(for: name, secret: sessionKey) }

    /// - Parameter text: what a client that wants to sign in as this user has of an earlier time.
    package func deviceMark(reading text: String, of name: Name) -> DeviceMark? {
        DeviceMark(reading: text, of: name, secret: sessionKey)
    }
}
