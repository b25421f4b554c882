import ServiceLifecycle
import SyncFunction

/// Ends the workers of sync functions when the server has ended. If the server's time for that is over, it ends them at
/// once: requests wait for them, and users may have very many slow documents there.
struct SyncFunctionsEnd: Service {
    let functions: SyncFunctionPool

    func run() async throws {
        do {
            try await gracefulShutdown()
            functions.close()
        } catch {
            functions.abort()
        }
    }
}
