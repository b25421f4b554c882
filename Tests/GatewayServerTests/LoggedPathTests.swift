import Testing

@testable import GatewayServer

/// What the logs have of a path.
@Suite struct LoggedPathTests {
    @Test(arguments: [
        ("/db/_session/0123456789abcdef", "/db/_session/****"),
        ("/db/_user/ann/_session/0123", "/db/_user/ann/_session/****"), ("/db/%5fsession/0123", "/db/%5fsession/****"),
        ("/db/_session", "/db/_session"), ("/db/_session/", "/db/_session/"),
        ("/db/_session/0123/x", "/db/_session/****/x"), ("/db/_user/ann/_session", "/db/_user/ann/_session"),
        ("/db/a_session/0123", "/db/a_session/0123"), ("/", "/"), ("", ""), ("/db/ann%2Fx", "/db/ann%2Fx"),
    ])
    func sessionsAreHidden(path: String, logged: String) { #expect(RequestLog.path(of: path) == logged) }
}
