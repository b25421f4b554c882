import ServiceLifecycle

/// Reports changes of the administrators soon after they are made, even if there is no sign-in.
struct AdministratorsWatch: Service {
    let administrators: Administrators

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                administrators.look()
                do {
                    try await Task.sleep(for: GatewayServerLimits.administratorLook)
                } catch {
                    return
                }
            }
        }
    }
}
