@testable import GatewayServer
import Testing

@Suite struct OpenFilesTests {
    @Test(
        arguments: [
            (limit: 1_024, of: 512, others: 128), (limit: 4_096, of: 2_096, others: 256),
            (limit: 65_536, of: 20_000, others: 256), (limit: .max, of: 20_000, others: 256),
        ])
    func connectionsLeaveFilesForTheRest(limit: Int, of count: Int, others: Int) {
        #expect(OpenFiles.connections(of: .publicAPI, limit: limit) == count)
        #expect(OpenFiles.connections(of: .admin, limit: limit) == others)
        #expect(OpenFiles.connections(of: .metrics, limit: limit) == others)
    }
}
