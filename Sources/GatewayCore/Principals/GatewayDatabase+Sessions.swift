import DocumentValues

/// A session as it is handed out, once.
package struct NewSession: Sendable, Hashable {
    /// 40 hexadecimal digits: what the cookie holds.
    package let id: String
    package let user: String
    /// Seconds since 1970.
    package let expires: Int64
}

/// Who a request is from.
extension GatewayDatabase {
    /// 401 `Invalid login` for a wrong name, a wrong password and a disabled user alike.
    package func authenticate(name: String, password: String) async throws -> Requester { fatalError("to come") }

    /// The guest, or 401 `Login required` where the database has none.
    package func authenticateGuest() throws -> Requester { fatalError("to come") }

    /// 401 `Session Invalid` or `Session no longer valid for user`. `renewed` is set when the session was prolonged and
    /// its cookie has to be sent again.
    package func authenticate(session id: String) async throws -> (requester: Requester, renewed: NewSession?) {
        fatalError("to come")
    }

    /// 404 `No such user "x"`. `lifetime` in seconds.
    package func createSession(user: String, lifetime: Int64? = nil) async throws -> NewSession {
        fatalError("to come")
    }

    /// The name of a session's user; 404 `missing`.
    package func sessionUser(_ id: String) async throws -> String { fatalError("to come") }

    /// 404 `missing`, or of another user than the one named.
    package func deleteSession(_ id: String, user: String? = nil) async throws { fatalError("to come") }

    package func deleteSessions(of user: String) async throws { fatalError("to come") }

    /// The `userCtx` of `GET _session`: `{"channels":{…} or null,"name":…}`; channels of the default collection.
    package func userContext(of requester: Requester?) async throws -> JSONObject { fatalError("to come") }
}
