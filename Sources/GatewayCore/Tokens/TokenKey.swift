import DocumentValues
import Foundation
import JWTKit

/// A public key that an issuer signs with, as the configuration gives it (RFC 7517).
struct TokenKey: Sendable {
    let id: String?
    let algorithm: String
    private let json: JSONObject

    /// Algorithms with a public key: with a shared secret, every reader of the configuration could make tokens.
    static let algorithms: Set<String> = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
    ]

    /// Throws a text about the key's error; never the key itself.
    init(_ json: JSONObject) throws(TokenProblem) {
        guard let algorithm = json["alg"]?.stringValue else { throw TokenProblem("a key has no 'alg'") }
        guard Self.algorithms.contains(algorithm) else {
            throw TokenProblem("the algorithm '\(algorithm)' of a key is not supported")
        }
        guard json["d"] == nil, json["k"] == nil else {
            throw TokenProblem("a key is a private one; give the public key only")
        }
        if let use = json["use"]?.stringValue, use != "sig" { throw TokenProblem("a key is not for signatures") }
        self.json = json
        self.algorithm = algorithm
        id = json["kid"]?.stringValue
    }

    func check() async throws(TokenProblem) {
        do {
            _ = try await verifier()
        } catch {
            throw TokenProblem("the key '\(id ?? "")' cannot be used for \(algorithm)")
        }
    }

    func isSignature(_ signature: [UInt8], over bytes: [UInt8]) async throws -> Bool {
        try await verifier().verify(signature, signs: bytes)
    }

    private func verifier() async throws -> any JWTAlgorithm {
        var json = json
        let name = id ?? "key"
        json["kid"] = .string(name)
        let key = try JSONDecoder().decode(JWK.self, from: Data(json.bytes))
        return try await JWTKeyCollection().add(jwk: key)
            .getKey(for: JWKIdentifier(string: name), alg: algorithm)
    }
}

/// An error in the configuration of an issuer.
struct TokenProblem: Error, Sendable {
    let text: String

    init(_ text: String) { self.text = text }
}
