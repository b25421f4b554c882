import Crypto
import DocumentValues
import Foundation
import SodiumCrypto

/// A mark that a client keeps after a correct password, so that wrong ones of others from the same address do not count
/// against it. By itself it grants no access.
///
/// `identifier.origin.code`, all in hexadecimal digits: the origin proves that the gateway made it for this name, and the code
/// for this name and password. After a change of the password the devices of a user stay known, but share a few counts until
/// they have signed in with it. So a person who knew the former password, and has gathered many marks, can still make only
/// few guesses.
package struct DeviceMark: Sendable, Hashable {
    private static let length = 16
    /// No session has such an identifier, so no code is a session's key.
    private static let purpose = "device"

    /// Identifies the device among others of the user.
    package let identifier: String
    package let text: String
    /// Whether it was made with the user's present password.
    package let isOfPresentPassword: Bool

    /// The wrong passwords that are counted together: those of the device, or those of a sixteenth of all devices that
    /// signed in with an earlier password.
    package var account: String { isOfPresentPassword ? identifier : "earlier \(identifier.prefix(1))" }

    /// - Parameter password: the hash.
    init(for name: Name, password: String, secret: [UInt8]) {
        identifier = Hexadecimal.encode(SecureRandom.bytes(Self.length))
        text = Self.text(identifier, name: name, password: password, secret: secret)
        isOfPresentPassword = true
    }

    /// `nil` for a text that was not made here for this name.
    init?(reading text: String, of name: Name, password: String, secret: [UInt8]) {
        let parts = text.split(atByte: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 2 * Self.length else { return nil }
        identifier = String(parts[0])
        let present = Self.text(identifier, name: name, password: password, secret: secret)
        let origin = Self.code([identifier, name.text], secret: secret)
        guard text.utf8.count == present.utf8.count,
            constantTimeEqual(Array(origin.utf8), and: Array(parts[1].utf8))
        else { return nil }
        isOfPresentPassword = constantTimeEqual(Array(present.utf8), and: Array(text.utf8))
        self.text = text
    }

    private static func text(_ identifier: String, name: Name, password: String, secret: [UInt8]) -> String {
        let origin = code([identifier, name.text], secret: secret)
        return "\(identifier).\(origin).\(code([identifier, password, name.text], secret: secret))"
    }

    /// With the number of parts, so that no origin is a code.
    private static func code(_ parts: [String], secret: [UInt8]) -> String {
        let message = ([purpose, "\(parts.count)"] + parts).joined(separator: "/")
        let code = HMAC<SHA256>.authenticationCode(for: Array(message.utf8), using: SymmetricKey(data: secret))
        return Hexadecimal.encode(Array(code))
    }
}

extension PrincipalService {
    /// For a client that has just signed in with a password; `nil` if the user has none any more.
    package func makeDeviceMark(for name: Name) async throws -> DeviceMark? {
        try await views.knownUser(name)?.password.map { DeviceMark(for: name, password: $0, secret: sessionKey) }
    }

    /// - Parameter text: the mark that a client has from an earlier sign-in as this user.
    package func deviceMark(reading text: String, of name: Name) async throws -> DeviceMark? {
        try await views.knownUser(name)?.password.flatMap {
            DeviceMark(reading: text, of: name, password: $0, secret: sessionKey)
        }
    }
}
