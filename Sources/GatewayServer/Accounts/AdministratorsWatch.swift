import ServiceLifecycle

/// Has changes of the administrators reported soon after they are made, whether or not anybody signs in.
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
