import Foundation
import Testing

@testable import GatewayServer

/// What a gateway can be reached by, and listen on.
@Suite struct HostNameTests {
    @Test(arguments: [
        "field.example.org", "localhost", "127.0.0.1", "::1", "fe80::1", "a_b.local", "xn--bcher-kva.example",
    ])
    func namesAndAddressesAreTaken(host: String) { #expect(HostName.isValid(host)) }

    @Test(arguments: [
        "", " ", "https://field.example.org", "field.example.org:4984", "a b", "1.2.3.400", "1.2.3", "-a.example",
        "a..b",
        "[::1]", "a/b", "bücher.example", "a\nb", String(repeating: "a", count: 64) + ".example",
    ])
    func whatCanNameNoMachineIsRefused(host: String) throws {
        #expect(!HostName.isValid(host))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("host-\(UUID().uuidString)").path
        let setup = GatewaySetup(folder: folder, hosts: ["localhost", host], hasTLS: true)
        let failure = #expect(throws: ConfigurationError.self) { try setup.run() }
        #expect(failure?.description.contains("'\(host)'") == true && failure?.hint != nil)
        // Nothing is left behind that the next attempt would stumble over.
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func interfacesAreChecked() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("host-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func read(_ interface: String) throws -> GatewayConfiguration {
            let text = "api:\n  public_interface: \"\(interface)\"\nstorage:\n  path: data\n"
            try text.write(toFile: folder + "/gateway.yaml", atomically: true, encoding: .utf8)
            return try GatewayConfiguration(file: folder + "/gateway.yaml", environment: [:])
        }
        #expect(try read("[::1]:4984").publicInterface.host == "::1")
        #expect(try read(":4984").publicInterface.host == "0.0.0.0")
        let failure = #expect(throws: ConfigurationError.self) { try read("http://field.example.org:4984") }
        #expect(failure?.problem.contains("neither a host name nor an address") == true)
    }
}
