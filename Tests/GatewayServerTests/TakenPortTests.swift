import GatewayServer
import Testing

/// A gateway one of whose ports another process has.
@Suite(.timeLimit(.minutes(1))) struct TakenPortTests {
    /// It says so, and nothing of what it had not begun.
    @Test(arguments: [GatewayPort.publicAPI, .admin, .metrics])
    func itIsNamedAndNothingElse(port: GatewayPort) async throws {
        try await TestGateway.run { _ in
        } _: { other in
            let log = LogLines()
            let failure = await #expect(throws: ConfigurationError.self) {
                try await TestGateway.run(log: log) { configuration in
                    switch port {
                    case .publicAPI: configuration.publicInterface.port = other.publicPort
                    case .admin: configuration.adminInterface.port = other.publicPort
                    case .metrics: configuration.metricsInterface.port = other.publicPort
                    }
                } _: { _ in
                }
            }
            #expect(failure?.problem.contains("the \(port.name) port cannot be opened") == true)
            #expect(log.all.filter { $0.contains(" error ") || $0.contains(" warning ") } == [])
        }
    }
}
