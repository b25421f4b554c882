import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes

/// Finds out the user of a request: by basic credentials or a token, then by a one-time session in a handshake, then by a
/// session cookie; without any of them it is the guest.
struct Login {
    private static let protocolPrefix = LoginRules.usualCookieName + "_"

    let request: GatewayRequest
    let gateway: GatewayContext

    /// The requester of a request to a database.
    struct Outcome {
        let database: GatewayDatabase
        let requester: Requester
        /// `nil` if the route checks the credentials itself.
        let authorization: RequestAuthorization?
        /// For the answer, such as a renewed cookie.
        var headers: HTTPFields = [:]
    }

    /// - Parameter isOpenToAnybody: whether the route checks the credentials itself.
    func resolve(_ databaseName: String, isOpenToAnybody: Bool) async throws -> Outcome {
        if request.port == .admin {
            if case .kept(let refusal) = request.handshake { throw refusal }
            let administrator = try await gateway.administrators.check(request, gateway: gateway)
            if let fault = gateway.databases.fault(of: databaseName) { throw fault }
            guard let database = gateway.databases.database(databaseName) else {
                throw GatewayError.noSuchDatabase(databaseName)
            }
            return Outcome(
                database: database, requester: .admin,
                authorization: RequestAuthorization(of: administrator, in: database))
        }
        // Without the database no credentials can be checked. After 503 a client tries again, but not after a refused
        // login.
        guard gateway.databases.fault(of: databaseName) == nil else {
            throw GatewayError.unavailableDatabase
        }
        guard let database = gateway.databases.database(databaseName) else {
            // As a Sync Gateway answers: without a challenge, so that names of databases can be found out. Checking a
            // password anyway would not hide the names, and would cost as much as a real check.
            throw basicCredentials == nil ? GatewayError.loginRequired : GatewayError.invalidLogin
        }
        if isOpenToAnybody { return Outcome(database: database, requester: .guest, authorization: nil) }
        if case .kept(let refusal) = request.handshake { throw refusal }
        let person = try await signIn(database)
        return Outcome(
            database: database, requester: person.requester,
            authorization: RequestAuthorization(person.authorization, in: database),
            headers: person.renewed.map { cookie($0, of: database) } ?? [:])
    }

    /// The user of the request; 401 if there is none.
    func signIn(_ database: GatewayDatabase) async throws -> SignedIn {
        let rules = database.loginRules
        if !rules.refusesPasswords, let credentials = basicCredentials {
            return try await asking(rules) {
                try await authenticate(database, name: credentials.name, password: credentials.password)
            }
        }
        if let token {
            return try await asking(rules) { try await authenticate(database, token: token) }
        }
        if let session = sessionID(rules) {
            return try await database.principals.authenticate(session: session)
        }
        return try await asking(rules) { try await database.principals.authenticateGuest() }
    }

    /// Adds to a refusal how to sign in.
    private func asking<Value>(_ rules: LoginRules, body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as GatewayError where error.status == 401 && rules.asksForPassword {
            throw Refusal(error, headers: [.wwwAuthenticate: GatewayIdentity.realm])
        }
    }

    /// Checks a password, unless too many were wrong.
    func authenticate(_ database: GatewayDatabase, name: String, password: String) async throws -> SignedIn {
        let device = try await deviceMark(of: Name(name), in: database)?.account
        let key = LoginThrottle.Key(
            database: database.name, name: Name(name), address: request.client, device: device)
        return try await gateway.attempt(key, by: .password) {
            try await database.principals.authenticate(name: Name(name), password: password, from: request.client)
        }
    }

    /// An invalid token does not show which user it is.
    func authenticate(_ database: GatewayDatabase, token: String) async throws -> SignedIn {
        do {
            let person = try await database.principals.authenticate(token: token)
            gateway.metrics.countLogin(database.name, isRight: true)
            return person
        } catch let error as GatewayError where error.status == 401 {
            gateway.metrics.countLogin(database.name, isRight: false)
            gateway.refusedSignIns.note(
                "", in: database.name, from: request.client, status: 401, logger: gateway.logger)
            gateway.logs.audit?.login(
                .refused, user: "", database: database.name, client: request.client, means: LoginMeans.token.rawValue)
            throw error
        }
    }

