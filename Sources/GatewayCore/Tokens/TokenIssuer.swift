import DocumentValues
import Foundation
import Logging

/// One member of `local_jwt`: the issuer whose tokens are accepted, and the meaning of its claims.
struct TokenIssuer: Sendable {
    let name: String
    let issuer: String
    /// The required value of `aud`; empty for any.
    private let clientID: String
    private let algorithms: Set<String>
    private let keys: Keys
    /// Whether users who do not exist yet are created.
    let registers: Bool
    private let userPrefix: String
    private let usernameClaim: String
    private let rolesClaim: String?
    private let channelsClaim: String?
    private let checksExpiry: Bool

    private enum Keys: Sendable {
        case given([TokenKey])
        case published(RemoteKeys)
    }

    private static let members: Set<Name> = [
        "issuer", "client_id", "algorithms", "keys", "register", "username_claim", "user_prefix", "roles_claim",
        "channels_claim", "disable_session", "skip_expiry_check", "jwks_uri",
    ]

    static func all(_ json: JSONValue?) throws(GatewayError) -> [TokenIssuer] {
        var issuers: [TokenIssuer] = []
        for member in json?.objectValue ?? [:] {
            do {
                issuers.append(try TokenIssuer(member.key, json: member.value.objectValue ?? [:]))
            } catch {
                throw GatewayError.invalidConfiguration("local_jwt \"\(member.key)\": \(error.text)")
            }
        }
        return issuers
    }

    private init(_ name: String, json: JSONObject) throws(TokenProblem) {
        for key in json.keys where !Self.members.contains(Name(key)) { throw TokenProblem("unknown member \"\(key)\"") }
        self.name = name
        guard let issuer = json["issuer"]?.stringValue, !issuer.isEmpty else {
            throw TokenProblem("issuer not defined")
        }
        self.issuer = issuer
        guard let clientID = json["client_id"]?.stringValue else {
            throw TokenProblem("client_id not defined (may be empty for any audience)")
        }
        self.clientID = clientID
        algorithms = try Self.algorithms(json)
        keys = try Self.keys(json)
        registers = json["register"]?.boolValue ?? false
        checksExpiry = json["skip_expiry_check"]?.boolValue != true
        let claim = json["username_claim"]?.stringValue ?? ""
        usernameClaim = claim.isEmpty ? "sub" : claim
        let prefix = json["user_prefix"]?.stringValue ?? ""
        userPrefix = prefix.isEmpty && claim.isEmpty ? Self.prefix(of: issuer, named: name) : prefix
        rolesClaim = json["roles_claim"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        channelsClaim = json["channels_claim"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func algorithms(_ json: JSONObject) throws(TokenProblem) -> Set<String> {
        let names = json["algorithms"]?.arrayValue?.compactMap(\.stringValue) ?? []
        guard !names.isEmpty else { throw TokenProblem("algorithms not defined") }
        for name in names where !TokenKey.algorithms.contains(name) {
            throw TokenProblem("the algorithm '\(name)' is not supported")
        }
        return Set(names)
    }

    private static func keys(_ json: JSONObject) throws(TokenProblem) -> Keys {
        if let text = json["jwks_uri"]?.stringValue, !text.isEmpty {
            guard json["keys"]?.arrayValue?.isEmpty ?? true else {
                throw TokenProblem("'keys' and 'jwks_uri' are mutually exclusive")
            }
            guard let keys = RemoteKeys(text) else { throw TokenProblem("jwks_uri must be an http or https address") }
            return .published(keys)
        }
        var keys: [TokenKey] = []
        for key in json["keys"]?.arrayValue ?? [] { keys.append(try TokenKey(key.objectValue ?? [:])) }
        guard !keys.isEmpty else { throw TokenProblem("either 'keys' or 'jwks_uri' must be specified") }
        let names = keys.compactMap { $0.id.map { Name($0) } }
        guard keys.count == 1 || names.count == keys.count, Set(names).count == names.count else {
            throw TokenProblem("each of several keys needs a 'kid' of its own")
        }
        return .given(keys)
    }

    /// Host and path of the issuer, so that users of two issuers with the same name stay different.
    private static func prefix(of issuer: String, named name: String) -> String {
        guard let url = URL(string: issuer), let host = url.host() else { return name }
        let text = host + url.path()
        return text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-.")))
            ?? name
    }

    func checkKeys() async throws(GatewayError) {
        guard case .given(let keys) = keys else { return }
        for key in keys {
            do {
                try await key.check()
            } catch {
                throw GatewayError.invalidConfiguration("local_jwt \"\(name)\": \(error.text)")
            }
        }
    }

    // MARK: - Tokens

    /// Whether a token was signed by this issuer, is for us, and is valid now.
    func accepts(_ token: SignedToken, now: Int64, logger: Logger) async throws -> Bool {
        guard token.claims["iss"] == .string(issuer), isAudience(token.claims["aud"]),
            isInForce(token.claims, now: now), algorithms.contains(token.algorithm)
        else { return false }
        for key in await keys(for: token, now: now, logger: logger)
        where try await key.isSignature(token.signature, over: token.signed) {
            return true
        }
        return false
    }

    /// The algorithm is the key's: a token cannot choose how it is checked.
    private func keys(for token: SignedToken, now: Int64, logger: Logger) async -> [TokenKey] {
        switch keys {
        case .published(let keys): return await keys.keys(for: token, now: now, logger: logger)
        case .given(let keys):
            guard let id = token.keyID else {
                return keys.count == 1 && keys[0].algorithm == token.algorithm ? keys : []
            }
            return keys.filter { $0.id.map { $0.isExactly(id) } == true && $0.algorithm == token.algorithm }
        }
    }

    private func isAudience(_ claim: JSONValue?) -> Bool {
        guard !clientID.isEmpty else { return true }
        return claim == .string(clientID)
            || claim?.arrayValue?.contains { $0 == .string(clientID) } == true
    }

    private func isInForce(_ claims: JSONObject, now: Int64) -> Bool {
        let now = Double(now)
        if let start = claims["nbf"] {
            guard let start = start.doubleValue, start <= now + GatewayLimits.tokenLeeway else { return false }
        }
        guard checksExpiry else { return true }
        guard let end = claims["exp"]?.doubleValue else { return false }
        return end > now
    }

    /// The user that a token is of; `nil` without the claim. Escaped as in a query, as by Sync Gateway, since names that
    /// issuers give have slashes and colons in them, which users' names may not.
    func userName(_ claims: JSONObject) -> String? {
        let value = claims[usernameClaim]
        guard let text = value?.stringValue ?? value?.integerValue.map(String.init), !text.isEmpty else { return nil }
        let name = Self.escaped(text)
        return userPrefix.isEmpty ? name : "\(userPrefix)_\(name)"
    }

    /// `nil` for a claim of another type than a text or a list of texts.
    func grants(_ claims: JSONObject, now: Int64) -> TokenGrants? {
        guard let roles = Self.names(rolesClaim, in: claims), let channels = Self.names(channelsClaim, in: claims)
        else {
            return nil
        }
        return TokenGrants(issuer: issuer, roles: roles, channels: channels, updated: now)
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: " "): result += "+"
            default: result += "%" + Hexadecimal.encode([byte]).uppercased()
            }
        }
        return result
    }

    private static func names(_ claim: String?, in claims: JSONObject) -> Set<Name>? {
        guard let claim, let value = claims[claim] else { return [] }
        if let text = value.stringValue { return [Name(text)] }
        guard let list = value.arrayValue else { return nil }
        return list.allSatisfy { $0.stringValue != nil } ? value.names : nil
    }
}
