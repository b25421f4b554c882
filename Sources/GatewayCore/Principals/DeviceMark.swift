import Crypto
import DocumentValues
import Foundation
import SodiumCrypto

/// What a client keeps after a right password, so that wrong ones of others who come from the same address do not count
/// against it. By itself it opens nothing.
///
/// `identifier.code`, both in hexadecimal digits: the code proves that the gateway made it for this name and password. So it
/// ends with the password, and however many of them somebody has gathered, they guess nothing with them.
package struct DeviceMark: Sendable, Hashable {
    private static let length = 16
    /// No session has such an identifier, so no code is a session's key.
    private static let purpose = "device"

    /// Names the device among others of the user.
    package let identifier: String
    package let text: String

    /// - Parameter password: the hash.
    init(for name: Name, password: String, secret: [UInt8]) {
        let identifier = Hexadecimal.encode(SecureRandom.bytes(Self.length))
        self.init(identifier: identifier, name: name, password: password, secret: secret)
    }

    /// `nil` for what was not made here for this name and password.
    init?(reading text: String, of name: Name, password: String, secret: [UInt8]) {
        let parts = text.split(atByte: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 2 * Self.length else { return nil }
        let mark = Self(identifier: String(parts[0]), name: name, password: password, secret: secret)
        guard constantTimeEqual(Array(mark.text.utf8), and: Array(text.utf8)) else { return nil }
        self = mark
    }

    private init(identifier: String, name: Name, password: String, secret: [UInt8]) {
        self.identifier = identifier
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("\(Self.purpose)/\(identifier)/\(password)/\(name.text)".utf8), using: SymmetricKey(data: secret)
        )
        text = "\(identifier).\(Hexadecimal.encode(Array(code)))"
    }
}

extension PrincipalService {
    /// For the client with which somebody has just signed in by a password; `nil` for who has none by now.
    package func makeDeviceMark(for name: Name) async throws -> DeviceMark? {
        try await views.knownUser(name)?.password.map { DeviceMark(for: name, password: $0, secret: sessionKey) }
    }

    /// - Parameter text: what a client that wants to sign in as this user has of an earlier time.
    package func deviceMark(reading text: String, of name: Name) async throws -> DeviceMark? {
        try await views.knownUser(name)?.password.flatMap {
            DeviceMark(reading: text, of: name, password: $0, secret: sessionKey)
        }
    }
}
