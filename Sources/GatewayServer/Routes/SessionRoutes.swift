import AccessControl
import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import Hummingbird

/// Sessions: made and ended by users on the public port, looked after by administrators on the other.
enum SessionRoutes {
    /// Open to every client. Without credentials, or with an expired cookie, the name is `null`. A wrong password or token
    /// is refused.
    @Sendable static func current(_ call: RouteCall) async throws -> Response {
        let database = try call.database
        let login = Login(request: call.request, gateway: call.context)
        let namesSomebody = login.basicCredentials != nil || login.token != nil
        var person: SignedIn?
        do {
            person = try await login.signIn(database)
        } catch let error as Refusal where !namesSomebody && error.error.status == 401 {
            person = nil
        } catch let error as GatewayError where !namesSomebody && error.status == 401 {
            person = nil
        }
        return .json(
            .object(try await description(database, requester: person?.requester)),
            headers: person?.renewed.map { login.cookie($0, of: database) } ?? [:])
    }

    @Sendable static func create(_ call: RouteCall) async throws -> Response {
        if call.isAdmin { return try await createForUser(call) }
        let database = try call.database
        let person: SignedIn
        let login = Login(request: call.request, gateway: call.context)
        if database.loginRules.refusesPasswords, login.token == nil { throw GatewayError.loginRequired }
        if let credentials = login.basicCredentials {
            person = try await login.authenticate(database, name: credentials.name, password: credentials.password)
        } else if let token = login.token {
            person = try await login.authenticate(database, token: token)
        } else {
            let body = try await call.request.object()
            try check(body, members: ["name": .text, "password": .text])
            person = try await login.authenticate(
                database, name: body["name"]?.stringValue ?? "", password: body["password"]?.stringValue ?? "")
        }
        let requester = person.requester
        login.note(requester, in: database, by: login.token == nil ? .password : .token)
        if call.request.flag("one_time") { return try await createOneTime(database, for: person) }
        let session = try await database.principals.createSession(for: person)
        return .json(
            .object(try await description(database, requester: requester)), headers: login.cookie(session, of: database)
        )
    }

    /// For a browser's WebSocket, which cannot carry a header: the id is in the answer, and no cookie is set.
    private static func createOneTime(_ database: GatewayDatabase, for person: SignedIn) async throws -> Response {
        let session = try await database.principals.createSession(for: person, isOneTime: true)
        var object = try await description(database, requester: person.requester)
        object["one_time_session_id"] = .string(session.id)
        return .json(.object(object))
    }

    private static func createForUser(_ call: RouteCall) async throws -> Response {
        let body = try await call.request.object()
        try check(body, members: ["name": .text, "ttl": .integer])
        guard let name = body["name"]?.stringValue.map({ Name($0) }), !name.isEmpty, name != PrincipalName.guest else {
            throw GatewayError.missingUserName
        }
        let lifetime = min(body["ttl"]?.integerValue ?? GatewayLimits.sessionLifetime, GatewayLimits.longestSession)
        guard lifetime >= 1 else { throw GatewayError.invalidLifetime }
        let session = try await call.database.principals.createSession(user: name, lifetime: lifetime)
        return .json([
            "session_id": .string(session.id), "expires": .string(HTTPDate.rfc3339(session.expires)),
            "cookie_name": .string(try call.database.loginRules.cookieName),
        ])
    }

    private static func check(_ body: JSONObject, members: [Name: MemberTypes.Kind]) throws {
        for member in body where members[Name(member.key)] == nil {
            throw GatewayError.unknownMember(member.key)
        }
        try MemberTypes(members).check(body) { .badJSON($0) }
    }

    @Sendable static func logOut(_ call: RouteCall) async throws -> Response {
        let rules = try call.database.loginRules
        guard let session = Login(request: call.request, gateway: call.context).sessionID(rules) else {
            throw GatewayError.noSession
        }
        do {
            try await call.database.principals.deleteSession(session, isRevoked: false)
        } catch let error as GatewayError where error.status == 404 {
            throw GatewayError.noSession
        }
        let now = HTTPDate.text(Int64(Date().timeIntervalSince1970))
        return .empty(headers: [.setCookie: "\(rules.cookieName)=; Expires=\(now)"])
    }

    @Sendable static func find(_ call: RouteCall) async throws -> Response {
        let name = try await call.database.principals.sessionUser(call.parameters[0])
        return .json(.object(try await description(try call.database, requester: .user(name))))
    }

    @Sendable static func delete(_ call: RouteCall) async throws -> Response {
        try await call.database.principals.deleteSession(call.parameters[0])
        return .empty()
    }

    /// A user who does not exist has no sessions to delete.
    @Sendable static func deleteAll(_ call: RouteCall) async throws -> Response {
        do {
            try await call.database.principals.deleteSessions(of: Name(call.parameters[0]))
        } catch let error as GatewayError where error.status == 404 {}
        return .empty()
    }

    @Sendable static func deleteOne(_ call: RouteCall) async throws -> Response {
        try await call.database.principals.deleteSession(call.parameters[1], user: Name(call.parameters[0]))
        return .empty()
    }

    private static func description(_ database: GatewayDatabase, requester: Requester?) async throws -> JSONObject {
        let user = try await database.principals.userContext(of: requester)
        return ["authentication_handlers": ["default", "cookie"], "ok": true, "userCtx": .object(user)]
    }
}