    /// Notes the sign-in of a user with a session or a sync connection. Single requests are not noted.
    func note(_ requester: Requester, in database: GatewayDatabase, by means: LoginMeans? = nil) {
        guard let name = requester.userName else { return }
        database.principals.noteSignIn(of: name.text, agent: request.agent)
        let means = means ?? self.means(database.loginRules)
        gateway.logs.audit?.login(
            .accepted, user: name.text, database: database.name, client: request.client, means: means.rawValue)
    }

    func means(_ rules: LoginRules) -> LoginMeans {
        if basicCredentials != nil { return .password }
        if token != nil { return .token }
        return sessionID(rules) != nil ? .session : .none
    }

    /// A bearer token, as it is in the header.
    var token: String? {
        request.header(.authorization).flatMap { Self.credentials(in: $0, scheme: "bearer ") }.map { String($0) }
    }

    /// The text behind the name of the scheme, which has no case, without the blanks around it.
    private static func credentials(in header: String, scheme: String) -> Substring? {
        let bytes = header.utf8
        let name = bytes.prefix(scheme.utf8.count).lazy.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        guard name.elementsEqual(scheme.utf8) else { return nil }
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let rest = bytes.dropFirst(scheme.utf8.count).drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
        return Substring(rest[...last])
    }

    /// An undecodable header counts as none, and so does an empty name, which clients send if they have no user.
    var basicCredentials: (name: String, password: String)? { Self.basicCredentials(request.header(.authorization)) }

    static func basicCredentials(_ header: String?) -> (name: String, password: String)? {
        guard let header, let encoded = credentials(in: header, scheme: "basic "),
            let bytes = Base64.decode(encoded), let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0
        else { return nil }
        // A name or password that is not UTF-8 belongs to no user, but it counts as credentials.
        let (name, password) = (bytes[..<colon], bytes[(colon + 1)...])
        return (String(decoding: name, as: UTF8.self), String(decoding: password, as: UTF8.self))
    }

    func sessionID(_ rules: LoginRules) -> String? {
        oneTimeSession ?? Self.cookie(named: rules.cookieName, in: request.header(.cookie))
    }

    /// A browser's WebSocket names its session as one more protocol that it offers.
    private var oneTimeSession: String? {
        guard request.header(.upgrade) != nil, let offer = request.header(.secWebSocketProtocol) else { return nil }
        let names = offer.split(atByte: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return names.lazy.compactMap { $0.droppingExactPrefix(Self.protocolPrefix) }.first
    }

    static func cookie(named cookieName: String, in header: String?) -> String? {
        for pair in (header ?? "").split(atByte: ";") {
            // A cookie that was revoked has an empty value: it is invalid, but it counts as one.
            let parts = pair.split(atByte: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces).isExactly(cookieName) else {
                continue
            }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }

    /// A page of another host that may sign in has to stay signed in: browsers send its cookie only with
    /// `SameSite=None`, and accept that only over TLS.
    func cookie(_ session: NewSession, of database: GatewayDatabase) -> HTTPFields {
        let rules = database.loginRules
        let isSecure = rules.isCookieSecure ?? (gateway.configuration.tls != nil)
        let pages = database.crossOriginRules ?? gateway.configuration.crossOrigin
        let sameSite = rules.sameSite ?? (isSecure && pages != CrossOriginRules() ? "None" : "Default")
        var text =
            "\(rules.cookieName)=\(session.id); Path=/\(database.name); Expires=\(HTTPDate.text(session.expires))"
        if rules.isCookieHTTPOnly { text += "; HttpOnly" }
        if isSecure { text += "; Secure" }
        if sameSite != "Default" { text += "; SameSite=\(sameSite)" }
        return [.setCookie: text]
    }
}
