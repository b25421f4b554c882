import DocumentValues
import GatewayCore

/// The kind of credentials.
enum LoginMeans: String, Sendable { case password, token, session, none }

extension GatewayContext {
    /// One check of a password: slowed down and counted, and logged only if it is wrong, since each request has one.
    func attempt<Value>(
        _ key: LoginThrottle.Key, by means: LoginMeans, check: () async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await logins.attempt(key, check: check)
            metrics.countLogin(key.database, isRight: true)
            return value
        } catch {
            let status = (error as? Refusal)?.error.status ?? GatewayError(error).status
            if status == 401 || status == 429 {
                metrics.countLogin(key.database, isRight: false)
                refusedSignIns.note(key.name.text, in: key.database, from: key.address, status: status, logger: logger)
                logs.audit?.login(
                    status == 429 ? .throttled : .refused, user: key.name.text, database: key.database,
                    client: key.address, means: means.rawValue)
            }
            throw error
        }
    }
}
